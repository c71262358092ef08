import type { SimulatedCohort, SimulatedState } from "../../core/results/simulation.js";
import { type Rng, shuffle } from "../../stats/random/create-rng.js";
import { drawBeta } from "../../stats/random/draw-normal.js";

/**
 * Shifts rates together until their weighted mean is the wanted one, so that a world of few large communities itself has the rates requested,
 * and not only such worlds on average.
 *
 * Formula: r_i' = 1/(1 + exp(−(ln(r_i/(1 − r_i)) + s))), with the s at which Σ w_i r_i' = mean · Σ w_i, by bisection.
 * Range: [0, 1]; the order of the rates is kept, and 0 and 1 do not change.
 * Undefined when: rates that are all 0 or 1 cannot reach the mean: the result is as near as they allow.
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

/** Log-odds beyond this are not a rate to plan for. */
const WIDEST = 60;
const STEPS = 60;

function shiftedRate(rate: number, shift: number): number {
  if (rate <= 0 || rate >= 1) return rate;
  return 1 / (1 + Math.exp(-(Math.log(rate / (1 - rate)) + shift)));
}

/** A community before it is named: size, state, and its own rates around its state's. */
export interface CommunityPlan extends CommunitySize {
  open: number;
  error: number;
  implicitNorms: number;
}

/** Plans the communities of a cohort. In an `exact` cohort, the mean rate of a state's communities, weighted by their decisions, is the state's. */
export function planCommunities(cohort: SimulatedCohort, rng: Rng): CommunityPlan[] {
  const sizes = communitySizes(cohort, rng.fork("sizes"));
  const rates = rng.fork("rates");
  const m = cohort.concentration;
  const plans = sizes.map((size): CommunityPlan => {
    const around = (mean: number) => drawBeta(mean * m, (1 - mean) * m, rates);
    return {
      ...size,
      open: around(size.state.open),
      error: around(size.state.error),
      implicitNorms: around(cohort.implicit_norms),
    };
  });
  if (!cohort.exact) return plans;
  for (const state of cohort.states) {
    const own = plans.filter((plan) => plan.state === state);
    centre(own, "open", state.open);
    centre(own, "error", state.error);
    centre(own, "implicitNorms", cohort.implicit_norms);
  }
  return plans;
}

function centre(plans: readonly CommunityPlan[], rate: "open" | "error" | "implicitNorms", mean: number): void {
  const shifted = shiftToMean(
    plans.map((plan) => plan[rate]),
    plans.map((plan) => plan.decisions),
    mean,
  );
  plans.forEach((plan, i) => {
    plan[rate] = shifted[i]!;
  });
}

interface CommunitySize {
  state: SimulatedState;
  decisions: number;
}

/**
 * The number of decisions and the state of each community of a cohort. Sizes follow a Pareto law and add up exactly; states are proportional
 * to their weights, to the nearest community, among both the large and the small communities.
 *
 * Formula: a state's communities share decisions in proportion to weight · volume; among them, size − least ∝ U^(−1/tail), by largest
 * remainders, where the least size is 1, or `large.min` for large ones. In a cohort that is not `exact`, each community's state is drawn
 * separately and size − least ∝ volume · U^(−1/tail). In a cohort with `large`, small ones stay below `large.min`, log-uniform.
 * Range: every size at least 1; their sum is `decisions`.
 * Undefined when: there are fewer decisions than the least sizes need, or more than the greatest allow: RangeError.
 * Differs from the paper: the paper prints the number of communities and of large ones, not the sizes.
 * @see paper appendix, table of datasets
 */
export function communitySizes(cohort: SimulatedCohort, rng: Rng): CommunitySize[] {
  const { communities, decisions, large } = cohort;
  const many = large ? large.communities : communities;
  const few = communities - many;
  const least = large ? large.min : 1;
  if (few < 0 || many * least + few > decisions || (few > 0 && many === 0)) {
    throw new RangeError(
      `cohort ${cohort.name}: sizes do not fit; ${decisions} decisions in ${communities} communities${large ? `, ${many} of them with ${least} or more` : ""}`,
    );
  }
  const small = smallSizes(few, Math.min(least - 1, Math.floor((decisions - many * least) / Math.max(1, few))), rng);
  const rest = decisions - small.reduce((sum, size) => sum + size, 0);
  const states = statesOf(cohort, many, rng.fork("large"));
  const sizes = sizesOf(states, rest, least, cohort, rng);
  const others = statesOf(cohort, few, rng.fork("small"));
  const plans = [
    ...states.map((state, i) => ({ state, decisions: sizes[i]! })),
    ...others.map((state, i) => ({ state, decisions: small[i]! })),
  ];
  return shuffle(plans, rng);
}

/** Gives each state's communities its share of the decisions, as nearly as the least sizes allow, and divides it among them. */
function sizesOf(
  states: readonly SimulatedState[],
  total: number,
  least: number,
  cohort: SimulatedCohort,
  rng: Rng,
): number[] {
  if (!cohort.exact) {
    const weights = states.map((state) => state.volume * (1 - rng.next()) ** (-1 / cohort.tail));
    return shareOut(total - least * states.length, weights).map((extra) => least + extra);
  }
  const members = cohort.states.map((state) => states.flatMap((one, i) => (one === state ? [i] : [])));
  const volumes = cohort.states.map((state, s) => state.volume * members[s]!.length);
  const wanted = shareOut(total, volumes).map((share, s) => Math.max(0, share - least * members[s]!.length));
  const free = total - least * states.length;
  const extras = shareOut(free, wanted.some((extra) => extra > 0) ? wanted : volumes);
  const sizes = states.map(() => least);
  members.forEach((own, s) => {
    if (own.length === 0) return;
    const weights = own.map(() => (1 - rng.next()) ** (-1 / cohort.tail));
    shareOut(extras[s]!, weights).forEach((extra, k) => {
      sizes[own[k]!]! += extra;
    });
  });
  return sizes;
}

/** Sizes from 1 to `greatest`, with small ones more likely, as on most platforms. */
function smallSizes(count: number, greatest: number, rng: Rng): number[] {
  return Array.from({ length: count }, () => Math.max(1, Math.floor(greatest ** rng.next())));
}

function statesOf({ states, exact }: SimulatedCohort, count: number, rng: Rng): SimulatedState[] {
  const weights = states.map((state) => state.weight);
  if (!exact) return Array.from({ length: count }, () => states[drawIndex(weights, rng)]!);
  const counts = shareOut(count, weights);
  return shuffle(
    states.flatMap((state, i) => Array.from({ length: counts[i]! }, () => state)),
    rng,
  );
}

function drawIndex(weights: readonly number[], rng: Rng): number {
  let u = rng.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [i, weight] of weights.entries()) {
    u -= weight;
    if (u < 0) return i;
  }
  return weights.length - 1;
}

/**
 * Divides a number of things in proportion to weights, to the nearest whole number.
 *
 * Formula: ⌊n w_i/Σw⌋, plus one for the largest remainders until all are given; ties to the first.
 * Range: counts that add up to n.
 * Undefined when: no weight is above 0: RangeError.
 * Differs from the paper: not in the paper.
 * @see Hamilton's method of apportionment
 * @example shareOut(10, [1, 1, 1]) // => [ 4, 3, 3 ]
 */
export function shareOut(n: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (!(sum > 0)) throw new RangeError("weights: none is above 0");
  const exact = weights.map((weight) => (n * weight) / sum);
  const counts = exact.map(Math.floor);
  const missing = n - counts.reduce((total, count) => total + count, 0);
  const order = exact.map((_, i) => i).sort((a, b) => exact[b]! - counts[b]! - (exact[a]! - counts[a]!) || a - b);
  for (const i of order.slice(0, missing)) counts[i]! += 1;
  return counts;
}
