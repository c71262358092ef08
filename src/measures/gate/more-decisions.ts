import type { GateMode } from "../../core/gate.js";
import { posteriorBeta } from "../../stats/distributions/beta-binomial-fit.js";
import { lowerTail } from "../../stats/distributions/incomplete-beta.js";
import { firstWhere } from "../../stats/ranks/sorted-order.js";
import { type BoundedUnits, groupUnits, logBoundedEValue } from "../../stats/tests/bounded-e-value.js";
import { inverseOfE } from "../../stats/tests/multiple-testing.js";
import { whole } from "../../text/words.js";
import {
  ambiguousCount,
  effectiveShare,
  type GateCohort,
  type GateLimits,
  threadEvidence,
  threadUnits,
} from "./gate-input.js";
import { harmShareLimit, harmShares, harmUnits } from "./harm.js";
import { indefensibleLimit, meetsLimits, type ShrinkageFit } from "./limits.js";
import { type AdmissionLadder, admissionLadder } from "./pass-gate.js";

/** Needing more verdicts than this is not a practical plan. */
export const MOST_MORE_DECISIONS = 1_000_000;

export interface MoreDecisions {
  /** Verdicts still needed if the rates stay as observed; 0 when it passes; null, with the reason, when more data will not help. */
  more: number | null;
  reason: string | null;
}

export const SETTLED: MoreDecisions = Object.freeze({ more: 0, reason: null });
const HOPELESS = "no number of decisions helps while the rates stay as observed";
const TOO_MANY = `more than ${whole(MOST_MORE_DECISIONS)} decisions`;
const UNSEEN = "no verdict yet: the minimum is the least it takes";
const WAITING = "enough decisions, of threads that are still open: wait until they are closed";

/**
 * Smallest n ≥ `from` at which a condition holds, found by doubling and then bisection. The condition must stay true once it holds.
 *
 * Range: an integer ≥ from, or null beyond from + 1,000,000.
 * @example
 * smallestN((n) => n >= 100, 25) // => 100
 */
export function smallestN(holds: (n: number) => boolean, from: number): number | null {
  if (holds(from)) return from;
  const cap = from + MOST_MORE_DECISIONS;
  let low = from;
  let high = Math.min(cap, Math.max(2 * from, 1));
  while (!holds(high)) {
    if (high === cap) return null;
    low = high;
    high = Math.min(cap, 2 * high);
  }
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Paper mode: only the minimum number of verdicts can be missing. */
export function moreForPaper(cohort: GateCohort, limits: GateLimits): MoreDecisions {
  const missing = Math.max(limits.min_decisions, 1) - cohort.n;
  if (cohort.n === 0) return { more: missing, reason: UNSEEN };
  if (!meetsLimits(cohort, limits)) return { more: null, reason: HOPELESS };
  return { more: Math.max(0, missing), reason: null };
}

/**
 * Shrunk mode: smallest n at which the community would be admitted, with its counts grown in proportion (as real numbers) and the prior and all
 * other communities unchanged. If the prior is a mixture, its posterior is replaced by the Beta with the same mean and variance.
 */
export function moreForShrunk(
  cohort: GateCohort,
  own: number | null,
  limits: GateLimits,
  fit: ShrinkageFit,
  ladder: AdmissionLadder,
  q: number,
): MoreDecisions {
  const { indefensible, ambiguity } = fit;
  const least = Math.max(limits.min_decisions, 1);
  if (cohort.n === 0 || indefensible === null || ambiguity === null) return { more: least - cohort.n, reason: UNSEEN };
  if (!belowLimits(cohort, limits)) return { more: null, reason: HOPELESS };
  const bad = cohort.indefensible / cohort.n;
  const open = ambiguousCount(cohort, limits.variable) / cohort.n;
  const r = indefensibleLimit(limits);
  const inLadder = cohort.n >= least ? own : null;
  const share = effectiveShare(cohort);
  const most = limits.harm_limit ? harmShareLimit(limits.harm_limit) : 1;
  const harmful = (harmShares(cohort) ?? 0) / cohort.n;
  const harmTail = (n: number) => {
    if (most >= 1 || !fit.harm) return 0;
    const third = posteriorBeta(fit.harm.prior, harmful * n * share, n * share);
    return lowerTail(1 - most, most, third.b, third.a);
  };
  const holds = (n: number) => {
    const first = posteriorBeta(indefensible.prior, bad * n * share, n * share);
    const second = posteriorBeta(ambiguity.prior, open * n * share, n * share);
    const f = lowerTail(1 - r, r, first.b, first.a) + lowerTail(1 - limits.ai, limits.ai, second.b, second.a);
    return wouldBeAdmitted(ladder, inLadder, f + harmTail(n), q);
  };
  return found(smallestN(holds, Math.max(cohort.n + 1, least)), cohort.n);
}

/**
 * Certified mode: smallest n whose p = 1/E reaches the level that the adjustment requires, with threads grown in proportion. Verdicts of open
 * threads already exist; they only have to wait.
 */
export function moreForCertified(cohort: GateCohort, limits: GateLimits, level: number, cap: number): MoreDecisions {
  const least = Math.max(limits.min_decisions, 1);
  if (cohort.n === 0) return { more: least, reason: UNSEEN };
  if (!belowLimits(cohort, limits)) return { more: null, reason: HOPELESS };
  const { decisions, open } = threadEvidence(cohort, cap);
  if (decisions === 0) return { more: Math.max(0, least - cohort.n), reason: WAITING };
  const units = groupUnits(threadUnits(cohort, "indefensible", cap));
  const others = groupUnits(threadUnits(cohort, limits.variable, cap));
  const r = indefensibleLimit(limits);
  const harmful = limits.harm_limit ? groupUnits(harmUnits(cohort, cap)) : [];
  const most = limits.harm_limit ? harmShareLimit(limits.harm_limit) : 1;
  if (!isBelow(units, r) || !isBelow(others, limits.ai) || !isBelow(harmful, most)) {
    return { more: null, reason: HOPELESS };
  }
  const reaches = (list: readonly Required<BoundedUnits>[], n: number, limit: number) =>
    inverseOfE(
      logBoundedEValue(
        list.map((unit) => ({ ...unit, count: (unit.count * n) / decisions })),
        limit,
      ),
    ) <= level;
  const holds = (n: number) =>
    reaches(units, n, r) && reaches(others, n, limits.ai) && (most >= 1 || reaches(harmful, n, most));
  const needed = smallestN(holds, Math.max(decisions, least - open, 1));
  if (needed === null) return { more: null, reason: TOO_MANY };
  const more = Math.max(0, needed - decisions - open, least - cohort.n);
  return { more, reason: more === 0 ? WAITING : null };
}

/** What the community lacks if the limit of expected harm were the only one, i.e. until `passes` of its harm becomes true. */
export function moreForHarm(
  cohort: GateCohort,
  limits: GateLimits,
  {
    mode,
    fit,
    q,
    delta,
    threadCap,
  }: { mode: GateMode; fit: ShrinkageFit; q: number; delta: number; threadCap: number },
): MoreDecisions {
  const alone = { ...limits, di: 0, ai: 1, min_decisions: 1 };
  if (mode === "paper") return moreForPaper(cohort, alone);
  if (mode === "certified") return moreForCertified(cohort, alone, delta, threadCap);
  return moreForShrunk(cohort, null, alone, fit, admissionLadder([], q), 2 * q);
}

/** Whether the weighted mean of the units lies strictly below a limit. */
function isBelow(units: readonly Required<BoundedUnits>[], limit: number): boolean {
  let [sum, weights] = [0, 0];
  for (const { weight, value, count } of units) {
    sum += count * weight * value;
    weights += count * weight;
  }
  return limit >= 1 || sum / weights < limit - 1e-12;
}

/** Whether both rates are strictly inside the limits. At a limit, no number of decisions proves anything. */
function belowLimits(cohort: GateCohort, limits: GateLimits): boolean {
  const open = ambiguousCount(cohort, limits.variable) / cohort.n;
  const within = (rate: number, limit: number) => limit >= 1 || rate < limit - 1e-12;
  const { harm_limit: harm } = limits;
  const harmless = !harm || within((harmShares(cohort) ?? cohort.n) / cohort.n, harmShareLimit(harm));
  return harmless && within(cohort.indefensible / cohort.n, indefensibleLimit(limits)) && within(open, limits.ai);
}

/** Whether a value f in place of `own` (or added to the others, when null) would be admitted. */
function wouldBeAdmitted(ladder: AdmissionLadder, own: number | null, f: number, q: number): boolean {
  if (f > 2 * q) return false;
  const { sorted, sums } = ladder;
  const low = firstWhere(0, sorted.length, (k) => sorted[k]! > f);
  const counted = own !== null && own <= f;
  const below = (low === 0 ? 0 : sums[low - 1]!) - (counted ? own : 0);
  return (below + f) / (low - (counted ? 1 : 0) + 1) <= q;
}

function found(n: number | null, now: number): MoreDecisions {
  return n === null ? { more: null, reason: TOO_MANY } : { more: n - now, reason: null };
}
