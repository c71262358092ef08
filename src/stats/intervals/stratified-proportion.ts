import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkCount, checkLevel, checkTrials } from "../check-arguments.js";
import { clopperPearsonBound, wilsonInterval } from "./proportion.js";

/** A stratum of `size` members, of which `n` were sampled and `k` of those have the property. */
export interface SampledStratum {
  /** Named in the reason if a share is undefined. */
  name?: string;
  k: number;
  n: number;
  size: number;
}

/** With this few labels, a larger stratum's spread is hardly known. */
const FEW = 2;

/**
 * A share of a whole population from a sample drawn in strata, each at its own rate.
 *
 * Formula: p̂ = Σ W_h k_h/n_h, W_h = N_h/N. Wilson's interval with the effective number n* = p̃ (1 − p̃)/V,
 * V = Σ W_h² (1 − n_h/N_h) p̃_h (1 − p̃_h)/n_h, p̃_h = (k_h + ½)/(n_h + 1), p̃ = Σ W_h p̃_h: a stratum whose members all agree still adds to V.
 * k and n of the result count the sample.
 * Range: [0, 1]. Coverage of six strata with 60 to 300 cases, some of one or two: see docs/guarantees.md.
 * Undefined when: a stratum has no sampled member (`stratum_unlabelled`, with the ends that the interval would have if none or all of its
 * members had the property), or there are no members. RangeError when n > size or k > n. If all members were sampled the interval has no width.
 * Differs from the paper: not in the paper, whose cases are not a sample of a run.
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
    return { ...common, lower: value, upper: value, warnings: ["all members were sampled: the share is known"] };
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

export interface LabelledStratum {
  /** Rows in the stratum, labelled or not. */
  n: number;
  labelled: number;
  /** Labelled rows that have the property. */
  k: number;
}

/** Part of δ spent on the uncertain shares of the strata, which rest on many rows; the labels are few. */
const SHARE_OF_SIZES = 0.2;

/**
 * Upper bound of a true rate from sampled labels in each stratum (the rows an auditor judged alike). It holds with probability 1 − δ whatever the
 * auditor's errors, even with few labels. For certificates, where a normal approximation would promise too much.
 *
 * Formula: strata s = 1 … S in the order given, U_s the Clopper–Pearson upper bound of the stratum's rate, made rising
 * (U_s := max(U_{s−1}, U_s)), T_s that of the share of rows in strata s … S. Bound = U_1 + Σ_{s≥2} (U_s − U_{s−1}) T_s.
 * The U_s share 0.8 δ and the T_s 0.2 δ (with S = 1, U_1 has all of δ); a stratum without labels has U = 1.
 * With `sizes` "known" the bound is for these rows alone: Σ N_h/N U_h at δ/S each, in any order; a fully labelled stratum has its own rate.
 * Range: [0, 1]; falls with more labels. Rows must be sampled at random within each stratum; sampling rates may differ
 * between strata. Sharp if strata are given in order of rising rates.
 * Undefined when: no rows: RangeError.
 * Differs from the paper: the paper takes the auditor's verdicts as the truth.
 * @see `clopperPearsonBound`
 * @example
 * stratifiedUpperBound([{ n: 29, labelled: 29, k: 0 }], 0.05) // => 0.0981
 */
export function stratifiedUpperBound(
  strata: readonly LabelledStratum[],
  delta: number,
  sizes: "sampled" | "known" = "sampled",
): number {
  checkLevel(1 - delta);
  for (const { n, labelled, k } of strata) {
    checkCount("rows", n);
    checkCount("labelled rows", labelled);
    if (labelled > n)
      throw new RangeError(`labelled rows: more than rows; got ${labelled} of ${n}, expected at most n`);
    if (labelled > 0) checkTrials(k, labelled);
  }
  const used = strata.filter(({ n }) => n > 0);
  const rows = used.reduce((sum, { n }) => sum + n, 0);
  if (rows === 0) throw new RangeError("rows: none; got 0, expected at least one");
  if (sizes === "known") {
    return used.reduce((sum, { n, labelled, k }) => {
      const rate = labelled === 0 ? 1 : labelled === n ? k / n : clopperPearsonBound(k, labelled, delta / used.length);
      return sum + (n / rows) * rate;
    }, 0);
  }
  const single = used.length === 1;
  const deltaRate = (single ? delta : (1 - SHARE_OF_SIZES) * delta) / used.length;
  const deltaSize = single ? 0 : (SHARE_OF_SIZES * delta) / (used.length - 1);
  let bound = 0;
  let before = 0;
  let above = rows;
  used.forEach(({ n, labelled, k }, index) => {
    const rate = Math.max(before, labelled === 0 ? 1 : clopperPearsonBound(k, labelled, deltaRate));
    bound += (rate - before) * (index === 0 ? 1 : clopperPearsonBound(above, rows, deltaSize));
    before = rate;
    above -= n;
  });
  return Math.min(1, bound);
}
