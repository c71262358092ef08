import { createHash } from "node:crypto";
import { InputError } from "../../core/errors.js";
import type { Rule, RuleSet } from "../../core/records/rule-set.js";

export interface MarkdownOptions {
  /** The community that the rules belong to. Default: they are the platform's. */
  community?: string;
  /** Default: `md-` and a hash of the text. */
  version?: string;
}

/** A part of the text that is in no rule. */
export interface UnreadText {
  /** Counted from 1. */
  line: number;
  text: string;
  reason: "before_the_first_rule" | "section_text" | "front_matter";
}

export interface MarkdownRules {
  set: RuleSet;
  /** What could not be read as a rule. Empty: everything was. */
  unread: UnreadText[];
}

interface Line {
  number: number;
  text: string;
}

/** A heading with its own lines, or (level 0) what comes before the first one. */
interface Section {
  level: number;
  title: string;
  line: number;
  lines: Line[];
  items: Item[];
  /** A heading of a deeper level follows before one of its own. */
  hasSections: boolean;
}

/** A numbered item at the margin. */
interface Item {
  number: string;
  lines: Line[];
}

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const ITEM = /^ {0,3}(\d{1,3}(?:\.\d{1,3})*)[.)]\s+(\S.*)$/;
const UNDERLINE = /^ {0,3}(=+|-{3,})\s*$/;
const NUMBERED_TITLE = /^(?:(?:rule|section|§)\s*)?(\d{1,3}(?:\.\d{1,3})*)\s*[.):–—-]\s*(.+)$|^rule\s+(\d{1,3})\s*$/i;

/**
 * Rules written as Markdown. Each numbered item is a rule: its bold beginning or first sentence is the title, the rest the description. A
 * heading without numbered items and without further headings below it is a rule too, with the text under it as the description. Where
 * headings have numbers (`Rule 3: No spam`), they are the rules, and the items below them belong to the description.
 * A rule's id is its number, or its title in plain letters, so that it stays the same when other rules come or go.
 */
export function rulesFromMarkdown(text: string, options: MarkdownOptions = {}): MarkdownRules {
  if (typeof text !== "string") {
    throw new InputError("bad_argument", `rulesFromMarkdown: got ${typeof text}, expected text`, "Pass the Markdown.");
  }
  const unread: UnreadText[] = [];
  const sections = readSections(text, unread);
  const numbered = sections.filter(({ title }) => NUMBERED_TITLE.test(title)).length >= 2;
  const lists = sections.filter(({ items }) => items.length > 0).length;
  const rules: Rule[] = [];
  const ids = new Set<string>();
  const add = (id: string, title: string, description: string) => {
    let own = id;
    for (let n = 2; ids.has(own); n++) own = `${id}-${n}`;
    ids.add(own);
    rules.push({ id: own, title, ...(description ? { description } : {}) });
  };
  for (const section of sections) {
    const { level, title, items, lines } = section;
    const [, number, rest, bare] = NUMBERED_TITLE.exec(title) ?? [];
    const isRule = numbered ? (number ?? bare) !== undefined : level > 0 && !section.hasSections && items.length === 0;
    if (isRule) {
      const numberedLines = items.flatMap(({ number, lines: [first, ...more] }) => [
        { ...first!, text: `${number}. ${first!.text}` },
        ...more,
      ]);
      const all = [...lines, ...numberedLines].sort((a, b) => a.number - b.number);
      add(number ?? bare ?? slug(title), plain(rest ?? title), paragraph(all));
      continue;
    }
    tellUnread(section, unread);
    for (const item of items) {
      const own = splitTitle(item.lines);
      add(lists > 1 && level > 0 ? `${slug(title)}-${item.number}` : item.number, own.title, own.description);
    }
  }
  if (rules.length === 0) {
    throw new InputError(
      "no_rules",
      "rules: the text has none; expected headings with text, or numbered items",
      "Write each rule as a numbered item (`1. No spam.`) or under a heading of its own.",
    );
  }
  const { community, version = `md-${createHash("sha256").update(text).digest("hex").slice(0, 10)}` } = options;
  const scope =
    community === undefined ? ({ scope: "platform" } as const) : ({ scope: "community", community } as const);
  return { set: { ...scope, version, rules }, unread };
}

function readSections(text: string, unread: UnreadText[]): Section[] {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ""))
    .split(/\r?\n/);
  let start = 0;
  if (lines[0]?.trim() === "---") {
    const end = lines.findIndex((line, i) => i > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
    if (end > 0) {
      start = end + 1;
      unread.push({ line: 1, text: lines.slice(1, end).join("\n"), reason: "front_matter" });
    }
  }
  const sections: Section[] = [newSection(0, "", 1)];
  let fence: string | null = null;
  for (let i = start; i < lines.length; i++) {
    const section = sections.at(-1)!;
    const line = { number: i + 1, text: lines[i]! };
    const mark = /^ {0,3}(```+|~~~+)/.exec(line.text)?.[1];
    if (mark && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    else if (fence === null) {
      const heading = HEADING.exec(line.text);
      const under = UNDERLINE.exec(lines[i + 1] ?? "");
      if (heading) {
        begin(sections, heading[1]!.length, heading[2]!, line.number);
        continue;
      }
      if (under && line.text.trim() && !ITEM.test(line.text) && !/^\s*[-*+|>]/.test(line.text)) {
        begin(sections, under[1]!.startsWith("=") ? 1 : 2, line.text.trim(), line.number);
        i++;
        continue;
      }
      const item = ITEM.exec(line.text);
      if (item) {
        section.items.push({ number: item[1]!, lines: [{ number: line.number, text: item[2]! }] });
        continue;
      }
    }
    const last = section.items.at(-1);
    // Text at the margin after an empty line no longer belongs to the item.
    const continues =
      last && (/^\s{2,}\S/.test(line.text) || line.text.trim() === "" || last.lines.at(-1)!.text.trim() !== "");
    (continues ? last : section).lines.push(line);
  }
  return sections;
}

function newSection(level: number, title: string, line: number): Section {
  return { level, title: plain(title), line, lines: [], items: [], hasSections: false };
}

function begin(sections: Section[], level: number, title: string, line: number): void {
  let above = level;
  for (const section of sections.toReversed()) {
    if (section.level >= above) continue;
    section.hasSections = true;
    above = section.level;
  }
  sections.push(newSection(level, title, line));
}

/** The text of a section that is no rule. */
function tellUnread({ level, lines }: Section, unread: UnreadText[]): void {
  const text = paragraph(lines);
  if (text === "") return;
  const line = lines.find((one) => one.text.trim() !== "")!.number;
  unread.push({ line, text, reason: level === 0 ? "before_the_first_rule" : "section_text" });
}

/** Title and description of an item: its bold beginning, its first line where more follow, or its first sentence. */
function splitTitle(lines: readonly Line[]): { title: string; description: string } {
  const first = lines[0]!.text.trim();
  const more = paragraph(lines.slice(1));
  const bold = /^(?:\*\*|__)(.+?)(?:\*\*|__)\s*[.:–—-]?\s*(.*)$/.exec(first);
  const sentence = /^(.{3,120}?(?:[.!?](?=\s)|:(?=\s)|\s[–—-](?=\s)))\s*(.*)$/.exec(first);
  const [title, rest] = bold ? [bold[1]!, bold[2]!] : sentence ? [sentence[1]!, sentence[2]!] : [first, ""];
  const description = [rest, more].filter((part) => part !== "").join("\n");
  return { title: plain(title).replace(/\s*[.:–—-]$/, ""), description };
}

function paragraph(lines: readonly Line[]): string {
  return lines
    .map(({ text }) => text.replace(/^ {1,4}/, "").trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Without marks of emphasis, code and links. */
function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|`)(.*?)\1/g, "$2")
    .trim();
}

function slug(title: string): string {
  const letters = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return letters.slice(0, 60).replace(/-+$/, "") || "rule";
}
