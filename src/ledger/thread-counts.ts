import type { GateCohort } from "../gate/gate-input.js";
import { type ThreadSums, threadCorrelation, threadDesignEffect } from "../gate/thread-design-effect.js";
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

type SumRow = CohortRow & Record<string, number>;

/** Whether any audit says to which thread its decision belongs; `thread_id` must have been loaded. */
export async function hasThreads(table: AuditTable): Promise<boolean> {
  const [row] = await table.db.rows<{ found: boolean }>(
    `SELECT count(thread_id) > 0 AS found FROM audits WHERE ${MAIN_ROWS}`,
  );
  return row?.found === true;
}

/** Verdicts of one thread resemble each other. The rate with the greatest likeness decides; cohorts without threads stay as they are. */
export async function addDesignEffects(
  table: AuditTable,
  cohorts: ReadonlyMap<string, GateCohort>,
  { by, where = "true" }: CountOptions,
): Promise<void> {
  const sums = new Map<GateCohort, Record<Counted, ThreadSums>>();
  for (const row of await threadRows(table, by, where)) {
    const cohort = cohorts.get(rowKey(by, row));
    if (!cohort) continue;
    const known = sums.get(cohort) ?? singles(cohort);
    for (const name of NAMES) add(known[name], row, name);
    sums.set(cohort, known);
  }
  if (sums.size === 0) return;
  const correlation = Math.max(
    ...NAMES.map((name) => threadCorrelation([...sums.values()].map((counted) => counted[name]))),
  );
  for (const [cohort, counted] of sums) cohort.design_effect = threadDesignEffect(counted.indefensible, correlation);
}

async function threadRows(table: AuditTable, by: CountOptions["by"], where: string): Promise<SumRow[]> {
  const columns = cohortColumns(by);
  const group = columns.join(", ");
  const counts = NAMES.map((name) => `count(*) FILTER (${COUNTED[name]}) AS ${name}`);
  const sums = NAMES.flatMap((name) => [
    `sum(${name})::DOUBLE AS ${name}_k`,
    `sum(${name} * ${name})::DOUBLE AS ${name}_kk`,
    `sum(${name} * size)::DOUBLE AS ${name}_kn`,
  ]);
  // The name of a thread is its community's own. Sorted, because sums of fractions depend on the order.
  return table.db.rows<SumRow>(
    `SELECT ${group}, count(*)::DOUBLE AS threads, sum(size)::DOUBLE AS n, sum(size * size)::DOUBLE AS squares, ${sums.join(", ")} FROM
       (SELECT ${selectColumns(columns)}, community AS owner, thread_id, count(*) AS size, ${counts.join(", ")} FROM audits
        WHERE ${MAIN_ROWS} AND cell >= 0 AND thread_id IS NOT NULL AND ${where} GROUP BY ALL)
     GROUP BY ALL ORDER BY ALL`,
  );
}

/** Every row of a cohort as a thread of its own. */
function singles(cohort: GateCohort): Record<Counted, ThreadSums> {
  const one = (k: number): ThreadSums => ({ threads: cohort.n, n: cohort.n, squares: cohort.n, k, kk: k, kn: k });
  return {
    indefensible: one(cohort.indefensible),
    inverse_yes: one(cohort.inverse_yes),
    inverse_yes_pure: one(cohort.inverse_yes_pure),
  };
}

/** Puts rows that were counted as standing alone into their threads. */
function add(sums: ThreadSums, row: SumRow, name: Counted): void {
  const k = row[`${name}_k`]!;
  sums.threads += row.threads! - row.n!;
  sums.squares += row.squares! - row.n!;
  sums.kk += row[`${name}_kk`]! - k;
  sums.kn += row[`${name}_kn`]! - k;
}
