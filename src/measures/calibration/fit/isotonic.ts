import { isotonicRegression } from "../../../stats/optimise/isotonic-regression.js";
import type { IsotonicModel } from "../calibration-model.js";
import { INPUT, INPUTS, loadColumns, targetsOf } from "../features.js";
import type { ScoreColumns } from "../score-columns.js";

/** Rows of each class below which a free curve learns the noise. @see docs/calibration.md */
export const ISOTONIC_MINIMUM = 1000;

/**
 * Isotonic calibration: the rising curve of 1 − p(L3) that fits best, nothing else assumed.
 *
 * Formula: isotonic regression of y on p, equal p pooled first; straight lines between the ends of neighbouring blocks, level outside. A block
 * at an end that holds one class only, m rows of it, has ½/(m+1) or (m+½)/(m+1) instead of 0 or 1, but never passes its neighbour:
 * a log-loss would punish the certainty of 0 without end, and m rows do not prove it.
 * Range: [½/(m+1), (m+½)/(m+1)], non-decreasing.
 * Undefined when: there are no rows (RangeError).
 * Differs from the paper: not in the paper.
 * @see Zadrozny and Elkan (2002), KDD, 694-699
 */
export function fitIsotonic(columns: ScoreColumns, rows: Int32Array): IsotonicModel {
  if (rows.length === 0) throw new RangeError("rows: none; expected at least one of each class");
  const { scores, successes, counts } = pooled(columns, rows);
  const fitted = isotonicRegression(
    successes.map((k, i) => k / counts[i]!),
    counts,
  );
  const x: number[] = [];
  const y: number[] = [];
  for (let from = 0; from < fitted.length; ) {
    let to = from;
    let rowsHere = counts[from]!;
    while (to + 1 < fitted.length && fitted[to + 1] === fitted[from]) rowsHere += counts[++to]!;
    const value = bounded(fitted[from]!, rowsHere, fitted[from - 1], fitted[to + 1]);
    x.push(scores[from]!);
    y.push(value);
    if (to > from) {
      x.push(scores[to]!);
      y.push(value);
    }
    from = to + 1;
  }
  return { kind: "isotonic", x, y };
}

function bounded(value: number, rows: number, before: number | undefined, after: number | undefined): number {
  if (value === 0) return Math.min(0.5 / (rows + 1), after ?? 1);
  if (value === 1) return Math.max((rows + 0.5) / (rows + 1), before ?? 0);
  return value;
}

/** Distinct p in rising order with their counts. */
function pooled(columns: ScoreColumns, rows: Int32Array) {
  const { defensible, weight } = targetsOf(columns, rows);
  const input = new Float64Array(INPUTS);
  const p = new Float64Array(rows.length);
  for (let r = 0; r < rows.length; r += 1) {
    loadColumns(columns, rows[r]!, input);
    p[r] = input[INPUT.p1]! + input[INPUT.p2]!;
  }
  const scores = Float64Array.from(p).sort();
  let distinct = 0;
  for (const score of scores) if (distinct === 0 || score !== scores[distinct - 1]) scores[distinct++] = score;
  const successes = new Float64Array(distinct);
  const counts = new Float64Array(distinct);
  for (let r = 0; r < rows.length; r += 1) {
    const place = indexOf(scores, distinct, p[r]!);
    const w = weight ? weight[r]! : 1;
    successes[place]! += w * defensible[r]!;
    counts[place]! += w;
  }
  return { scores, successes, counts };
}

function indexOf(sorted: Float64Array, length: number, value: number): number {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
