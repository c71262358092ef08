import { existsSync } from "node:fs";
import { LEVELS } from "../../core/names.js";
import { TIERS } from "../../core/records/rule-set.js";
import { causeOf } from "../../measures/metrics/disagreements.js";
import type { Tally } from "../../measures/metrics/tally.js";
import { sqlString } from "../../store/files/duckdb.js";
import type { DecisionFiles } from "../../store/ports.js";
import { MAIN_ROWS } from "../audit-cells.js";
import { cellWith, type MoreColumn } from "../audit-select.js";
import type { AuditTable } from "../audit-table.js";
import { loadDecisionFields } from "../decision-scores.js";
import { loadJsonLines } from "../json-lines-table.js";
import { groupCells } from "../tallies.js";

/** Table (decision_id, level, inverse, cause) of the truth about the decisions, by construction or by annotation. */
export const TRUE_VERDICTS = "true_verdicts";

/** Columns a table must have been opened with (`TableOptions.also`) before the truth is loaded for it. */
export const TRUTH_COLUMNS = ["tier"] as const satisfies readonly MoreColumn[];

export interface TruthPlaces {
  /** `truth/truth.jsonl` of a simulated world; null: unknown. */
  truth: string | null;
  decisions: DecisionFiles;
}

export interface TruthSource {
  /** simulation: planted; gold: annotations contained in the decisions. */
  kind: "simulation" | "gold";
  /** Number of decisions covered. */
  n: number;
  /** The texts under which the audits were made and for which the truth holds: tiers, or `scope platform`. Empty for gold, where it is unknown. */
  under: string[];
}

/**
 * Loads the planted truth of a simulated world, otherwise the decisions' reference annotations. A planted truth is the one for the text that the
 * arm's audit was made under: a case left open by the titles may be settled by the wiki. Null: there is neither, and the table is empty.
 */
export async function loadTrueVerdicts(
  table: AuditTable,
  { truth, decisions }: TruthPlaces,
  arm = "",
): Promise<TruthSource | null> {
  const { db } = table;
  await db.run(
    `CREATE OR REPLACE TABLE ${TRUE_VERDICTS} (decision_id VARCHAR, level INTEGER, inverse BOOLEAN, cause VARCHAR)`,
  );
  const planted = truth !== null && existsSync(truth) ? truth : null;
  const kind = planted !== null ? "simulation" : "gold";
  if (planted !== null) {
    const text = textOf(arm);
    if (text === null) return null;
    await loadPlanted(table, planted, arm, text);
  } else {
    await loadDecisionFields(table, decisions, ["gold.level", "gold.inverse"]);
    await db.run(
      `INSERT INTO ${TRUE_VERDICTS} SELECT DISTINCT ON (decision_id) decision_id, TRY_CAST("gold.level" AS INTEGER),
         lower("gold.inverse") = 'true', NULL FROM decision_fields WHERE "gold.level" IS NOT NULL AND "gold.inverse" IS NOT NULL`,
    );
  }
  await db.run(`DELETE FROM ${TRUE_VERDICTS} WHERE level IS NULL OR level NOT BETWEEN 1 AND 3`);
  const [row] = await db.rows<{ n: number }>(`SELECT count(*)::INTEGER AS n FROM ${TRUE_VERDICTS}`);
  return row?.n ? { kind, n: row.n, under: kind === "gold" ? [] : await textsUnder(table, arm) } : null;
}

/** The text shown to an arm's audits: that of their tier, or one scope's rules. Null: no planted truth for it (other rules, other action). */
function textOf(arm: string): "tier" | "platform" | "community" | null {
  const scope = /^scope=(platform|community)$/.exec(arm)?.[1];
  if (scope) return scope as "platform" | "community";
  return arm.split(" ").every((part) => /^$|^pilot$|^(t|template|tier|precedents)=/.test(part)) ? "tier" : null;
}

async function loadPlanted(
  { db }: AuditTable,
  path: string,
  arm: string,
  text: "tier" | "platform" | "community",
): Promise<void> {
  const shown = text === "tier" ? TIERS.map((tier) => `tiers.${tier}`) : [`scopes.${text}`];
  const fields = [
    "decision_id",
    "level",
    "inverse",
    "cause",
    ...shown.flatMap((one) => [`${one}.level`, `${one}.inverse`]),
  ];
  await db.run("DROP TABLE IF EXISTS truth_lines");
  await loadJsonLines(db, path, fields, "truth_lines");
  // A file without tiers is about the whole text, for which the truth has no tier.
  const of = (field: "level" | "inverse") =>
    text === "tier"
      ? `CASE tier WHEN 'title' THEN "tiers.title.${field}" WHEN 'sidebar' THEN "tiers.sidebar.${field}" ELSE ${field} END`
      : `"scopes.${text}.${field}"`;
  // The planted cause is that of the whole text; if a shorter text gives another verdict, the cause follows from that verdict.
  await db.run(
    `INSERT INTO ${TRUE_VERDICTS} SELECT decision_id, TRY_CAST(own_level AS INTEGER), own_inverse = 'true',
       CASE WHEN own_level = level AND own_inverse = inverse THEN cause END
     FROM (SELECT t.*, ${of("level")} AS own_level, ${of("inverse")} AS own_inverse FROM truth_lines t LEFT JOIN
       (SELECT decision_id, any_value(tier) AS tier FROM audits WHERE ${rowsOf(arm)} GROUP BY decision_id) USING (decision_id)
       QUALIFY row_number() OVER (PARTITION BY decision_id ORDER BY line DESC) = 1)`,
  );
  await db.run("DROP TABLE truth_lines");
}

async function textsUnder({ db }: AuditTable, arm: string): Promise<string[]> {
  const text = textOf(arm);
  if (text !== "tier") return [`scope ${text}`];
  const rows = await db.rows<{ tier: string }>(
    `SELECT DISTINCT coalesce(tier, 'wiki') AS tier FROM audits JOIN ${TRUE_VERDICTS} USING (decision_id) WHERE ${rowsOf(arm)} AND cell >= 0`,
  );
  const found = new Set(rows.map(({ tier }) => tier));
  return TIERS.filter((tier) => found.has(tier));
}

function rowsOf(arm: string): string {
  return `arm = ${sqlString(arm)} AND replicate = 0`;
}

/** Labelled disagreements by cause, according to the auditor and to the truth. */
export interface CauseCount {
  audited: string;
  true: string;
  n: number;
}

export interface GapCells {
  /** The auditor's verdicts by community. */
  tallies: Tally[];
  /** Those with a known truth, still with the auditor's verdicts; empty if no truth is known. */
  matched: Tally[];
  /** The same verdicts as `matched` with the true level and inverse in place of the auditor's. */
  truth: Tally[];
  causes: CauseCount[];
}

export interface GapRows {
  /** Limits the count to the members of this cohort; table `cohorts` (cohort, decision_id) must exist. */
  cohort?: string;
  /** Table `true_verdicts` must exist. */
  truth?: boolean;
}

/** SQL for why decider and human differ, by level and inverse. */
function causeIn(level: string, inverse: string): string {
  const cases = LEVELS.flatMap((one) =>
    [true, false].map((yes) => `WHEN ${level} = ${one} AND ${inverse} = ${yes} THEN ${sqlString(causeOf(one, yes))}`),
  );
  return `CASE ${cases.join(" ")} END`;
}

/** Counts everything that the gap table needs, in one pass, and the same numbers by the truth. */
export async function countGapCells(table: AuditTable, { cohort, truth = false }: GapRows = {}): Promise<GapCells> {
  const members =
    cohort === undefined
      ? ""
      : `AND decision_id IN (SELECT decision_id FROM cohorts WHERE cohort = ${sqlString(cohort)})`;
  const rows = await table.db.rows<{ community: string; cell: number; n: number }>(
    `SELECT community, cell, count(*)::INTEGER AS n FROM audits WHERE ${MAIN_ROWS} ${members} GROUP BY ALL ORDER BY ALL`,
  );
  const [all] = groupCells(rows, () => [""]);
  const tallies = all?.tallies ?? [];
  if (!truth) return { tallies, matched: [], truth: [], causes: [] };
  // The cell's action and human label are kept; its level and inverse become the true ones, its scope unknown.
  const joined = `(SELECT a.community, a.cell, a.decision <> a.human_label AS differs, a.level, a.inverse, t.level AS true_level,
      t.inverse AS true_inverse, t.cause, ${cellWith("a.cell", { level: "t.level", inverse: "t.inverse" })} AS true_cell
    FROM audits a JOIN ${TRUE_VERDICTS} t USING (decision_id) WHERE ${MAIN_ROWS} AND a.cell >= 0 ${members})`;
  const tallyBy = async (cell: string) => {
    const known = await table.db.rows<{ community: string; cell: number; n: number }>(
      `SELECT community, ${cell}::INTEGER AS cell, count(*)::INTEGER AS n FROM ${joined} GROUP BY ALL ORDER BY ALL`,
    );
    return groupCells(known, () => [""])[0]?.tallies ?? [];
  };
  const causes = await table.db.rows<CauseCount>(
    `SELECT ${causeIn("level", "inverse")} AS audited, coalesce(cause, ${causeIn("true_level", "true_inverse")}) AS "true",
       count(*)::INTEGER AS n FROM ${joined} WHERE differs GROUP BY ALL ORDER BY ALL`,
  );
  return { tallies, matched: await tallyBy("cell"), truth: await tallyBy("true_cell"), causes };
}

/** Verdicts of one community by whether the decider is a model of the auditor's family. */
export interface FamilyCount {
  community: string;
  same_family: boolean;
  n: number;
  defensible: number;
  inverse_yes: number;
  /** Verdicts with a known truth. */
  known: number;
  /** Among these: defensible only according to the auditor, and only according to the truth. */
  defensible_plus: number;
  defensible_minus: number;
  /** The same for inverse = Yes. */
  inverse_plus: number;
  inverse_minus: number;
}

/** Counts for the test of favouritism; for `truth`, table `true_verdicts` must exist. */
export async function countFamilies(table: AuditTable, truth: boolean): Promise<FamilyCount[]> {
  const known = truth
    ? `LEFT JOIN ${TRUE_VERDICTS} t USING (decision_id)`
    : "LEFT JOIN (SELECT NULL::VARCHAR AS decision_id, NULL::INTEGER AS level, NULL::BOOLEAN AS inverse) t USING (decision_id)";
  const count = (condition: string, name: string) => `count(*) FILTER (${condition})::INTEGER AS ${name}`;
  return table.db.rows<FamilyCount>(
    `SELECT a.community, coalesce(regexp_matches(a.flags, '(^|[^A-Za-z0-9_-])same_family($|[^A-Za-z0-9_-])'), false) AS same_family,
       count(*)::INTEGER AS n, ${count("a.level < 3", "defensible")}, ${count("a.inverse", "inverse_yes")},
       ${count("t.level IS NOT NULL", "known")},
       ${count("a.level < 3 AND t.level = 3", "defensible_plus")}, ${count("a.level = 3 AND t.level < 3", "defensible_minus")},
       ${count("a.inverse AND NOT t.inverse", "inverse_plus")}, ${count("NOT a.inverse AND t.inverse", "inverse_minus")}
     FROM audits a ${known} WHERE ${MAIN_ROWS} AND a.cell >= 0 GROUP BY ALL ORDER BY ALL`,
  );
}
