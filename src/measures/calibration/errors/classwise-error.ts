import { createRng, type FastUniform, fastUniform } from "../../../stats/random/create-rng.js";
import { drawBinomial } from "../../../stats/random/draw-normal.js";
import { sortedOrder } from "../../../stats/ranks/sorted-order.js";
import { calibrationError, equalWeightEdges, gather, PAPER_BINS } from "./calibration-error.js";
import { type AgainstNull, againstNull } from "./calibration-errors.js";

/** The probabilities of levels 1 and 3 of rows in a group are within 1/STEPS of each other. */
const STEPS = 64;
/** Groups with at most this many rows are drawn row by row. */
const FEW = 12;

/**
 * Draws a level for every row from its probabilities and counts, for each level, how many fall into each bin of its probability. Rows that share
 * all three bins and have nearly the same probabilities form a group, which is drawn at once from the group's mean: the means are the same, the
 * variances too large by less than 1/64, and the time does not grow with the number of rows. Rows with weights are drawn one by one.
 */
function levelDrawer(
  p: readonly Float64Array[],
  binOf: readonly Uint16Array[],
  bins: number,
  uniform: FastUniform,
  weights: Float64Array | null = null,
): () => Float64Array[] {
  if (weights) return () => drawWeighted(p, binOf, bins, uniform, weights);
  const [b1, b2, b3] = binOf as [Uint16Array, Uint16Array, Uint16Array];
  const { order, starts } = groupRows(p, binOf, bins);
  const p1 = gather(p[0]!, order, new Float64Array(order.length));
  const p3 = gather(p[2]!, order, new Float64Array(order.length));
  const groups = starts.length - 1;
  const mean1 = new Float64Array(groups);
  // As a share of the rows that are not level 1.
  const mean3 = new Float64Array(groups);
  for (let g = 0; g < groups; g += 1) {
    let sum1 = 0;
    let sum3 = 0;
    for (let i = starts[g]!; i < starts[g + 1]!; i += 1) {
      sum1 += p1[i]!;
      sum3 += p3[i]!;
    }
    const rows = starts[g + 1]! - starts[g]!;
    mean1[g] = Math.min(1, sum1 / rows);
    mean3[g] = rows > sum1 ? Math.min(1, sum3 / (rows - sum1)) : 0;
  }

  return () => {
    const counts = [0, 1, 2].map(() => new Float64Array(bins)) as [Float64Array, Float64Array, Float64Array];
    for (let g = 0; g < groups; g += 1) {
      const [from, to] = [starts[g]!, starts[g + 1]!];
      const rows = to - from;
      let ones = 0;
      let threes = 0;
      if (rows > FEW) {
        ones = drawBinomial(rows, mean1[g]!, uniform);
        threes = drawBinomial(rows - ones, mean3[g]!, uniform);
      } else {
        for (let i = from; i < to; i += 1) {
          const u = uniform() * 2 ** -32;
          if (u < p1[i]!) ones += 1;
          else if (u >= 1 - p3[i]!) threes += 1;
        }
      }
      const row = order[from]!;
      counts[0][b1[row]!]! += ones;
      counts[1][b2[row]!]! += rows - ones - threes;
      counts[2][b3[row]!]! += threes;
    }
    return counts;
  };
}

function drawWeighted(
  [p1, , p3]: readonly Float64Array[],
  binOf: readonly Uint16Array[],
  bins: number,
  uniform: FastUniform,
  weights: Float64Array,
): Float64Array[] {
  const counts = binOf.map(() => new Float64Array(bins));
  for (let i = 0; i < weights.length; i += 1) {
    const u = uniform() * 2 ** -32;
    const level = u < p1![i]! ? 0 : u >= 1 - p3![i]! ? 2 : 1;
    counts[level]![binOf[level]![i]!]! += weights[i]!;
  }
  return counts;
}

function groupRows(p: readonly Float64Array[], binOf: readonly Uint16Array[], bins: number) {
  const [p1, , p3] = p as [Float64Array, Float64Array, Float64Array];
  const [b1, b2, b3] = binOf as [Uint16Array, Uint16Array, Uint16Array];
  const side = STEPS + 1;
  const keys = new Float64Array(p1.length);
  for (let i = 0; i < keys.length; i += 1) {
    const bin = (b1[i]! * bins + b2[i]!) * bins + b3[i]!;
    keys[i] = (bin * side + Math.floor(p1[i]! * STEPS)) * side + Math.floor(p3[i]! * STEPS);
  }
  const order = sortedOrder(keys);
  const starts: number[] = [];
  for (let i = 0; i < order.length; i += 1) if (i === 0 || keys[order[i]!] !== keys[order[i - 1]!]) starts.push(i);
  starts.push(order.length);
  return { order, starts };
}

export interface ClasswiseOptions {
  seed: number;
  /** Default 200. */
  draws?: number;
  /** Default 10. */
  bins?: number;
  /** Weight of each row, for labels drawn with unequal probabilities. */
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
 * Classwise calibration error of three level probabilities: whether "30% level 2" means level 2 in 30 of 100 cases. A score for "defensible" alone
 * cannot show this.
 *
 * Formula: cwECE = ⅓ Σ_l Σ_b n_b/N |share of level l in bin b − mean p(l) there|, equal-frequency bins of p(l). With weights, counts become sums of
 * weights and bins have equal weight.
 * Null values: levels drawn from (p1, p2, p3) of each row, see `levelDrawer`.
 * Range: [0, 1], lower is better.
 * Undefined when: no rows: null. RangeError when a probability lies outside [0, 1].
 * Differs from the paper: not in the paper, which only calibrates "defensible".
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
