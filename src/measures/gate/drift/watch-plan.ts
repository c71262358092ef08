import { eBenjaminiHochberg } from "../../../stats/tests/multiple-testing.js";
import {
  checkRate,
  DRIFT_ODDS_RATIOS,
  driftAlternatives,
  type EDetectorFactors,
  eDetectorFactors,
  productLogE,
} from "./e-detector.js";
import { WATCHED, type Watched, type WatchOptions, type WatchState } from "./watch-types.js";

/** Default α: on average one false alarm per 1/α = 1,000 decisions per community. */
export const WATCH_ALPHA = 0.001;
/** Default probability of a wrong reinstatement. */
export const WATCH_DELTA = 0.05;

/** Detectors of a watch and their guarantee. */
export interface WatchPlan {
  settings: WatchState["settings"];
  /** Run length of each detector of each community, in that community's own decisions. */
  arl_each: number;
  e_detector: Record<Watched, EDetectorFactors>;
  /** False where p0 was estimated: there is then no guarantee about false alarms. */
  guaranteed: boolean;
  promise: string;
}

/**
 * Distributes the false alarms of a fleet over its detectors.
 *
 * Formula: D detectors in each of G communities, each with a run length of D·G/α of the community's own decisions. The sum of all statistics grows
 * by at most D for each decision anywhere, so at the first alarm, in decisions T of the whole fleet, D·G/α ≤ E[Σ M_T] ≤ D·E[T], that is E[T] ≥ G/α:
 * 1/α decisions per community. No independence is needed.
 * Range: thresholds grow with G like ln G, so in a fleet a thousand times larger they are some 7 nats higher.
 * Undefined when: p0, α or δ outside (0, 1), a fleet that is not a count from 1 on: RangeError.
 * Differs from the paper: not in the paper.
 * @see `eDetector`
 * @example
 * planWatch({ p0: { indefensible: 0.1, ambiguous: 0.15 }, fleet: 10 }).arl_each // => 20000
 */
export function planWatch(options: WatchOptions): WatchPlan {
  const settings = watchSettings(options);
  const { p0, alpha, fleet } = settings;
  const { detectors = ["e_detector"] } = options as { detectors?: readonly string[] };
  if (detectors.join() !== "e_detector") {
    throw new RangeError(
      `detectors: removed; got ${detectors.join(", ")}, expected none. Watches have e-detectors alone: leave \`detectors\` out.`,
    );
  }
  checkRate("alpha", alpha);
  checkRate("delta", settings.delta);
  if (!(Number.isSafeInteger(fleet) && fleet >= 1)) {
    throw new RangeError(`fleet: not a number of communities; got ${fleet}, expected an integer from 1 on`);
  }
  const factors = (which: Watched) => eDetectorFactors(p0[which], driftAlternatives(p0[which], settings.odds_ratios));
  const guaranteed = settings.p0_from !== "estimate";
  return {
    settings,
    arl_each: (WATCHED.length * fleet) / alpha,
    e_detector: { indefensible: factors("indefensible"), ambiguous: factors("ambiguous") },
    guaranteed,
    promise: guaranteed
      ? `while every community keeps its limits, at least ${Math.round(1 / alpha)} ${settings.units} per community pass on average before the first false alarm in the fleet`
      : "nothing about false alarms: the rates to compare with are estimates, and the true ones may be higher; use the gate's limits",
  };
}

/** Options with their defaults. */
export function watchSettings(options: WatchOptions): WatchState["settings"] {
  return {
    p0: { indefensible: options.p0.indefensible, ambiguous: options.p0.ambiguous },
    p0_from: options.p0_from ?? "limit",
    units: options.units ?? "decisions",
    fleet: options.fleet,
    alpha: options.alpha ?? WATCH_ALPHA,
    delta: options.delta ?? WATCH_DELTA,
    odds_ratios: [...(options.odds_ratios ?? DRIFT_ODDS_RATIOS)],
  };
}

/** Evidence that one community has been above its limits since its last reset or reinstatement. */
export interface KeyEvidence {
  key: string;
  n: number;
  indefensible: number;
  ambiguous: number;
  log_e: Record<Watched, number>;
  /** For both rates together: ln of the mean of the two e-values. */
  log_e_both: number;
  /** Smallest false discovery rate at which e-BH names the community. */
  q: number;
}

/**
 * The communities that have been above a limit, over the whole fleet, with the false discovery rate controlled at any time of checking. For a
 * change late in a long stream this is slower than the detectors, because the good time before it counts too.
 *
 * Formula: E = (E_L3 + E_Yes) / 2 per community with `productLogE` of its counts; e-BH over the communities.
 * Range: q in [0, 1]; naming all communities with q ≤ α has a false discovery rate of at most α, however the communities depend on each other.
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
