import { createHash } from "node:crypto";
import { csvHeader, csvRow } from "../../core/records/csv-row.js";
import { FORM_SCRIPT } from "./form-script.js";
import {
  contentCell,
  HOW_TO_RATE,
  LEVEL_WORDS,
  levelText,
  plainCell,
  type SheetCase,
  type SheetPrecedent,
} from "./sheet.js";

/** Style of the rating form: system fonts, light and dark, readable on phones and on paper. */
const FORM_STYLE = `
:root { color-scheme: light dark; --ink: #1c1c1c; --soft: #5c5c5c; --line: #d5d5d5; --ground: #ffffff; --panel: #f6f6f4; --mark: #1f5fa8; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --soft: #a8a8a8; --line: #444; --ground: #161616; --panel: #202020; --mark: #7fb2ee; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 5rem; }
h1 { font-size: 1.3rem; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 0 0 .5rem; }
p { margin: .4rem 0; }
.soft { color: var(--soft); font-size: .9rem; }
.case { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.25rem; margin-top: 1rem; }
@media (max-width: 52rem) { .case { grid-template-columns: minmax(0, 1fr); } }
section { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; max-height: 26rem; overflow: auto; margin: 0; }
.title { font-weight: 600; overflow-wrap: anywhere; unicode-bidi: isolate; }
.rules { max-height: 40rem; overflow: auto; }
details { border-top: 1px solid var(--line); padding: .5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
fieldset { border: 1px solid var(--line); border-radius: 6px; margin: .75rem 0; padding: .5rem 1rem .75rem; }
legend { font-weight: 600; padding: 0 .3rem; }
label { display: block; padding: .2rem 0; }
input[type=text], textarea { width: 100%; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 4px; padding: .4rem .6rem; }
button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 4px; padding: .4rem 1rem; cursor: pointer; }
button.main { background: var(--mark); color: var(--ground); border-color: var(--mark); }
button:disabled { opacity: .5; cursor: default; }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
nav { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-top: 1rem; }
.decision { font-weight: 700; unicode-bidi: isolate; }
button.link { border: 0; padding: 0; background: none; color: var(--mark); text-decoration: underline; }
#precedents { margin-top: .75rem; }
#precedents article { border-top: 1px solid var(--line); padding: .5rem 0; }
.help { margin-top: 1rem; }
.help ul { margin: .4rem 0; padding-left: 1.2rem; }
`;

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
<p class="soft">Not whether you would have decided so: whether the written rules and precedents support it. ${cases.length} cases. Nothing you enter leaves this browser until you save the file.</p>
<form id="start">
<p id="others" class="soft" hidden></p>
<label for="rater">Your name or the code you were given</label>
<input type="text" id="rater" autocomplete="off" maxlength="80" required>
<nav><button class="main" type="submit">Begin</button></nav>
</form>
<details class="help"><summary>How to rate</summary><ul>${HOW_TO_RATE.map((text) => `<li>${text}</li>`).join("")}</ul></details>
<div id="work" hidden>
<p class="soft">Rating as <strong id="who" dir="auto"></strong>. Not you? <button type="button" id="change" class="link">Change the name</button></p>
<p id="place" class="soft" tabindex="-1" role="status"></p>
<div class="case">
<section id="content" aria-label="Content"></section>
<section><h2>Rules in force</h2><div id="rules" class="rules"></div><nav><button type="button" id="all"></button></nav>
<details id="precedents"><summary id="precedents-title"></summary><div id="precedents-list" class="rules"></div></details></section>
</div>
<form id="rating">
<fieldset><legend>The decision was: <span id="decision" class="decision"></span>. How far do the rules and precedents support it?</legend>
<label><input type="radio" name="level" value="1"> <span id="level-1"></span></label>
<label><input type="radio" name="level" value="2"> <span id="level-2"></span></label>
<label><input type="radio" name="level" value="3"> <span id="level-3"></span></label>
</fieldset>
<fieldset><legend>Could the opposite decision, <span id="opposite" class="decision"></span>, be derived from the same rules and precedents, too or instead?</legend>
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
<script type="application/json" id="sheet">${embeddedJson(embedded(sheetId, cases))}</script>
<script>${FORM_SCRIPT}</script>
</body>
</html>
`;
}

/** The data of the form's script. Precedents are included once per community, not once per case. */
function embedded(sheetId: string, cases: readonly SheetCase[]) {
  return {
    sheet_id: sheetId,
    words: LEVEL_WORDS,
    precedents: Object.fromEntries(cases.map(({ community, precedents }) => [community, precedents])),
    cases: cases.map(({ precedents: _, ...one }) => one),
  };
}

/** JSON that cannot close the element around it, whatever the content is. */
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

/** The columns that identify a case and those that a rater fills in. */
const COLUMNS = [
  "sheet_id",
  "case",
  "rater",
  "level",
  "inverse",
  "comment",
  "decision",
  "opposite",
  "levels_mean",
  "community",
  "title",
  "content",
  "context",
  "rules",
  "precedents",
] as const;

/** A spreadsheet cell holds 32,767 characters; the rest is silently lost. */
const MOST_CHARACTERS = 30_000;

/** The sheet as a spreadsheet: one row per case, with empty cells for the rating. */
export function sheetCsv(sheetId: string, cases: readonly SheetCase[]): string {
  const rows = cases.map((one) =>
    plainRow([
      sheetId,
      one.case,
      null,
      null,
      null,
      null,
      one.decision,
      one.opposite,
      levelText(one.restricts),
      one.community,
      one.title || null,
      contentCell(one),
      one.context.length > 0 ? one.context.join("\n---\n") : null,
      one.rules.map((rule) => `${rule.scope} ${rule.id}: ${rule.title}\n${rule.text}`).join("\n\n"),
      precedentCell(one.precedents),
    ]),
  );
  return csvHeader(COLUMNS) + rows.join("");
}

function plainRow(cells: readonly (string | null)[]): string {
  return csvRow(cells.map((cell) => (cell === null ? null : plainCell(cell))));
}

/** As many precedents as fit in a cell, and the number left out. */
function precedentCell(precedents: readonly SheetPrecedent[]): string | null {
  if (precedents.length === 0) return null;
  const texts: string[] = [];
  let length = 0;
  for (const { id, text, decision, rule, reason } of precedents) {
    const one = `${id}: ${decision}${rule === null ? "" : ` under rule ${rule}`}\n${text}${reason === null ? "" : `\nReason: ${reason}`}`;
    length += one.length + 2;
    if (length > MOST_CHARACTERS) break;
    texts.push(one);
  }
  const left = precedents.length - texts.length;
  return [...texts, ...(left > 0 ? [`[${left} more: see the form]`] : [])].join("\n\n");
}
