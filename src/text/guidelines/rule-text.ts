import type { Line } from "./draft.js";
import { bulletText } from "./markers.js";

/** The parts of a rule's text. */
export interface RuleText {
  title: string;
  description: string;
  detail: string;
  /** Where the title is a link. */
  url: string | null;
}

/** Longest title that is taken from a sentence. */
const LONGEST_TITLE = 120;
const LONGEST_ID = 40;
/** A line of at least so many characters was broken because it was full, and goes on in the next. */
const FULL_LINE = 60;

/**
 * Title, description and detail of an item: the title is its bold beginning, its first line or its first sentence; what follows in the same
 * paragraph is the description; sub-items and further paragraphs are the detail.
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

/** An empty line, an item, a quotation, a table or a fence: the paragraph before it has ended. */
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
  // A short line before a new sentence is a title; a full one goes on.
  const ownLine = next !== undefined && head.length < FULL_LINE && /^[^\p{Ll}]/u.test(next) && !/[,;(-]$/.test(head);
  const flowing = ownLine ? head : unwrapped(lines);
  const after = ownLine ? lines.slice(1).join("\n") : "";
  const at = titleEnd(flowing);
  const rest = [flowing.slice(at.next), after].filter((part) => part !== "").join("\n");
  if (at.end <= LONGEST_TITLE) return { ...titled(flowing.slice(0, at.end)), rest };
  // Too long for a title: its beginning names the rule, and all of it describes it.
  const cut = flowing.slice(0, LONGEST_TITLE - 20).replace(/\s+\S*$/, "");
  return { title: `${plain(cut)}…`, url: null, rest: [flowing, after].filter((part) => part !== "").join("\n") };
}

const ABBREVIATION =
  /(?:\b(?:e\.g|i\.e|etc|vs|no|nr|st|mr|mrs|dr|ca|z\.B|u\.a|p\.ej|approx|incl|max|min)|(?:^|[\s(])\p{Lu})$/iu;

/** Where the title in a text ends, and where the rest begins: after the first sentence, or before a colon or a dash. */
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

/** Lines that were broken where they were full, as one. */
function unwrapped(lines: readonly string[]): string {
  return lines.join(" ");
}

/** Lines as a text: without the indentation they share, and without more than one empty line in a row. */
export function paragraph(lines: readonly Line[]): string {
  const filled = lines.filter(({ text }) => text.trim() !== "");
  const margin = filled.reduce((least, { text }) => Math.min(least, text.length - text.trimStart().length), 40);
  return lines
    .map(({ text }) => text.slice(Math.min(margin, text.length - text.trimStart().length)).trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
}

/** Without marks of emphasis, code, links and HTML. */
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

/** A title in plain letters, as an id. */
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
