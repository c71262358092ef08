import type { ArmCounts } from "../core/results/compare.js";
import type { MovedDecision, MovedDecisions } from "../experiments/rules/diff/result.js";
import { ABSENT_KIND, type ArmPattern, ERROR_KIND, UNSCORED_KIND } from "../measures/metrics/paired/arm-patterns.js";
import { TALLY_SCOPES, type TallyScope } from "../measures/metrics/tally.js";
import { type Duck, sqlString } from "../store/files/duckdb.js";
import { CELL, positiveCell, withoutRules } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";

/** Kind of an audit skipped because the arm shows no rule; such decisions form no pairs and enter no bound. */
const NO_RULES_KIND = -4;

/** SQL on `ARM_ROWS`: the decision is compared. */
const COMPARED = "NOT other_action AND NOT no_rules";

/** Table with one row per decision: its kind of verdict, citation and rules in each arm. */
const ARM_ROWS = "arm_rows";

type ClusterUnit = ArmCounts["clusters"]["unit"];

export async function listArms({ db }: AuditTable): Promise<{ arm: string; n: number }[]> {
  return db.rows("SELECT arm, count(*)::INTEGER AS n FROM audits WHERE replicate = 0 GROUP BY arm ORDER BY arm");
}

/**
 * Joins the arms of a run, one row per decision, and reports what can be compared. The table must have been opened with columns `thread_id` and
 * `ruleset_version`. Only the first replicate counts.
 */
export async function pairArms(table: AuditTable, arms: readonly string[]): Promise<ArmCounts> {
  const { db } = table;
  const columns = arms.flatMap((arm, i) => {
    const where = `FILTER (arm = ${sqlString(arm)})`;
    return [
      `coalesce(max(kind) ${where}, ${ABSENT_KIND})::TINYINT AS k${i}`,
      `max(citation_scope) ${where} AS scope${i}`,
      `max(citation_rule_id) ${where} AS rule${i}`,
      `max(rests_on) ${where} AS rests${i}`,
      `max(ruleset_version) ${where} AS version${i}`,
    ];
  });
  await db.run(
    `CREATE OR REPLACE TABLE ${ARM_ROWS} AS SELECT decision_id, min(community) AS community, min(thread_id) AS thread, bool_or(positive) AS positive,
       min(decision) AS action,
       min(decision) <> max(decision) AS other_action, bool_or(kind = ${NO_RULES_KIND}) AS no_rules, bool_or(agreed) AS agreed, ${columns.join(", ")}
     FROM (SELECT *, CASE WHEN cell >= 0 THEN ${CELL.kind("cell")} WHEN ${withoutRules("cell")} THEN ${NO_RULES_KIND}
           WHEN outcome = 'error' THEN ${ERROR_KIND} ELSE ${UNSCORED_KIND} END AS kind,
         CASE WHEN cell >= 0 THEN cell % 5 END AS rests_on, ${positiveCell("cell")} AS positive,
         CASE WHEN cell >= 0 AND ${CELL.human("cell")} < 2 THEN (${CELL.human("cell")} = 0) = ${positiveCell("cell")} END AS agreed
       FROM audits WHERE replicate = 0 AND arm IN (${arms.map(sqlString).join(", ")}))
     GROUP BY decision_id`,
  );
  return coverage(db, arms);
}

async function coverage(db: Duck, arms: readonly string[]): Promise<ArmCounts> {
  const complete = arms.map((_, i) => `k${i} >= 0`).join(" AND ");
  const kinds = arms.flatMap((_, i) => [
    `count(*) FILTER (k${i} >= 0)::INTEGER AS verdicts${i}`,
    `count(*) FILTER (k${i} = ${UNSCORED_KIND})::INTEGER AS unscored${i}`,
    `count(*) FILTER (k${i} = ${ERROR_KIND})::INTEGER AS errors${i}`,
    `count(*) FILTER (k${i} = ${NO_RULES_KIND})::INTEGER AS no_rules${i}`,
    `count(*) FILTER (k${i} = ${ABSENT_KIND})::INTEGER AS absent${i}`,
  ]);
  const pairs = `FILTER (${COMPARED} AND ${complete})`;
  const [row = {}] = await db.rows<Record<string, number>>(
    `SELECT count(*)::INTEGER AS decisions, count(*) FILTER (other_action)::INTEGER AS different_action,
       count(*) FILTER (no_rules AND NOT other_action)::INTEGER AS no_rules, count(*) ${pairs}::INTEGER AS paired,
       count(DISTINCT community) ${pairs}::INTEGER AS communities, count(DISTINCT thread) ${pairs}::INTEGER AS threads,
       count(thread) ${pairs}::INTEGER AS threaded, ${kinds.join(", ")} FROM ${ARM_ROWS}`,
  );
  const {
    decisions = 0,
    paired = 0,
    communities = 0,
    different_action = 0,
    no_rules = 0,
    threads = 0,
    threaded = 0,
  } = row;
  const unit: ClusterUnit = communities > 1 ? "community" : threads < threaded ? "thread" : "decision";
  const clusters = { community: communities, thread: threads + paired - threaded, decision: paired }[unit];
  return {
    decisions,
    paired,
    communities,
    clusters: { unit, n: clusters },
    arms: arms.map((arm, i) => ({
      arm,
      verdicts: row[`verdicts${i}`] ?? 0,
      unscored: row[`unscored${i}`] ?? 0,
      errors: row[`errors${i}`] ?? 0,
      no_rules: row[`no_rules${i}`] ?? 0,
      absent: row[`absent${i}`] ?? 0,
    })),
    different_action,
    no_rules,
  };
}

/** A pattern with the fields that groups of decisions are made of. */
export interface LabelledPattern extends ArmPattern {
  /** The decision restricts. */
  positive: boolean;
  community: string;
  /** Versions of the rules in each arm: `<platform>+<community>`; null if the file does not say. */
  versions: readonly (string | null)[];
}

/** A cluster's name in SQL. A decision without a thread is its own cluster. */
const CLUSTERS: Record<ClusterUnit, string> = {
  community: "community",
  thread: "coalesce('t' || thread, 'd' || decision_id)",
  decision: "''",
};

/** Counts decisions by their verdicts in the arms. Decisions whose arms name different actions are left out. */
export async function countPatterns(db: Duck, { arms, clusters }: ArmCounts): Promise<LabelledPattern[]> {
  const rows = await db.rows<PatternRow>(
    `SELECT (dense_rank() OVER (ORDER BY cluster))::INTEGER AS cluster, * EXCLUDE (cluster) FROM (
       SELECT ${CLUSTERS[clusters.unit]} AS cluster, community, positive, ${each(arms, "version")}, ${each(arms, "k")}, count(*)::INTEGER AS n
       FROM ${ARM_ROWS} WHERE ${COMPARED} GROUP BY ALL) ORDER BY ALL`,
  );
  return rows.map((row) => ({
    ...patternOf(row, arms.length),
    positive: row.positive as boolean,
    community: row.community as string,
    versions: arms.map((_, i) => row[`version${i}`] as string | null),
  }));
}

/** A rule and the patterns of the decisions that cite it in one arm. */
export interface RulePatterns {
  scope: string;
  /** The community that the rule belongs to; null: the platform. */
  community: string | null;
  rule_id: string;
  patterns: ArmPattern[];
}

/** Counts decisions by the rule cited in an arm (by index). Clusters are communities: within one, decisions count as independent. */
export async function countRulePatterns(db: Duck, { arms }: ArmCounts, citing: number): Promise<RulePatterns[]> {
  const rows = await db.rows<PatternRow>(
    `SELECT (dense_rank() OVER (ORDER BY community))::INTEGER AS cluster, * EXCLUDE (community) FROM (
       SELECT scope${citing} AS scope, CASE WHEN scope${citing} <> 'platform' THEN community END AS owner, rule${citing} AS rule_id, community,
         ${each(arms, "k")}, count(*)::INTEGER AS n
       FROM ${ARM_ROWS} WHERE ${COMPARED} AND rule${citing} IS NOT NULL AND scope${citing} IN ('platform', 'community', 'mixed') GROUP BY ALL)
     ORDER BY ALL`,
  );
  const rules = new Map<string, RulePatterns>();
  for (const row of rows) {
    const { scope, owner, rule_id } = row as { scope: string; owner: string | null; rule_id: string };
    const key = JSON.stringify([scope, owner, rule_id]);
    const rule = rules.get(key) ?? { scope, community: owner, rule_id, patterns: [] };
    rule.patterns.push(patternOf(row, arms.length));
    rules.set(key, rule);
  }
  return [...rules.values()];
}

/** Patterns by the scope to which the ambiguity of one arm is attributed by citation. */
export async function countScopePatterns(
  db: Duck,
  { arms }: ArmCounts,
  citing: number,
): Promise<(ArmPattern & { rests: TallyScope })[]> {
  const rows = await db.rows<PatternRow>(
    `SELECT 0 AS cluster, rests${citing}::INTEGER AS rests, ${each(arms, "k")}, count(*)::INTEGER AS n
     FROM ${ARM_ROWS} WHERE ${COMPARED} GROUP BY ALL ORDER BY ALL`,
  );
  return rows.map((row) => ({ ...patternOf(row, arms.length), rests: TALLY_SCOPES[row.rests as number] ?? "unknown" }));
}

type PatternRow = Record<string, string | number | boolean | null>;

function patternOf(row: PatternRow, arms: number): ArmPattern {
  return {
    cluster: row.cluster as number,
    kinds: Array.from({ length: arms }, (_, i) => row[`k${i}`] as number),
    n: row.n as number,
  };
}

function each(arms: readonly unknown[], column: string): string {
  return arms.map((_, i) => `${column}${i}`).join(", ");
}

/** How a decision may move from the first arm to the second. Kinds: (level − 1) · 2 + (Yes 0, No 1). */
const MOVES = {
  new_indefensible: "k0 < 4 AND k1 >= 4",
  no_longer_indefensible: "k0 >= 4 AND k1 < 4",
  settled: "k0 % 2 = 0 AND k1 % 2 = 1",
  opened: "k0 % 2 = 1 AND k1 % 2 = 0",
  opened_pure: "k0 NOT IN (0, 2) AND k1 IN (0, 2)",
  overturned: "k0 <> 4 AND k1 = 4",
} as const;

export type Move = keyof typeof MOVES;

/** Decisions that moved between the first two arms of `pairArms`: all are counted; the first, by community and id, are listed. */
export async function listMoved(db: Duck, move: Move, limit: number): Promise<MovedDecisions> {
  const from = `FROM ${ARM_ROWS} WHERE NOT other_action AND k0 >= 0 AND k1 >= 0 AND ${MOVES[move]}`;
  const [row] = await db.rows<Omit<MovedDecisions, "listed">>(
    `SELECT count(*)::INTEGER AS n, count(agreed)::INTEGER AS labelled, count(*) FILTER (agreed)::INTEGER AS people_same ${from}`,
  );
  const listed = await db.rows<MovedDecision>(
    `SELECT decision_id, community, action AS decision,
       (k0 // 2 + 1)::INTEGER AS level_before, (k1 // 2 + 1)::INTEGER AS level_after, k0 % 2 = 0 AS inverse_before, k1 % 2 = 0 AS inverse_after,
       rule0 AS cited_before, rule1 AS cited_after ${from} ORDER BY community, decision_id LIMIT ${limit}`,
  );
  return { ...(row ?? { n: 0, labelled: 0, people_same: 0 }), listed };
}
