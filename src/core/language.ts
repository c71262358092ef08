import data from "../../data/language-words.json" with { type: "json" };

/**
 * The language of a text, estimated from its letters and most common words: an ISO 639-1 code, or null if the text is too short or ambiguous. Meant
 * for checks such as "posts are in English", not for linguistics: a script shared by several languages is reported as the language most written in
 * it, unless a letter shows otherwise.
 *
 * Words are counted in the first `SAMPLE_LENGTH` characters. A language needs at least two marks and a lead over the next one; a language other
 * than English needs a clear lead, since "no", "die" and "come" are also words of English comments.
 * @example detectLanguage("What is the best way to clean a brush?") // => "en"
 */
export function detectLanguage(text: string): string | null {
  const end = Math.min(text.length, SAMPLE_LENGTH);
  const scores = new Float64Array(LATIN_LANGUAGES.length);
  const scripts = new Int32Array(SCRIPTS.length);
  let latin = 0;
  let wordStart = -1;
  let lower = true;
  for (let i = 0; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 32;
    const isLatin = isLatinLetter(code);
    if (isLatin) {
      latin++;
      if (wordStart < 0) {
        wordStart = i;
        lower = true;
      }
      // ASCII capitals and all accented letters: lower-casing each word would take a third of the time.
      if (code < 0x61 || code > 0x7f) lower = false;
      if (code > 0x7f) addMarks(scores, LETTER_MARKS.get(code | 0x20) ?? LETTER_MARKS.get(code));
      continue;
    }
    if (wordStart >= 0) {
      const length = i - wordStart;
      if (length <= LONGEST_WORD) {
        const word = text.slice(wordStart, i);
        addMarks(scores, WORD_MARKS.get(lower ? word : word.toLowerCase()));
      }
      wordStart = -1;
      if (i >= DECIDED_AFTER && isDecided(scores)) return bestLatin(scores);
    }
    if (code === 0xbf || code === 0xa1) scores[SPANISH]! += 2;
    if (code > 0x36f) countScript(scripts, code);
  }
  return foreignScript(scripts, latin, text.slice(0, end)) ?? bestLatin(scores);
}

/** Number of characters examined: enough to decide, and the time does not grow with the text. */
const SAMPLE_LENGTH = 600;
/** After this many characters a clear lead is enough: most texts have one after a sentence or two. */
const DECIDED_AFTER = 120;
const LONGEST_WORD = 8;

const LATIN_LANGUAGES = ["en", "es", "pt", "fr", "it", "de", "ca"] as const;
const ENGLISH = 0;
const SPANISH = 1;
/** Minimum marks of a language, and its minimum lead over the next one. Comments are mostly English, so another language needs more. */
const LEAST = { english: { marks: 1.4, lead: 1.05 }, other: { marks: 1.7, lead: 1.15, overEnglish: 1.7 } };

/** A language and the weight a word or letter adds to it, as pairs in one flat list. */
type Marks = readonly number[];
type RareLetters = Partial<Record<(typeof LATIN_LANGUAGES)[number], string>>;

const WORD_MARKS = wordMarks();
const LETTER_MARKS = letterMarks();

/** Letters used by few of the languages, with the weight of a word. */
function letterMarks(): ReadonlyMap<number, Marks> {
  const letters = new Set(Object.values(data.rare_letters).join(""));
  const owners = (letter: string) =>
    LATIN_LANGUAGES.flatMap((language, k) =>
      (data.rare_letters as RareLetters)[language]?.includes(letter) ? [k] : [],
    );
  return new Map(
    Array.from(letters, (letter) => {
      const list = owners(letter);
      return [letter.charCodeAt(0), list.flatMap((index) => [index, 1 / list.length])];
    }),
  );
}

/** A word of several languages counts for each of them. */
function wordMarks(): ReadonlyMap<string, Marks> {
  const owners = new Map<string, number[]>();
  LATIN_LANGUAGES.forEach((language, index) => {
    for (const word of data.common[language].split(" ")) {
      // The scanner splits at apostrophes: "it's" becomes "it" and "s".
      const seen = word.split("'")[0]!;
      const list = owners.get(seen) ?? [];
      if (!list.includes(index)) list.push(index);
      owners.set(seen, list);
    }
  });
  // Words that English also has, with another meaning: they do not indicate their language where English is likely.
  const english = new Set(data.also_english.split(" "));
  // Single letters also occur in formulas and lists, so they count less.
  const weight = (word: string, owners: number): number => (word.length === 1 ? 0.4 : 1) / Math.sqrt(owners);
  return new Map(
    [...owners].map(([word, list]) => {
      const marks = list.flatMap((index) => [index, weight(word, list.length)]);
      if (english.has(word) && !list.includes(ENGLISH)) marks.push(ENGLISH, weight(word, list.length) / 2);
      return [word, marks];
    }),
  );
}

function addMarks(scores: Float64Array, marks: Marks | undefined): void {
  if (marks === undefined) return;
  for (let i = 0; i < marks.length; i += 2) scores[marks[i]!]! += marks[i + 1]!;
}

function isLatinLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7)
  );
}

/** Whether one language has many marks and no other has a third of them. */
function isDecided(scores: Float64Array): boolean {
  let best = 0;
  let second = 0;
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]!;
    if (score > best) {
      second = best;
      best = score;
    } else if (score > second) second = score;
  }
  return best >= 4 && second * 3 <= best;
}

function bestLatin(scores: Float64Array): string | null {
  let best = 0;
  for (let i = 1; i < scores.length; i++) if (scores[i]! > scores[best]!) best = i;
  let second = 0;
  for (let i = 0; i < scores.length; i++) if (i !== best && scores[i]! > second) second = scores[i]!;
  const { marks, lead } = best === ENGLISH ? LEAST.english : LEAST.other;
  if (scores[best]! < marks || scores[best]! <= second * lead) return null;
  if (best !== ENGLISH && scores[best]! <= scores[ENGLISH]! * LEAST.other.overEnglish) return null;
  return LATIN_LANGUAGES[best]!;
}

/** Scripts by range of code units. Han comes before Kana and Hangul, which decide for Japanese and Korean when present. */
const RANGES: readonly (readonly [language: string, from: number, to: number])[] = [
  ["el", 0x370, 0x3ff],
  ["ru", 0x400, 0x52f],
  ["hy", 0x530, 0x58f],
  ["he", 0x590, 0x5ff],
  ["ar", 0x600, 0x6ff],
  ["ar", 0x750, 0x77f],
  ["ar", 0xfb50, 0xfdff],
  ["ar", 0xfe70, 0xfefc],
  ["hi", 0x900, 0x97f],
  ["bn", 0x980, 0x9ff],
  ["ta", 0xb80, 0xbff],
  ["th", 0xe00, 0xe7f],
  ["ka", 0x10a0, 0x10ff],
  ["zh", 0x3400, 0x4dbf],
  ["zh", 0x4e00, 0x9fff],
  ["ja", 0x3040, 0x30ff],
  ["ko", 0x1100, 0x11ff],
  ["ko", 0xac00, 0xd7a3],
];
const SCRIPTS = [...new Set(RANGES.map(([language]) => language))];
const SCRIPT_RANGES = RANGES.map(([language, from, to]) => ({ script: SCRIPTS.indexOf(language), from, to }));
const HAN = SCRIPTS.indexOf("zh");
const KANA = SCRIPTS.indexOf("ja");

function countScript(scripts: Int32Array, code: number): void {
  const found = SCRIPT_RANGES.find(({ from, to }) => code >= from && code <= to);
  if (found) scripts[found.script]!++;
}

/** Letters that determine the language of a shared script. */
const TELLING_LETTERS: readonly { script: string; letters: RegExp; language: string }[] = [
  { script: "ru", letters: /[іїєґ]/i, language: "uk" },
  { script: "ar", letters: /[پچژگ]/, language: "fa" },
];

/** The language of the most common non-Latin script if it outweighs the Latin letters; at least two letters are needed. */
function foreignScript(scripts: Int32Array, latin: number, sample: string): string | null {
  let best = 0;
  let total = 0;
  for (let i = 0; i < scripts.length; i++) {
    total += scripts[i]!;
    if (scripts[i]! > scripts[best]!) best = i;
  }
  // One Han character is as informative as about four Latin letters.
  const weight = best >= HAN ? total * 4 : total;
  if (total < 2 || weight <= latin) return null;
  if (best === HAN && scripts[KANA]! > 0) return "ja";
  const language = SCRIPTS[best]!;
  const found = TELLING_LETTERS.find(({ script, letters }) => script === language && letters.test(sample));
  return found?.language ?? language;
}
