import { createRng } from "../../../stats/random/create-rng.js";
import { fastUniform } from "../../../stats/random/fast-uniform.js";
import { sortedOrder } from "../../../stats/ranks/sorted-order.js";
import { equalWeightEdges, gather, PAPER_BINS } from "./bins.js";
import { calibrationError } from "./calibration-error.js";
import { levelDrawer } from "./draw-levels.js";
import { type AgainstNull, againstNull } from "./null-distribution.js";

export interface ClasswiseOptions {
  seed: number;
  /** Default 200. */
  draws?: number;
  /** Default 10. */
  bins?: number;
  /** How much each row counts, as labels that were drawn with unequal chances. */
  weights?: Float64Array | undefined;
}

export interface ClasswiseError {
  n: number;
  /** Rows without probabilities or without a target. */
  left_out: number;
  /** Mean of the three. */
  mean: AgainstNull;
  /** ECE of p(l) against "the level is l". */
  levels: [AgainstNull, AgainstNull, AgainstNull];
  seed: number;
  draws: number;
}

/**
 * Classwise calibration error of three level probabilities: does "30 % level 2" mean level 2 in 30 of 100 cases? A score
 * for "defensible" alone cannot say.
 *
 * Formula: cwECE = ⅓ Σ_l Σ_b n_b/N |share of level l in bin b − mean p(l) there|, equal-frequency bins of p(l). Rows with weights: sums of
 * weights for counts, bins of equal weight.
 * Null values: levels drawn from (p1, p2, p3) of each row, see `levelDrawer`.
 * Range: [0, 1], lower is better.
 * Undefined when: no rows: null. RangeError when a probability lies outside [0, 1].
 * Differs from the paper: not in the paper, which calibrates "defensible" only.
 * @see Kull et al. (2019), NeurIPS 32:12316-12326
 */
export function classwiseError(
  probs: readonly [Float64Array, Float64Array, Float64Array],
  level: Uint8Array,
  { seed, draws = 200, bins = PAPER_BINS, weights }: ClasswiseOptions,
): ClasswiseError {
  const rows = usableRows(probs, level);
  const n = rows.length;
  const p = probs.map((column) => gather(column, rows, new Float64Array(n)));
  const levels = gather(level, rows, new Uint8Array(n));
  if (!(Number.isSafeInteger(bins) && bins >= 1 && bins <= 1000)) {
    throw new RangeError(`bins: not a number of bins; got ${bins}, expected 1 to 1,000`);
  }
  const used = Math.min(n, bins);
  const weight = weights ? gather(weights, rows, new Float64Array(n)) : null;
  const binOf = p.map((column) => binNumbers(column, bins, weight));
  const sumsOf = (value: (i: number, l: number) => number) =>
    binOf.map((numbers, l) => {
      const sum = new Float64Array(used);
      for (let i = 0; i < n; i += 1) sum[numbers[i]!]! += (weight ? weight[i]! : 1) * value(i, l);
      return sum;
    });
  const sizes = sumsOf(() => 1);
  const sums = sumsOf((i, l) => p[l]![i]!);
  const errorsOf = (counts: readonly Float64Array[]) =>
    counts.map((positives, l) => calibrationError({ n: sizes[l]!, scores: sums[l]!, positives }));

  const values = errorsOf(sumsOf((i, l) => (levels[i] === l + 1 ? 1 : 0)));

  const simulated = [0, 1, 2, 3].map(() => new Float64Array(draws));
  const draw = levelDrawer(p, binOf, used, fastUniform(createRng(seed).fork("classwise")), weight);
  for (let d = 0; d < draws && n > 0; d += 1) {
    const errors = errorsOf(draw());
    for (const [l, error] of errors.entries()) simulated[l]![d] = error!;
    simulated[3]![d] = mean(errors)!;
  }
  const [first, second, third, all] = simulated as [Float64Array, Float64Array, Float64Array, Float64Array];
  return {
    n,
    left_out: level.length - n,
    mean: againstNull(mean(values), all),
    levels: [againstNull(values[0]!, first), againstNull(values[1]!, second), againstNull(values[2]!, third)],
    seed,
    draws,
  };
}

function mean(errors: readonly (number | null)[]): number | null {
  const [a, b, c] = errors as [number | null, number | null, number | null];
  return a === null || b === null || c === null ? null : (a + b + c) / 3;
}

function usableRows(probs: readonly [Float64Array, Float64Array, Float64Array], level: Uint8Array): Uint32Array {
  const rows = new Uint32Array(level.length);
  let n = 0;
  for (let i = 0; i < level.length; i += 1) {
    const [a, b, c] = [probs[0][i]!, probs[1][i]!, probs[2][i]!];
    if (level[i] === 0 || Number.isNaN(a + b + c)) continue;
    if (!(Math.min(a, b, c) >= 0 && Math.max(a, b, c) <= 1)) {
      throw new RangeError(`level probabilities: outside 0 to 1; got ${a}, ${b}, ${c} in row ${i}`);
    }
    rows[n] = i;
    n += 1;
  }
  return rows.subarray(0, n);
}

function binNumbers(values: Float64Array, bins: number, weight: Float64Array | null): Uint16Array {
  const order = sortedOrder(values);
  const sorted = weight && gather(weight, order, new Float64Array(order.length));
  const edges = equalWeightEdges(values.length, bins, sorted);
  const numbers = new Uint16Array(values.length);
  for (let b = 0; b + 1 < edges.length; b += 1) {
    for (let i = edges[b]!; i < edges[b + 1]!; i += 1) numbers[order[i]!] = b;
  }
  return numbers;
}
