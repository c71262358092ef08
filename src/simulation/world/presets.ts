import paper from "../../../data/paper-world.json" with { type: "json" };
import type { SimulatedCohort, SimulatedState, WorldSettings } from "../../core/results/simulation.js";
import { COHORT, WORLD } from "./default-settings.js";
import { latentRates, levelShares, PAPER_RATES } from "./level-shares.js";

export const PRESETS = ["small", "fleet", "paper"] as const;
export type Preset = (typeof PRESETS)[number];

/** The settings of a world by its name. */
export function presetWorld(preset: Preset): WorldSettings {
  switch (preset) {
    case "small":
      return {
        ...WORLD,
        cohorts: [{ ...COHORT, states: fleetStates(1) }],
        languages: { bilingual: 0.34, foreign: 0.4 },
      };
    case "fleet":
      return { ...WORLD, cohorts: [fleetCohort()] };
    case "paper":
      // Fitted by `test/paper-fit`: the published rates are what the paper's auditor writes of this world.
      return structuredClone(paper) as object as WorldSettings;
    default:
      throw new RangeError(`preset: unknown; got ${preset}, expected ${PRESETS.join(", ")}`);
  }
}

/** Not published, so assumed: see `docs/simulation.md`. */
const ASSUMED = { violating: 0.12, fleetMissed: 0.3 } as const;

/** With this share of violating content 16% of the decisions are removals, the one share of actions that the paper prints. */
export const PAPER_COHORT: SimulatedCohort = { ...COHORT, violating: ASSUMED.violating };

/** The paper's fleet with the states' published rates as its truth. */
export function fleetCohort(): SimulatedCohort {
  const { fleet } = PAPER_RATES;
  return {
    ...PAPER_COHORT,
    name: "fleet",
    communities: fleet.communities,
    decisions: fleet.decisions,
    large: { ...fleet.large },
    states: fleetStates(otherVolume()),
    // Communities with policy gaps err in a third of their clear cases: were half of these missed violations, hardly one would be caught.
    missed: ASSUMED.fleetMissed,
  };
}

/** The three governance states; `volume` is that of the two that fail a gate, relative to earned autonomy's. */
function fleetStates(volume: number): SimulatedState[] {
  return PAPER_RATES.states.map(({ name, communities, di, ai }) =>
    stateOf(name, communities, name === "earned_autonomy" ? 1 : volume, di, ai),
  );
}

/**
 * How many decisions a community of the two other states has for one of earned autonomy, so that the states' means give the fleet's published share
 * of indefensible decisions (5.66%, below the communities' mean of 8.6%): the same for both, for want of a second equation.
 */
export function otherVolume(): number {
  const [earned, ...others] = PAPER_RATES.states;
  const base = 1 - PAPER_RATES.fleet.di;
  const excess = (state: { communities: number; di: number }) => state.communities * (1 - state.di - base);
  return -excess(earned) / others.reduce((sum, state) => sum + excess(state), 0);
}

function stateOf(name: string, weight: number, volume: number, di: number, ai: number): SimulatedState {
  const { inverse } = PAPER_RATES;
  const rates = latentRates(levelShares({ di, ai, inverse }), [inverse[1], inverse[2]]);
  return { name, weight, volume, ...rates };
}
