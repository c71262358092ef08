import { writeFileAtomic } from "../io/files.js";
import type { Document } from "../present/document/document.js";
import { renderMarkdown } from "../present/document/render-markdown.js";
import { printable } from "../text/printable.js";
import { print, printDocument, say } from "./output.js";

export interface PageOptions {
  md?: boolean;
  mdFile?: string;
  jsonFile?: string;
}

/** Prints a document, or writes it as Markdown, where the user asked for it; `taken`: stdout has the JSON. */
export function printPage(document: () => Document, options: PageOptions, taken: boolean): void {
  if (options.mdFile) {
    writeFileAtomic(options.mdFile, renderMarkdown(document()));
    say(`Wrote ${printable(options.mdFile)}`);
  }
  if (taken) return;
  if (options.md) print(renderMarkdown(document()));
  else if (!options.jsonFile && !options.mdFile) printDocument(document());
}
