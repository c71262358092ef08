import type { GateHarm, GateKey } from "../../core/gate.js";
import {
  type CommunityCounts,
  type GateCohort,
  THREAD_OPEN_DAYS,
  type ThreadGroup,
} from "../../measures/gate/gate-input.js";
import { CELLS } from "../../measures/metrics/tally.js";
import type { ReportPage, TimelineRow } from "../../measures/report-page.js";
import { instant, sqlName, UTC } from "../../store/files/duckdb.js";
import { type HeldOut, MAIN_ROWS, partOf, rowsOfArm } from "../audit-cells.js";
import type { AuditTable } from "../audit-table.js";
import { COUNTED, type CohortRow, cohortColumns, countHarm, harmOf, rowKey, selectColumns } from "./cohorts.js";

type Counted = keyof typeof COUNTED;
const NAMES = Object.keys(COUNTED) as Counted[];

/** Milliseconds for which a thread stays open. */
export const THREAD_OPEN_MS = THREAD_OPEN_DAYS * 86_400_000;

/** Whether any audit has a thread; `thread_id` must have been loaded. */
export async function hasThreads(table: AuditTable, arm?: string): Promise<boolean> {
  const [row] = await table.db.rows<{ found: boolean }>(
    `SELECT count(thread_id) > 0 AS found FROM audits WHERE ${rowsOfArm(arm)}`,
  );
  return row?.found === true;
}

/** Times of the first and last decision with a verdict, in milliseconds; null if no time is known. `decided_at` must have been loaded. */
export async function decidedSpan({ db }: AuditTable, arm?: string): Promise<{ from: number; to: number } | null> {
  await db.run(UTC);
  const [row] = await db.rows<{ first: number | null; last: number | null }>(
    `SELECT min(decided)::DOUBLE AS first, max(decided)::DOUBLE AS last
     FROM (SELECT ${instant("decided_at")} AS decided FROM audits WHERE ${rowsOfArm(arm)} AND cell >= 0)`,
  );
  return row && row.first !== null && row.last !== null ? { from: row.first, to: row.last } : null;
}

/** When the gate looks, and whether threads without a time are complete. */
export interface ThreadsAt {
  /** Milliseconds since 1970. */
  now: number;
  /** The run is finished: threads without any time are closed. */
  finished: boolean;
}

/** Threads for a report, which has no clock: as they were when its gate was made; without a gate, audits are taken as complete. */
export function threadsAt(asOf: string | null): ThreadsAt {
  return { now: asOf === null ? Number.MAX_SAFE_INTEGER : Date.parse(asOf), finished: true };
}

type GroupRow = CohortRow & ThreadGroup & { closed: boolean; late: number; squares: number; named: number };

/**
 * Adds threads to the cohorts in which some decision has a `thread_id`; there, a decision without one is a thread of its own. A thread is identified
 * by its community and name, and closes 7 days after its first decision; later decisions are left out and counted. `thread_id` and `decided_at` must
 * have been loaded.
 */
export async function addThreads(
  table: AuditTable,
  cohorts: ReadonlyMap<string, GateCohort>,
  { by, heldOut, arm, harm = null }: CountOptions,
  { now, finished }: ThreadsAt,
): Promise<void> {
  const columns = cohortColumns(by);
  const group = columns.join(", ");
  const thread = `${group}, owner, thread_id, alone`;
  const counts = NAMES.map((name) => `count(*) FILTER (on_time AND ${name})::INTEGER AS ${name}`);
  // Rounded, because summing the same numbers in another order would give another group.
  const sums = harm ? ["round(coalesce(sum(harm) FILTER (on_time), 0), 9) AS harm"] : [];
  const names = [...NAMES, ...(harm ? ["harm"] : [])];
  await table.db.run(UTC);
  const rows = await table.db.rows<GroupRow>(
    `WITH verdicts AS (
       SELECT ${selectColumns(columns)}, community AS owner, thread_id, CASE WHEN thread_id IS NULL THEN row_id END AS alone,
         ${instant("decided_at")} AS decided, ${[...NAMES.map((name) => `${COUNTED[name]} AS ${name}`), ...(harm ? [`${harmOf(harm)} AS harm`] : [])].join(", ")}
       FROM audits WHERE ${rowsOfArm(arm)} AND cell >= 0 AND ${partOf(heldOut)}),
     timed AS (
       SELECT *, min(decided) OVER (PARTITION BY ${group}, owner, thread_id) AS first FROM verdicts WHERE thread_id IS NOT NULL
       UNION ALL SELECT *, decided AS first FROM verdicts WHERE thread_id IS NULL),
     placed AS (
       SELECT *, decided IS NULL OR decided <= first + ${THREAD_OPEN_MS} AS on_time FROM timed),
     threads AS (
       SELECT ${group}, thread_id, first, count(*) FILTER (on_time)::INTEGER AS n, count(*) FILTER (NOT on_time) AS left_out,
         count(*) AS size, ${[...counts, ...sums].join(", ")}
       FROM placed GROUP BY ${thread}, first)
     SELECT ${group}, n, ${names.join(", ")},
       CASE WHEN first IS NULL THEN ${finished} ELSE first + ${THREAD_OPEN_MS} <= ${now} END AS closed,
       count(*)::INTEGER AS threads, sum(left_out)::INTEGER AS late, sum(size * size)::DOUBLE AS squares, count(thread_id)::INTEGER AS named
     FROM threads GROUP BY ALL ORDER BY ALL`,
  );
  const found = new Map<GateCohort, GroupRow[]>();
  for (const row of rows) {
    const cohort = cohorts.get(rowKey(by, row));
    if (cohort) found.set(cohort, [...(found.get(cohort) ?? []), row]);
  }
  for (const [cohort, list] of found) {
    if (list.some((row) => row.named > 0)) addGroups(cohort, list, harm?.max ?? null);
  }
}

function addGroups(cohort: GateCohort, rows: readonly GroupRow[], mostHarm: number | null): void {
  const sum = (count: (row: GroupRow) => number) => rows.reduce((total, row) => total + count(row), 0);
  cohort.design_effect = sum((row) => row.squares) / cohort.n;
  cohort.threads = {
    groups: merged(
      rows.filter((row) => row.closed),
      mostHarm,
    ),
    open: sum((row) => (row.closed ? 0 : row.threads * row.n)),
    late: sum((row) => row.late),
  };
}

/** Citations of several rules may give a cohort several rows with the same counts. */
function merged(rows: readonly GroupRow[], mostHarm: number | null): ThreadGroup[] {
  const groups = new Map<string, ThreadGroup>();
  for (const { threads, n, indefensible, inverse_yes, inverse_yes_pure, harm } of rows) {
    const shares = mostHarm === null ? {} : { harm: harm! / mostHarm };
    const key = `${n}/${indefensible}/${inverse_yes}/${inverse_yes_pure}/${harm ?? ""}`;
    const known = groups.get(key);
    if (known) known.threads += threads;
    else groups.set(key, { threads, n, indefensible, inverse_yes, inverse_yes_pure, ...shares });
  }
  return [...groups.values()];
}

/** The value for decisions that have none. */
export const NO_VALUE = "unknown";

/** Verdicts of one cohort in one community with one value of a slice (a language, a tag). */
export interface SliceCount {
  value: string;
  cohort: string;
  community: string;
  n: number;
  indefensible: number;
  inverse_yes: number;
}

export interface SliceOptions {
  by: readonly GateKey[];
  /** `language` is read from the audits, any other field from table `decision_fields`. */
  field: string;
  /** Most values, the commonest first; a tag on three decisions says nothing. Default 50. */
  values?: number;
}

/** Counts by slice, cohort and community. A decision with several values (tags) counts under each. */
export async function countSlices(table: AuditTable, options: SliceOptions): Promise<SliceCount[]> {
  const columns = cohortColumns([...options.by, "community"]);
  const [value, join] =
    options.field === "language"
      ? [`unnest([coalesce(language, '${NO_VALUE}')])`, ""]
      : [
          listed("given"), // A decision imported twice counts once.
          `LEFT JOIN (SELECT DISTINCT ON (decision_id) decision_id, ${sqlName(options.field)} AS given FROM decision_fields) USING (decision_id)`,
        ];
  const rows = await table.db.rows<Omit<CohortRow, "community"> & Omit<SliceCount, "cohort">>(
    `WITH sliced AS (SELECT ${value} AS value, ${selectColumns(columns)}, cell FROM audits ${join} WHERE ${MAIN_ROWS} AND cell >= 0),
       common AS (SELECT value FROM sliced GROUP BY value ORDER BY count(*) DESC, value LIMIT ${options.values ?? 50})
     SELECT value, ${columns.join(", ")}, count(*)::INTEGER AS n, count(*) FILTER (${COUNTED.indefensible})::INTEGER AS indefensible,
       count(*) FILTER (${COUNTED.inverse_yes})::INTEGER AS inverse_yes
     FROM sliced WHERE value IN (FROM common) GROUP BY ALL ORDER BY ALL`,
  );
  return rows.map((row) => ({
    value: row.value,
    cohort: rowKey(options.by, row),
    community: row.community,
    n: row.n,
    indefensible: row.indefensible,
    inverse_yes: row.inverse_yes,
  }));
}

/** The values of a field that may hold a JSON list. */
function listed(column: string): string {
  const list = `CASE WHEN starts_with(${column}, '[') THEN json_extract_string(TRY_CAST(${column} AS JSON), '$[*]') END`;
  return `unnest(CASE WHEN ${column} IS NULL OR ${column} = '[]' THEN ['${NO_VALUE}'] ELSE list_distinct(coalesce(${list}, [${column}])) END)`;
}

type Timeline = NonNullable<ReportPage["timeline"]>;

const UNITS = ["day", "week", "month", "quarter", "year"] as const satisfies readonly Timeline["unit"][];

/** Most periods that a figure can show. */
const MOST_PERIODS = 26;

/** A time outside is a mistake, and would stretch a figure over centuries. */
const YEARS = "moment >= TIMESTAMP '1970-01-01' AND moment < TIMESTAMP '2100-01-01'";

/** Verdicts by community and time of the decision, in the shortest unit that gives at most 26 periods; null if no time is known. */
export async function countTimeline({ db }: AuditTable): Promise<Timeline | null> {
  await db.run(UTC);
  await db.run(
    `CREATE OR REPLACE TABLE timed AS SELECT community, cell, make_timestamp_ms(decided) AS moment FROM
       (SELECT community, cell, ${instant("decided_at")} AS decided FROM audits WHERE ${MAIN_ROWS} AND cell >= 0) WHERE decided IS NOT NULL AND ${YEARS}`,
  );
  const spans = UNITS.map((unit) => `date_diff('${unit}', min(moment), max(moment))::INTEGER + 1 AS ${unit}`);
  const ends = ["min", "max"].map((end) => `strftime(${end}(moment), '%Y-%m-%d') AS ${end}`);
  const [span] = await db.rows<Record<Timeline["unit"], number | null> & { min: string; max: string }>(
    `SELECT ${[...spans, ...ends].join(", ")} FROM timed`,
  );
  if (!span || span.day === null) return null;
  const unit = UNITS.find((one) => span[one]! <= MOST_PERIODS) ?? "year";
  const counts = Object.entries(COUNTED).map(([name, where]) => `count(*) FILTER (${where})::INTEGER AS ${name}`);
  const rows = await db.rows<Omit<TimelineRow, "period"> & { start: string }>(
    `SELECT community, strftime(date_trunc('${unit}', moment), '%Y-%m-%d') AS start, count(*)::INTEGER AS n, ${counts.join(", ")}
     FROM timed GROUP BY ALL ORDER BY community, start`,
  );
  const starts = await db.rows<{ start: string }>(
    `SELECT strftime(unnest(range(date_trunc('${unit}', min(moment)), date_trunc('${unit}', max(moment)) + INTERVAL 1 DAY, INTERVAL 1 ${unit})), '%Y-%m-%d') AS start
     FROM timed`,
  );
  const periods = starts.map(({ start }) => start);
  const places = new Map(periods.map((start, place) => [start, place]));
  return {
    unit,
    first: span.min,
    last: span.max,
    periods,
    rows: rows.map(({ start, community, ...row }) => ({ community, period: places.get(start)!, ...row })),
  };
}

export interface CountOptions {
  by: readonly GateKey[];
  /** Default: all rows of the analysis. */
  heldOut?: HeldOut;
  /** Count the audits of this arm of an experiment. Default: those of no arm. */
  arm?: string;
  /** If some rows have a `thread_id`: count threads as of this time. */
  threads?: ThreadsAt | null;
  /** Count harm by these weights. */
  harm?: GateHarm | null;
}

/** Counts of every cohort, sorted by name, and of its communities if the cohort is not itself a community. */
export async function countGateCohorts(table: AuditTable, options: CountOptions): Promise<GateCohort[]> {
  const { by, heldOut, arm } = options;
  const rows = await table.db.rows<CohortRow & { community: string; cell: number; n: number }>(
    `SELECT ${selectColumns(cohortColumns([...by, "community"]))}, cell, count(*)::INTEGER AS n FROM audits WHERE ${rowsOfArm(arm)} AND ${partOf(heldOut)} GROUP BY ALL`,
  );
  const cohorts = new Map<string, GateCohort>();
  const parts = new Map<string, Map<string, CommunityCounts>>();
  for (const row of rows) {
    const key = rowKey(by, row);
    const cohort = cohorts.get(key) ?? { key, ...NO_VERDICTS, unscored: 0 };
    cohorts.set(key, cohort);
    if (row.cell < 0) {
      cohort.unscored += row.n;
      continue;
    }
    addCell(cohort, row.cell, row.n);
    const communities = parts.get(key) ?? new Map<string, CommunityCounts>();
    parts.set(key, communities);
    const part = communities.get(row.community) ?? { community: row.community, ...NO_VERDICTS };
    communities.set(row.community, part);
    addCell(part, row.cell, row.n);
  }
  if (by.some((key) => key !== "community")) {
    for (const [key, cohort] of cohorts) {
      cohort.communities = [...(parts.get(key)?.values() ?? [])].sort((a, b) => (a.community < b.community ? -1 : 1));
    }
  }
  if (options.harm) {
    const found = await countHarm(table, options.harm, options);
    for (const cohort of cohorts.values()) cohort.harm = found.get(cohort.key) ?? [];
  }
  if (options.threads) await addThreads(table, cohorts, options, options.threads);
  return [...cohorts.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

const NO_VERDICTS = { n: 0, indefensible: 0, inverse_yes: 0, inverse_yes_pure: 0 };

function addCell(counts: typeof NO_VERDICTS, index: number, n: number): void {
  const { level, inverse } = CELLS[index]!;
  counts.n += n;
  if (level === 3) counts.indefensible += n;
  if (inverse) counts.inverse_yes += n;
  if (inverse && level !== 3) counts.inverse_yes_pure += n;
}
