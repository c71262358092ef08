import { csvHeader, csvRow } from "../../workspace/csv.js";
import type { SheetCase } from "./sheet.js";

/** Columns that a rater fills in, and those that say what about. */
const COLUMNS = [
  "case",
  "rater",
  "level",
  "inverse",
  "comment",
  "decision",
  "community",
  "title",
  "content",
  "context",
  "rules",
] as const;

/** The sheet for a spreadsheet: one row a case, with empty cells for the rating. */
export function sheetCsv(cases: readonly SheetCase[]): string {
  const rows = cases.map((one) =>
    csvRow([
      one.case,
      null,
      null,
      null,
      null,
      one.decision,
      one.community,
      one.title || null,
      one.media ? `${one.content}\n[with media that is not shown]` : one.content,
      one.context.length > 0 ? one.context.join("\n---\n") : null,
      one.rules.map((rule) => `${rule.scope} ${rule.id}: ${rule.title}\n${rule.text}`).join("\n\n"),
    ]),
  );
  return csvHeader(COLUMNS) + rows.join("");
}
