import type { GateLook } from "../adjustment.js";

/**
 * Exact power as a function of n. For fixed allowances it falls with every further decision; it jumps where one more failure is allowed.
 * Allowances never fall with n.
 */
export interface PowerCurve<Allowed> {
  /** What n decisions may hold. */
  allowed: (n: number) => Allowed;
  same: (a: Allowed, b: Allowed) => boolean;
  /** Probability that n decisions hold no more than that. */
  power: (n: number, allowed: Allowed) => number;
}

/** First n of [from, to] that reaches the power; null if none does. Halves that cannot hold it are skipped as a whole. */
export function firstReaching<A>(curve: PowerCurve<A>, power: number, from: number, to: number): number | null {
  if (to < from) return null;
  const most = curve.allowed(to);
  // The fewest decisions with the greatest allowances: no n in between has more power.
  if (curve.power(from, most) < power) return null;
  if (from === to || curve.same(curve.allowed(from), most)) return from;
  const middle = Math.floor((from + to) / 2);
  return firstReaching(curve, power, from, middle) ?? firstReaching(curve, power, middle + 1, to);
}

/** Last n of [from, to] that falls short of the power; null if none does. */
export function lastBelow<A>(curve: PowerCurve<A>, power: number, from: number, to: number): number | null {
  if (to < from) return null;
  const least = curve.allowed(from);
  // The most decisions with the least allowances: no n in between has less power.
  if (curve.power(to, least) >= power) return null;
  if (from === to || curve.same(least, curve.allowed(to))) return to;
  const middle = Math.floor((from + to) / 2);
  return lastBelow(curve, power, middle + 1, to) ?? lastBelow(curve, power, from, middle);
}

/**
 * A number of decisions from which on the power is reached for certain. It may be far too large: it says how far exact power has to be
 * followed to know that it stays.
 *
 * Formula: ⌈max(ln(1/δ)/KL(x‖r), ln(1/(1 − power))/KL(x‖p))⌉ at the x between p and r where the two are equal. By Chernoff's bound
 * ⌊xn⌋ failures are then allowed, and more of them have probability at most 1 − power, for this n and for every larger one.
 * With `anytime` δ is divided by 4√n, since a Jeffreys mixture lies at most that factor below its greatest likelihood ratio.
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
