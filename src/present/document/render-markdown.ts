import { type Block, type Document, resolved } from "./document.js";

/** A document as GitHub-flavoured Markdown. */
export function renderMarkdown(document: Document): string {
  const parts = [`# ${plainText(document.title)}`, plainText(document.subtitle)];
  for (const block of resolved(document).blocks) parts.push(renderBlock(block));
  return `${parts.join("\n\n")}\n`;
}

function renderBlock(block: Block<string>): string {
  if (block.kind === "heading") return `## ${plainText(block.text)}`;
  if (block.kind === "text") return plainText(block.text);
  if (block.kind === "headline")
    return `**${plainText(block.value)}** ${plainText(block.label)}  \n${plainText(block.under)}`;
  if (block.kind === "picture")
    return ["```", ...block.lines.map((line) => line.replaceAll("`", "'")), "```"].join("\n");
  if (block.kind === "bars") {
    return renderTable(
      ["", "share"],
      ["left", "left"],
      block.rows.map((row) => [row.label, row.text]),
    );
  }
  if (block.kind !== "table") return "";
  return renderTable(
    block.columns.map((column) => column.title),
    block.columns.map((column) => column.align),
    block.rows,
  );
}

function renderTable(titles: string[], aligns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(plainText).join(" | ")} |`;
  const rule = `|${aligns.map((align) => (align === "right" ? "---:" : "---")).join("|")}|`;
  return [line(titles), rule, ...rows.map(line)].join("\n");
}

/**
 * Names of communities and titles of rules are other people's text: nothing in them may become a link, an image or HTML. Names of fields and commands
 * between backticks stay code: letters, digits and a few signs, in which Markdown reads nothing.
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

/** One line of a JUnit report: a thing that was checked. */
export interface TestCase {
  /** Group of the case, without content. */
  suite: string;
  name: string;
  /** Why it does not hold; null: it does. */
  failure: string | null;
  /** Why it was not looked at; null: it was. */
  skipped?: string | null;
}

/** JUnit XML, which every CI system reads. Names may be untrusted text: they are escaped, and what XML 1.0 cannot hold is left out. */
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

/** Text for an attribute. Control characters, lone surrogates and U+FFFE/U+FFFF are no XML at all; newlines would become spaces. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, " ")
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g, "")
    .replace(/[&<>"']/g, (character) => XML_ENTITIES[character]!);
}
