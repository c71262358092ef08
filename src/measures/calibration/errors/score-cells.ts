import {
  equalWeightEdges,
  equalWidthEdges,
  PAPER_BINS,
  runEnd,
  runStart,
  type SortedScores,
  unsplitEdges,
} from "./bins.js";
import type { BinSums } from "./calibration-error.js";

/** Cells of the score scale at most as wide as this: far finer than the noise of any sample, see `smoothError`. */
export const GRID = 2048;

/**
 * The sorted rows cut into cells so fine that every measure is a function of how many rows of each cell are defensible. A simulated
 * outcome is then a few thousand counts whatever the number of rows.
 */
export interface ScoreCells {
  /** Cell c has the sorted rows starts[c] to starts[c + 1] − 1. */
  starts: Uint32Array;
  /** Rows in the cell, or their weight. */
  n: Float64Array;
  /** Σ score in the cell. */
  scores: Float64Array;
  /** Edges of the bins, as numbers of cells. */
  equalFrequency: Uint32Array;
  equalWidth: Uint32Array;
  /** Equal-frequency bins that split no run of equal scores. */
  unsplit: Uint32Array;
  /** Runs of equal scores across an edge of an equal-frequency bin: first cell, and the cell after the last. */
  splitRuns: [number, number][];
}

export function scoreCells({ n, scores, weights }: SortedScores, bins: number = PAPER_BINS): ScoreCells {
  const byCount = equalWeightEdges(n, bins, weights);
  const byWidth = equalWidthEdges(scores, bins);
  const unsplit = unsplitEdges(scores, byCount);
  const runs = new Map<number, number>();
  for (const edge of byCount) {
    const end = runEnd(scores, edge);
    if (end !== edge) runs.set(runStart(scores, edge), end);
  }
  const cuts = new Set<number>([0, n, ...byCount, ...byWidth, ...unsplit, ...runs.keys(), ...runs.values()]);
  let cell = -1;
  for (let i = 0; i < n; i += 1) {
    const next = Math.floor(scores[i]! * GRID);
    if (next !== cell) cuts.add(i);
    cell = next;
  }
  const starts = Uint32Array.from(cuts).sort();
  const cells = starts.length - 1;
  const numberOf = new Map(Array.from(starts, (start, c) => [start, c]));
  const toCells = (edges: Iterable<number>) => Uint32Array.from(edges, (edge) => numberOf.get(edge)!);
  const size = new Float64Array(Math.max(0, cells));
  const sums = new Float64Array(Math.max(0, cells));
  for (let c = 0; c < cells; c += 1) {
    let [rows, sum] = [0, 0];
    for (let i = starts[c]!; i < starts[c + 1]!; i += 1) {
      const w = weights ? weights[i]! : 1;
      rows += w;
      sum += w * scores[i]!;
    }
    size[c] = rows;
    sums[c] = sum;
  }
  return {
    starts,
    n: size,
    scores: sums,
    equalFrequency: toCells(byCount),
    equalWidth: toCells(byWidth),
    unsplit: toCells(unsplit),
    splitRuns: Array.from(runs, ([start, end]) => [numberOf.get(start)!, numberOf.get(end)!]),
  };
}

/** How many rows of each cell have target 1, or their weight. */
export function cellPositives(
  { starts, n }: ScoreCells,
  targets: Uint8Array,
  weights: Float64Array | null = null,
): Float64Array {
  const positives = new Float64Array(n.length);
  for (let c = 0; c < n.length; c += 1) {
    let count = 0;
    for (let i = starts[c]!; i < starts[c + 1]!; i += 1) count += (weights ? weights[i]! : 1) * targets[i]!;
    positives[c] = count;
  }
  return positives;
}

/** Counts with equal scores across an edge sharing theirs: each row of such a run has the run's mean. */
export function shareTies({ n, splitRuns }: ScoreCells, positives: Float64Array): Float64Array {
  if (splitRuns.length === 0) return positives;
  const shared = positives.slice();
  for (const [first, end] of splitRuns) {
    let rows = 0;
    let count = 0;
    for (let c = first; c < end; c += 1) {
      rows += n[c]!;
      count += positives[c]!;
    }
    for (let c = first; c < end; c += 1) shared[c] = (count * n[c]!) / rows;
  }
  return shared;
}

/** Cells added up to bins. */
export function binSums(cells: Pick<ScoreCells, "n" | "scores">, positives: Float64Array, edges: Uint32Array): BinSums {
  const bins = Math.max(0, edges.length - 1);
  const sums = { n: new Float64Array(bins), scores: new Float64Array(bins), positives: new Float64Array(bins) };
  for (let b = 0; b < bins; b += 1) {
    for (let c = edges[b]!; c < edges[b + 1]!; c += 1) {
      sums.n[b]! += cells.n[c]!;
      sums.scores[b]! += cells.scores[c]!;
      sums.positives[b]! += positives[c]!;
    }
  }
  return sums;
}
