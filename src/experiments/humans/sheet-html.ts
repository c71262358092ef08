import { createHash } from "node:crypto";
import { FORM_SCRIPT } from "./form-script.js";
import { FORM_STYLE } from "./form-style.js";
import type { SheetCase } from "./sheet.js";

/** The rating form in one file: opens from disk, loads nothing, sends nothing. */
export function sheetHtml(sheetId: string, cases: readonly SheetCase[]): string {
  const policy = `default-src 'none'; style-src 'sha256-${digest(FORM_STYLE)}'; script-src 'sha256-${digest(FORM_SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Rating sheet ${escapeHtml(sheetId)}</title>
<style>${FORM_STYLE}</style>
</head>
<body>
<main>
<h1>Can this decision be derived from the rules?</h1>
<p class="soft">Not whether you would have decided so: whether the written rules support it. ${cases.length} cases. Nothing you enter leaves this browser until you save the file.</p>
<form id="start">
<label for="rater">Your name or the code you were given</label>
<input type="text" id="rater" autocomplete="off" maxlength="80" required>
<nav><button class="main" type="submit">Begin</button></nav>
</form>
<div id="work" hidden>
<p id="place" class="soft" tabindex="-1" role="status"></p>
<div class="case">
<section id="content" aria-label="Content"></section>
<section><h2>Rules in force</h2><div id="rules" class="rules"></div><nav><button type="button" id="all">Open all</button></nav></section>
</div>
<form id="rating">
<fieldset><legend>The decision was: <span id="decision" class="decision"></span>. How far do the rules support it?</legend>
<label><input type="radio" name="level" value="1"> Robustly: a rule says so, directly and without doubt</label>
<label><input type="radio" name="level" value="2"> Plausibly: the rules are open here, and could reasonably support it</label>
<label><input type="radio" name="level" value="3"> Not at all: no rule supports it, or the content keeps to the rules</label>
</fieldset>
<fieldset><legend>Could the opposite decision be derived from the rules too?</legend>
<label><input type="radio" name="inverse" value="Yes"> Yes</label>
<label><input type="radio" name="inverse" value="No"> No</label>
</fieldset>
<label for="comment">Remark (may stay empty)</label>
<textarea id="comment" rows="2" maxlength="2000"></textarea>
</form>
<nav>
<button type="button" id="before">Back</button>
<button type="button" id="next" class="main">Next case</button>
<button type="button" id="export">Save ratings to a file</button>
<span id="left" class="soft"></span>
</nav>
</div>
<noscript><p>This form needs JavaScript, which your browser has turned off. The same sheet is there as a CSV file.</p></noscript>
</main>
<script type="application/json" id="sheet">${embeddedJson({ sheet_id: sheetId, cases })}</script>
<script>${FORM_SCRIPT}</script>
</body>
</html>
`;
}

/** JSON that cannot end the element it stands in, whatever the content says. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll(">", "\\u003e")
    .replaceAll("&", "\\u0026")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
