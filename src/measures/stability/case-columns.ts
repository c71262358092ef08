import { rankCorrelator } from "../../stats/ranks/rank-correlator.js";
import { type Analysed, type CellAnalysis, cellOf } from "./analyse-cells.js";
import type { Statistic } from "./case-bootstrap.js";

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
