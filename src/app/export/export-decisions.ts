import { resolve } from "node:path";
import { exportAudits, writeDecisionsParquet } from "../../analysis/export.js";
import { InputError } from "../../core/errors.js";
import { csvHeader, csvRow } from "../../core/records/csv-row.js";
import type { Decision } from "../../core/records/decision.js";
import { AsideFile } from "../../io/files.js";
import { chosenRun } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { flattenRecord, knownColumns } from "../../store/formats/csv-table.js";
import { Fault } from "../../store/formats/parse-json.js";
import type { RunStore } from "../../store/ports.js";
import { normalise } from "../../store/records/normalise.js";
import { RECORD_KINDS, type RecordObject } from "../../store/records/record-kinds.js";

export interface ExportOptions {
  format: "jsonl" | "csv" | "parquet";
  out: string;
}

const { fields } = RECORD_KINDS.decisions;

type Places = Pick<Context, "records" | "config">;

/** Writes the audits of a run (default: the newest) to one file, which appears once it is complete. */
export async function exportRun(
  runs: RunStore,
  run: string | undefined,
  { format, out }: ExportOptions,
): Promise<{ run_id: string; rows: number }> {
  const { run_id } = await chosenRun(runs, run);
  return { run_id, rows: await exportAudits(runs, run_id, format, out) };
}

/** Writes all decisions to one file, which appears once it is complete. Returns their number. */
export async function exportDecisions(places: Places, options: ExportOptions): Promise<number> {
  const out = await checkedOut(places, options.out);
  if (options.format === "parquet") return writeDecisionsParquet(canonicalDecisions(places), out);
  return writeText(out, options.format === "csv" ? csvLines(places) : jsonLines(places));
}

/** Validates the output path for anything made from decisions: not the decisions' own file, and only if there are decisions. */
export async function checkedOut(places: Pick<Context, "records">, file: string): Promise<string> {
  const out = resolve(file);
  if (places.records.isOwnFile(out)) {
    throw new InputError("own_file", `${out}: is the workspace's own file of decisions`, "Name another file.");
  }
  if (await isEmpty(places)) {
    throw new InputError(
      "no_decisions",
      "export: the workspace has no decisions",
      "Bring some in with `defensible import`.",
    );
  }
  return out;
}

async function isEmpty(places: Pick<Context, "records">): Promise<boolean> {
  for await (const _ of places.records.decisions()) return false;
  return true;
}

async function writeText(out: string, lines: AsyncGenerator<{ text: string; rows: number }>): Promise<number> {
  const file = new AsideFile(out);
  try {
    let rows = 0;
    for await (const batch of lines) {
      file.write(batch.text);
      rows += batch.rows;
    }
    file.commit();
    return rows;
  } finally {
    file.discard();
  }
}

async function* jsonLines(places: Places) {
  for await (const batch of canonicalDecisions(places)) {
    yield { text: batch.map((decision) => `${JSON.stringify(decision)}\n`).join(""), rows: batch.length };
  }
}

async function* csvLines(places: Places) {
  const columns = await csvColumns(places);
  yield { text: csvHeader(columns), rows: 0 };
  for await (const batch of canonicalDecisions(places)) {
    const lines = batch.map((decision) => {
      const cells = flattenRecord(decision, fields);
      return csvRow(columns.map((column) => cells.get(column)));
    });
    yield { text: lines.join(""), rows: batch.length };
  }
}

/** Columns filled by any decision, plus those that a file of decisions requires. */
async function csvColumns(places: Places): Promise<string[]> {
  // With a separate `content.body`, a text in `content` would be read as plain text, whatever it looks like.
  const filled = new Set(["id", "community", "content", "content.body", "decision"]);
  for await (const batch of canonicalDecisions(places)) {
    for (const decision of batch) for (const column of flattenRecord(decision, fields).keys()) filled.add(column);
  }
  const known = knownColumns(fields);
  const named = new Set(known);
  return [
    ...known.filter((column) => filled.has(column)),
    ...[...filled].filter((column) => !named.has(column)).sort(),
  ];
}

/** In canonical form, even from hand-written files: equal meaning gives equal text. */
async function* canonicalDecisions(places: Places): AsyncGenerator<RecordObject[]> {
  for await (const batch of places.records.decisions()) yield batch.map((decision) => canonical(places, decision));
}

function canonical(places: Places, decision: Decision): RecordObject {
  const record = normalise(fields, decision, places.config.actions);
  return record instanceof Fault ? decision : record;
}
