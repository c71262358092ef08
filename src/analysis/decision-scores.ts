import { existsSync } from "node:fs";
import type { CalibrationResult } from "../core/calibration.js";
import type { GateKey } from "../core/gate.js";
import { SCORE_BINS, type ScoreDetails } from "../measures/report-page.js";
import { sqlName, sqlString } from "../store/files/duckdb.js";
import type { DecisionFiles } from "../store/ports.js";
import { type HeldOut, MAIN_ROWS, partOf } from "./audit-cells.js";
import { CELL, type MoreColumn } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";
import { cohortColumns, numberCohorts, sameFields, selectColumns } from "./gate/cohorts.js";
import { loadJsonLines, openParquet } from "./json-lines-table.js";
import { TARGETS } from "./labels/label-sample.js";
import { doubles, integers, readThreads } from "./score-table.js";

const BIN = `least(floor(pds * ${SCORE_BINS}), ${SCORE_BINS - 1})::INTEGER`;
const SCORED = `${MAIN_ROWS} AND cell >= 0 AND pds IS NOT NULL`;

/** Number of verdicts of each level with S in each of SCORE_BINS equal bins over [0, 1]; empty bins are omitted. */
export async function countScoreBins({ db }: AuditTable): Promise<ScoreDetails["pds_by_level"]> {
  return db.rows(
    `SELECT level::INTEGER AS level, ${BIN} AS bin, count(*)::INTEGER AS n FROM audits WHERE ${SCORED} GROUP BY ALL ORDER BY ALL`,
  );
}

/** The same by the level in table `targets`, which must have been loaded and may cover only some of the verdicts. */
export async function countLabelledScoreBins({ db }: AuditTable): Promise<ScoreDetails["pds_by_level"]> {
  return db.rows(
    `SELECT t.level::INTEGER AS level, ${BIN} AS bin, count(*)::INTEGER AS n FROM audits JOIN ${TARGETS} t USING (decision_id)
     WHERE ${SCORED} AND t.level BETWEEN 1 AND 3 GROUP BY ALL ORDER BY ALL`,
  );
}

/** The median of S at each level, which a histogram only shows by bin. */
export async function medianScores({ db }: AuditTable): Promise<ScoreDetails["pds_medians"]> {
  return db.rows(
    `SELECT level::INTEGER AS level, round(median(pds), 9)::DOUBLE AS median FROM audits WHERE ${SCORED} GROUP BY level ORDER BY level`,
  );
}

const ENTROPY = { h_w: "h_weight_bits", h_kappa: "h_citation_bits" } as const;

/** Columns that the table must have been opened with. */
export const PART_COLUMNS = [
  "lambda_nats",
  "h_weight_bits",
  "h_citation_bits",
] as const satisfies readonly MoreColumn[];

/** Columns of the table of audits that a report page needs in addition to those of a report. */
export const PAGE_COLUMNS = ["thread_id", "decided_at", ...PART_COLUMNS] as const satisfies readonly MoreColumn[];

/**
 * Means of the three parts of S by level, over the verdicts that have all of them. `fsum` compensates rounding errors, and rounding to nine digits
 * hides the rest: the order in which threads add affects only the last digits.
 */
export async function meanScoreParts(
  { db }: AuditTable,
  component: CalibrationResult["component"],
): Promise<ScoreDetails["parts_by_level"]> {
  const entropy = ENTROPY[component];
  const mean = (expression: string) => `round(fsum(${expression}) / count(*), 9)::DOUBLE`;
  return db.rows(
    `SELECT level::INTEGER AS level, count(*)::INTEGER AS n, ${mean("-lambda_nats")} AS label_confidence,
       ${mean(entropy)} AS entropy, ${mean("inverse_yes_prob")} AS inverse_check
     FROM audits WHERE ${MAIN_ROWS} AND cell >= 0 AND isfinite(lambda_nats) AND isfinite(${entropy}) AND isfinite(inverse_yes_prob)
     GROUP BY level ORDER BY level`,
  );
}

/** Scores of the verdicts as columns, without creating row objects. NaN: absent. */
export interface DecisionScores {
  n: number;
  /** S. */
  pds: Float64Array;
  /** 1 − p(L3). */
  pDefensible: Float64Array;
  /** 1: level 3. */
  indefensible: Uint8Array;
  /** 1: the decision restricts. */
  positive: Uint8Array;
  /** 1: the row is in the held-out part. */
  heldOut: Uint8Array;
  /** Index into `cohorts`. */
  cohort: Int32Array;
  cohorts: string[];
  /** Number of the row's thread; −1: none. Where asked for. */
  thread?: Int32Array;
}

/**
 * The scores of every verdict, in no particular order, with its cohort. Without `heldOut`, nothing is held out. For `threads`, `thread_id` must have
 * been loaded.
 */
export async function readDecisionScores(
  table: AuditTable,
  by: readonly GateKey[],
  heldOut?: HeldOut,
  { threads = false }: { threads?: boolean } = {},
): Promise<DecisionScores> {
  const select = selectColumns(cohortColumns(by));
  const relation = `audits WHERE ${MAIN_ROWS} AND cell >= 0`;
  const cohorts = await numberCohorts(table.db, by, { relation, select, into: "score_cohorts" });
  const [count] = await table.db.rows<{ n: number }>(`SELECT count(*)::INTEGER AS n FROM ${relation}`);
  const scores = emptyScores(count?.n ?? 0, cohorts);
  const number = (column: string) => `coalesce(${column}, 'NaN'::DOUBLE) AS ${column}`;
  const result = await table.db.connection.stream(
    `SELECT pds, p_defensible, (number * 8 + (${CELL.level("cell")} = 3)::INTEGER + 2 * (cell < 90)::INTEGER + 4 * held_out)::INTEGER, row_id::INTEGER
     FROM (SELECT ${select}, row_id, ${number("pds")}, ${number("p_defensible")}, cell, (${heldOut ? partOf(heldOut) : "false"})::INTEGER AS held_out FROM ${relation}) a
     JOIN score_cohorts c ON ${sameFields(by, "a", "c")}`,
  );
  const rowIds = new Int32Array(scores.n);
  let at = 0;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    rowIds.set(integers(chunk, 3), at);
    scores.pds.set(doubles(chunk, 0), at);
    scores.pDefensible.set(doubles(chunk, 1), at);
    const codes = integers(chunk, 2);
    for (let i = 0; i < codes.length; i++, at++) {
      const code = codes[i]!;
      scores.indefensible[at] = code & 1;
      scores.positive[at] = (code >> 1) & 1;
      scores.heldOut[at] = (code >> 2) & 1;
      scores.cohort[at] = code >> 3;
    }
  }
  if (threads) scores.thread = await readThreads(table, `${MAIN_ROWS} AND cell >= 0`, rowIds);
  return scores;
}

function emptyScores(n: number, cohorts: string[]): DecisionScores {
  return {
    n,
    pds: new Float64Array(n),
    pDefensible: new Float64Array(n),
    indefensible: new Uint8Array(n),
    positive: new Uint8Array(n),
    heldOut: new Uint8Array(n),
    cohort: new Int32Array(n),
    cohorts,
  };
}

/** A verdict of a run, and what is known about its decision from other sources. */
export interface AttackCandidate {
  decision_id: string;
  community: string;
  decision: string;
  level: number;
  inverse: boolean;
  grounded: boolean | null;
  /** Scope and id of the cited rule. */
  scope: string | null;
  rule_id: string | null;
  /** Truth of a simulated world, otherwise gold; null: unknown. */
  known_level: number | null;
  known_inverse: boolean | null;
  known_scope: string | null;
  known_rule: string | null;
  /** Ids of the rules that gold names, as a JSON list. */
  gold_rules: string | null;
}

/** Every verdict of a run, ordered by id. `truth`: the file of a simulated world; it takes precedence over gold. */
export async function readAttackCandidates(
  table: AuditTable,
  decisions: DecisionFiles,
  truth: string | null,
): Promise<AttackCandidate[]> {
  const { db } = table;
  await loadDecisionFields(table, decisions, ["gold.level", "gold.inverse", "gold.rule_ids"]);
  await db.run("DROP TABLE IF EXISTS truth_lines");
  const fields = ["decision_id", "level", "inverse", "rule.scope", "rule.rule_id"];
  if (truth !== null && existsSync(truth)) await loadJsonLines(db, truth, fields, "truth_lines");
  else {
    const columns = fields.map((field) => `"${field}" VARCHAR`);
    await db.run(`CREATE TABLE truth_lines (${columns.join(", ")})`);
  }
  return db.rows<AttackCandidate>(
    `SELECT a.decision_id, a.community, a.decision, a.level::INTEGER AS level, a.inverse, a.citation_grounded AS grounded,
       a.citation_scope AS scope, a.citation_rule_id AS rule_id,
       coalesce(TRY_CAST(t.level AS INTEGER), TRY_CAST(g."gold.level" AS INTEGER)) AS known_level,
       coalesce(TRY_CAST(t.inverse AS BOOLEAN), TRY_CAST(g."gold.inverse" AS BOOLEAN)) AS known_inverse,
       t."rule.scope" AS known_scope, t."rule.rule_id" AS known_rule, g."gold.rule_ids" AS gold_rules
     FROM audits a LEFT JOIN truth_lines t USING (decision_id) LEFT JOIN decision_fields g USING (decision_id)
     WHERE a.arm = '' AND a.replicate = 0 AND a.cell >= 0 ORDER BY a.decision_id`,
  );
}

/**
 * Loads fields of decisions (dotted names reach into objects) as text into table `decision_fields` (decision_id, and a column per field). Lists are
 * kept as JSON. A field that no decision has is NULL throughout.
 */
export async function loadDecisionFields(
  table: AuditTable,
  files: DecisionFiles,
  fields: readonly string[],
): Promise<void> {
  const { db } = table;
  const columns = fields.map((field) => `${sqlName(field)} VARCHAR`);
  await db.run(`CREATE OR REPLACE TABLE decision_fields (decision_id VARCHAR, ${columns.join(", ")})`);
  if (existsSync(files.parquet)) {
    const { relation, columns: described } = await openParquet(db, files.parquet);
    const types = new Map(described.map((column) => [column.column_name, column.column_type]));
    const values = fields.map((field) => parquetField(field, types));
    await db.run(`INSERT INTO decision_fields SELECT id::VARCHAR, ${values.join(", ")} FROM ${relation}`);
  }
  if (existsSync(files.jsonl)) {
    await db.run("DROP TABLE IF EXISTS decision_lines");
    await loadJsonLines(db, files.jsonl, ["id", ...fields], "decision_lines");
    await db.run(`INSERT INTO decision_fields SELECT id, ${fields.map(sqlName).join(", ")} FROM decision_lines`);
    await db.run("DROP TABLE decision_lines");
  }
}

/** Loaded fields that no decision has. */
export async function absentFields(table: AuditTable, fields: readonly string[]): Promise<string[]> {
  if (fields.length === 0) return [];
  const columns = fields.map((field, i) => `count(${sqlName(field)})::INTEGER AS n${i}`);
  const [row] = await table.db.rows<Record<string, number>>(`SELECT ${columns.join(", ")} FROM decision_fields`);
  return fields.filter((_, i) => !row?.[`n${i}`]);
}

/** A field of a Parquet file as text. Objects may be structs or JSON, and a dotted name may be a separate column. */
function parquetField(field: string, types: ReadonlyMap<string, string>): string {
  const [head, ...rest] = field.split(".");
  if (types.has(field) || rest.length === 0) {
    const type = types.get(field);
    if (type === undefined) return "NULL::VARCHAR";
    return type.endsWith("]") ? `to_json(${sqlName(field)})::VARCHAR` : `${sqlName(field)}::VARCHAR`;
  }
  const type = types.get(head!);
  if (type === undefined) return "NULL::VARCHAR";
  const json = type === "VARCHAR" ? `TRY_CAST(${sqlName(head!)} AS JSON)` : `to_json(${sqlName(head!)})`;
  return `json_extract_string(${json}, ${sqlString(`$.${rest.map((name) => `"${name}"`).join(".")}`)})`;
}
