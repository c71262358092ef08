import { InputError } from "../../core/errors.js";
import type { Rule } from "../../core/records/rule-set.js";

/** A line of a page and its place in the file. */
export interface Line {
  /** Counted from 1. */
  number: number;
  text: string;
}

/** Why a text is not part of a rule. */
export type UnreadReason =
  | "before_the_first_rule"
  | "section_text"
  | "not_a_rule"
  | "front_matter"
  | "page_furniture"
  | "hidden"
  | "translation"
  | "report_menu"
  | "empty_rule";

/** A part of a page that is not in any rule. */
export interface UnreadText {
  /** Counted from 1. */
  line: number;
  text: string;
  reason: UnreadReason;
}

/** A rule, and the line where it begins. */
export interface PlacedRule {
  line: number;
  rule: Rule;
}

/** The rules of one community, or of the platform (null). */
export interface RuleBook {
  community: string | null;
  /** The heading that named the community, if it says more than the name. */
  heading?: string;
  rules: PlacedRule[];
}

export type GuidelineFormat = "markdown" | "text" | "html" | "reddit" | "mastodon";

/** What was read from a page. Every sentence of the page is in a rule, in `title` or in `unread`. */
export interface Draft {
  format: GuidelineFormat;
  /** The page's title; null: it has none. */
  title: string | null;
  /** The platform's book first, then communities in page order. No book is empty. */
  books: RuleBook[];
  unread: UnreadText[];
  /** Headings not taken as communities, each with the name it would have as one. */
  headings?: PageHeading[];
}

export interface PageHeading {
  /** 1 to 6. */
  level: number;
  name: string;
}

export interface DraftOptions {
  /** The file's name: its extension decides what the text leaves open. */
  name?: string;
  /** Owner of rules that are not under a community. Default: the platform. */
  community?: string;
  /** All rules are the platform's; headings that name a community count as ordinary sections. */
  platform?: boolean;
  /** Headings of this level (1 to 6) name communities. */
  communityLevel?: number;
}

/** More than any rule book has: a larger file is something else. */
const MOST_RULES = 5_000;
const MOST_LINES = 100_000;
const MOST_BLOCKS = 20_000;

/** Refuses input that is too large to be a page of rules, before time is spent on it. */
export function refuseMany(count: { lines: number } | { blocks: number } | { rules: number }): void {
  const [what, got, most] =
    "lines" in count
      ? ["lines", count.lines, MOST_LINES]
      : "blocks" in count
        ? ["headings, items and paragraphs", count.blocks, MOST_BLOCKS]
        : ["rules", count.rules, MOST_RULES];
  if (got <= most) return;
  throw new InputError(
    "too_many_rules",
    `rules: the text has more than ${most.toLocaleString("en")} ${what}`,
    "Give the page with the rules alone.",
  );
}

/** Characters that would act on a terminal or file instead of being read. */
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\ufeff]/g;

/** Removes control characters and normalises line ends. */
export function cleanText(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?|[\u2028\u2029\f]/g, "\n")
    .replace(CONTROL, "")
    .replace(/\u00a0/g, " ");
}

/** The lines of Markdown or plain text, without comments; a settings block at the top is returned separately. */
export function textLines(text: string): { lines: Line[]; frontMatter: UnreadText | null } {
  const all = withoutComments(cleanText(text)).split("\n");
  const lines = all.map((line, i): Line => ({ number: i + 1, text: line.replace(/\t/g, "    ").trimEnd() }));
  if (lines[0]?.text !== "---") return { lines, frontMatter: null };
  const end = lines.findIndex(({ text: line }, i) => i > 0 && /^(?:---|\.\.\.)$/.test(line));
  if (end < 0) return { lines, frontMatter: null };
  const settings = lines.slice(1, end);
  const written = settings.map(({ text: line }) => line).join("\n");
  // Text between two rulers is ordinary text unless it has keys.
  if (!settings.every(({ text: line }) => line === "" || /^(?:[\w-]+\s*:|\s|#|- )/.test(line)))
    return { lines, frontMatter: null };
  const frontMatter: UnreadText = { line: 1, text: written, reason: "front_matter" };
  return { lines: lines.slice(end + 1), frontMatter: written.trim() === "" ? null : frontMatter };
}

/** Removes HTML comments. One that does not end, or not before the next begins, is kept as text. Lines keep their numbers. */
function withoutComments(text: string): string {
  let clean = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    const end = start < 0 ? -1 : text.indexOf("-->", start + 4);
    if (end < 0) return clean + text.slice(from);
    const last = lastComment(text, start, end);
    clean += text.slice(from, last) + text.slice(last, end).replace(/[^\n]+/g, "");
    from = end + 3;
  }
}

/** Start of the comment that ends at `end`: earlier openings have no end of their own. */
export function lastComment(text: string, start: number, end: number): number {
  return Math.max(start, text.lastIndexOf("<!--", end - 4));
}
