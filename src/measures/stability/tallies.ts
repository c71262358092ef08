import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import {
  BOUNDARY_STATES,
  type BoundaryState,
  STABILITY_CLASSES,
  type StabilityClass,
} from "../../core/results/stability-names.js";
import { proportion } from "../../stats/intervals/proportion.js";
import type { CellAnalysis } from "./analyse-cells.js";
import { boundaryState, stabilityClass } from "./classify.js";

const NO_CLASS = "no such case has 30 verdicts";

/** Class and boundary of a case; null: not determined. */
export interface CellState {
  class: StabilityClass | null;
  boundary: BoundaryState | null;
}

export type ClassCounts = Record<StabilityClass | "undetermined", number>;
export type BoundaryCounts = Record<BoundaryState | "undetermined", number>;

/** Class and boundary as the paper takes them: from the shares as they are. */
export function plugInState({ all }: CellAnalysis): CellState {
  return { class: stabilityClass(Math.max(...all.counts), all.k), boundary: boundaryState(all.counts[2], all.k) };
}

/** Class and boundary as far as the confidence sequences have settled them. */
export function settledState({ sequence }: CellAnalysis): CellState {
  return { class: sequence.class().value, boundary: sequence.boundary().value };
}

export function classCounts(cells: readonly CellAnalysis[], stateOf: (cell: CellAnalysis) => CellState): ClassCounts {
  return counts(STABILITY_CLASSES, cells, (cell) => stateOf(cell).class);
}

export function boundaryCounts(
  cells: readonly CellAnalysis[],
  stateOf: (cell: CellAnalysis) => CellState,
): BoundaryCounts {
  return counts(BOUNDARY_STATES, cells, (cell) => stateOf(cell).boundary);
}

/**
 * Share of cases on which the verdict is boundary-unstable: the paper's boundary flip rate.
 *
 * Formula: cases with .10 < P(level 3) < .90 / cases with at least 30 verdicts, which are the `n` of the result; Wilson interval over cases.
 * Range: [0, 1].
 * Undefined when: no case has 30 verdicts.
 * Differs from the paper: the interval is added. It is Wilson's, since a bootstrap of no such case would have no width.
 * @see paper §7.2, table 5; appendix A.4
 */
export function unstableShare(cells: readonly CellAnalysis[]): Estimate {
  const states = cells.map((cell) => plugInState(cell).boundary).filter((state) => state !== null);
  if (states.length === 0) return undefinedEstimate(NO_CLASS, 0);
  return proportion(states.filter((state) => state === "boundary_unstable").length, states.length);
}

/**
 * Share of cases in each stability class, by the shares as they are.
 *
 * Formula: cases of the class / cases with at least 30 verdicts, which are the `n` of each result; Wilson interval over cases.
 * Range: [0, 1]; they add up to 1.
 * Undefined when: no case has 30 verdicts.
 * Differs from the paper: the interval is added.
 * @see paper §7.1, table 4
 */
export function classShares(cells: readonly CellAnalysis[]): Record<StabilityClass, Estimate> {
  const classes = cells.map((cell) => plugInState(cell).class).filter((name) => name !== null);
  const share = (name: StabilityClass): Estimate =>
    classes.length === 0
      ? undefinedEstimate(NO_CLASS, 0)
      : proportion(classes.filter((own) => own === name).length, classes.length);
  return Object.fromEntries(STABILITY_CLASSES.map((name) => [name, share(name)])) as Record<StabilityClass, Estimate>;
}

function counts<Name extends string>(
  names: readonly Name[],
  cells: readonly CellAnalysis[],
  of: (cell: CellAnalysis) => Name | null,
): Record<Name | "undetermined", number> {
  const result = Object.fromEntries([...names, "undetermined"].map((name) => [name, 0])) as Record<
    Name | "undetermined",
    number
  >;
  for (const cell of cells) result[of(cell) ?? "undetermined"] += 1;
  return result;
}
