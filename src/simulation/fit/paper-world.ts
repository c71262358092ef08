import type { SimulatedCohort, WorldSettings } from "../../core/results/simulation.js";
import { WORLD } from "../world/default-settings.js";
import { PAPER_COHORT } from "../world/fleet-cohort.js";
import { PAPER_RATES } from "../world/paper-rates.js";
import { balancedHumans, faultlessState, fittedState, randomHumans } from "./fit-cohorts.js";
import { fittedTier } from "./fit-tiers.js";
import { FITTED_FLEET, fittedFleet } from "./fitted-fleet.js";

/** Share of removals in the cohort of tiers: not published, so assumed. */
const TIER_REMOVALS = 0.4;

let fitted: WorldSettings | null = null;

/** The paper's cohorts, planted so that the published rates are what its auditor writes. */
export function paperWorld(): WorldSettings {
  fitted ??= fitWorld();
  return structuredClone(fitted);
}

function fitWorld(): WorldSettings {
  const { random, balanced, tiers, expert, human } = PAPER_RATES;
  const [ofRandom, ofBalanced] = [fittedState(random), fittedState(balanced)];
  return {
    ...WORLD,
    // Communities do not differ in what they prefer on open content: that is not printed.
    preference: 1000,
    cohorts: [
      {
        ...PAPER_COHORT,
        name: "random",
        communities: random.communities,
        decisions: random.decisions,
        states: [ofRandom],
        ...randomHumans(ofRandom),
      },
      {
        ...PAPER_COHORT,
        name: "balanced",
        communities: random.communities,
        decisions: balanced.decisions,
        states: [ofBalanced],
        ...balancedHumans(ofBalanced),
      },
      {
        ...PAPER_COHORT,
        name: "underspecification",
        communities: 1,
        decisions: tiers.decisions,
        // Its `tiers` replace these rates.
        states: [fittedState({ di: 0.981, ai: 0.074 })],
        tiers: tierCohort(),
      },
      fittedFleet(FITTED_FLEET),
      {
        ...PAPER_COHORT,
        name: "expert",
        communities: 1,
        decisions: expert.decisions,
        // Traces of open content that stray to level 3 are more than the 2 % that is printed: nothing more is planted.
        states: [faultlessState(expert.ai)],
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

/** Of removals the paper prints the same for descriptions and whole texts, so nothing changes for them between these two. */
function tierCohort(): NonNullable<SimulatedCohort["tiers"]> {
  const { inverse, tiers } = PAPER_RATES;
  const { decisions, title, sidebar, wiki } = tiers;
  const removals = TIER_REMOVALS;
  const di = ({ indefensible }: { indefensible: number }) => 1 - indefensible / decisions;
  const rest = (all: number, ofRemovals: number) => (all - removals * ofRemovals) / (1 - removals);
  const removed = fittedTier({ ...wiki.removal, di: di(wiki) }, inverse, null);
  const approved = fittedTier({ ai: rest(wiki.ai, wiki.removal.ai), di: di(wiki) }, inverse, null);
  const byDescription = { ai: rest(sidebar.ai, sidebar.removal.ai), di: rest(di(sidebar), di(wiki)) };
  const byTitle = { ai: rest(title.ai, title.removal.ai), di: di(title) };
  return {
    removals,
    remove: {
      title: fittedTier({ ...title.removal, di: di(title) }, inverse, removed),
      sidebar: removed,
      wiki: removed,
    },
    approve: {
      title: fittedTier(byTitle, inverse, approved),
      sidebar: fittedTier(byDescription, inverse, approved),
      wiki: approved,
    },
  };
}
