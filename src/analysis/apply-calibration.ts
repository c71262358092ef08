import type { Actions } from "../core/records/actions.js";
import type { Audit, Flag } from "../core/records/audit.js";
import { readLines } from "../io/read-lines.js";
import { applyToColumns, type CalibrationModel } from "../measures/calibration/calibration-model.js";
import { compileCalibration } from "../measures/calibration/compile-calibration.js";
import { isTwoClass, twoClassColumns } from "../measures/calibration/fit/methods.js";
import { type ScoreRow, scoreRow } from "../measures/calibration/score-columns.js";
import { type Duck, duckdb } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import type { AuditTable } from "./audit-table.js";
import { copyWithScores } from "./copy-with-scores.js";
import { type ExportFormat, writeAside, writeAudits } from "./export-audits.js";
import { readScoreColumns } from "./score-table.js";

/** A model with the name it goes by in the audits. */
export interface AppliedCalibration {
  calibration_id: string;
  model: CalibrationModel;
  /** The audits are not of the kind it was fitted on: they are flagged. */
  foreign: boolean;
}

export interface ApplyCounts {
  rows: number;
  /** Audits with the signals that the model needs. */
  calibrated: number;
}

/** Writes audits with their calibrated probability (`p_calibrated`, `calibration_id`) to a file; everything else stays as it is. */
export async function applyToAudits(
  audits: AsyncIterable<Audit[]>,
  applied: AppliedCalibration,
  actions: Actions,
  out: { path: string; format: ExportFormat },
): Promise<ApplyCounts> {
  const compiled = compileCalibration(applied.model);
  const twoClass = isTwoClass(applied.model);
  let calibrated = 0;
  const change = (audit: Audit): Audit => {
    const score = isVerdict(audit) ? compiled.defensible(rowOf(audit, actions, twoClass)) : null;
    const p = Number.isFinite(score) ? score : null;
    if (p !== null) calibrated++;
    const flags: Flag[] = (audit.flags ?? []).filter((flag) => flag !== "foreign_calibration");
    if (applied.foreign && p !== null) flags.push("foreign_calibration");
    return { ...audit, p_calibrated: p, calibration_id: p === null ? null : applied.calibration_id, flags };
  };
  async function* changed(): AsyncGenerator<Audit[]> {
    for await (const batch of audits) yield batch.map(change);
  }
  return { rows: await writeAudits(changed(), out.format, out.path), calibrated };
}

/** The same for a file of another tool: its columns stay, whatever they are. The table must hold that file, opened with the columns of scores. */
export async function applyToFile(
  table: AuditTable,
  source: AuditSource,
  applied: AppliedCalibration,
  out: { path: string; format: ExportFormat },
): Promise<ApplyCounts> {
  if (source.format === "jsonl") return applyToAudits(jsonAudits(source.path), applied, table.actions, out);
  const columns = await readScoreColumns(table, { all: true });
  const scores = applyToColumns(applied.model, isTwoClass(applied.model) ? twoClassColumns(columns) : columns);
  let calibrated = 0;
  for (let i = 0; i < columns.n; i++) {
    if (columns.level[i] === 0 || !Number.isFinite(scores[i])) scores[i] = Number.NaN;
    if (!Number.isNaN(scores[i])) calibrated++;
  }
  await storeScores(table.db, scores);
  await writeAside(out.path, async (file) => {
    file.close();
    await copyWithScores(table.db, source, applied, { path: file.aside, format: out.format });
  });
  return { rows: columns.n, calibrated };
}

const BATCH = 2048;

/** Table `scores` (p), a row for each row of the file in its order. */
async function storeScores(db: Duck, scores: Float64Array): Promise<void> {
  const { DuckDBDataChunk, DOUBLE } = duckdb();
  await db.run("CREATE OR REPLACE TABLE scores (p DOUBLE)");
  const appender = await db.connection.createAppender("scores");
  for (let start = 0; start < scores.length; start += BATCH) {
    const part = scores.subarray(start, start + BATCH);
    const chunk = DuckDBDataChunk.create([DOUBLE], part.length);
    chunk.setColumnValues(
      0,
      Array.from(part, (p) => (Number.isNaN(p) ? null : p)),
    );
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

async function* jsonAudits(path: string): AsyncGenerator<Audit[]> {
  for await (const lines of readLines(path)) {
    // The table has been read from these lines: they are objects, but for a torn last one.
    yield lines.flatMap((line) => {
      try {
        return [JSON.parse(line.text) as Audit];
      } catch {
        return [];
      }
    });
  }
}

function isVerdict(audit: Audit): boolean {
  return (audit.outcome ?? "verdict") === "verdict";
}

/** Where only `p_defensible` is known, a two-class model takes it for the probabilities of two levels. */
function rowOf(audit: Audit, actions: Actions, twoClass: boolean): ScoreRow {
  const row = scoreRow(audit, audit.decision === actions.positive);
  const p = twoClass && typeof audit.p_defensible === "number" ? audit.p_defensible : null;
  return row.level_probs === null && p !== null ? { ...row, level_probs: [p, 0, 1 - p] } : row;
}
