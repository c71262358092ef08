import { csvHeader, csvRow } from "../../core/records/csv-row.js";
import { contentCell, levelText, plainCell, type SheetCase, type SheetPrecedent } from "./sheet.js";

/** Columns that a rater fills in, and those that say what about. */
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

/** A cell of a spreadsheet holds 32,767 characters; what is beyond is lost without a word. */
const MOST_CHARACTERS = 30_000;

/** The sheet for a spreadsheet: one row a case, with empty cells for the rating. */
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

/** As many as a cell takes, and how many are left out. */
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
