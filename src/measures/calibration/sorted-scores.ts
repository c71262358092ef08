import { sortedOrder } from "../../stats/ranks/sorted-order.js";
import { gather } from "./gather.js";

/** Scores with their 0/1 targets in ascending order of the score, equal scores in the order of rows. */
export interface SortedScores {
  n: number;
  scores: Float64Array;
  targets: Uint8Array;
  /** Which row of the input each one was. */
  rows: Uint32Array;
  /** How much each row counts; null: all the same. */
  weights: Float64Array | null;
  /** Rows with target 1. */
  positives: number;
  /** Rows of the input without a score, or without a target. */
  leftOut: { no_score: number; no_target: number };
}

/**
 * Sorts once what every measure of calibration looks at in order. A NaN score and a target other than 0 or 1 mean
 * "absent": such rows are left out and counted. RangeError when a score lies outside [0, 1].
 */
export function sortScores(score: Float64Array, target: Uint8Array, weight: Float64Array | null = null): SortedScores {
  if (score.length !== target.length) {
    throw new RangeError(`scores: not one a target; got ${score.length} scores and ${target.length} targets`);
  }
  const leftOut = { no_score: 0, no_target: 0 };
  const kept = new Uint32Array(score.length);
  let n = 0;
  for (let i = 0; i < score.length; i += 1) {
    const s = score[i]!;
    if (target[i]! > 1) leftOut.no_target += 1;
    else if (s >= 0 && s <= 1) {
      kept[n] = i;
      n += 1;
    } else if (Number.isNaN(s)) leftOut.no_score += 1;
    else throw new RangeError(`score: not a probability; got ${s} in row ${i}, expected 0 to 1`);
  }
  const complete = n === score.length;
  const order = sortedOrder(complete ? score : gather(score, kept.subarray(0, n), new Float64Array(n)));
  const scores = new Float64Array(n);
  const targets = new Uint8Array(n);
  const weights = weight ? new Float64Array(n) : null;
  let positives = 0;
  for (let i = 0; i < n; i += 1) {
    const row = complete ? order[i]! : kept[order[i]!]!;
    order[i] = row;
    scores[i] = score[row]!;
    targets[i] = target[row]!;
    if (weights) weights[i] = weight![row]!;
    positives += targets[i]!;
  }
  return { n, scores, targets, rows: order, weights, positives, leftOut };
}
