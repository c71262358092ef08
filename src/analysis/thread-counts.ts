import type { GateCohort } from "../measures/gate/gate-input.js";
import { THREAD_OPEN_DAYS, type ThreadGroup } from "../measures/gate/thread-units.js";
import { instant, UTC } from "../store/files/instant.js";
import type { AuditTable } from "./audit-table.js";
import { type CohortRow, cohortColumns, rowKey, selectColumns } from "./cohort-columns.js";
import type { CountOptions } from "./gate-counts.js";
import { MAIN_ROWS } from "./main-rows.js";

/** SQL for the verdicts a gate counts, on a row's cell (`cellIndex` in metrics/tally.ts). */
export const COUNTED = {
  indefensible: "cell // 10 % 3 = 2",
  inverse_yes: "cell // 5 % 2 = 0",
  inverse_yes_pure: "cell // 5 % 2 = 0 AND cell // 10 % 3 < 2",
} as const;

type Counted = keyof typeof COUNTED;
const NAMES = Object.keys(COUNTED) as Counted[];

/** Milliseconds during which a thread is open. */
export const THREAD_OPEN_MS = THREAD_OPEN_DAYS * 86_400_000;

/** Whether any audit says to which thread its decision belongs; `thread_id` must have been loaded. */
export async function hasThreads(table: AuditTable): Promise<boolean> {
  const [row] = await table.db.rows<{ found: boolean }>(
    `SELECT count(thread_id) > 0 AS found FROM audits WHERE ${MAIN_ROWS}`,
  );
  return row?.found === true;
}

/** When the gate looks, and whether what has no time is complete. */
export interface ThreadsAt {
  /** Milliseconds since 1970. */
  now: number;
  /** The run is finished: threads without any time are closed. */
  finished: boolean;
}

/** For a report, which has no clock: threads as they were when its gate was made; without one, audits are taken as complete. */
export function threadsAt(asOf: string | null): ThreadsAt {
  return { now: asOf === null ? Number.MAX_SAFE_INTEGER : Date.parse(asOf), finished: true };
}

type GroupRow = CohortRow & ThreadGroup & { closed: boolean; late: number; squares: number; named: number };

/**
 * Adds threads to the cohorts in which some decision has a `thread_id`; there a decision without one is a thread of its own. A
 * thread is known by its community and its name, and closed 7 days after its first decision; what was decided later is left
 * out and counted. `thread_id` and `decided_at` must have been loaded.
 */
export async function addThreads(
  table: AuditTable,
  cohorts: ReadonlyMap<string, GateCohort>,
  { by, where = "true" }: CountOptions,
  { now, finished }: ThreadsAt,
): Promise<void> {
  const columns = cohortColumns(by);
  const group = columns.join(", ");
  const thread = `${group}, owner, thread_id, alone`;
  const counts = NAMES.map((name) => `count(*) FILTER (on_time AND ${name})::INTEGER AS ${name}`);
  await table.db.run(UTC);
  const rows = await table.db.rows<GroupRow>(
    `WITH verdicts AS (
       SELECT ${selectColumns(columns)}, community AS owner, thread_id, CASE WHEN thread_id IS NULL THEN row_id END AS alone,
         ${instant("decided_at")} AS decided, ${NAMES.map((name) => `${COUNTED[name]} AS ${name}`).join(", ")}
       FROM audits WHERE ${MAIN_ROWS} AND cell >= 0 AND ${where}),
     timed AS (
       SELECT *, min(decided) OVER (PARTITION BY ${group}, owner, thread_id) AS first FROM verdicts WHERE thread_id IS NOT NULL
       UNION ALL SELECT *, decided AS first FROM verdicts WHERE thread_id IS NULL),
     placed AS (
       SELECT *, decided IS NULL OR decided <= first + ${THREAD_OPEN_MS} AS on_time FROM timed),
     threads AS (
       SELECT ${group}, thread_id, first, count(*) FILTER (on_time)::INTEGER AS n, count(*) FILTER (NOT on_time) AS left_out,
         count(*) AS size, ${counts.join(", ")}
       FROM placed GROUP BY ${thread}, first)
     SELECT ${group}, n, ${NAMES.join(", ")},
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
    if (list.some((row) => row.named > 0)) addGroups(cohort, list);
  }
}

function addGroups(cohort: GateCohort, rows: readonly GroupRow[]): void {
  const sum = (count: (row: GroupRow) => number) => rows.reduce((total, row) => total + count(row), 0);
  cohort.design_effect = sum((row) => row.squares) / cohort.n;
  cohort.threads = {
    groups: merged(rows.filter((row) => row.closed)),
    open: sum((row) => (row.closed ? 0 : row.threads * row.n)),
    late: sum((row) => row.late),
  };
}

/** Rule citations of several rules may give one cohort several rows with the same counts. */
function merged(rows: readonly GroupRow[]): ThreadGroup[] {
  const groups = new Map<string, ThreadGroup>();
  for (const { threads, n, indefensible, inverse_yes, inverse_yes_pure } of rows) {
    const key = `${n}/${indefensible}/${inverse_yes}/${inverse_yes_pure}`;
    const known = groups.get(key);
    if (known) known.threads += threads;
    else groups.set(key, { threads, n, indefensible, inverse_yes, inverse_yes_pure });
  }
  return [...groups.values()];
}
