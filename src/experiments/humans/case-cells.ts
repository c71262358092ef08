import type { AuditTable } from "../../analysis/audit-table.js";
import { stratumSizes } from "../../analysis/verdict-rows.js";
import type { Estimate } from "../../core/estimate.js";
import type { Label } from "../../core/records/label.js";
import type { RatingKey } from "../../core/results/humans.js";
import { stratifiedJackknife } from "../../stats/intervals/stratified-jackknife.js";
import { stratifiedProportion } from "../../stats/intervals/stratified-proportion.js";
import { stratumName } from "./choose-cases.js";
import type { RatedCases } from "./rated-cases.js";

/** The parts of the run that rated cases were drawn from. */
export interface CaseCells {
  /** Random: all of them at random, in one cell. */
  drawn: "sheet" | "random";
  names: string[];
  /** Verdicts of the run in each. */
  sizes: number[];
  /** Of each case; −1: it was rated, but not drawn. */
  cell: number[];
}

/**
 * How the rated cases were drawn from this run: by verdict where any is of a sheet, else as one random sample; designs of the run are crossed. Null: they are
 * no drawn sample of it, and say nothing of the run.
 */
export async function caseCells(
  table: AuditTable,
  { audits }: Pick<RatedCases, "audits">,
  labels: readonly Label[],
  { runId, key }: { runId: string | null; key: RatingKey | null },
): Promise<CaseCells | null> {
  const drawn = new Map<string, "sheet" | "random">();
  for (const { decision_id, drawn: by, frame } of labels) {
    if ((by === "sheet" || by === "random") && frame === runId && runId !== null) drawn.set(decision_id, by);
  }
  for (const { decision_id } of key?.cases ?? []) drawn.set(decision_id, key!.drawn ?? "sheet");
  if (!audits.some(({ decision_id }) => drawn.has(decision_id))) return null;
  const byVerdict = [...drawn.values()].includes("sheet");
  const cells = await stratumSizes(table, byVerdict);
  const index = new Map(cells.map(({ name }, i) => [name, i]));
  return {
    drawn: byVerdict ? "sheet" : "random",
    names: cells.map(({ name }) => name),
    sizes: cells.map(({ n }) => n),
    cell: audits.map(({ decision_id, level, inverse }) =>
      drawn.has(decision_id) ? index.get(byVerdict ? stratumName(level as 1, inverse) : "")! : -1,
    ),
  };
}

/** A share of the whole run; `of` is null for a case that does not say. */
export function shareOfRun(
  { names, sizes, cell }: Omit<CaseCells, "drawn">,
  of: (c: number) => boolean | null,
): Estimate {
  const cells = names.map((name, h) => ({ name, k: 0, n: 0, size: sizes[h]! }));
  cell.forEach((h, c) => {
    const said = h < 0 ? null : of(c);
    if (said === null) return;
    cells[h]!.n += 1;
    if (said) cells[h]!.k += 1;
  });
  return stratifiedProportion(cells);
}

/** A statistic of the whole run from these cases, which must have been drawn. */
export function statisticOfRun(
  { sizes, cell }: CaseCells,
  cases: readonly number[],
  statistic: (weights: Float64Array) => number | null,
): Estimate {
  return stratifiedJackknife(
    cases.map((c) => cell[c]!),
    sizes,
    statistic,
    { bounds: [-1, 1] },
  );
}
