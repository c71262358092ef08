import { type ClusterInterval, CONFIDENCE_LEVEL } from "../../core/estimate.js";
import { spreadOfSums } from "../intervals/cluster-jackknife.js";
import { sortedOrder } from "./sorted-order.js";
import { type RankCorrelation, spearman } from "./spearman.js";

/**
 * Spearman's rank correlation of rows that come in clusters (communities): `spearman`, with the interval for dependent rows in addition.
 *
 * Formula: ρ = C/√(AB), C, A, B the means of ab, a², b², a = (rank of x − ½)/n − ½, b likewise. Influence of row 0: IF_C = a₀b₀ + S(b) + S'(a) − 3C
 * with S(b) = (Σ_{x>x₀} b + ½ Σ_{x=x₀} b)/n and S' the same over y; IF_A = a₀² + 2S(a) − 3A; IF = IF_C/√(AB) − ρ(IF_A/A + IF_B/B)/2. s_c = Σ IF / n
 * in cluster c; V = Σ(s_c/(1 − a_c))², a_c its share of the rows; tanh(atanh ρ ± t_ν √V/(1−ρ²)), ν as `clusterJackknife`.
 * Range: [−1, 1]; 0 no monotone association.
 * Undefined when: fewer than 3 rows, or a column is constant. No `cluster` with fewer than two clusters, ρ = ±1 or V = 0. RangeError
 * when lengths differ or a value is NaN.
 * Differs from the paper: the paper prints ρ without interval and treats rows as independent.
 * @see Bonett and Wright (2000), Psychometrika 65:23-28; Croux and Dehon (2010), Statistical Methods and Applications 19:497-515
 * @example
 * clusteredSpearman(new Float64Array([1, 2, 3, 4]), new Float64Array([1, 3, 2, 4]), [0, 0, 1, 1], 2).estimate // => 0.8
 */
export function clusteredSpearman(
  x: Float64Array,
  y: Float64Array,
  cluster: ArrayLike<number>,
  clusters: number,
  level = CONFIDENCE_LEVEL,
): RankCorrelation {
  const result = spearman(x, y, level);
  if (result.estimate === null || Math.abs(result.estimate) === 1) return result;
  const interval = clusterInterval(result.estimate, influence(x, y, result.estimate), cluster, clusters, level);
  return interval ? { ...result, cluster: interval } : result;
}

interface Ranked {
  order: Uint32Array;
  values: Float64Array;
  /** (rank − ½)/n − ½ by row. */
  centred: Float64Array;
  meanSquare: number;
}

function ranked(values: Float64Array): Ranked {
  const n = values.length;
  const order = sortedOrder(values);
  const centred = new Float64Array(n);
  let squares = 0;
  eachTie(order, values, (start, end) => {
    const value = (start + end) / 2 / n - 0.5;
    for (let i = start; i < end; i += 1) centred[order[i]!] = value;
    squares += (end - start) * value * value;
  });
  return { order, values, centred, meanSquare: squares / n };
}

function influence(x: Float64Array, y: Float64Array, rho: number): Float64Array {
  const n = x.length;
  const [a, b] = [ranked(x), ranked(y)];
  let covariance = 0;
  for (let i = 0; i < n; i += 1) covariance += a.centred[i]! * b.centred[i]!;
  covariance /= n;
  const scale = Math.sqrt(a.meanSquare * b.meanSquare);
  const [aboveXofB, aboveYofA] = [above(a, b.centred), above(b, a.centred)];
  const [aboveXofA, aboveYofB] = [above(a, a.centred), above(b, b.centred)];
  const result = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    const [u, v] = [a.centred[i]!, b.centred[i]!];
    const ofC = u * v + aboveXofB[i]! + aboveYofA[i]! - 3 * covariance;
    const ofA = u * u + 2 * aboveXofA[i]! - 3 * a.meanSquare;
    const ofB = v * v + 2 * aboveYofB[i]! - 3 * b.meanSquare;
    result[i] = ofC / scale - (rho * (ofA / a.meanSquare + ofB / b.meanSquare)) / 2;
  }
  return result;
}

/** For each row, the mean over all rows of `weights` of those with a larger value, with equal ones counted one half. */
function above({ order, values }: Ranked, weights: Float64Array): Float64Array {
  const n = order.length;
  const result = new Float64Array(n);
  let below = 0;
  let whole = 0;
  for (const weight of weights) whole += weight;
  eachTie(order, values, (start, end) => {
    let tied = 0;
    for (let i = start; i < end; i += 1) tied += weights[order[i]!]!;
    for (let i = start; i < end; i += 1) result[order[i]!] = (whole - below - tied / 2) / n;
    below += tied;
  });
  return result;
}

/** Runs of equal values in sorted order. */
function eachTie(order: Uint32Array, values: Float64Array, visit: (start: number, end: number) => void): void {
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end += 1;
    visit(start, end);
    start = end;
  }
}

function clusterInterval(
  rho: number,
  influences: Float64Array,
  cluster: ArrayLike<number>,
  clusters: number,
  level: number,
): ClusterInterval | null {
  const n = influences.length;
  const sums = new Float64Array(clusters);
  const sizes = new Float64Array(clusters);
  let squares = 0;
  for (let i = 0; i < n; i += 1) {
    const value = influences[i]! / n;
    sums[cluster[i]!]! += value;
    sizes[cluster[i]!]! += 1;
    squares += value * value;
  }
  const spread = spreadOfSums(sums, sizes, level);
  // Sums below rounding are not variance.
  if (!spread || !(spread.variance > 1e-28)) return null;
  const half = (spread.t * Math.sqrt(spread.variance)) / ((1 - rho) * (1 + rho));
  return {
    lower: Math.tanh(Math.atanh(rho) - half),
    upper: Math.tanh(Math.atanh(rho) + half),
    method: "jackknife, Fisher z, t",
    clusters: spread.clusters,
    effective_clusters: spread.effective_clusters,
    design_effect: squares > 0 ? spread.variance / squares : null,
  };
}
