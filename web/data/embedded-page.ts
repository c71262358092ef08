import type { ReportPage } from "../../src/measures/report-page.js";
import type { DocumentPage } from "../../src/present/document/document.js";
import { unpack } from "../../src/present/words/pack.js";
import { DATA_ELEMENT } from "../../src/present/words/sentence.js";

/** The data embedded in the page. The workbench (`web/live`) fetches the same object instead. */
export async function embeddedPage(document: Document): Promise<ReportPage | DocumentPage> {
  const element = document.getElementById(DATA_ELEMENT);
  if (!element) throw new Error("This page carries no report; it is written by a command with `--html FILE`.");
  if (typeof DecompressionStream === "undefined") throw new Error("This browser cannot unpack the data in this page.");
  const page = await unpacked(element.textContent).catch((cause: unknown) => {
    // Browsers would say "Failed to fetch" of a page that fetches nothing.
    throw new Error("The data in this page are damaged: it was cut off or changed on its way.", { cause });
  });
  if (page.format !== 1) {
    throw new Error(
      `This page's data have format ${String(page.format)}, and its script reads format 1; write the report anew.`,
    );
  }
  return page;
}

async function unpacked(base64: string): Promise<ReportPage | DocumentPage> {
  const bytes = Uint8Array.from(atob(base64.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return unpack(await new Response(stream).json()) as ReportPage | DocumentPage;
}
