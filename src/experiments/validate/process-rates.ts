import type { SimulatedCohort, SimulatedState, WorldSettings } from "../../core/results/simulation.js";
import { communitySizes } from "../../simulation/world/community-sizes.js";
import { type ExpectedRates, expectedRates } from "../../simulation/world/expected-rates.js";
import type { Rng } from "../../stats/random/create-rng.js";
import { drawBeta } from "../../stats/random/draw-beta.js";

/** Communities whose states and sizes are drawn, in so many worlds: their shares are then known far better than any one world's. */
const COMMUNITIES = 24_000;
const LEAST_WORLDS = 50;
const MOST_WORLDS = 2000;
const BETA_DRAWS = 1000;

/**
 * Rates of the process that draws worlds: those of its states by the settings, each weighing by its mean share of a world's decisions, over worlds
 * that nobody audits. Taken from the worlds that are judged, a rate would lie in the interval of a single one by construction.
 */
export function processRates(settings: WorldSettings, rng: Rng): ExpectedRates {
  const cohort = settings.cohorts[0]!;
  const shares = stateShares(cohort, rng.fork("sizes"));
  const sums: ExpectedRates = { defensibility_index: 0, ambiguity_index: 0, ambiguity_pure: 0 };
  for (const state of cohort.states) {
    const share = shares.get(state) ?? 0;
    const rates = expectedRates({ ...state, void: meanVoid(state, cohort.concentration, rng.fork("void")) });
    for (const name of Object.keys(sums) as (keyof ExpectedRates)[]) sums[name] += share * rates[name];
  }
  return sums;
}

function stateShares(cohort: SimulatedCohort, rng: Rng): ReadonlyMap<SimulatedState, number> {
  const worlds = Math.min(MOST_WORLDS, Math.max(LEAST_WORLDS, Math.ceil(COMMUNITIES / cohort.communities)));
  const shares = new Map<SimulatedState, number>();
  for (let world = 0; world < worlds; world++) {
    for (const { state, decisions } of communitySizes(cohort, rng.fork(`world ${world}`))) {
      shares.set(state, (shares.get(state) ?? 0) + decisions / cohort.decisions / worlds);
    }
  }
  return shares;
}

/** Content that no rule covers has what open content leaves: a community's open share is drawn around its state's, and the rest may be too small. */
function meanVoid({ open, void: none }: SimulatedState, concentration: number, rng: Rng): number {
  let sum = 0;
  for (let i = 0; i < BETA_DRAWS; i++) {
    sum += Math.min(none, 1 - drawBeta(open * concentration, (1 - open) * concentration, rng));
  }
  return sum / BETA_DRAWS;
}
