import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import {
  BOUNDARY_STATES,
  type BoundaryState,
  STABILITY_CLASSES,
  type StabilityClass,
  type StabilityGroup,
} from "../../core/names.js";
import type { Savings, ThresholdRow } from "../../experiments/stability/result.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { rankCorrelator } from "../../stats/ranks/spearman.js";
import {
  type BootstrapStatistic,
  type StratifiedBootstrapOptions,
  stratifiedBootstrap,
} from "../../stats/resampling/stratified-bootstrap.js";
import { isSettled, type StopRule } from "./allocate.js";
import { type Analysed, type CellAnalysis, cellOf } from "./analyse-cells.js";
import { boundaryState, type LevelSequence, stabilityClass } from "./level-sequence.js";

/** A statistic of the cases, given the weights of a bootstrap draw; null if undefined. */
export type Statistic = (weights: Float64Array) => number | null;

/** Returns the result of a statistic, once the bootstrap has run. */
export type Answer = () => BootstrapStatistic;

/** Collects statistics, so that one bootstrap over cases serves all of them with the same draws. */
export class CaseBootstrap {
  readonly #statistics: Statistic[] = [];
  #answers: BootstrapStatistic[] | null = null;

  /** The answer can be read after `run`. */
  ask(statistic: Statistic): Answer {
    const place = this.#statistics.push(statistic) - 1;
    return () => this.#answers![place]!;
  }

  /** Cases are drawn within their group, because the group sizes were chosen and do not vary. */
  run(groups: readonly (StabilityGroup | null)[], options: StratifiedBootstrapOptions): void {
    const strata = Int32Array.from(groups, (group) => (group === null ? 0 : group === "flipper" ? 1 : 2));
    const evaluate = (weights: Float64Array) => this.#statistics.map((statistic) => statistic(weights));
    this.#answers = stratifiedBootstrap(strata, evaluate, options);
  }
}

/** A value for every case under one condition; NaN where it has none. */
export function caseColumn(
  analysed: Analysed,
  condition: number,
  value: (cell: CellAnalysis) => number | null,
): Float64Array {
  const cases = analysed.replicates.decisions.length;
  return Float64Array.from({ length: cases }, (_, i) => value(cellOf(analysed, i, condition)) ?? Number.NaN);
}

/** The cells of a condition in which any audit was attempted. */
export function cellsOf(analysed: Analysed, condition: number): CellAnalysis[] {
  return analysed.replicates.decisions
    .map((_, i) => cellOf(analysed, i, condition))
    .filter(({ all }) => all.attempted > 0);
}

/** Rows in which both columns have a value. */
export function bothKnown(x: Float64Array, y: Float64Array): number[] {
  return [...x.keys()].filter((i) => !Number.isNaN(x[i]) && !Number.isNaN(y[i]));
}

/** Rank correlation of two columns as a statistic of a bootstrap over cases. */
export function rankCorrelation(x: Float64Array, y: Float64Array): Statistic {
  const both = bothKnown(x, y);
  const correlate = rankCorrelator(
    both.map((i) => x[i]!),
    both.map((i) => y[i]!),
  );
  const own = new Float64Array(both.length);
  return (weights) => {
    for (let i = 0; i < both.length; i += 1) own[i] = weights[both[i]!]!;
    return correlate(own);
  };
}

const NO_CLASS = "no such case has 30 verdicts";

/** Class and boundary of a case; null: not determined. */
export interface CellState {
  class: StabilityClass | null;
  boundary: BoundaryState | null;
}

export type ClassCounts = Record<StabilityClass | "undetermined", number>;
export type BoundaryCounts = Record<BoundaryState | "undetermined", number>;

/** Class and boundary state by the observed shares, as in the paper. */
export function plugInState({ all }: CellAnalysis): CellState {
  return { class: stabilityClass(Math.max(...all.counts), all.k), boundary: boundaryState(all.counts[2], all.k) };
}

/** Class and boundary state as far as the confidence sequences have settled them. */
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
 * Formula: cases with .10 < P(level 3) < .90 / cases with at least 30 verdicts (`n` of the result); Wilson interval over cases.
 * Range: [0, 1].
 * Undefined when: no case has 30 verdicts.
 * Differs from the paper: the interval is added. It is Wilson's, because without any such case a bootstrap interval would have no width.
 * @see paper §7.2, table 5; appendix A.4
 */
export function unstableShare(cells: readonly CellAnalysis[]): Estimate {
  const states = cells.map((cell) => plugInState(cell).boundary).filter((state) => state !== null);
  if (states.length === 0) return undefinedEstimate(NO_CLASS, 0);
  return proportion(states.filter((state) => state === "boundary_unstable").length, states.length);
}

/**
 * Share of cases in each stability class, by the observed shares.
 *
 * Formula: cases of the class / cases with at least 30 verdicts (`n` of each result); Wilson interval over cases.
 * Range: [0, 1]; they sum to 1.
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

/** Thresholds of the figure. */
const THRESHOLDS = Array.from({ length: 21 }, (_, i) => (50 + 2.5 * i) / 100);

/**
 * What a threshold on the score of a single audit lets through: how many cases, and how stable they are.
 *
 * Formula: at threshold τ, coverage = share of cases whose first replicate scores ≥ τ; mix = shares of stability classes, from all replicates,
 * among them. τ from 0.50 to 1.00 in steps of 0.025.
 * Range: [0, 1].
 * Undefined when: no case is at or above the threshold: mix is null. Cases without a score or without a class (K < 30) are left out.
 * Differs from the paper: p_defensible is added to S.
 * @see paper appendix A.2, figure 8 F
 */
export function thresholdMix(analysed: Analysed): ThresholdRow[] {
  return analysed.line.flatMap((condition) => {
    const cells = cellsOf(analysed, condition);
    return (["pds", "p_defensible"] as const).flatMap((score) => {
      const rows = cells.flatMap((cell) => {
        const value = cell.all.first?.[score === "pds" ? "pds" : "pDefensible"] ?? Number.NaN;
        const own = plugInState(cell).class;
        return Number.isNaN(value) || own === null ? [] : [{ value, own }];
      });
      if (rows.length === 0) return [];
      return THRESHOLDS.map((threshold): ThresholdRow => {
        const above = rows.filter(({ value }) => value >= threshold - 1e-12);
        const share = (name: StabilityClass) => above.filter(({ own }) => own === name).length / above.length;
        return {
          score,
          temperature: analysed.replicates.conditions[condition]!.temperature,
          threshold,
          cases: above.length,
          coverage: above.length / rows.length,
          mix:
            above.length === 0
              ? null
              : (Object.fromEntries(STABILITY_CLASSES.map((name) => [name, share(name)])) as ThresholdRow["mix"]),
        };
      });
    });
  });
}

/** The paper's number of replicates. */
export const PAPER_REPLICATES = 1000;

/**
 * What early stopping has saved, compared with the paper's 1,000 replicates per case and with the cap, and what it could save at best.
 *
 * Formula: 1 − replicates / (1,000 · cells), and the same with the cap. At best a cell uses the replicates after which it was settled, at most the
 * cap.
 * Range: at most 1; negative if more replicates were requested than the reference.
 * Undefined when: no cells: null.
 * Differs from the paper: not in the paper.
 * @see `LevelSequence`
 * @example
 * savings([], { stop: "boundary", cap: 300, fixed: false }).cells // => 0
 */
export function savings(
  cells: readonly Pick<CellAnalysis, "all" | "sequence">[],
  { stop, cap, fixed }: { stop: StopRule; cap: number; fixed: boolean },
): Savings {
  let [replicates, settled] = [0, 0];
  const best = { replicates: 0, settled: 0 };
  for (const { all, sequence } of cells) {
    replicates += all.attempted;
    const at = settledAt(sequence, stop);
    if (at !== null) settled += 1;
    best.replicates += Math.min(cap, at ?? all.attempted);
    if (at !== null && at <= cap) best.settled += 1;
  }
  const against = (count: number, each: number) => (cells.length === 0 ? null : 1 - count / (each * cells.length));
  return {
    cells: cells.length,
    replicates,
    settled,
    settled_share: cells.length === 0 ? null : settled / cells.length,
    saved_against_paper: against(replicates, PAPER_REPLICATES),
    saved_against_cap: fixed ? null : against(replicates, cap),
    at_best: { ...best, saved_against_paper: against(best.replicates, PAPER_REPLICATES) },
  };
}

/** Number of replicates after which everything was settled; null: not settled. */
function settledAt(sequence: LevelSequence, stop: StopRule): number | null {
  if (!isSettled(sequence, stop)) return null;
  return Math.max(sequence.boundary().at!, stop === "class" ? sequence.class().at! : 0);
}
