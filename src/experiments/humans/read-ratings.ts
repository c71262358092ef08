import { existsSync, readFileSync } from "node:fs";
import { type RatingKey, ratingKeySchema } from "../../domain/humans.js";
import type { Label } from "../../domain/label.js";
import { InputError } from "../../errors.js";
import { Fault } from "../../workspace/canonical.js";
import { foreignRows } from "../../workspace/foreign-rows.js";
import { RECORD_KINDS } from "../../workspace/record-kinds.js";

export interface ReadRatings {
  labels: (Label & { sheet_id: string; comment?: string })[];
  /** Rows without a level: cases that the rater left out. */
  empty: number;
  /** Rows that cannot be used, and why. */
  faults: { file: string; line: number; reason: string }[];
}

export function readRatingKey(file: string): RatingKey {
  if (!existsSync(file)) {
    throw new InputError(
      "no_key",
      `key: no file ${file}`,
      "`defensible humans sample` writes key.json beside the sheet; name it with --key.",
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    value = null;
  }
  const read = ratingKeySchema.safeParse(value);
  if (read.success) return read.data;
  throw new InputError("bad_key", `${file}: is not the key of a rating sheet`, "Name the key.json of the sheet.");
}

/** Ratings as raters sent them back (the form's file, or the sheet filled in), with cases turned into decisions again. */
export async function readRatings(files: readonly string[], key: RatingKey, rater?: string): Promise<ReadRatings> {
  const decisions = new Map(key.cases.map((one) => [one.case.toLowerCase(), one.decision_id]));
  const result: ReadRatings = { labels: [], empty: 0, faults: [] };
  for (const file of files) {
    for await (const { rows } of foreignRows(file, { fields: RECORD_KINDS.labels.fields, rename: new Map() })) {
      for (const { line, value } of rows) {
        const fault = value instanceof Fault ? value.reason : take(value);
        if (fault !== null) result.faults.push({ file, line, reason: fault });
      }
    }
  }
  return result;

  function take(row: Record<string, unknown>): string | null {
    const text = (name: string) => (row[name] === null || row[name] === undefined ? "" : String(row[name]).trim());
    const name = text("case");
    if (name === "") return "has no case; expected the column `case` of the sheet";
    const decision_id = decisions.get(name.toLowerCase());
    if (decision_id === undefined) return `case ${name}: the key has none of that name`;
    const sheet = text("sheet_id");
    if (sheet !== "" && sheet !== key.sheet_id) return `is of sheet ${sheet}, and the key is of sheet ${key.sheet_id}`;
    if (text("level") === "" && text("inverse") === "") {
      result.empty++;
      return null;
    }
    const level = /^(?:L|level )?([123])$/i.exec(text("level"))?.[1];
    if (!level) return `level: got "${text("level")}", expected 1, 2 or 3`;
    const inverse = readInverse(text("inverse"));
    if (inverse === undefined) return `inverse: got "${text("inverse")}", expected Yes or No`;
    const who = text("rater") || rater || "";
    if (who === "") return "rater: is empty; name the rater in the sheet, or with --rater";
    result.labels.push({
      decision_id,
      level: Number(level) as Label["level"],
      inverse,
      rater: who,
      source: "human",
      ...(text("rated_at") ? { rated_at: text("rated_at") } : {}),
      sheet_id: key.sheet_id,
      ...(text("comment") ? { comment: text("comment") } : {}),
    });
    return null;
  }
}

function readInverse(text: string): boolean | null | undefined {
  if (text === "") return null;
  if (/^(?:yes|y|true|1)$/i.test(text)) return true;
  return /^(?:no|n|false|0)$/i.test(text) ? false : undefined;
}
