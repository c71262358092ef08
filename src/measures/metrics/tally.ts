import type { Level } from "../../core/records/level.js";
import { LEVELS } from "../../core/records/levels.js";

/** Where the ambiguity of a verdict stands, by the scope of what it cites. A precedent counts as the community's. */
export const TALLY_SCOPES = ["platform", "community", "mixed", "none", "unknown"] as const;
export type TallyScope = (typeof TALLY_SCOPES)[number];

/** One kind of verdict: everything the rates of a report distinguish. */
export interface Cell {
  /** The decision restricts (the positive action). */
  positive: boolean;
  /** The human's label restricts; null: no human label. */
  humanPositive: boolean | null;
  level: Level;
  inverse: boolean;
  scope: TallyScope;
}

/**
 * Counts of verdicts by cell, in one cluster (a community). The sufficient statistic of every rate in a report: a million audits become
 * a few hundred short arrays, and the same functions run on them in a browser.
 */
export interface Tally {
  cluster: string;
  cells: Float64Array;
  unscored: number;
  errors: number;
  /** Decisions under no rule at all, which were not audited; absent: none. */
  no_rules?: number;
}

const HUMAN = [true, false, null] as const;

/** All cells in the order of their index. */
export const CELLS: readonly Cell[] = [true, false].flatMap((positive) =>
  HUMAN.flatMap((humanPositive) =>
    LEVELS.flatMap((level) =>
      [true, false].flatMap((inverse) =>
        TALLY_SCOPES.map((scope) => ({ positive, humanPositive, level, inverse, scope })),
      ),
    ),
  ),
);

/** Place of a cell in `CELLS`. The ledger's SQL computes the same number. */
export function cellIndex(cell: Cell): number {
  const decision = cell.positive ? 0 : 1;
  const human = HUMAN.indexOf(cell.humanPositive);
  const inverse = cell.inverse ? 0 : 1;
  return (((decision * 3 + human) * 3 + (cell.level - 1)) * 2 + inverse) * 5 + TALLY_SCOPES.indexOf(cell.scope);
}

export function emptyTally(cluster: string): Tally {
  return { cluster, cells: new Float64Array(CELLS.length), unscored: 0, errors: 0 };
}

/** A set of cells as zeros and ones, for sums without branches. */
export type CellMask = Float64Array;

export function cellMask(includes: (cell: Cell) => boolean): CellMask {
  return Float64Array.from(CELLS, (cell) => (includes(cell) ? 1 : 0));
}

const INTERSECTIONS = new WeakMap<CellMask, WeakMap<CellMask, CellMask>>();

/** The cells of both sets. Kept: a report asks for the same few in every community. */
export function inBoth(first: CellMask, second: CellMask): CellMask {
  const known = INTERSECTIONS.get(first) ?? new WeakMap<CellMask, CellMask>();
  INTERSECTIONS.set(first, known);
  const mask = known.get(second) ?? first.map((value, j) => value * second[j]!);
  known.set(second, mask);
  return mask;
}

/** Number of verdicts in a set of cells. */
export function countIn({ cells }: Tally, mask: CellMask): number {
  let count = 0;
  for (let i = 0; i < mask.length; i++) count += mask[i]! * cells[i]!;
  return count;
}

/** How many verdicts are counted, and how many of them are a success. */
export function countRate(tally: Tally, counted: CellMask, success: CellMask): { k: number; n: number } {
  let k = 0;
  let n = 0;
  for (let i = 0; i < counted.length; i++) {
    const count = counted[i]! * tally.cells[i]!;
    n += count;
    k += count * success[i]!;
  }
  return { k, n };
}

export const ALL_CELLS = cellMask(() => true);
export const LABELLED = cellMask((cell) => cell.humanPositive !== null);

/** The same without the verdicts that no person labelled. */
export function labelledOnly(tally: Tally): Tally {
  return { ...tally, cells: tally.cells.map((count, i) => count * LABELLED[i]!) };
}
