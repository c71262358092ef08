import { logitNormalMean } from "./logit-normal-mean.js";

/**
 * The location of a logit-normal law that has a wanted mean.
 *
 * Formula: m with E[1/(1 + exp(−(m + s Z)))] = mean, by bisection.
 * Range: real, rising in the mean; 0 for a mean of ½; ln(mean/(1 − mean)) for s = 0.
 * Undefined when: the mean is not between 0 and 1, or s is no standard deviation: RangeError.
 * Differs from the paper: not in the paper.
 * @see Aitchison and Shen (1980), Biometrika 67:261-272
 * @example logitNormalLocation(0.75, 0) // => 1.0986
 */
export function logitNormalLocation(mean: number, sd: number): number {
  if (!(mean > 0 && mean < 1)) throw new RangeError(`mean: not between 0 and 1; got ${mean}`);
  const logit = Math.log(mean) - Math.log1p(-mean);
  // A spread pulls the mean towards ½, so the location lies outside the logit, by at most (s² + 2)|logit| + s² or so.
  const reach = (1 + sd * sd) * (1 + Math.abs(logit));
  let low = logit - reach;
  let high = logit + reach;
  for (let step = 0; step < 80 && high - low > 1e-13 * (1 + Math.abs(low)); step++) {
    const middle = (low + high) / 2;
    if (logitNormalMean(middle, sd) < mean) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
