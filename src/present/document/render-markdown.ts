import type { Block, Document } from "./document.js";

/** A document as GitHub-flavoured Markdown. */
export function renderMarkdown(document: Document): string {
  const parts = [`# ${plainText(document.title)}`, plainText(document.subtitle)];
  for (const block of document.blocks) parts.push(renderBlock(block));
  return `${parts.join("\n\n")}\n`;
}

function renderBlock(block: Block): string {
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

/** Names of communities and titles of rules are other people's text: nothing in them may become a link, an image or HTML. */
function plainText(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|#!~&]/g, (character) => ENTITIES[character] ?? `\\${character}`)
    .replace(/:\/\/|www\./gi, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`);
}

const ENTITIES: Record<string, string> = { "<": "&lt;", "&": "&amp;" };
