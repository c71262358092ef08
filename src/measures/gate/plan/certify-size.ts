import { binomialCdf } from "../../../stats/distributions/incomplete-beta.js";
import { firstWhere } from "../../../stats/ranks/sorted-order.js";
import { logOneSidedEValue } from "../../../stats/tests/mixture-e-value.js";
import { inverseOfE } from "../../../stats/tests/multiple-testing.js";
import type { GateLook } from "../adjustment.js";

/** A sample size at which a test certifies with the requested power. */
export interface PlanSize {
  n: number;
  /** Most failures with which the test still certifies. */
  failures: number;
  /** Probability to certify. */
  power: number;
}

export interface CertifySize {
  /** Size needed if there are no failures. */
  zero_failures: number;
  /** First n that reaches the power; null: see `reason`. */
  smallest: PlanSize | null;
  /** First n from which every larger n reaches it too: exact power falls until one more failure is allowed. */
  from_then_on: PlanSize | null;
  reason: string | null;
}

export interface CertifyOptions {
  /** The rate to stay below. */
  limit: number;
  /** Probability of certifying a rate that is at the limit. */
  delta: number;
  power: number;
  /** The true rate. */
  truth: number;
  /** `anytime`: by the e-value, as the certified gate does; `once` (default): the exact test at one declared look. */
  look?: GateLook;
  /** Largest size to search. Default 200,000. */
  largest?: number;
}

const LARGEST = 200_000;
/** Exact power is checked up to this many times the largest size searched. */
const FURTHER = 10;

/** p-value of "the rate is at least the limit" after so many failures among n independent decisions. */
export function failurePValue(failures: number, n: number, limit: number, look: GateLook): number {
  return look === "once" ? binomialCdf(failures, n, limit) : inverseOfE(logOneSidedEValue(failures, n, limit));
}

/**
 * Fewest decisions at which zero failures certify a rate below the limit.
 *
 * Formula: ⌈ln δ / ln(1 − r)⌉, the smallest n with (1 − r)^n ≤ δ; with `anytime` the smallest n whose e-value reaches 1/δ.
 * Range: at least 1; falls as the limit r or δ grows.
 * Undefined when: r or δ lie outside (0, 1): RangeError.
 * Differs from the paper: the paper's gate opens at 25 decisions, which cannot certify any rate below 11.3%.
 * @see docs/plan.md
 * @example
 * zeroFailureSize(0.1, 0.05) // => 29
 */
export function zeroFailureSize(limit: number, delta: number, look: GateLook = "once"): number {
  checkFraction("limit", limit);
  checkFraction("delta", delta);
  return sizeAllowing(0, limit, delta, look);
}

/**
 * Most failures among n decisions at which a rate at or above the limit is still rejected.
 *
 * Formula: the largest k with P(Bin(n, r) ≤ k) ≤ δ, or with 1/E ≤ δ (`anytime`); −1 when even k = 0 is not enough.
 * Range: −1 to n − 1; rises with n and δ.
 * Undefined when: n is not a count above 0, or r or δ lie outside (0, 1): RangeError.
 * Differs from the paper: the paper compares k/n with the limit.
 * @example
 * allowedFailures(61, 0.1, 0.05) // => 2
 */
export function allowedFailures(n: number, limit: number, delta: number, look: GateLook = "once"): number {
  checkFraction("limit", limit);
  checkFraction("delta", delta);
  return firstWhere(0, n, (failures) => failurePValue(failures, n, limit, look) > delta) - 1;
}

/**
 * How many decisions are needed to certify, with a given probability, that a rate is below a limit.
 *
 * Formula: k(n) as in `allowedFailures`, power(n) = P(Bin(n, p) ≤ k(n)), p the true rate. Power is a sawtooth in n: it jumps where k(n) rises and
 * falls in between. `smallest` is the first n with power(n) ≥ the power asked for, `from_then_on` the first after which no n falls below it,
 * checked up to `certainSize`.
 * Range: n at least `zero_failures`.
 * Undefined when: p ≥ r (nothing to certify), n would exceed `largest`, or power would have to be checked too far: null with the reason.
 * Differs from the paper: the paper has no sample sizes.
 * @see docs/plan.md
 * @example
 * certifySize({ limit: 0.1, delta: 0.05, power: 0.8, truth: 0.02 }).smallest // => { n: 61, failures: 2, power: 0.877 }
 */
export function certifySize(options: CertifyOptions): CertifySize {
  const { limit, delta, power, truth, look = "once", largest = LARGEST } = options;
  checkFraction("power", power);
  if (!(truth >= 0 && truth <= 1)) throw new RangeError(`truth: not a rate; got ${truth}, expected 0 to 1`);
  const zero = zeroFailureSize(limit, delta, look);
  const answer = (smallest: PlanSize | null, steady: PlanSize | null, reason: string | null): CertifySize => ({
    zero_failures: zero,
    smallest,
    from_then_on: steady,
    reason,
  });
  if (truth >= limit) return answer(null, null, "the true rate is not below the limit");
  const curve: PowerCurve<number> = {
    allowed: (n) => allowedFailures(n, limit, delta, look),
    same: (a, b) => a === b,
    power: (n, failures) => (failures < 0 ? 0 : binomialCdf(Math.min(failures, n), n, truth)),
  };
  const sizeAt = (n: number): PlanSize => {
    const failures = curve.allowed(n);
    return { n, failures, power: curve.power(n, failures) };
  };
  const first = firstReaching(curve, power, zero, largest);
  if (first === null) return answer(null, null, `more than ${largest} decisions`);
  const end = certainSize({ limit, delta, power, truth, look });
  if (end > FURTHER * largest) {
    return answer(sizeAt(first), null, `power would have to be followed beyond ${FURTHER * largest} decisions`);
  }
  const steady = (lastBelow(curve, power, first, end) ?? first - 1) + 1;
  return steady > largest
    ? answer(sizeAt(first), null, `more than ${largest} decisions`)
    : answer(sizeAt(first), sizeAt(steady), null);
}

/** Fewest decisions that allow this many failures: the smallest n ≥ 1 whose p-value, which falls with n, is at most δ. */
export function sizeAllowing(failures: number, limit: number, delta: number, look: GateLook): number {
  const enough = (n: number) => n > failures && failurePValue(failures, n, limit, look) <= delta;
  let high = Math.max(1, Math.round(failures / limit));
  while (!enough(high)) high *= 2;
  return firstWhere(1, high, enough);
}

function checkFraction(name: string, value: number): void {
  if (!(value > 0 && value < 1)) throw new RangeError(`${name}: not usable; got ${value}, expected between 0 and 1`);
}

/** Exact power as a function of n. It falls with n for fixed allowances, and jumps where one more failure is allowed. These never fall with n. */
export interface PowerCurve<Allowed> {
  /** Allowed failures among n decisions. */
  allowed: (n: number) => Allowed;
  same: (a: Allowed, b: Allowed) => boolean;
  /** Probability that n decisions have no more failures than allowed. */
  power: (n: number, allowed: Allowed) => number;
}

/** First n of [from, to] that reaches the power; null: there is no such n. Halves that cannot contain it are skipped. */
export function firstReaching<A>(curve: PowerCurve<A>, power: number, from: number, to: number): number | null {
  if (to < from) return null;
  const most = curve.allowed(to);
  // The fewest decisions with the largest allowances: no n in between has more power.
  if (curve.power(from, most) < power) return null;
  if (from === to || curve.same(curve.allowed(from), most)) return from;
  const middle = Math.floor((from + to) / 2);
  return firstReaching(curve, power, from, middle) ?? firstReaching(curve, power, middle + 1, to);
}

/** Last n of [from, to] that falls short of the power; null: there is no such n. */
export function lastBelow<A>(curve: PowerCurve<A>, power: number, from: number, to: number): number | null {
  if (to < from) return null;
  const least = curve.allowed(from);
  // The most decisions with the smallest allowances: no n in between has less power.
  if (curve.power(to, least) >= power) return null;
  if (from === to || curve.same(least, curve.allowed(to))) return to;
  const middle = Math.floor((from + to) / 2);
  return lastBelow(curve, power, middle + 1, to) ?? lastBelow(curve, power, from, middle);
}

/**
 * A number of decisions from which the power is certainly reached. It may be far too large: its purpose is to bound how far exact power must be
 * checked to know that it stays high enough.
 *
 * Formula: ⌈max(ln(1/δ)/KL(x‖r), ln(1/(1 − power))/KL(x‖p))⌉ at the x between p and r where the two are equal. By Chernoff's bound ⌊xn⌋ failures
 * are then allowed, and more than that have probability at most 1 − power, for this n and for every larger one. With `anytime` δ is divided by 4√n,
 * since a Jeffreys mixture is at most that factor below its largest likelihood ratio.
 * Range: at least 1; ∞ where p and r are too close to tell apart.
 * Undefined when: p ≥ r: Infinity.
 * Differs from the paper: the paper has no sample sizes.
 * @see Hoeffding (1963), Journal of the American Statistical Association 58:13-30
 * @example
 * certainSize({ limit: 0.1, delta: 0.05, power: 0.8, truth: 0 }) // => 29
 */
export function certainSize(options: {
  limit: number;
  delta: number;
  power: number;
  truth: number;
  look?: GateLook;
}): number {
  const { limit, delta, power, truth, look = "once" } = options;
  if (truth >= limit) return Infinity;
  if (look === "anytime") {
    let size = certainSize({ limit, delta, power, truth });
    for (let step = 0; step < 5 && size < Infinity; step += 1) {
      size = Math.max(size, certainSize({ limit, delta: delta / (4 * Math.sqrt(size)), power, truth }));
    }
    return size;
  }
  const reject = (x: number) => -Math.log(delta) / divergence(x, limit);
  const stay = (x: number) => -Math.log1p(-power) / divergence(x, truth);
  let low = truth;
  let high = limit;
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (reject(middle) < stay(middle)) low = middle;
    else high = middle;
  }
  return Math.ceil(Math.min(bound(low), bound(high)));

  function bound(x: number): number {
    return x > truth && x < limit ? Math.max(reject(x), stay(x)) : Infinity;
  }
}

/** Kullback–Leibler divergence of two yes/no variables. */
function divergence(x: number, p: number): number {
  if (p === 0) return x === 0 ? 0 : Infinity;
  const yes = x === 0 ? 0 : x * Math.log(x / p);
  const no = x === 1 ? 0 : (1 - x) * (Math.log1p(-x) - Math.log1p(-p));
  return Math.max(0, yes + no);
}
