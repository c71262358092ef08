import { checkCount, checkLevel, checkTrials } from "../check-arguments.js";
import { clopperPearsonBound } from "./clopper-pearson-bound.js";

export interface LabelledStratum {
  /** Rows in the stratum, labelled or not. */
  n: number;
  labelled: number;
  /** Labelled rows that have the property. */
  k: number;
}

/** Part of δ that pays for not knowing the shares of the strata; they rest on many rows, the labels on few. */
const SHARE_OF_SIZES = 0.2;

/**
 * Upper bound of a true rate from labels of a sample in each stratum (the rows an auditor judged alike): holds with
 * probability 1 − δ whatever the auditor's errors, with few labels too. For certificates, where a normal approximation
 * would promise too much.
 *
 * Formula: strata s = 1 … S in the order given, U_s the Clopper–Pearson upper bound of the stratum's rate, made rising
 * (U_s := max(U_{s−1}, U_s)), T_s that of the share of rows in strata s … S. Bound = U_1 + Σ_{s≥2} (U_s − U_{s−1}) T_s.
 * The U_s share 0.8 δ, the T_s 0.2 δ (all of δ is U_1's when S = 1); a stratum without labels has U = 1.
 * With `sizes` "known" the bound is of these rows alone: Σ N_h/N U_h at δ/S each, in any order; a stratum that is wholly labelled has its own rate.
 * Range: [0, 1]; falls with more labels. Rows must be sampled at random within each stratum; the rates of sampling may
 * differ between strata. Sharp when strata are given in the order of rising rates.
 * Undefined when: no rows: RangeError.
 * Differs from the paper: the paper takes the auditor's verdicts for the truth.
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
