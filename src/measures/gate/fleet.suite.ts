import fc from "fast-check";
import type { Rng } from "../../stats/random/create-rng.js";
import { type GateCohort, type GateLimits, STANDARD_LIMITS } from "./gate-input.js";

/** A cohort by its counts; contradictions are level-3 verdicts with inverse Yes. */
export function cohort(n: number, indefensible: number, pure = 0, contradictions = 0, key = "a"): GateCohort {
  return { key, n, indefensible, inverse_yes: pure + contradictions, inverse_yes_pure: pure, unscored: 0 };
}

export const limits = (change: Partial<GateLimits> = {}): GateLimits => ({ ...STANDARD_LIMITS, ...change });

/** Any cohort whose counts fit together. */
export const anyCohort = fc
  .tuple(fc.integer({ min: 0, max: 400 }), fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.nat(20))
  .map(([n, a, b, c, unscored]): Omit<GateCohort, "key"> => {
    const indefensible = a % (n + 1);
    const pure = b % (n - indefensible + 1);
    const contradictions = c % (indefensible + 1);
    return { n, indefensible, inverse_yes: pure + contradictions, inverse_yes_pure: pure, unscored };
  });

/** A fleet with distinct names. */
export const anyFleet = fc
  .array(anyCohort, { maxLength: 25 })
  .map((cohorts): GateCohort[] => cohorts.map((counts, i) => ({ key: `c${i}`, ...counts })));

export interface TrueRates {
  indefensible: number;
  /** P(inverse = Yes) of a defensible verdict, and of an indefensible one. */
  pure: number;
  contradiction: number;
}

/** n verdicts drawn with the given true rates. */
export function drawCohort(rng: Rng, key: string, n: number, rates: TrueRates): GateCohort {
  let indefensible = 0;
  let pure = 0;
  let contradictions = 0;
  for (let i = 0; i < n; i += 1) {
    const bad = rng.next() < rates.indefensible;
    const yes = rng.next() < (bad ? rates.contradiction : rates.pure);
    if (bad) indefensible += 1;
    if (yes && bad) contradictions += 1;
    if (yes && !bad) pure += 1;
  }
  return cohort(n, indefensible, pure, contradictions, key);
}

/** Whether the true rates meet the limits. */
export function trulyGood(rates: TrueRates, { di, ai }: GateLimits): boolean {
  const { indefensible, pure, contradiction } = rates;
  return 1 - indefensible >= di && indefensible * contradiction + (1 - indefensible) * pure <= ai;
}

/**
 * 270 communities as in the paper's fleet: 165 / 40 / 65 of the three states by their mean rates (3.2 / 32 / 7.8% of
 * level 3), with spread, 25 to 800 verdicts each, most of them small.
 */
export function drawFleet(rng: Rng, size = 270): { cohorts: GateCohort[]; truth: TrueRates[] } {
  const states = [
    { until: 165 / 270, indefensible: 0.032, pure: 0.045 },
    { until: 205 / 270, indefensible: 0.32, pure: 0.1 },
    { until: 1, indefensible: 0.078, pure: 0.18 },
  ];
  const cohorts: GateCohort[] = [];
  const truth: TrueRates[] = [];
  for (let i = 0; i < size; i += 1) {
    const state = states.find(({ until }) => (i + 0.5) / size < until)!;
    // Between a quarter and four times the state's odds, log-uniform.
    const around = (rate: number) => {
      const odds = (rate / (1 - rate)) * Math.exp((2 * rng.next() - 1) * Math.log(4));
      return odds / (1 + odds);
    };
    const rates = { indefensible: around(state.indefensible), pure: around(state.pure), contradiction: 0.88 };
    const n = Math.floor(25 * Math.exp(rng.next() * Math.log(32)));
    cohorts.push(drawCohort(rng, `c${i}`, n, rates));
    truth.push(rates);
  }
  return { cohorts, truth };
}
