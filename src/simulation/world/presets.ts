import paper from "../../../data/paper-world.json" with { type: "json" };
import type { SimulatedCohort, SimulatedState, WorldSettings } from "../../core/results/simulation.js";
import { latentRates, levelShares, PAPER_RATES } from "./level-shares.js";

/** Default cohort: see `docs/simulation.md`. */
export const COHORT: SimulatedCohort = {
  name: "main",
  communities: 12,
  decisions: 600,
  large: null,
  tail: 1.2,
  states: [],
  concentration: 40,
  exact: true,
  violating: 0.25,
  missed: 0.5,
  implicit_norms: 0.06,
  shared_errors: 0.4,
  slips: 0.02,
  open_removed: { people: 0.5, decider: 0.5 },
  platform: 0.15,
  precedence: 0.02,
  tiers: null,
};

/** Default world, without cohorts. */
export const WORLD: WorldSettings = {
  book: "harbour",
  start: "2026-01-01T00:00:00Z",
  days: 180,
  cohorts: [],
  draws: [],
  rules: { min: 6, max: 9 },
  relations: { described: 0.3, detailed: 0.12, cleared: 0.1, excepted: 0.08 },
  subjective: 3,
  decider: { id: "quarry-2", confidence: 0.975, confidence_drop: 0.01 },
  labelled: 1,
  preference: 4,
  precedents: { per_community: 5, foreign: 0 },
  languages: { bilingual: 0.1, foreign: 0.4 },
  threads: { size: 1.5, correlation: 0.2 },
  drift: null,
  contest: { settled: 0.08, implied: 0.3, open: 0.7, void: 0.4, concentration: 6 },
};

export const PRESETS = ["small", "fleet", "paper"] as const;
export type Preset = (typeof PRESETS)[number];

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
      // Fitted by `test/paper-fit`, so that what the paper's auditor writes about this world has the published rates.
      return structuredClone(paper) as object as WorldSettings;
    default:
      throw new RangeError(`preset: unknown; got ${preset}, expected ${PRESETS.join(", ")}`);
  }
}

/** Not published, so assumed: see `docs/simulation.md`. */
const ASSUMED = { violating: 0.12, fleetMissed: 0.3 } as const;

/** With this share of violating content, 16% of the decisions are removals: the only share of actions that the paper prints. */
export const PAPER_COHORT: SimulatedCohort = { ...COHORT, violating: ASSUMED.violating };

/** The paper's fleet, with the states' published rates as its truth. */
export function fleetCohort(): SimulatedCohort {
  const { fleet } = PAPER_RATES;
  return {
    ...PAPER_COHORT,
    name: "fleet",
    communities: fleet.communities,
    decisions: fleet.decisions,
    large: { ...fleet.large },
    states: fleetStates(otherVolume()),
    // Communities with policy gaps err in a third of their clear cases: if half of those errors were missed violations, hardly any
    // violation would be caught.
    missed: ASSUMED.fleetMissed,
  };
}

/** The three governance states; `volume` is that of the two that fail a gate, relative to earned autonomy. */
function fleetStates(volume: number): SimulatedState[] {
  return PAPER_RATES.states.map(({ name, communities, di, ai }) =>
    stateOf(name, communities, name === "earned_autonomy" ? 1 : volume, di, ai),
  );
}

/**
 * Decisions per community in the two other states, relative to earned autonomy, such that the states' means give the fleet's published share of
 * indefensible decisions (5.66%, below the communities' mean of 8.6%). It is the same for both, for lack of a second equation.
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
