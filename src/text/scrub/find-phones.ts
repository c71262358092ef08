import type { Span } from "./scrub.js";

/** A run of digits, and the text between it and the next one. */
interface Group {
  digits: string;
  start: number;
  end: number;
  gap: string;
}

const RUN = /\p{Nd}+(?:[ \u00a0.\-\u2010-\u2015/()]{1,3}\p{Nd}+)*/gu;
const GROUP = /\p{Nd}+/gu;
/** More groups than in any telephone number. */
const MOST_GROUPS = 7;
const PHONE_WORD =
  /(?:\btel|phone|telefon|teléfono|\bfon|\btfno|mobile|móvil|handy|\bcell|\bcall|\bring|whatsapp|\bsms|\bfax|rufnummer|\bllam\p{L}*|\bappel\p{L}*)[^\p{N}]{0,16}$/iu;
const OTHER_NUMBER =
  /(?:isbn(?:-1[03])?|issn|\bean|\bid|order|invoice|ticket|version|\bv)[\s.:#№-]{0,4}$|[\p{L}\p{N}_#§=]$|[$€£¥₹]\s?$|\p{N}[.,:]$/iu;
const GOES_ON = /^(?:[\p{L}\p{N}_%€$£¥₹]|[.,:]\p{N})/u;

/**
 * Finds telephone numbers by the forms in which people write them. Digits alone are not a telephone number: dates, prices, versions, ids and ISBNs
 * are left alone, and so is a bare run of digits unless it has a national prefix or follows a word such as "call".
 */
export function findPhones(text: string): Span[] {
  const spans: Span[] = [];
  for (const run of text.matchAll(RUN)) {
    const groups = groupsOf(run[0], run.index);
    for (let from = 0; from < groups.length; ) {
      const to = longestPhone(text, groups, from);
      if (to < 0) from++;
      else {
        const end = groups[to]!.end;
        let start = openingOf(text, groups[from]!.start);
        // A bracket that closes after the number is not part of it.
        const count = (bracket: string) => text.slice(start, end).split(bracket).length;
        while (text[start] === "(" && count("(") > count(")")) start++;
        spans.push({ kind: "PHONE", start, end });
        from = to + 1;
      }
    }
  }
  return spans;
}

function groupsOf(run: string, offset: number): Group[] {
  const found = [...run.matchAll(GROUP)];
  return found.map((match, index) => {
    const end = match.index + match[0].length;
    return {
      digits: asciiDigits(match[0]),
      start: offset + match.index,
      end: offset + end,
      gap: run.slice(end, found[index + 1]?.index ?? end),
    };
  });
}

/** Index of the last group of the longest number that starts at group `from`; -1: none. */
function longestPhone(text: string, groups: readonly Group[], from: number): number {
  const start = openingOf(text, groups[from]!.start);
  const before = text.slice(Math.max(0, start - 32), start);
  if (OTHER_NUMBER.test(before)) return -1;
  const named = PHONE_WORD.test(before);
  for (let to = Math.min(from + MOST_GROUPS, groups.length) - 1; to >= from; to--) {
    const part = groups.slice(from, to + 1);
    if (to === groups.length - 1 && GOES_ON.test(text.slice(part.at(-1)!.end, part.at(-1)!.end + 2))) continue;
    if (!holdsDate(part) && isPhone(part, text.slice(start, groups[from]!.start), named)) return to;
  }
  return -1;
}

/** Position of a number's plus or opening bracket. */
function openingOf(text: string, start: number): number {
  let opening = start;
  while (opening > 0 && start - opening < 2 && /[+(]/.test(text[opening - 1]!)) opening--;
  return opening;
}

function isPhone(groups: readonly Group[], opening: string, named: boolean): boolean {
  const digits = groups.map((group) => group.digits).join("");
  const lengths = groups.map((group) => group.digits.length);
  const gaps = groups.slice(0, -1).map((group) => group.gap);
  const shape = lengths.join("-");
  const count = digits.length;
  const isSpread = (gap: string, i: number) => gap.length > 2 && !/[()]/.test(gap) && !(i === 0 && gap === " / ");
  if (count > 15 || gaps.some(isSpread)) return false;
  const isAmount = groups.length > 1 && groups.slice(1).every((group) => group.digits === "000");
  if (opening.includes("+")) return count >= 8 && digits[0] !== "0" && !isAmount;
  if (/^00[1-9]/.test(digits)) return count >= 10;
  if (named && count >= 6 && !isAmount) return true;
  if (opening.includes("(") && gaps[0]?.includes(")"))
    return lengths[0]! <= 5 && count >= 8 && count <= 12 && !isYear(groups[0]!);
  if (/^0[1-9]/.test(digits)) {
    if (groups.length === 1) return count >= 10 && count <= 11;
    if (gaps.some((gap) => gap.includes("."))) return lengths.every((length) => length === 2) && count === 10;
    return count >= 9 && count <= 12 && lengths.every((length) => length >= 2) && lengths[0]! <= 5;
  }
  if (/^(?:1-)?3-3-4$/.test(shape)) return /^1?[2-9]/.test(digits);
  if (shape === "3-2-2-2" || shape === "3-3-3")
    return /^[6-9]/.test(digits) && gaps.every((gap) => /^[\s-]$/.test(gap));
  if (shape === "3-4") return gaps[0] === "-" && /^[2-9]/.test(digits) && !isRangeEnd(groups[1]!);
  if (shape === "5-5") return /^[6-9]/.test(digits) && /^[\s-]$/.test(gaps[0]!);
  if (shape === "3-7" || shape === "3-8") return /^1[567]/.test(digits) && /^[\s-]$/.test(gaps[0]!);
  return groups.length === 1 && /^1[3-9]\d{9}$/.test(digits);
}

/** Whether three adjacent groups are a date: 01.02.2024, 2024-02-01, 1/2/24. */
function holdsDate(groups: readonly Group[]): boolean {
  return groups.some((first, index) => {
    const [second, third] = [groups[index + 1], groups[index + 2]];
    if (!second || !third || first.gap !== second.gap || !/^[./-]$/.test(first.gap)) return false;
    const short = (group: Group) => group.digits.length <= 2 && Number(group.digits) <= 31;
    if (isYear(first)) return short(second) && short(third);
    if (!short(first) || !short(second)) return false;
    // `01.23.45.67.89` is a French number, `1/2/24` a date.
    return isYear(third) || (third.digits.length === 2 && groups.length === 3);
  });
}

/** `250-1000 g`, `200-1999`: a round number or a year ends a range; a local number such as 555-0142 rarely ends like that. */
function isRangeEnd(group: Group): boolean {
  return group.digits[0] !== "0" && (group.digits.endsWith("0") || isYear(group));
}

function isYear(group: Group): boolean {
  return /^(?:1[89]|20|21)\d\d$/.test(group.digits);
}

/** Converts digits of other scripts to 0 … 9. In Unicode, a script's digits are consecutive, zero first. */
function asciiDigits(digits: string): string {
  if (/^\d+$/.test(digits)) return digits;
  return [...digits.normalize("NFKC")]
    .map((digit) => {
      if (digit <= "9") return digit;
      const code = digit.codePointAt(0)!;
      let value = 0;
      while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
      return String(value);
    })
    .join("");
}
