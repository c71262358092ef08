import { binomialCdf } from "../../stats/binomial-cdf.js";

/** A number of decisions at which a test certifies often enough. */
export interface PlanSize {
  n: number;
  /** Failures with which the test still certifies. */
  failures: number;
  /** Probability to certify. */
  power: number;
}

export interface CertifySize {
  /** With no failure at all. */
  zero_failures: number;
  /** First n that reaches the power. Null: see `reason`. */
  smallest: PlanSize | null;
  /** First n from which on every larger n reaches it too: exact power falls until one more failure is allowed. */
  from_then_on: PlanSize | null;
  reason: string | null;
}

export interface CertifyOptions {
  /** The rate to stay below. */
  limit: number;
  /** Chance to certify a rate that is at the limit. */
  delta: number;
  power: number;
  /** What the rate really is. */
  truth: number;
  /** Sizes above this are not looked for. Default 200,000. */
  largest?: number;
}

const LARGEST = 200_000;

/**
 * Fewest decisions with which no failure certifies a rate below the limit.
 *
 * Formula: ⌈ln δ / ln(1 − r)⌉, the smallest n with (1 − r)^n ≤ δ.
 * Range: at least 1; falls with the limit r and with δ.
 * Undefined when: r or δ lie outside (0, 1): RangeError.
 * Differs from the paper: the paper's gate opens at 25 decisions, with which nothing below 11.3 % can be certified.
 * @see docs/plan.md
 * @example
 * zeroFailureSize(0.1, 0.05) // => 29
 */
export function zeroFailureSize(limit: number, delta: number): number {
  checkFraction("limit", limit);
  checkFraction("delta", delta);
  return smallestSize(0, limit, delta, 1);
}

/**
 * Most failures among n decisions with which a rate at or above the limit is rejected.
 *
 * Formula: the largest k with P(Bin(n, r) ≤ k) ≤ δ; −1 when even k = 0 is not enough.
 * Range: −1 to n − 1; rises with n and δ.
 * Undefined when: n is not a count above 0, or r or δ lie outside (0, 1): RangeError.
 * Differs from the paper: the paper compares k/n with the limit.
 * @example
 * allowedFailures(61, 0.1, 0.05) // => 2
 */
export function allowedFailures(n: number, limit: number, delta: number): number {
  checkFraction("limit", limit);
  checkFraction("delta", delta);
  let low = -1;
  let high = n;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (binomialCdf(middle, n, limit) <= delta) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * How many decisions certify, with a given probability, that a rate is below a limit.
 *
 * Formula: k(n) as in `allowedFailures`, power(n) = P(Bin(n, p) ≤ k(n)), p the true rate. Power is a sawtooth in n: it
 * jumps where k(n) rises and falls in between. `smallest` is the first n with power(n) ≥ the power asked for,
 * `from_then_on` the first from which no later n (up to twice that) falls below it.
 * Range: n at least `zero_failures`.
 * Undefined when: p ≥ r (nothing to certify) or n would exceed `largest`: null with the reason.
 * Differs from the paper: the paper has no sample sizes.
 * @see docs/plan.md
 * @example
 * certifySize({ limit: 0.1, delta: 0.05, power: 0.8, truth: 0.02 }).smallest // => { n: 61, failures: 2, power: 0.877 }
 */
export function certifySize(options: CertifyOptions): CertifySize {
  const { limit, delta, power, truth, largest = LARGEST } = options;
  checkFraction("power", power);
  if (!(truth >= 0 && truth < 1)) throw new RangeError(`truth: not a rate; got ${truth}, expected 0 to 1`);
  const zero = zeroFailureSize(limit, delta);
  const none = (reason: string): CertifySize => ({ zero_failures: zero, smallest: null, from_then_on: null, reason });
  if (truth >= limit) return none("the true rate is not below the limit");
  let smallest: PlanSize | null = null;
  let steady: PlanSize | null = null;
  let n = zero;
  for (let failures = 0; n <= largest; failures++) {
    const best = binomialCdf(failures, n, truth);
    if (!smallest && best >= power) smallest = { n, failures, power: best };
    const next = smallestSize(failures + 1, limit, delta, n + 1, Math.round(1 / limit));
    // The last n before one more failure is allowed is the worst of them.
    const worst = binomialCdf(failures, next - 1, truth);
    if (worst < power) steady = null;
    else steady ??= { n, failures, power: best };
    if (steady && n > 2 * steady.n + 100) return { zero_failures: zero, smallest, from_then_on: steady, reason: null };
    n = next;
  }
  const reason = `more than ${largest} decisions`;
  return smallest
    ? { zero_failures: zero, smallest, from_then_on: steady, reason: steady ? null : reason }
    : none(reason);
}

/** Smallest n ≥ `from` with P(Bin(n, limit) ≤ failures) ≤ δ: the probability falls in n. */
function smallestSize(failures: number, limit: number, delta: number, from: number, guess = 1): number {
  const enough = (n: number) => n > failures && binomialCdf(failures, n, limit) <= delta;
  let low = from - 1;
  let step = Math.max(1, guess);
  let high = low + step;
  while (!enough(high)) {
    low = high;
    step *= 2;
    high = low + step;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function checkFraction(name: string, value: number): void {
  if (!(value > 0 && value < 1)) throw new RangeError(`${name}: not usable; got ${value}, expected between 0 and 1`);
}
