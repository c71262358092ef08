import { drawBinomial } from "../../../stats/random/draw-binomial.js";
import type { FastUniform } from "../../../stats/random/fast-uniform.js";
import { sortedOrder } from "../../../stats/ranks/sorted-order.js";
import { gather } from "./bins.js";

/** Rows of a group have probabilities of levels 1 and 3 within 1/STEPS of each other. */
const STEPS = 64;
/** Groups with at most this many rows are drawn row by row. */
const FEW = 12;

/**
 * Draws a level for every row from its probabilities and counts, for each level, how many fell into each bin of its probability.
 * Rows that share all three bins and nearly their probabilities form a group, drawn at once from the group's mean: the same
 * means, variances too large by less than 1/64 of themselves, and a time that does not grow with the number of rows. Rows with weights are
 * drawn one by one.
 */
export function levelDrawer(
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
  // Of the rows that are not level 1.
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
