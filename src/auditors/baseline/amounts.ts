import { lexemes } from "./lexemes.js";
import { NUMBER_WORDS, parseNumber, unitOf } from "./numbers.js";
import { type Words, wordAt } from "./scan-words.js";
import { trait } from "./word-traits.js";

/** A number in a text, with its unit where one stands beside it. */
export interface Amount {
  value: number;
  unit: string | null;
  at: number;
  /** Said loosely: "around five", "about 10". */
  loose: boolean;
}

const NUMBER = /([€$£])\s?(\d[\d.,]*\d|\d)|(?<![\p{L}\d])(\d[\d.,]*\d|\d)(?:\s?-\s?|\s)?([€$£%]|°[CF]?|\p{L}+)?/gu;
const LOOSE = /\b(?:around|about|roughly|approximately|some|nearly|almost|ca\.?|circa|unos|unas|casi)\s$/i;
const BEFORE_PRICE = /\b(?:paid|pay|costs?|price|for|asking|only|just|precio)\s$/i;

const NUMBER_WORD = trait((word) => NUMBER_WORDS.has(word));

/** All numbers of a text, in digits or in words before a unit ("five euros"). At most 60: a table of numbers says nothing more. */
export function findAmounts(text: string, words: Words, hasDigits: boolean): Amount[] {
  const amounts: Amount[] = [];
  if (hasDigits) {
    for (const match of text.matchAll(NUMBER)) {
      if (amounts.length >= 60) break;
      addDigits(amounts, text, match);
    }
  }
  if ((words.traits & NUMBER_WORD) !== 0) addNumberWords(amounts, text, words);
  return amounts;
}

function addNumberWords(amounts: Amount[], text: string, words: Words): void {
  for (let i = 0; i + 1 < words.count; i++) {
    if ((lexemes.traitsOf(words.lexemes[i]!) & NUMBER_WORD) === 0) continue;
    const value = NUMBER_WORDS.get(wordAt(words, i)!)!;
    const unit = unitOf(wordAt(words, i + 1)!);
    if (unit !== null && amounts.length < 60) {
      const at = words.starts[i]!;
      amounts.push({ value, unit, at, loose: LOOSE.test(text.slice(Math.max(0, at - 16), at)) });
    }
  }
}

function addDigits(amounts: Amount[], text: string, match: RegExpMatchArray): void {
  const digits = match[2] ?? match[3]!;
  const value = parseNumber(digits);
  if (value === null) return;
  const at = match.index!;
  const before = text.slice(Math.max(0, at - 16), at);
  let unit = match[1] ? "money" : match[4] ? unitOf(match[4].toLowerCase()) : null;
  // "for 6.99" and "I paid 39.90" are prices without a sign.
  if (unit === null && (/^\d{1,5}[.,]\d\d$/.test(digits) ? /\w\s$/.test(before) : false) && BEFORE_PRICE.test(before)) {
    unit = "money";
  }
  amounts.push({ value, unit, at, loose: LOOSE.test(before) });
}
