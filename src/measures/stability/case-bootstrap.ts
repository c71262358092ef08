import type { StabilityGroup } from "../../core/names.js";
import { rankCorrelator } from "../../stats/ranks/rank-correlator.js";
import {
  type BootstrapStatistic,
  type StratifiedBootstrapOptions,
  stratifiedBootstrap,
} from "../../stats/resampling/stratified-bootstrap.js";
import { type Analysed, type CellAnalysis, cellOf } from "./analyse-cells.js";

/** A number of the cases, weighted as a bootstrap draws them; null where it is undefined. */
export type Statistic = (weights: Float64Array) => number | null;

/** What a statistic came to, once all have been asked for. */
export type Answer = () => BootstrapStatistic;

/** Collects statistics, so that one bootstrap over cases serves them all with the same draws. */
export class CaseBootstrap {
  readonly #statistics: Statistic[] = [];
  #answers: BootstrapStatistic[] | null = null;

  /** The answer can be read after `run`. */
  ask(statistic: Statistic): Answer {
    const place = this.#statistics.push(statistic) - 1;
    return () => this.#answers![place]!;
  }

  /** Cases are drawn within their group: its size was chosen, and does not vary. */
  run(groups: readonly (StabilityGroup | null)[], options: StratifiedBootstrapOptions): void {
    const strata = Int32Array.from(groups, (group) => (group === null ? 0 : group === "flipper" ? 1 : 2));
    const evaluate = (weights: Float64Array) => this.#statistics.map((statistic) => statistic(weights));
    this.#answers = stratifiedBootstrap(strata, evaluate, options);
  }
}

/** A value of every case under one condition; NaN where it has none. */
export function caseColumn(
  analysed: Analysed,
  condition: number,
  value: (cell: CellAnalysis) => number | null,
): Float64Array {
  const cases = analysed.replicates.decisions.length;
  return Float64Array.from({ length: cases }, (_, i) => value(cellOf(analysed, i, condition)) ?? Number.NaN);
}

/** The cells of a condition in which anything was asked. */
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
