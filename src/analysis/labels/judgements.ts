import { existsSync } from "node:fs";
import { STATED_ARM } from "../../core/names.js";
import type { LabelSample } from "../../core/records/label.js";
import type { Tier } from "../../core/records/rule-set.js";
import type { JudgedPair, PopulationCell } from "../../measures/metrics/against.js";
import { sqlString } from "../../store/files/duckdb.js";
import type { AuditSource, DecisionFiles, RecordsFile } from "../../store/ports.js";
import { MAIN_ROWS } from "../audit-cells.js";
import type { AuditTable } from "../audit-table.js";
import { loadJsonLines, openParquet } from "../json-lines-table.js";
import { LABEL_SAMPLE, loadLabelSample, VERDICT_NAME } from "./label-sample.js";

const asBoolean = (column: string) =>
  `CASE lower(${column}::VARCHAR) WHEN 'true' THEN true WHEN 'false' THEN false END`;

/** Judgements of the decisions from another source: reference annotations, human labels, or another run. Each function fills table `judgements`. */
export async function loadGold(table: AuditTable, decisions: DecisionFiles): Promise<void> {
  await startJudgements(table);
  if (existsSync(decisions.parquet)) {
    const { relation, columns } = await openParquet(table.db, decisions.parquet);
    const gold = columns.find((column) => column.column_name === "gold");
    if (gold) {
      // Our own export stores objects as JSON text.
      const of = (name: string) =>
        gold.column_type.startsWith("STRUCT") ? `gold.${name}` : `json_extract_string(gold::JSON, '$.${name}')`;
      await add(
        table,
        `SELECT id::VARCHAR AS decision_id, ${of("level")}::INTEGER AS level, ${asBoolean(of("inverse"))} AS inverse FROM ${relation} WHERE ${of("level")} IS NOT NULL`,
      );
    }
  }
  if (existsSync(decisions.jsonl)) {
    await loadJsonLines(table.db, decisions.jsonl, ["id", "gold.level", "gold.inverse"], "gold");
    await add(
      table,
      `SELECT id AS decision_id, "gold.level"::INTEGER AS level, ${asBoolean('"gold.inverse"')} AS inverse FROM gold WHERE "gold.level" IS NOT NULL`,
    );
  }
}

/** Human labels, weighted by how they were drawn. Null if absent. */
export async function loadHumanLabels(
  table: AuditTable,
  labels: RecordsFile | null,
  runId: string | null,
): Promise<LabelSample> {
  await startJudgements(table);
  const file = labels ?? { path: "labels", format: "jsonl" as const, rows: [] };
  const { sample } = await loadLabelSample(table, file, { source: "human", runId });
  await add(table, `SELECT decision_id, level, inverse, drawn_in AS cell, inclusion FROM ${LABEL_SAMPLE}`);
  return sample;
}

export async function loadRunJudgements(table: AuditTable, source: AuditSource): Promise<void> {
  await startJudgements(table);
  const fields = ["decision_id", "arm", "replicate", "outcome", "level", "inverse"];
  const relation =
    source.format === "parquet"
      ? (await openParquet(table.db, source.path)).relation
      : await loadJsonLines(table.db, source.path, fields, "other_run");
  // In a live run a later line of a key replaces an earlier one.
  const newest =
    source.format === "jsonl" ? "QUALIFY row_number() OVER (PARTITION BY decision_id ORDER BY line DESC) = 1" : "";
  await add(
    table,
    `SELECT decision_id, level, inverse FROM
       (SELECT decision_id, outcome, level::INTEGER AS level, ${asBoolean("inverse")} AS inverse FROM ${relation}
        WHERE arm = '' AND replicate::INTEGER = 0 ${newest})
     WHERE outcome = 'verdict'`,
  );
}

/** A stated reason, the results of the audits of decisions with it, and the number of these decisions. */
export interface StatedRow {
  community: string;
  ruleset_version: string | null;
  tier: string | null;
  cited_rule: string | null;
  rationale: string | null;
  level: number;
  scope: string | null;
  rule_id: string | null;
  grounded: boolean | null;
  policy_citation: string | null;
  decision: string;
  /** The level under only the stated rules; 0: no verdict; null: not audited. */
  alone: number | null;
  n: number;
}

/** Verdicts by the reason given for the decision. The rationale is used if no rule is cited. */
export async function statedRows({ db, has }: AuditTable, decisions: DecisionFiles): Promise<StatedRow[]> {
  await db.run("CREATE OR REPLACE TABLE stated (decision_id VARCHAR, cited_rule VARCHAR, rationale VARCHAR)");
  const fields = ["id", "cited_rule", "rationale"];
  const fill = (from: string, columns: readonly string[]) => {
    const [, ...texts] = fields.map((name) => (columns.includes(name) ? `${name}::VARCHAR` : "NULL"));
    return db.run(
      `INSERT INTO stated SELECT id::VARCHAR, ${texts.map((text) => `nullif(trim(${text}), '')`).join(", ")} FROM ${from}`,
    );
  };
  if (existsSync(decisions.parquet)) {
    const { relation, columns } = await openParquet(db, decisions.parquet);
    const names = columns.map(({ column_name }) => column_name);
    await fill(relation, names);
  }
  if (existsSync(decisions.jsonl)) await fill(await loadJsonLines(db, decisions.jsonl, fields, "stated_lines"), fields);
  const words = has("trace.policy_citation") ? "trace_policy_citation" : "NULL::VARCHAR";
  return db.rows<StatedRow>(
    `SELECT community, ruleset_version, tier, s.cited_rule, CASE WHEN s.cited_rule IS NULL THEN s.rationale END AS rationale, level,
       citation_scope AS scope, citation_rule_id AS rule_id, citation_grounded AS grounded,
       CASE WHEN s.cited_rule IS NOT NULL OR s.rationale IS NOT NULL THEN ${words} END AS policy_citation,
       a.decision, alone, count(*)::INTEGER AS n
     FROM audits a LEFT JOIN (SELECT DISTINCT ON (decision_id) * FROM stated) s USING (decision_id)
       LEFT JOIN (SELECT decision_id, CASE WHEN outcome = 'verdict' THEN level::INTEGER ELSE 0 END AS alone FROM audits
         WHERE arm = '${STATED_ARM}' AND replicate = 0) USING (decision_id)
     WHERE ${MAIN_ROWS} AND a.outcome = 'verdict' GROUP BY ALL ORDER BY ALL`,
  );
}

async function startJudgements(table: AuditTable): Promise<void> {
  await table.db.run(
    "CREATE OR REPLACE TABLE judgements (decision_id VARCHAR, level INTEGER, inverse BOOLEAN, cell VARCHAR, inclusion DOUBLE)",
  );
}

async function add(table: AuditTable, select: string): Promise<void> {
  await table.db.run(`INSERT INTO judgements BY NAME ${select}`);
}

/** The verdicts that have a judgement. */
export async function judgedPairs(table: AuditTable): Promise<JudgedPair[]> {
  return table.db.rows<JudgedPair>(
    `SELECT a.decision_id, a.level, j.level AS "targetLevel", a.inverse, j.inverse AS "targetInverse", 1 - a.p_defensible AS "indefensibleScore",
       a.decision <> a.human_label AS disagrees, coalesce(j.cell, '') AS cell, j.inclusion AS inclusion
     FROM audits a JOIN (SELECT DISTINCT ON (decision_id) * FROM judgements) j USING (decision_id)
     WHERE ${MAIN_ROWS} AND a.outcome = 'verdict' AND j.level BETWEEN 1 AND 3 ORDER BY a.decision_id`,
  );
}

/** All verdicts by the cell from which labels are drawn. */
export async function verdictCells(table: AuditTable): Promise<PopulationCell[]> {
  return table.db.rows<PopulationCell>(
    `SELECT ${VERDICT_NAME} AS cell, level, inverse, decision <> human_label AS disagrees, count(*)::INTEGER AS n FROM audits
     WHERE ${MAIN_ROWS} AND outcome = 'verdict' GROUP BY ALL ORDER BY ALL`,
  );
}

/** A verdict in the form needed for drawing samples. */
interface VerdictRow {
  decision_id: string;
  level: number;
  inverse: boolean;
}

/** The verdicts of a run, by decision. */
export function verdictRows<T extends VerdictRow>({ db }: AuditTable): Promise<T[]> {
  return db.rows<T>(
    `SELECT decision_id, level, inverse FROM audits WHERE ${MAIN_ROWS} AND outcome = 'verdict' ORDER BY decision_id`,
  );
}

/** The audit result for a rated decision. */
export interface AuditedCase extends VerdictRow {
  pds: number | null;
  p_defensible: number | null;
  inverse_yes_prob: number | null;
}

/** The verdicts on these decisions. */
export function auditedCases({ db }: AuditTable, ids: readonly string[]): Promise<AuditedCase[]> {
  return db.rows<AuditedCase>(
    `SELECT decision_id, level, inverse, pds, p_defensible, inverse_yes_prob FROM audits
     WHERE ${MAIN_ROWS} AND outcome = 'verdict' AND decision_id IN (${ids.map(sqlString).join(", ")}) ORDER BY decision_id`,
  );
}

export async function communityCount({ db }: AuditTable): Promise<number> {
  const [row] = await db.rows<{ n: number }>("SELECT count(DISTINCT community)::INTEGER AS n FROM audits");
  return row!.n;
}

/** Number of decisions of a run, whatever their outcome. */
export async function decisionCount({ db }: AuditTable): Promise<number> {
  const [row] = await db.rows<{ n: number }>(`SELECT count(*)::INTEGER AS n FROM audits WHERE ${MAIN_ROWS}`);
  return row!.n;
}

/** The values compared with the truth of a simulated decision. */
export interface ComparedRow {
  decision_id: string;
  community: string;
  /** Index of the verdict's cell; negative if there is no verdict. */
  cell: number;
  tier: Tier | null;
  level: number;
  inverse: boolean;
  pds: number | null;
  p_defensible: number | null;
  same_family: boolean;
}

/** All decisions of a run, in batches. The table must have been opened with `TRUTH_COLUMNS`. */
export function comparedRows({ db }: AuditTable): AsyncIterable<ComparedRow[]> {
  return db.stream<ComparedRow>(
    `SELECT decision_id, community, cell::INTEGER AS cell, tier, level, inverse, pds, p_defensible,
       coalesce(contains(flags, 'same_family'), false) AS same_family
     FROM audits WHERE ${MAIN_ROWS}`,
  );
}

/** Keeps only the audits of one cohort. Cohorts must have been loaded. */
export async function keepCohort({ db }: AuditTable, cohort: string): Promise<void> {
  await db.run(
    `DELETE FROM stored_audits WHERE decision_id NOT IN (SELECT decision_id FROM cohorts WHERE cohort = ${sqlString(cohort)})`,
  );
}
