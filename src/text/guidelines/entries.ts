import type { Line } from "./draft.js";
import { isClosing } from "./headings.js";
import { type Entry, isBelow, outline, type Section } from "./outline.js";
import { itemText, numberMarker, paragraph, plain } from "./rule-text.js";

/** An empty line between two paragraphs; it has no line number of its own. */
const EMPTY: Line = { number: 0, text: "" };

/** An entry with its original mark. */
export function asWritten({ kind, number, lines, indent }: Entry): Line[] {
  const [first, ...more] = lines as [Line, ...Line[]];
  const mark =
    kind === "item" && number !== null ? `${number}${/\D$/.test(number) ? ")" : "."} ` : kind === "bullet" ? "- " : "";
  return [{ ...first, text: `${" ".repeat(indent)}${mark}${first.text.trim()}` }, ...more];
}

/** Everything below a heading as lines, including further headings. `seen` is called with each heading. */
export function linesBelow(section: Section, seen: (section: Section) => void): Line[] {
  seen(section);
  const own = joined(section.entries.map(asWritten));
  return joined([
    own,
    ...section.children.map((child) => [{ number: child.line, text: child.title }, ...linesBelow(child, seen)]),
  ]);
}

/** Joins paragraphs with an empty line between them. */
export function joined(blocks: readonly Line[][]): Line[] {
  return blocks.flatMap((block, i) => (i > 0 && block.length > 0 && needsGap(block) ? [EMPTY, ...block] : block));
}

/** List items follow each other without an empty line. */
function needsGap([first]: readonly Line[]): boolean {
  return !/^\s*(?:- |\d{1,5}[.)])/.test(first!.text);
}

/** The entries of a section, with categories (`1. Conduct` over `1.1 …`) and tables of rules split into items. */
export function expanded(entries: readonly Entry[]): Entry[] {
  return entries.flatMap((entry) => {
    if (entry.kind === "item") return parts(entry);
    return entry.kind === "table" ? tableEntries(entry) : [entry];
  });
}

/** An item that is a title over numbered parts (1.1, 1.2 …) is a category: its parts are the items. */
function parts(item: Entry): Entry[] {
  const at = item.lines.findIndex(({ text }) => isPart(text, item));
  if (at < 1 || item.lines.filter(({ text }) => isPart(text, item)).length < 2) return [item];
  const head = itemText(item.lines.slice(0, at));
  if (head.description !== "" || head.detail !== "" || head.title.split(/\s+/).length > 8) return [item];
  const margin = item.lines[at]!.text.length - item.lines[at]!.text.trimStart().length;
  const lines = item.lines.slice(at).map((line) => ({
    ...line,
    text: line.text.slice(Math.min(margin, line.text.length - line.text.trimStart().length)),
  }));
  const found = outline(lines).flatMap(({ entries }) => entries);
  return found.map((entry) => ({ ...entry, heading: `${item.number}. ${head.title}` }));
}

function isPart(text: string, { number }: Entry): boolean {
  const marker = numberMarker(text.trim(), 1);
  return marker !== null && number !== null && isBelow(marker.number, number);
}

/** Splits a table into items, one per row, if its head mentions rules or its rows begin with numbers. Other tables stay unchanged. */
function tableEntries(entry: Entry): Entry[] {
  const rows = entry.lines
    .filter(({ text }) => text.trim().startsWith("|"))
    .map((line) => ({ line, cells: cellsOf(line.text) }));
  const ruled = rows.findIndex(({ cells }) => cells.every((cell) => /^:?-+:?$/.test(cell)));
  const head = ruled === 1 ? rows[0]! : null;
  const body = rows.filter((_, i) => i > ruled);
  const numbered = body.filter(({ cells }) => /^(?:(?:rule|no\.|#)\s*)?\p{Nd}{1,5}[.):]?$/iu.test(cells[0] ?? ""));
  const isRules = head?.cells.some((cell) => /\b(?:rules?|guidelines?|regeln?|règles?|reglas?)\b/i.test(cell));
  if (body.length < 2 || (!isRules && numbered.length < body.length)) return [entry];
  const items = body.map(({ line, cells }): Entry => {
    const counted = numbered.length === body.length;
    const [title = "", ...more] = counted ? cells.slice(1) : cells;
    const number = counted ? cells[0]!.replace(/\D+/g, "") : null;
    const text = title.startsWith("**") || more.length === 0 ? title : `**${plain(title)}**`;
    const rest = more.filter((cell) => cell !== "");
    return {
      kind: "item",
      number,
      indent: 0,
      lines: [
        { ...line, text: `${text} ${rest[0] ?? ""}`.trim() },
        ...rest.slice(1).flatMap((cell) => [EMPTY, { ...line, text: cell }]),
      ],
    };
  });
  const named = head?.cells.filter((cell) => cell !== "").join(" | ") ?? "";
  return named === ""
    ? items
    : [{ kind: "text", number: null, indent: 0, lines: [{ ...head!.line, text: named }] }, ...items];
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, "|"));
}

/** Text between items belongs to the one before. After the last: as many paragraphs as other items have too, and nothing that ends the page. */
export function followers(
  entries: readonly Entry[],
  items: ReadonlySet<Entry>,
): { of: Map<Entry, Entry[]>; after: Entry[] } {
  const of = new Map<Entry, Entry[]>();
  let last: Entry | null = null;
  let most = 0;
  for (const entry of entries) {
    if (items.has(entry)) {
      if (last !== null) most = Math.max(most, of.get(last)!.filter(isParagraph).length);
      last = entry;
      of.set(entry, []);
    } else if (last !== null) of.get(last)!.push(entry);
  }
  if (last === null) return { of, after: [] };
  const trailing = of.get(last)!;
  let paragraphs = 0;
  const end = trailing.findIndex((entry) => {
    if (isParagraph(entry)) paragraphs++;
    return paragraphs > most || most === 0 || isClosing(paragraph(entry.lines));
  });
  const kept = end < 0 ? trailing.length : end;
  of.set(last, trailing.slice(0, kept));
  return { of, after: trailing.slice(kept) };
}

function isParagraph({ kind }: Entry): boolean {
  return kind === "text" || kind === "bold";
}

/** An item with the text that follows it. */
export function itemLines(entry: Entry, following: readonly Entry[]): Line[] {
  const after = joined(following.map(asWritten));
  const lines = after.length > 0 ? [...entry.lines, EMPTY, ...after] : entry.lines;
  const from = lines.findIndex(({ text }) => text.trim() !== "");
  return from < 0 ? [] : lines.slice(from);
}
