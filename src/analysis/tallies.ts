import type { GateKey } from "../core/gate.js";
import type { LabelSample } from "../core/records/label.js";
import type { Level } from "../core/records/level.js";
import {
  AUDITED_CELLS,
  auditedIndex,
  type DrawnCounts,
  emptyJudgeCounts,
  HUMAN_CELLS,
  humanIndex,
  type JudgeCounts,
  judgeIndex,
} from "../measures/metrics/judge/counts.js";
import type { AlternativeCount, LabelledActions } from "../measures/metrics/severity.js";
import { CELLS, emptyTally, type Tally } from "../measures/metrics/tally.js";
import type { PageCommunity } from "../measures/report-page.js";
import { MAIN_ROWS } from "./audit-cells.js";
import { readCode } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";
import { type CohortRow, cohortColumns, countCohortRules, rowKey, selectColumns } from "./gate/cohorts.js";
import { LABEL_SAMPLE } from "./labels/label-sample.js";

type Row = CohortRow & { cell: number; human_level: Level | null; human_inverse: boolean | null; n: number } & {
  drawn_in: string | null;
  chance: number | null;
};

/** Audited and human answers for each cohort's decisions, as counts, sorted by name. Call `loadLabelSample` first. */
export async function countJudgements(
  table: AuditTable,
  by: readonly GateKey[],
  { weighted }: Pick<LabelSample, "weighted">,
): Promise<JudgeCounts[]> {
  const byStratum = weighted === "by_stratum";
  const drawnIn = byStratum ? "j.drawn_in AS drawn_in, j.inclusion AS chance, " : "";
  const rows = await table.db.rows<Row>(
    `SELECT ${selectColumns(cohortColumns(by))}, cell, ${drawnIn}j.level AS human_level, j.inverse AS human_inverse, count(*)::INTEGER AS n
     FROM audits LEFT JOIN ${LABEL_SAMPLE} j USING (decision_id) WHERE ${MAIN_ROWS} AND cell >= 0 GROUP BY ALL${byStratum ? " ORDER BY ALL" : ""}`,
  );
  const cohorts = new Map<string, JudgeCounts>();
  const places = new Map<string, Float64Array>();
  for (const row of rows) {
    const key = rowKey(by, row);
    const counts = cohorts.get(key) ?? { ...emptyJudgeCounts(key), ...(byStratum ? { drawn: [] } : {}) };
    cohorts.set(key, counts);
    const { level, inverse } = CELLS[row.cell]!;
    const audited = auditedIndex(level, inverse);
    if (row.human_level === null) {
      counts.rest[audited]! += row.n;
      continue;
    }
    const index = judgeIndex(audited, humanIndex(row.human_level, row.human_inverse));
    counts.labelled[index]! += row.n;
    if (!counts.drawn) continue;
    const place = JSON.stringify([key, row.drawn_in, row.chance]);
    const drawn = places.get(place) ?? drawnAt(counts.drawn, row.drawn_in!, row.chance!);
    places.set(place, drawn);
    drawn[index]! += row.n;
  }
  return [...cohorts.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function drawnAt(drawn: DrawnCounts[], cell: string, inclusion: number): Float64Array {
  const labelled = new Float64Array(AUDITED_CELLS * HUMAN_CELLS);
  drawn.push({ cell, inclusion, labelled });
  return labelled;
}

/** Levels of each community's verdicts, and the rules that its ambiguous ones cite most, sorted by name. */
export async function countCommunities(table: AuditTable): Promise<PageCommunity[]> {
  const found = new Map<string, PageCommunity>();
  const rows = await table.db.rows<{ community: string; cell: number; n: number }>(
    `SELECT community, cell, count(*)::INTEGER AS n FROM audits WHERE ${MAIN_ROWS} GROUP BY ALL ORDER BY community`,
  );
  for (const { community, cell, n } of rows) {
    const counts = found.get(community) ?? {
      community,
      levels: [0, 0, 0],
      inverse_yes: [0, 0, 0],
      ambiguous_rules: [],
    };
    found.set(community, counts);
    if (cell < 0) continue;
    const { level, inverse } = CELLS[cell]!;
    counts.levels[level - 1]! += n;
    if (inverse) counts.inverse_yes[level - 1]! += n;
  }
  for (const { cohort, indefensible: _, ...rule } of await countCohortRules(table, ["community"])) {
    found.get(cohort)?.ambiguous_rules.push(rule);
  }
  return [...found.values()];
}

/** Number of audits of one community in one cell, with the fields by which a report may break them down. */
export interface CellCount {
  community: string;
  decision: string;
  language: string;
  /** Index of the verdict's cell; negative if there is no verdict. */
  cell: number;
  n: number;
}

export interface TallyGroup {
  /** The key shared by the group's audits; for rules (scope, community or null, rule_id). */
  key: (string | null)[];
  tallies: Tally[];
}

/** Counts of all audits, in one pass: breakdowns by decision and language are sums of these. */
export async function countCells(table: AuditTable): Promise<CellCount[]> {
  const { db, has, actions } = table;
  const language = has("language") ? "coalesce(language, 'unknown') AS language, " : "";
  const action = actions.all ? "decision, " : "";
  const rows = await db.rows<Pick<CellCount, "community" | "cell" | "n"> & { language?: string; decision?: string }>(
    `SELECT community, ${language}${action}cell, count(*)::INTEGER AS n FROM audits WHERE ${MAIN_ROWS} GROUP BY ALL ORDER BY ALL`,
  );
  return rows.map(({ community, cell, n, language = "unknown", decision: named }) => {
    const decision = named ?? (readCode(cell).positive ? actions.positive : actions.negative);
    return { community, decision, language, cell, n };
  });
}

/** Counts for the members of each cohort; table `cohorts` (cohort, decision_id) must exist. */
export async function tallyByCohort(table: AuditTable): Promise<TallyGroup[]> {
  const rows = await table.db.rows<CellCount & { cohort: string }>(
    `SELECT cohort, community, cell, count(*)::INTEGER AS n
     FROM audits JOIN cohorts USING (decision_id) WHERE ${MAIN_ROWS} GROUP BY ALL ORDER BY ALL`,
  );
  return groupCells(rows, (row) => [row.cohort]);
}

/** Counts of the audits that cite each rule. Rules of communities are separate; the platform's are shared. */
export async function tallyByRule(table: AuditTable): Promise<TallyGroup[]> {
  if (!table.has("citation.rule_id") || !table.has("citation.scope")) return [];
  const rows = await table.db.rows<CellCount & { scope: string; owner: string | null; rule_id: string }>(
    `SELECT citation_scope AS scope, CASE WHEN citation_scope = 'platform' THEN NULL ELSE community END AS owner,
       citation_rule_id AS rule_id, community, cell, count(*)::INTEGER AS n
     FROM audits WHERE ${MAIN_ROWS} AND citation_rule_id IS NOT NULL AND citation_scope IN ('platform', 'community', 'mixed')
     GROUP BY ALL ORDER BY ALL`,
  );
  return groupCells(rows, (row) => [row.scope, row.owner, row.rule_id]);
}

/** Tallies of every group, one per community. */
export function groupCells<Row extends Pick<CellCount, "community" | "cell" | "n">>(
  rows: readonly Row[],
  keyOf: (row: Row) => (string | null)[],
): TallyGroup[] {
  const groups = new Map<string, { key: (string | null)[]; byCommunity: Map<string, Tally> }>();
  for (const row of rows) {
    const key = keyOf(row);
    const id = key.length === 1 ? key[0]! : JSON.stringify(key);
    let group = groups.get(id);
    if (!group) {
      group = { key, byCommunity: new Map() };
      groups.set(id, group);
    }
    let tally = group.byCommunity.get(row.community);
    if (!tally) {
      tally = emptyTally(row.community);
      group.byCommunity.set(row.community, tally);
    }
    const { outcome } = readCode(row.cell);
    if (outcome === "verdict") tally.cells[row.cell] = tally.cells[row.cell]! + row.n;
    else if (outcome === "no_rules") tally.no_rules = (tally.no_rules ?? 0) + row.n;
    else if (outcome === "error") tally.errors += row.n;
    else tally.unscored += row.n;
  }
  const ordered = [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  return ordered.map(([, { key, byCommunity }]) => ({ key, tallies: [...byCommunity.values()] }));
}

/** Labelled verdicts by community, decision and human label. */
export function countLabelledActions({ db }: AuditTable): Promise<LabelledActions[]> {
  return db.rows<LabelledActions>(
    `SELECT community, decision, human_label AS human, count(*)::INTEGER AS n FROM audits
     WHERE ${MAIN_ROWS} AND cell >= 0 AND human_label IS NOT NULL GROUP BY ALL ORDER BY ALL`,
  );
}

export interface AlternativeCounts {
  pairs: AlternativeCount[];
  /** Decisions of each community with verdicts for themselves and all of their alternatives; k: at least one alternative is derivable. */
  any: { k: number; n: number }[];
}

/** Decisions paired with their alternatives, which were audited in arms `action=…`; null if absent. The first replicate of each. */
export async function countAlternatives({ db, has }: AuditTable): Promise<AlternativeCounts | null> {
  if (!has("arm")) return null;
  await db.run(
    `CREATE OR REPLACE TABLE alternative_pairs AS
     SELECT decision_id, a.community, a.decision, b.decision AS alternative, a.cell >= 0 AND b.cell >= 0 AS scored,
       b.cell >= 0 AND b.level < 3 AS derivable
     FROM (SELECT * FROM audits WHERE ${MAIN_ROWS}) a
     JOIN (SELECT * FROM audits WHERE starts_with(arm, 'action=') AND replicate = 0) b USING (decision_id)`,
  );
  const pairs = await db.rows<AlternativeCount>(
    `SELECT community, decision, alternative, count(*) FILTER (scored)::INTEGER AS n,
       count(*) FILTER (scored AND derivable)::INTEGER AS derivable, count(*) FILTER (NOT scored)::INTEGER AS without_verdict
     FROM alternative_pairs GROUP BY ALL ORDER BY ALL`,
  );
  if (pairs.length === 0) return null;
  const any = await db.rows<{ k: number; n: number }>(
    `SELECT count(*) FILTER (scored AND derivable)::INTEGER AS k, count(*) FILTER (scored)::INTEGER AS n
     FROM (SELECT community, decision_id, bool_and(scored) AS scored, bool_or(derivable) AS derivable FROM alternative_pairs GROUP BY ALL)
     GROUP BY community ORDER BY community`,
  );
  return { pairs, any };
}
