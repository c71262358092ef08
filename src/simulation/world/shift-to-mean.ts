/**
 * Rates moved together until their weighted mean is a wanted one, so that a world of few large communities has the rates it was asked for and not
 * only worlds on average.
 *
 * Formula: r_i' = 1/(1 + exp(−(ln(r_i/(1 − r_i)) + s))), with the s at which Σ w_i r_i' = mean · Σ w_i, by bisection.
 * Range: [0, 1]; the order of the rates is kept, 0 and 1 stay.
 * Undefined when: rates of 0 and 1 alone cannot reach the mean: they are left as near as they come.
 * Differs from the paper: not in the paper.
 * @see raking a proportion on the logit scale (Deville and Särndal 1992)
 * @example shiftToMean([0.2, 0.2], [1, 3], 0.2).map((rate) => Math.round(rate * 1e6) / 1e6) // => [ 0.2, 0.2 ]
 */
export function shiftToMean(rates: readonly number[], weights: readonly number[], mean: number): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (mean <= 0 || mean >= 1) return rates.map(() => Math.min(1, Math.max(0, mean)));
  const shifted = (shift: number) => rates.map((rate) => shiftedRate(rate, shift));
  const meanAt = (shift: number) => shifted(shift).reduce((sum, rate, i) => sum + rate * weights[i]!, 0) / total;
  let low = -WIDEST;
  let high = WIDEST;
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (meanAt(middle) < mean) low = middle;
    else high = middle;
  }
  return shifted((low + high) / 2);
}

/** Log-odds further out than this are no rate that anybody asked for. */
const WIDEST = 60;
const STEPS = 60;

function shiftedRate(rate: number, shift: number): number {
  if (rate <= 0 || rate >= 1) return rate;
  return 1 / (1 + Math.exp(-(Math.log(rate / (1 - rate)) + shift)));
}
