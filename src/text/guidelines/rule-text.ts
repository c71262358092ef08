import type { Line } from "./draft.js";

/** The number at the start of an item or heading, and what follows. */
export interface Marker {
  number: string;
  rest: string;
  /** Numbered by a word (`Rule 3`), not only by its place in a list. */
  named: boolean;
}

const NAMES =
  "rule|guideline|policy|article|section|regel|artikel|règle|regla|regra|regola|artículo|artigo|zasada|правило|статья|no\\.|nr\\.";
const NUMBER = "\\p{Nd}{1,5}";
const DIGITS = `${NUMBER}(?:\\.\\p{Nd}{1,3})*`;
const OPEN = "^(\\*\\*|__)?";

/** `Rule 3: …`, `Rule #3 – …`, `§ 3 …`, `Rule 3`; but not "Rule 3 also holds for images". */
const NAMED = new RegExp(
  `${OPEN}(?:(?:${NAMES})\\s*#?\\s*(${DIGITS})(?:\\s*[.):–—|]+|\\s*-(?=\\s)|(?=\\*\\*|__)|\\s*$)|§+\\s*(${DIGITS})(?:[.):]+|(?=\\s)))\\s*(.*)$`,
  "iu",
);
/** `3. …`, `3) …`, `(3) …`, `3: …`, `#3 …`, `1.2 …`, `3、…`. */
const NUMBERED = new RegExp(
  `${OPEN}(?:(${DIGITS})[.):]+(?=\\s|\\*\\*|__|$)|(${DIGITS})[、．]|\\((${DIGITS})\\)|#(${NUMBER})[.):]?(?=\\s)|(\\p{Nd}{1,3}(?:\\.\\p{Nd}{1,3})+)(?=\\s))\\s*(.*)$`,
  "u",
);
/** `3 - …`: could also be a range, so the number must be the next one. */
const DASHED = new RegExp(`${OPEN}(${NUMBER})\\s*[–—-]\\s+(\\S.*)$`, "u");
/** `3   …`, in a list whose last number was 2. */
const SPACED = new RegExp(`${OPEN}(${NUMBER})\\s{2,}(\\S.*)$`, "u");
/** `1️⃣ …`. */
const KEYCAP = /^(\*\*|__)?(\d|🔟)\uFE0F?\u20E3?[.):]?\s+(\S.*)$/u;
const ROMAN = /^(\*\*|__)?([IVX]{1,5})[.)]\s+(\S.*)$/;
const LETTER = /^(\*\*|__)?\(?([A-Za-z])[.)]\s+(\S.*)$/;
const CHINESE = /^(\*\*|__)?第?([一二三四五六七八九十百]{1,4}|\d{1,5})(?:条|、)[、：:\s]*(\S.*)$/u;
const BULLET = /^([-*+•◦▪▫‣·●○■□►▶➤➢→–—])\s+(\S.*)$/u;
/** Symbols that carry meaning stay in the text. */
const EMOJI_BULLET = /^((?:[✅❌🚫⛔✔✖☑❎✓✗🔹🔸🔷🔶⭐📌👉🟢🟡🟠🔴🔵🟣⚪⚫▪🔘💠]\uFE0F?)\s*\S.*)$/u;

/** The number at the start of an item or heading; null: none. `expected`: the number that would come next. */
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

/** A letter or Roman numeral: counts rules if nothing else does, otherwise parts of a rule. */
export function letterMarker(text: string): Marker | null {
  const found = ROMAN.exec(text) ?? LETTER.exec(text);
  return found ? made(found[1], found[2]!, found[3]!, false) : null;
}

/** The text of a bulleted item; null: not a bullet. */
export function bulletText(text: string): string | null {
  return BULLET.exec(text)?.[2] ?? EMOJI_BULLET.exec(text)?.[1] ?? null;
}

/** "2024. A good year." is not a numbered item. */
function isYear(number: string): boolean {
  return /^(?:19|20)\d\d$/.test(number);
}

/** Converts digits of every script to 0 … 9. */
function made(bold: string | undefined, number: string, rest: string, named: boolean): Marker {
  const plain = number.replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
  // Emphasis that opens before the number closes after the title.
  const title = bold && rest.startsWith(bold) ? rest.slice(bold.length).trim() : bold && rest ? bold + rest : rest;
  return { number: plain, rest: title, named };
}

/** A script's decimal digits are ten consecutive code points. */
function digitValue(digit: string): number {
  if (digit >= "0" && digit <= "9") return Number(digit);
  let value = 0;
  for (let code = digit.codePointAt(0)!; value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1)); code--) value++;
  return value % 10;
}

/** The parts of a rule's text. */
export interface RuleText {
  title: string;
  description: string;
  detail: string;
  /** Set if the title is a link. */
  url: string | null;
}

/** Longest title taken from a sentence. */
const LONGEST_TITLE = 120;
const LONGEST_ID = 40;
/** A line at least this long was wrapped because it was full, and continues on the next. */
const FULL_LINE = 60;

/**
 * Title, description and detail of an item. The title is its bold beginning, its first line or its first sentence; the rest of
 * the paragraph is the description; sub-items and further paragraphs are the detail.
 */
export function itemText(lines: readonly Line[]): RuleText {
  const end = lines.findIndex(({ text }, i) => i > 0 && startsBlock(text));
  const first = lines.slice(0, end < 0 ? lines.length : end).map(({ text }) => text.trim());
  const { title, rest, url } = splitTitle(first);
  const after = end < 0 ? [] : lines.slice(end);
  if (rest === "") return { title, url, ...bodyText(after) };
  return { title, url, description: rest, detail: paragraph(after) };
}

/** Description and detail under a heading: the first paragraph, and the rest. */
export function bodyText(lines: readonly Line[]): { description: string; detail: string } {
  const from = lines.findIndex(({ text }) => text.trim() !== "");
  if (from < 0) return { description: "", detail: "" };
  const body = lines.slice(from);
  if (startsBlock(body[0]!.text)) return { description: "", detail: paragraph(body) };
  const end = body.findIndex(({ text }, i) => i > 0 && startsBlock(text));
  if (end < 0) return { description: paragraph(body), detail: "" };
  return { description: paragraph(body.slice(0, end)), detail: paragraph(body.slice(end)) };
}

/** Whether a line ends the paragraph before it: an empty line, an item, a quotation, a table or a fence. */
function startsBlock(line: string): boolean {
  const text = line.trim();
  if (text === "" || bulletText(text) !== null) return true;
  return /^(?:(?!(?:19|20)\d\d[.)])\p{Nd}{1,5}(?:\.\p{Nd}{1,3})*[.)]\s|\p{Nd}{1,3}(?:\.\p{Nd}{1,3})+\s|\(?[a-z][.)]\s|[>|]|```|~~~)/u.test(
    text,
  );
}

function splitTitle(lines: readonly string[]): { title: string; rest: string; url: string | null } {
  const whole = lines.join("\n");
  const bold = /^(\*\*|__)([^\n]{1,300}?)\1\s*(?:[:–—-](?=\s|$))?[ \t]*/.exec(whole);
  if (bold) return { ...titled(bold[2]!), rest: whole.slice(bold[0].length).trim() };
  const [head, next] = lines as [string, string?];
  // A short line before a new sentence is a title; a full one continues.
  const ownLine = next !== undefined && head.length < FULL_LINE && /^[^\p{Ll}]/u.test(next) && !/[,;(-]$/.test(head);
  const flowing = ownLine ? head : unwrapped(lines);
  const after = ownLine ? lines.slice(1).join("\n") : "";
  const at = titleEnd(flowing);
  const rest = [flowing.slice(at.next), after].filter((part) => part !== "").join("\n");
  if (at.end <= LONGEST_TITLE) return { ...titled(flowing.slice(0, at.end)), rest };
  // Too long for a title: its beginning names the rule, and the whole text describes it.
  const cut = flowing.slice(0, LONGEST_TITLE - 20).replace(/\s+\S*$/, "");
  return { title: `${plain(cut)}…`, url: null, rest: [flowing, after].filter((part) => part !== "").join("\n") };
}

const ABBREVIATION =
  /(?:\b(?:e\.g|i\.e|etc|vs|no|nr|st|mr|mrs|dr|ca|z\.B|u\.a|p\.ej|approx|incl|max|min)|(?:^|[\s(])\p{Lu})$/iu;

/** Where a text's title ends and the rest begins: after the first sentence, or before a colon or dash. */
function titleEnd(text: string): { end: number; next: number } {
  for (const { 0: mark, index } of text
    .slice(0, LONGEST_TITLE + 1)
    .matchAll(/[.!?。！？]+["”»')\]]*(?=\s)|[。！？]+|:(?=\s)|\s[–—-](?=\s)/gu)) {
    if (index < 2) continue;
    if (mark === "." && ABBREVIATION.test(text.slice(Math.max(0, index - 8), index))) continue;
    const end = /^[:\s]/.test(mark) ? index : index + mark.length;
    const next = index + mark.length;
    return { end, next: next + (/^\s*/.exec(text.slice(next))?.[0].length ?? 0) };
  }
  return { end: text.length, next: text.length };
}

function titled(raw: string): { title: string; url: string | null } {
  const link = /^\s*\[[^\]]{1,300}\]\((https?:[^)\s]+)\)\s*[.:]?\s*$/.exec(raw);
  const title = plain(raw).replace(/\s*[.:–—-]$/, "");
  return { title: title === "" ? plain(raw) : title, url: link?.[1] ?? null };
}

/** Joins lines that were wrapped. */
function unwrapped(lines: readonly string[]): string {
  return lines.join(" ");
}

/** Joins lines into a text, without their common indentation and with at most one empty line in a row. */
export function paragraph(lines: readonly Line[]): string {
  const filled = lines.filter(({ text }) => text.trim() !== "");
  const margin = filled.reduce((least, { text }) => Math.min(least, text.length - text.trimStart().length), 40);
  return lines
    .map(({ text }) => text.slice(Math.min(margin, text.length - text.trimStart().length)).trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
}

/** A text without marks of emphasis, code, links and HTML. */
export function plain(text: string): string {
  return text
    .slice(0, 1_000)
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/(\*\*|__|`)(.*?)\1/g, "$2")
    .replace(/<\/?(?:a|b|br|code|em|font|i|img|kbd|mark|small|span|strong|sub|sup|u)(?:\s[^<>]{0,200})?\/?>/gi, "")
    .replace(/\\([\\*_#`[\]().!+-])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/** A title as an id, in plain letters. */
export function slug(title: string): string {
  const letters = title
    .slice(0, 300)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  const short = [...letters].slice(0, LONGEST_ID).join("");
  return (short.length < letters.length ? short.replace(/(?<=.{15})-[^-]*$/u, "") : short).replace(/-+$/, "") || "rule";
}
