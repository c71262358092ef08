import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { readBuilt } from "../../io/machine.js";
import type { ReportPage } from "../../measures/report-page.js";
import type { DocumentPage } from "../document/document.js";
import { pack } from "../words/pack.js";
import { DATA_ELEMENT, OLDEST_BROWSERS } from "../words/sentence.js";

/** What comes before and after the data. */
interface HtmlShell {
  before: string;
  after: string;
}

/**
 * The report as one HTML file: style, data and script inside, nothing loaded from elsewhere.
 *
 * The policy lets only this script run, by its hash, and nothing be fetched, framed, sent or embedded. Inline styles are allowed because figures use
 * them; without any source to load from, a style can change only looks. The data are gzip in base64, so no byte of content appears in the file
 * unencoded.
 */
export function htmlFile(page: ReportPage | DocumentPage, shell: HtmlShell = htmlShell()): string {
  return `${shell.before}${pageData(page)}${shell.after}`;
}

/**
 * Shown until the script runs and replaces it, so it is visible only in a truncated file or in a browser that cannot run the script. It precedes
 * everything long, has its own style and appears after a delay: in a complete file it is never visible.
 */
const WAITING_STYLE = `#waiting{max-width:60ch;margin:4em auto;padding:0 1em;font:16px/1.5 system-ui,sans-serif;animation:waiting 0s 3s both}
@keyframes waiting{from{visibility:hidden}to{visibility:visible}}`;
const WAITING = `<noscript><style>#waiting{animation:none}</style></noscript>
<main id="waiting">
<h1>This report is not shown</h1>
<noscript><p>JavaScript is switched off. The report needs it: it draws its pictures itself, and loads nothing.</p></noscript>
<p>If this stays here, the file was cut off or changed on its way (ask for it again, or write it anew with <code>defensible report --html</code>),
or the browser is too old or does not let the page's script run. It takes ${OLDEST_BROWSERS}.</p>
</main>`;

export function htmlShell(application?: URL): HtmlShell {
  const [script, style] = [readBuilt("app.js", application), readBuilt("app.css", application)];
  const policy = [
    "default-src 'none'",
    `script-src '${sha256(script)}'`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return {
    before: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Defensibility report</title>
<style>${WAITING_STYLE}</style>
</head>
<body>
<div id="root">${WAITING}</div>
<style>${style}</style>
<script type="text/plain" id="${DATA_ELEMENT}">`,
    after: `</script>
<script type="module">${script}</script>
</body>
</html>
`,
  };
}

/** Bytes of the file in UTF-8, without its data. */
export function shellBytes({ before, after }: HtmlShell): number {
  return Buffer.byteLength(before) + Buffer.byteLength(after);
}

function sha256(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Data of a page: packed, gzipped, in base64, which has no characters that are special in HTML. */
export function pageData(value: unknown): string {
  return gzipSync(JSON.stringify(pack(value)), { level: 9, memLevel: 9 }).toString("base64");
}
