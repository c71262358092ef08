import { checkTrials } from "../check-arguments.js";
import { binomialCdf } from "../distributions/incomplete-beta.js";
import { logSumExp } from "../distributions/special-functions.js";

/** Units with the same weight and value. A unit may be a thread, a review or a weighted label. */
export interface BoundedUnits {
  /** u in [0, 1]: the unit's weight. */
  weight: number;
  /** x in [0, 1]: the unit's loss, such as its share of bad decisions. */
  value: number;
  /** Number of such units, default 1. */
  count?: number;
}

/** Number of points in the grid of alternatives. */
export const GRID_POINTS = 128;

/**
 * Logarithm of an e-value against "the weighted mean of the units is at least r". It may be inspected after every unit: the
 * probability that it ever reaches 1/δ is at most δ if E[u(x − r) | past] ≥ 0 for every unit.
 *
 * Formula: E(r) = (1/K) Σ_g Π_j (1 + λ_g u_j (r − x_j)), K = 128, p_g = sin²((g−½)/K · arcsin √r), λ_g = (r − p_g)/(r(1−r)).
 * The factor is computed as 1 + u((1−x)((1−p)/(1−r) − 1) − x(1 − p/r)), which is equal but loses no digits.
 * Why it is valid: λ_g lies in (0, 1/(1−r)), so every factor is at least 0, with mean at most 1 under the hypothesis. The
 * products are nonnegative supermartingales from 1, and so is their average over a fixed grid; Ville's inequality gives
 * P(sup E ≥ 1/δ) ≤ δ. The order of the units does not change E, so groups of equal units are enough.
 * Range: any real number; 0 without units; Infinity at r ≥ 1 (a limit of 1 excludes nothing); 0 at r ≤ 0 (no units can prove it).
 * For u = 1 and x in {0, 1} it equals `logOneSidedEValue` to about 1e-5 if the observed share is clearly below r, and
 * to 0.02 for 100,000 units; if the share is above r it is smaller. It is valid in any case: the grid is fixed.
 * Monotone: with r = sin² a and s = (g−½)/K the factor is 1 + u((1−x)(cos² sa / cos² a − 1) + x(sin² sa / sin² a − 1)). Both
 * ratios rise with a for s in (0, 1), so E rises with r, whatever the units are.
 * Undefined when: weight or value outside [0, 1], count negative, or r not a number: RangeError.
 * Differs from the paper: not in the paper.
 * @see Waudby-Smith and Ramdas (2024), Journal of the Royal Statistical Society B 86:1-27; Ville (1939)
 * @example
 * logBoundedEValue([{ weight: 1, value: 0, count: 29 }], 0.1) // => 2.36757
 */
export function logBoundedEValue(units: Iterable<BoundedUnits>, r: number): number {
  return logE(groupUnits(units), r);
}

/**
 * Upper bound of the weighted mean that holds at all times simultaneously: with confidence 1 − δ, no inspection ever finds a
 * bound below the true mean.
 *
 * Formula: U = sup{r : E(r) < 1/δ}, E of `logBoundedEValue`; by bisection, since E rises with r. The upper end of the last
 * bracket is returned, so the bound is too wide by less than 1e-12, never too narrow.
 * Range: (0, 1]; 1 without units and where all units have value 1.
 * Undefined when: δ outside (0, 1): RangeError; units as for `logBoundedEValue`.
 * Differs from the paper: the paper prints no bounds.
 * @see `logBoundedEValue`
 * @example
 * boundedUpperBound([{ weight: 1, value: 0, count: 200 }], 0.05) // => 0.01876
 */
export function boundedUpperBound(units: Iterable<BoundedUnits>, delta: number): number {
  if (!(delta > 0 && delta < 1)) throw new RangeError(`delta: not an error rate; got ${delta}, expected 0 to 1`);
  const groups = groupUnits(units);
  const limit = -Math.log(delta);
  // Bisection, then regula falsi with the Illinois step; `high` always has E ≥ 1/δ.
  let [low, high] = [0, 1];
  let [below, above] = [-limit, Infinity];
  for (let step = 0; high - low > 1e-12 && step < 200; step += 1) {
    const steep = step >= 6 && step % 4 !== 3 && above < Infinity;
    const middle = steep ? low + ((high - low) * -below) / (above - below) : (low + high) / 2;
    const value = logE(groups, middle) - limit;
    if (value < 0) {
      low = middle;
      below = value;
      above /= 2;
    } else {
      high = middle;
      above = value;
      below /= 2;
    }
    if (value >= 0 && value < 1e-13) break;
  }
  return 1 - high < 1e-11 ? 1 : high;
}

/** Merges equal units, so that the cost depends only on the number of distinct units. */
export function groupUnits(units: Iterable<BoundedUnits>): Required<BoundedUnits>[] {
  const groups = new Map<number, Map<number, Required<BoundedUnits>>>();
  for (const { weight, value, count = 1 } of units) {
    if (!(weight >= 0 && weight <= 1 && value >= 0 && value <= 1 && count >= 0 && count < Infinity)) {
      throw new RangeError(
        `unit: weight and value must lie in 0 to 1 and count must not be negative; got weight ${weight}, value ${value}, count ${count}`,
      );
    }
    const sameWeight = groups.get(weight) ?? new Map<number, Required<BoundedUnits>>();
    if (sameWeight.size === 0) groups.set(weight, sameWeight);
    const group = sameWeight.get(value);
    if (group === undefined) sameWeight.set(value, { weight, value, count });
    else group.count += count;
  }
  return [...groups.values()].flatMap((sameWeight) => [...sameWeight.values()]);
}

/** ln of one unit's factor at each grid point: what a running e-value adds for it. */
export function unitLogFactors(weight: number, value: number, r: number): Float64Array {
  const angle = Math.asin(Math.sqrt(r));
  return Float64Array.from({ length: GRID_POINTS }, (_, g) => {
    const p = Math.sin(((g + 0.5) / GRID_POINTS) * angle) ** 2;
    return Math.log1p(weight * ((1 - value) * ((r - p) / (1 - r)) - value * ((r - p) / r)));
  });
}

function logE(groups: readonly Required<BoundedUnits>[], r: number): number {
  if (Number.isNaN(r)) throw new RangeError("r: not a limit; got NaN, expected a rate between 0 and 1");
  if (r >= 1) return Infinity;
  if (r <= 0 || groups.length === 0) return 0;
  const angle = Math.asin(Math.sqrt(r));
  const logs = new Float64Array(GRID_POINTS);
  for (let g = 0; g < GRID_POINTS; g += 1) {
    const p = Math.sin(((g + 0.5) / GRID_POINTS) * angle) ** 2;
    const gain = (r - p) / (1 - r);
    const loss = (r - p) / r;
    let log = 0;
    for (const { weight, value, count } of groups)
      log += count * Math.log1p(weight * ((1 - value) * gain - value * loss));
    logs[g] = log;
  }
  return logSumExp(logs) - Math.log(GRID_POINTS);
}

/**
 * p-value of "the mean loss is above the limit" for independent losses between 0 and 1, valid for every n. It generalises the binomial
 * tail, which is for losses of 0 and 1.
 *
 * Formula: min( e^{−n·kl(min(m, r) ‖ r)}, e·P(Bin(n, r) ≤ ⌈n m⌉), 1 ), m = sum / n, kl(a ‖ b) = a ln(a/b) + (1−a) ln((1−a)/(1−b)). The
 * sum is rounded up with a slack of 1e-9, so that ten losses of 0.1 sum to one and not two.
 * Range: (0, 1]; rises with the sum, falls with the limit.
 * Undefined when: n ≤ 0, sum outside 0..n, or the limit outside (0, 1): RangeError.
 * Differs from the paper: not in the paper.
 * @see Bates, Angelopoulos, Lei, Malik and Jordan (2021), Journal of the ACM 68:43, theorem 4
 * @example
 * hoeffdingBentkus(2, 50, 0.1) // => 0.282163792876
 */
export function hoeffdingBentkus(sum: number, n: number, limit: number): number {
  checkTrials(sum, n);
  if (!(limit > 0 && limit < 1)) throw new RangeError(`limit: not a rate; got ${limit}, expected between 0 and 1`);
  const mean = sum / n;
  if (mean >= limit) return 1;
  const hoeffding = Math.exp(-n * divergence(mean, limit));
  const count = Math.min(n, Math.ceil(sum - 1e-9 * Math.max(1, sum)));
  return Math.min(hoeffding, Math.E * binomialCdf(count, n, limit), 1);
}

/** kl(a ‖ b) of two Bernoulli distributions, in nats, for a < b. */
function divergence(a: number, b: number): number {
  return (a === 0 ? 0 : a * Math.log(a / b)) + (1 - a) * (Math.log1p(-a) - Math.log1p(-b));
}
