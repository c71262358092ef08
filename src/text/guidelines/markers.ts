/** How an item or a heading begins: its number, and what follows. */
export interface Marker {
  number: string;
  rest: string;
  /** By the word (`Rule 3`) and not only by its place in a list. */
  named: boolean;
}

const NAMES =
  "rule|guideline|policy|article|section|regel|artikel|règle|regla|regra|regola|artículo|artigo|zasada|правило|статья|no\\.|nr\\.";
const NUMBER = "\\p{Nd}{1,5}";
const DIGITS = `${NUMBER}(?:\\.\\p{Nd}{1,3})*`;
const OPEN = "^(\\*\\*|__)?";

/** `Rule 3: …`, `Rule #3 – …`, `§ 3 …`, `Rule 3`; not "Rule 3 also holds for images". */
const NAMED = new RegExp(
  `${OPEN}(?:(?:${NAMES})\\s*#?\\s*(${DIGITS})(?:\\s*[.):–—|]+|\\s*-(?=\\s)|(?=\\*\\*|__)|\\s*$)|§+\\s*(${DIGITS})(?:[.):]+|(?=\\s)))\\s*(.*)$`,
  "iu",
);
/** `3. …`, `3) …`, `(3) …`, `3: …`, `#3 …`, `1.2 …`, `3、…`. */
const NUMBERED = new RegExp(
  `${OPEN}(?:(${DIGITS})[.):]+(?=\\s|\\*\\*|__|$)|(${DIGITS})[、．]|\\((${DIGITS})\\)|#(${NUMBER})[.):]?(?=\\s)|(\\p{Nd}{1,3}(?:\\.\\p{Nd}{1,3})+)(?=\\s))\\s*(.*)$`,
  "u",
);
/** `3 - …`: also a way to write a range, so the number must be the next one. */
const DASHED = new RegExp(`${OPEN}(${NUMBER})\\s*[–—-]\\s+(\\S.*)$`, "u");
/** `3   …`, in a list that is at 2. */
const SPACED = new RegExp(`${OPEN}(${NUMBER})\\s{2,}(\\S.*)$`, "u");
/** `1️⃣ …`. */
const KEYCAP = /^(\*\*|__)?(\d|🔟)\uFE0F?\u20E3?[.):]?\s+(\S.*)$/u;
const ROMAN = /^(\*\*|__)?([IVX]{1,5})[.)]\s+(\S.*)$/;
const LETTER = /^(\*\*|__)?\(?([A-Za-z])[.)]\s+(\S.*)$/;
const CHINESE = /^(\*\*|__)?第?([一二三四五六七八九十百]{1,4}|\d{1,5})(?:条|、)[、：:\s]*(\S.*)$/u;
const BULLET = /^([-*+•◦▪▫‣·●○■□►▶➤➢→–—])\s+(\S.*)$/u;
/** Signs that say something: they stay in the text. */
const EMOJI_BULLET = /^((?:[✅❌🚫⛔✔✖☑❎✓✗🔹🔸🔷🔶⭐📌👉🟢🟡🟠🔴🔵🟣⚪⚫▪🔘💠]\uFE0F?)\s*\S.*)$/u;

/** The number that an item or heading begins with; null: it has none. `expected`: the number that would be next. */
export function numberMarker(text: string, expected: number): Marker | null {
  const named = NAMED.exec(text);
  if (named) return made(named[1], (named[2] ?? named[3])!, named[4]!, true);
  const plain = NUMBERED.exec(text);
  if (plain) {
    const found = made(plain[1], (plain[2] ?? plain[3] ?? plain[4] ?? plain[5] ?? plain[6])!, plain[7]!, false);
    return isYear(found.number) && Number(found.number) !== expected ? null : found;
  }
  const dashed = DASHED.exec(text);
  const spaced = SPACED.exec(text);
  if (spaced && Number(spaced[2]) === expected && expected > 1) return made(spaced[1], spaced[2]!, spaced[3]!, false);
  if (dashed && Number(dashed[2]) === expected) return made(dashed[1], dashed[2]!, dashed[3]!, false);
  if (/\u20E3|🔟/u.test(text.slice(0, 6))) {
    const cap = KEYCAP.exec(text);
    if (cap) return made(cap[1], cap[2] === "🔟" ? "10" : cap[2]!, cap[3]!, false);
  }
  const chinese = CHINESE.exec(text);
  return chinese ? made(chinese[1], chinese[2]!, chinese[3]!, false) : null;
}

/** A letter or a Roman number: a rule's own where nothing else is counted, a part of a rule otherwise. */
export function letterMarker(text: string): Marker | null {
  const found = ROMAN.exec(text) ?? LETTER.exec(text);
  return found ? made(found[1], found[2]!, found[3]!, false) : null;
}

/** The text of a bulleted item; null: it is none. */
export function bulletText(text: string): string | null {
  return BULLET.exec(text)?.[2] ?? EMOJI_BULLET.exec(text)?.[1] ?? null;
}

/** "2024. A good year." counts nothing. */
function isYear(number: string): boolean {
  return /^(?:19|20)\d\d$/.test(number);
}

/** Digits of every script as 0 to 9. */
function made(bold: string | undefined, number: string, rest: string, named: boolean): Marker {
  const plain = number.replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
  // A mark of emphasis that opens before the number closes after the title.
  const title = bold && rest.startsWith(bold) ? rest.slice(bold.length).trim() : bold && rest ? bold + rest : rest;
  return { number: plain, rest: title, named };
}

/** Decimal digits of a script stand in tens. */
function digitValue(digit: string): number {
  if (digit >= "0" && digit <= "9") return Number(digit);
  let value = 0;
  for (let code = digit.codePointAt(0)!; value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1)); code--) value++;
  return value % 10;
}
