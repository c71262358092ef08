import type { PlanEstimate } from "../../../core/results/plan.js";
import { normalQuantile } from "../../../stats/distributions/normal-quantile.js";
import { clopperPearsonInterval } from "../../../stats/intervals/clopper-pearson-interval.js";
import { wilsonInterval } from "../../../stats/intervals/wilson-interval.js";

/**
 * How many decisions give a rate with an interval that is at most two half-widths wide, from end to end.
 *
 * Formula: normal: ⌈z² p(1−p)/h²⌉. Wilson and Clopper–Pearson: the smallest n whose interval at k = pn is at most 2h wide; both are
 * wider than the normal one near 0 and 1, and lopsided: towards ½ they reach further than h.
 * Range: at least 1; largest at p = ½.
 * Undefined when: the half-width is not between 0 and ½ or the rate not between 0 and 1, or the level is no number between 0 and 1 or
 * so near to 1 that (1 + level)/2 is 1: RangeError.
 * Differs from the paper: the paper has no sample sizes.
 * @see docs/plan.md
 * @example
 * estimateSize({ rate: 0.1, half_width: 0.03, level: 0.95 }).normal // => 385
 */
export function estimateSize(inputs: PlanEstimate["inputs"]): PlanEstimate {
  const { rate, half_width: half, level } = inputs;
  if (!(half > 0 && half < 0.5)) throw new RangeError(`half_width: not usable; got ${half}, expected 0 to 0.5`);
  if (!(rate >= 0 && rate <= 1)) throw new RangeError(`rate: not a rate; got ${rate}, expected 0 to 1`);
  // (1 + level)/2 is 1 for the last level below 1, and its quantile infinite.
  if (!(level > 0 && (1 + level) / 2 < 1))
    throw new RangeError(`level: not usable; got ${level}, expected between 0 and 1`);
  const z = normalQuantile((1 + level) / 2);
  const narrow = (interval: typeof wilsonInterval) => (n: number) => {
    const { lower, upper } = interval(rate * n, n, level);
    return upper - lower <= 2 * half;
  };
  return {
    format: 1,
    what: "estimate",
    inputs,
    normal: Math.max(1, Math.ceil((z * z * rate * (1 - rate)) / (half * half) - 1e-9)),
    wilson: firstSize(narrow(wilsonInterval)),
    clopper_pearson: firstSize(narrow(clopperPearsonInterval)),
  };
}

/** Smallest n that is enough, when every larger n is too. */
function firstSize(enough: (n: number) => boolean): number {
  let high = 1;
  while (!enough(high)) high *= 2;
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
