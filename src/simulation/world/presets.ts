import type { SimulatedCohort, SimulatedState, WorldSettings } from "../../core/results/simulation.js";
import { latentRates } from "./latent-rates.js";
import { levelShares } from "./level-shares.js";
import { PAPER_RATES } from "./paper-rates.js";
import { tierShares } from "./tier-shares.js";

export const PRESETS = ["small", "fleet", "paper"] as const;
export type Preset = (typeof PRESETS)[number];

/** Not published, so assumed: see `docs/simulation.md`. */
export const ASSUMED = { removals: 0.4, violating: 0.12, fleetMissed: 0.3 } as const;

/**
 * The human side of the two cohorts with labels, fitted: F1, disagreements, what of these is defensible and what both sides got wrong come out as
 * printed once the simulated auditor has added its noise. `docs/paper.md` has the counts that they follow from.
 */
const HUMAN_SIDE = {
  random: { violating: 0.05, missed: 1, shared_errors: 0.8, implicit_norms: 0.028, slips: 0.005 },
  balanced: { violating: 0.273, missed: 0.78, shared_errors: 0.385, implicit_norms: 0.38, slips: 0.02 },
} as const;

const COHORT: SimulatedCohort = {
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
  platform: 0.15,
  precedence: 0.02,
  tiers: null,
};

/** With this share of violating content 16 % of the decisions are removals, the one share of actions that the paper prints. */
const PAPER_COHORT: SimulatedCohort = { ...COHORT, violating: ASSUMED.violating };

const WORLD: WorldSettings = {
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
      return paperWorld();
  }
}

function paperWorld(): WorldSettings {
  const { random, balanced, tiers, expert, human } = PAPER_RATES;
  const one = (di: number, ai: number) => [stateOf("all", 1, 1, di, ai)];
  return {
    ...WORLD,
    // Open content is decided by a coin on both sides: what communities prefer is not printed.
    preference: 1000,
    cohorts: [
      { ...PAPER_COHORT, name: "random", ...sizes(random), states: one(random.di, random.ai), ...HUMAN_SIDE.random },
      {
        ...PAPER_COHORT,
        name: "balanced",
        communities: random.communities,
        decisions: balanced.decisions,
        states: one(balanced.di, balanced.ai),
        ...HUMAN_SIDE.balanced,
      },
      {
        ...PAPER_COHORT,
        name: "underspecification",
        communities: 1,
        decisions: tiers.decisions,
        states: one(0.981, 0.074),
        tiers: tierCohort(),
      },
      fleetCohort(),
      {
        ...PAPER_COHORT,
        name: "expert",
        communities: 1,
        decisions: expert.decisions,
        states: one(expert.di, expert.ai),
        concentration: 1e6,
      },
    ],
    draws: [
      { name: "sg-bench", from: "random", size: 1200, where: "agreed" },
      { name: "monte-carlo", from: "balanced", size: 1000, where: "contested" },
      { name: "human", from: "balanced", size: human.decisions, where: "any" },
    ],
  };
}

function sizes({ communities, decisions }: { communities: number; decisions: number }) {
  return { communities, decisions };
}

function tierCohort(): NonNullable<SimulatedCohort["tiers"]> {
  const { decisions, title, sidebar, wiki } = PAPER_RATES.tiers;
  const { removals } = ASSUMED;
  const [first, second, third] = [title, sidebar, wiki].map(({ indefensible, ai, removal }) =>
    tierShares({ di: 1 - indefensible / decisions, ai, removal }, PAPER_RATES.inverse, removals),
  );
  return {
    removals,
    remove: { title: first!.remove, sidebar: second!.remove, wiki: third!.remove },
    approve: { title: first!.approve, sidebar: second!.approve, wiki: third!.approve },
  };
}

function fleetCohort(): SimulatedCohort {
  const { fleet } = PAPER_RATES;
  return {
    ...PAPER_COHORT,
    name: "fleet",
    ...sizes(fleet),
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
 * of indefensible decisions (5.66 %, below the communities' mean of 8.6 %): the same for both, for want of a second equation.
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
