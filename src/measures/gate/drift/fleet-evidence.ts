import { eBenjaminiHochberg } from "../../../stats/tests/e-benjamini-hochberg.js";
import { driftAlternatives, productLogE } from "./e-detector.js";
import { WATCHED, type Watched, type WatchState } from "./watch-types.js";

/** Evidence that one community has been above its limits since it was last reset or reinstated. */
export interface KeyEvidence {
  key: string;
  n: number;
  indefensible: number;
  ambiguous: number;
  log_e: Record<Watched, number>;
  /** Of both rates together: ln of the mean of the two e-values. */
  log_e_both: number;
  /** Smallest level of false discoveries at which e-BH names the community. */
  q: number;
}

/**
 * Which communities have been above a limit, over the whole fleet and with the share of false names under control, at any time one cares to
 * look. Slower than the detectors for a change late in a long stream, because the good time before it counts too.
 *
 * Formula: E = (E_L3 + E_Yes) / 2 per community with `productLogE` of its counts; e-BH over the communities.
 * Range: q in [0, 1]; naming all with q ≤ α has a false discovery rate of at most α, however the communities depend on each other.
 * Undefined when: never; no communities, no evidence.
 * Differs from the paper: not in the paper.
 * @see `eBenjaminiHochberg`
 * @example
 * fleetEvidence({ settings: { p0: { indefensible: 0.1, ambiguous: 0.15 }, odds_ratios: [2] }, keys: [] }) // => []
 */
export function fleetEvidence(state: Pick<WatchState, "settings" | "keys">): KeyEvidence[] {
  const { p0, odds_ratios } = state.settings;
  const p1 = {
    indefensible: driftAlternatives(p0.indefensible, odds_ratios),
    ambiguous: driftAlternatives(p0.ambiguous, odds_ratios),
  };
  const found = state.keys.map(({ key, n, indefensible, ambiguous, weighted }) => {
    const counts = { indefensible, ambiguous };
    const sum = (which: Watched) => Math.min(weighted.n, weighted[which]);
    const [a, b] = WATCHED.map((which) => productLogE(sum(which), weighted.n, p0[which], p1[which])) as [
      number,
      number,
    ];
    const high = Math.max(a, b);
    const log_e_both = high + Math.log1p(Math.exp(Math.min(a, b) - high)) - Math.LN2;
    return { key, n, ...counts, log_e: { indefensible: a, ambiguous: b }, log_e_both };
  });
  const q = eBenjaminiHochberg(found.map(({ log_e_both }) => log_e_both));
  return found.map((evidence, i) => ({ ...evidence, q: q[i]! }));
}
