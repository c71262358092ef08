import type { GateMode } from "../../core/gate.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import { type GateCohort, STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import { cellMask, countIn, type Tally } from "../../measures/metrics/tally.js";

/** What each mode promises of communities that should not pass. */
export const PROMISES: Readonly<Record<GateMode, string>> = {
  paper: "nothing",
  shrunk: "of those that pass at most 5 % should not, on average",
  certified: "none that should not passes, with probability 0.95",
};

export interface Openings {
  passing: number;
  /** Passed, and should not. */
  wrong: number;
  /** Should pass, and those of them that did. */
  good: number;
  found: number;
}

/** Whether a community keeps the limits. */
export function keepsLimits(rates: { defensibility_index: number; ambiguity_index: number }): boolean {
  return rates.defensibility_index >= STANDARD_LIMITS.di - 1e-9 && rates.ambiguity_index <= STANDARD_LIMITS.ai + 1e-9;
}

const LEVEL_3 = cellMask((cell) => cell.level === 3);
const YES = cellMask((cell) => cell.inverse);
const PURE = cellMask((cell) => cell.inverse && cell.level !== 3);
const ALL = cellMask(() => true);

/** Opens the gate on what was audited, in each mode, and counts whom it should not have let through. */
export function gateOpenings(tallies: readonly Tally[], good: readonly boolean[]): Record<GateMode, Openings> {
  const cohorts = tallies.map(
    (tally): GateCohort => ({
      key: tally.cluster,
      n: countIn(tally, ALL),
      indefensible: countIn(tally, LEVEL_3),
      inverse_yes: countIn(tally, YES),
      inverse_yes_pure: countIn(tally, PURE),
      unscored: tally.unscored,
    }),
  );
  const { communities } = evaluateGate(cohorts, { frontier: false, look: "once" });
  const places = new Map(tallies.map(({ cluster }, i) => [cluster, i]));
  const eligible = communities.filter(({ n }) => n >= STANDARD_LIMITS.min_decisions);
  const count = (mode: GateMode): Openings => {
    const passed = eligible.filter(({ passes }) => passes[mode]);
    const isGood = ({ community }: (typeof eligible)[number]) => good[places.get(community)!]!;
    return {
      passing: passed.length,
      wrong: passed.filter((one) => !isGood(one)).length,
      good: eligible.filter(isGood).length,
      found: passed.filter(isGood).length,
    };
  };
  return { paper: count("paper"), shrunk: count("shrunk"), certified: count("certified") };
}
