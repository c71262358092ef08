import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ReportPage } from "../../figures/report-page.js";
import { pageData } from "./page-data.js";

/** Made by `npm run build` from `web/`. */
const APPLICATION = new URL("../../web/", import.meta.url);

/** What stands before and after the data. */
export interface HtmlShell {
  before: string;
  after: string;
}

/**
 * The report as one HTML file: style, data and script inside it, nothing loaded from anywhere.
 *
 * The policy lets only this very script run, by its hash, and nothing be fetched, framed, sent or embedded. Styles may be inline, because
 * pictures carry them; without any source to load from, a style can change looks and nothing else. The data are gzip in base64, so no byte
 * of content stands in the file as it was written.
 */
export function htmlFile(page: ReportPage, shell: HtmlShell = htmlShell()): string {
  return `${shell.before}${pageData(page)}${shell.after}`;
}

/** The file without its data. */
export function htmlShell(application: URL = APPLICATION): HtmlShell {
  const script = readFileSync(new URL("app.js", application), "utf8");
  const style = readFileSync(new URL("app.css", application), "utf8");
  const policy = [
    "default-src 'none'",
    `script-src '${sha256(script)}'`,
    "style-src 'unsafe-inline'",
    "img-src data:",
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
<style>${style}</style>
</head>
<body>
<div id="root"><noscript>This report needs JavaScript: it draws its pictures itself.</noscript></div>
<script type="text/plain" id="report-data">`,
    after: `</script>
<script type="module">${script}</script>
</body>
</html>
`,
  };
}

/** Bytes of a file in UTF-8. */
export function shellBytes({ before, after }: HtmlShell): number {
  return Buffer.byteLength(before) + Buffer.byteLength(after);
}

function sha256(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
