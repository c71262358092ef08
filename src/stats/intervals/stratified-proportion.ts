import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkLevel } from "../check-arguments.js";
import { wilsonInterval } from "./wilson-interval.js";

/** A stratum: `k` of `n` sampled ones have the property; the stratum has `size` members. */
export interface SampledStratum {
  /** For the reason why a share is undefined. */
  name?: string;
  k: number;
  n: number;
  size: number;
}

/** So few labels of a larger stratum say little of its spread. */
const FEW = 2;

/**
 * A share of a whole population from a sample that was drawn in strata, each at its own rate.
 *
 * Formula: p̂ = Σ W_h k_h/n_h, W_h = N_h/N. Wilson's interval with the effective number n* = p̃ (1 − p̃)/V, V = Σ W_h² (1 − n_h/N_h) p̃_h (1 − p̃_h)/n_h,
 * p̃_h = (k_h + ½)/(n_h + 1), p̃ = Σ W_h p̃_h: a stratum in which all agree still adds to V.
 * k and n of the result count the sample.
 * Range: [0, 1]. Coverage of six strata with 60 to 300 cases, some of one or two: see docs/guarantees.md.
 * Undefined when: a stratum has no sampled member (`stratum_unlabelled`, with the ends that the interval has if none or all of its members
 * have the property), or there is none. RangeError when n > size or k > n. Where everybody was sampled the interval has no width.
 * Differs from the paper: not in the paper, whose cases are no sample of a run.
 * @see Franco et al. (2019), Journal of Survey Statistics and Methodology 7:334-364
 * @example stratifiedProportion([{ k: 5, n: 6, size: 90 }, { k: 2, n: 2, size: 10 }]).estimate // => 0.85
 */
export function stratifiedProportion(strata: readonly SampledStratum[], level = CONFIDENCE_LEVEL): Estimate {
  checkLevel(level);
  for (const { k, n, size } of strata) {
    if (!(n <= size && k <= n && k >= 0))
      throw new RangeError(`stratum: got ${k} of ${n} of ${size}, expected k ≤ n ≤ size`);
  }
  const sampled = strata.reduce((sum, { n }) => sum + n, 0);
  const population = strata.reduce((sum, { size }) => sum + size, 0);
  if (population === 0) return undefinedEstimate("no rows", 0);
  const missing = strata.filter(({ n, size }) => n === 0 && size > 0);
  if (missing.length > 0) return unlabelled(strata, missing, sampled, level);
  let estimate = 0;
  let smoothed = 0;
  let variance = 0;
  for (const { k, n, size } of strata) {
    if (size === 0) continue;
    const weight = size / population;
    const share = (k + 0.5) / (n + 1);
    estimate += (weight * k) / n;
    smoothed += weight * share;
    variance += (weight ** 2 * (1 - n / size) * share * (1 - share)) / n;
  }
  const value = Math.min(1, estimate);
  const k = strata.reduce((sum, one) => sum + one.k, 0);
  const common = { estimate: value, level, method: "stratified Wilson", k, n: sampled };
  if (variance === 0)
    return { ...common, lower: value, upper: value, warnings: ["everybody was sampled: the share is known"] };
  const effective = (smoothed * (1 - smoothed)) / variance;
  const { lower, upper } = wilsonInterval(value * effective, effective, level);
  const thin = strata.filter(({ n, size }) => n <= FEW && n < size).length;
  const warnings = [`${thin} of ${strata.length} strata have one or two labels: the interval may be too narrow`];
  return { ...common, lower, upper, ...(thin > 0 ? { warnings } : {}) };
}

function unlabelled(
  strata: readonly SampledStratum[],
  missing: readonly SampledStratum[],
  sampled: number,
  level: number,
): Estimate {
  const names = missing.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const what = names.length > 0 ? names.join("; ") : `${missing.length} of ${strata.length} strata`;
  const end = (yes: boolean) =>
    stratifiedProportion(
      strata.map((one) => (missing.includes(one) ? { k: yes ? one.size : 0, n: one.size, size: one.size } : one)),
      level,
    );
  const [none, all] = [end(false), end(true)];
  return {
    ...undefinedEstimate(`stratum_unlabelled: no label of ${what}`, sampled),
    ...(none.estimate === null || all.estimate === null || sampled === 0
      ? {}
      : { worst_case: { lower: none.lower, upper: all.upper } }),
  };
}
