import { displayWidth } from "../../text/printable.js";
import { type Block, type Column, type Document, resolved } from "./document.js";

interface TerminalOptions {
  /** Columns available. Default 100. */
  width?: number;
  /** ANSI bold and dim. Default false. */
  color?: boolean;
}

export function renderTerminal(source: Document, options: TerminalOptions = {}): string {
  const document = resolved(source);
  const width = Math.min(options.width ?? 100, 110);
  const style = (code: string, text: string) => (options.color ? `\u001b[${code}m${text}\u001b[0m` : text);
  const bold = (text: string) => style("1", text);
  const dim = (text: string) => style("2", text);
  const lines = ["", bold(document.title), ...wrap(document.subtitle, width).map(dim)];
  const valueWidth = Math.max(
    ...document.blocks.map((block) => (block.kind === "headline" ? displayWidth(block.value) : 0)),
  );
  let above: Block<string>["kind"] | undefined;
  for (const block of document.blocks) {
    const joined = document.dense && (above === "heading" || `${above} ${block.kind}` in JOINED);
    if (!joined) lines.push("");
    const heading = document.dense && block.kind === "heading";
    for (const line of heading ? [bold(block.text)] : terminalBlock(block, width, valueWidth, bold, dim))
      lines.push(line);
    above = block.kind;
  }
  return `${lines.join("\n")}\n`;
}

/** In a dense document there is no empty line between these. */
const JOINED = { "headline headline": true, "bars text": true };

type Style = (text: string) => string;

function terminalBlock(block: Block<string>, width: number, valueWidth: number, bold: Style, dim: Style): string[] {
  if (block.kind === "heading") return [bold(block.text), dim("─".repeat(Math.min(width, displayWidth(block.text))))];
  if (block.kind === "text" && block.as === "quote") {
    return block.text.split("\n").flatMap((line) => (line ? wrap(line, width - 2).map((part) => `  ${part}`) : [""]));
  }
  if (block.kind === "text") return wrap(block.text, width);
  if (block.kind === "headline") {
    const indent = " ".repeat(valueWidth + 4);
    return [
      `  ${bold(pad(block.value, valueWidth, "right"))}  ${bold(block.label)}`,
      ...wrap(block.under, width - indent.length).map((line) => indent + dim(line)),
    ];
  }
  if (block.kind === "picture") return block.lines.map((line) => `  ${line}`);
  if (block.kind === "bars") {
    const labelWidth = widest(block.rows.map((row) => row.label));
    const textWidth = widest(block.rows.map((row) => row.text));
    const room = Math.max(8, Math.min(30, width - labelWidth - textWidth - 6));
    return block.rows.map(
      (row) =>
        `  ${pad(row.label, labelWidth, "left")}  ${pad(marked(bar(row.share, room), row.mark, room), room, "left")}  ${row.text}`,
    );
  }
  return block.kind === "table" ? terminalTable(block, width, dim) : [];
}

const NARROWEST_TEXT = 12;
const NARROWEST_SENTENCE = 24;

function terminalTable(block: Extract<Block<string>, { kind: "table" }>, width: number, dim: Style): string[] {
  const widths = block.columns.map((column, index) =>
    Math.max(displayWidth(column.title), widest(block.rows.map((row) => row[index] ?? ""))),
  );
  shrinkText(widths, block.columns, width);
  const line = (cells: readonly string[]) =>
    `  ${block.columns.map((column, index) => pad(fitted(cells[index] ?? "", widths[index]!), widths[index]!, column.align)).join("  ")}`.trimEnd();
  return [
    dim(line(block.columns.map((column) => column.title))),
    ...block.rows.flatMap((row) => rowLines(row, block.columns, widths).map(line)),
  ];
}

/** Not `Math.max(...texts)`: the number of call arguments is limited. */
function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
}

/** A row as lines: one, unless a sentence is longer than its column. */
function rowLines(cells: readonly string[], columns: readonly Column[], widths: readonly number[]): string[][] {
  const parts = columns.map((column, i) => (column.wrap ? wrap(cells[i] ?? "", widths[i]!) : [cells[i] ?? ""]));
  const height = Math.max(1, ...parts.map((part) => part.length));
  return Array.from({ length: height }, (_, row) => parts.map((part) => part[row] ?? ""));
}

/** Narrows the widest text column until the table fits; numbers are never cut. */
function shrinkText(widths: number[], columns: readonly Column[], width: number): void {
  const total = () => 2 + widths.reduce((sum, one) => sum + one, 0) + 2 * (widths.length - 1);
  while (total() > width) {
    let widest = -1;
    columns.forEach((column, i) => {
      const text = column.align === "left" && !/interval|cluster|^run$|^decision$|^calibration$/.test(column.title);
      const narrowest = column.wrap ? NARROWEST_SENTENCE : NARROWEST_TEXT;
      if (text && widths[i]! > narrowest && (widest < 0 || widths[i]! > widths[widest]!)) widest = i;
    });
    if (widest < 0) return;
    widths[widest]!--;
  }
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar; a share of 1 is `room` characters long. */
function bar(share: number, room: number): string {
  const eighths = Math.round(Math.max(0, Math.min(1, share)) * room * 8);
  return "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}

/** A bar with a line where another share would end. */
function marked(bar: string, mark: number | undefined, room: number): string {
  if (mark === undefined) return bar;
  const at = Math.min(room - 1, Math.max(0, Math.round(Math.max(0, Math.min(1, mark)) * room - 0.5)));
  const characters = [...bar.padEnd(room)];
  characters[at] = at < bar.length - 1 ? "┃" : "│";
  return characters.join("").trimEnd();
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  // Keeps a unit with its number.
  for (const word of text.split(/ (?!(?:%|pp)(?![\p{L}\p{N}]))/u)) {
    if (line && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  if (line) lines.push(line);
  return lines;
}

/** Text cut to a number of columns, with … in place of what is missing. */
function fitted(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let result = "";
  let used = 0;
  for (const character of text) {
    used += displayWidth(character);
    if (used > width - 1) break;
    result += character;
  }
  return `${result}…`;
}

function pad(text: string, width: number, align: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "left" ? text + space : space + text;
}

/** A document as GitHub-flavoured Markdown. */
export function renderMarkdown(document: Document): string {
  const parts = [`# ${plainText(document.title)}`, plainText(document.subtitle)];
  for (const block of resolved(document).blocks) parts.push(markdownBlock(block));
  return `${parts.join("\n\n")}\n`;
}

function markdownBlock(block: Block<string>): string {
  if (block.kind === "heading") return `## ${plainText(block.text)}`;
  if (block.kind === "text") return plainText(block.text);
  if (block.kind === "headline")
    return `**${plainText(block.value)}** ${plainText(block.label)}  \n${plainText(block.under)}`;
  if (block.kind === "picture")
    return ["```", ...block.lines.map((line) => line.replaceAll("`", "'")), "```"].join("\n");
  if (block.kind === "bars") {
    return markdownTable(
      ["", "share"],
      ["left", "left"],
      block.rows.map((row) => [row.label, row.text]),
    );
  }
  if (block.kind !== "table") return "";
  return markdownTable(
    block.columns.map((column) => column.title),
    block.columns.map((column) => column.align),
    block.rows,
  );
}

function markdownTable(titles: string[], aligns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(plainText).join(" | ")} |`;
  const rule = `|${aligns.map((align) => (align === "right" ? "---:" : "---")).join("|")}|`;
  return [line(titles), rule, ...rows.map(line)].join("\n");
}

/**
 * Community names and rule titles are untrusted text: nothing in them may become a link, an image or HTML. Names of fields and commands between
 * backticks stay code: letters, digits and a few characters that have no meaning in Markdown.
 */
function plainText(text: string): string {
  return text
    .split(/(?<!`)(`\w(?:[\w ./=-]*\w)?`)(?!`)/)
    .map((part, i) => (i % 2 === 1 ? part : escaped(part)))
    .join("");
}

function escaped(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|#!~&]/g, (character) => ENTITIES[character] ?? `\\${character}`)
    .replace(/:\/\/|www\./gi, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`);
}

const ENTITIES: Record<string, string> = { "<": "&lt;", "&": "&amp;" };

/** A test case of a JUnit report: one check. */
export interface TestCase {
  /** Group of the case, without content. */
  suite: string;
  name: string;
  /** Why the check failed; null: it passed. */
  failure: string | null;
  /** Why the check was skipped; null: it was not. */
  skipped?: string | null;
}

/** JUnit XML, which every CI system reads. Names may be untrusted text: they are escaped, and characters that XML 1.0 cannot hold are dropped. */
export function junitXml(name: string, cases: readonly TestCase[]): string {
  const suites = new Map<string, TestCase[]>();
  for (const one of cases) suites.set(one.suite, [...(suites.get(one.suite) ?? []), one]);
  const lines = [`<?xml version="1.0" encoding="UTF-8"?>`, `<testsuites ${attributes(name, cases)}>`];
  for (const [suite, members] of suites) {
    lines.push(`  <testsuite ${attributes(suite, members)}>`, ...members.map(caseXml), "  </testsuite>");
  }
  return `${[...lines, "</testsuites>"].join("\n")}\n`;
}

function attributes(name: string, cases: readonly TestCase[]): string {
  const failures = cases.filter((one) => one.failure !== null).length;
  const skipped = cases.filter((one) => one.skipped).length;
  return `name="${escapeXml(name)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

function caseXml({ suite, name, failure, skipped }: TestCase): string {
  const head = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}"`;
  if (failure !== null) return `${head}><failure message="${escapeXml(failure)}"/></testcase>`;
  if (skipped) return `${head}><skipped message="${escapeXml(skipped)}"/></testcase>`;
  return `${head}/>`;
}

const XML_ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Text for an attribute. Control characters, lone surrogates and U+FFFE/U+FFFF are invalid in XML; newlines would become spaces. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, " ")
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g, "")
    .replace(/[&<>"']/g, (character) => XML_ENTITIES[character]!);
}
