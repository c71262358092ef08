import type { SimulatedCohort, SimulatedState, WorldSettings } from "../../src/core/results/simulation.js";
import type { VerdictNumber } from "../../src/simulation/world/draw-content.js";
import { PAPER_RATES } from "../../src/simulation/world/level-shares.js";
import { fleetCohort, PAPER_COHORT, WORLD } from "../../src/simulation/world/presets.js";
import { balancedHumans, faultlessState, fittedState, randomHumans } from "./fit-cohorts.js";
import { type Contested, type Part, solveShares, writtenOf, writtenRates } from "./paper-noise.js";

type Tiers = NonNullable<SimulatedCohort["tiers"]>;
type VerdictShares = Tiers["remove"]["title"];

/** What the paper's auditor writes of decisions of one kind: level 1, AI and DI, or AI and DI. */
interface Wanted {
  level1?: number;
  ai: number;
  di: number;
}

/**
 * Planted shares of the verdicts of removals or of approvals at one tier, such that wanted rates are what the paper's auditor writes.
 *
 * Formula: (2, No), (2, Yes) and level 3 at which level 1, AI and DI are written as wanted; without a level 1, levels 2 and 3 with P(inverse | level 2)
 * as published. `solveShares` on `tierParts`.
 * Range: five shares that sum to 1.
 * Undefined when: no planted shares give the wanted rates: RangeError.
 * Differs from the paper: derived, not printed there.
 * @see docs/simulation.md
 * @param wiki the planted shares of the whole text; null where this tier is it
 */
function fittedTier(
  wanted: Wanted,
  [, a2, a3]: readonly [number, number, number],
  wiki: VerdictShares | null,
): VerdictShares {
  const { level1, ai, di } = wanted;
  const planted = ([no2, yes2, l3]: readonly number[]): VerdictShares => [
    ...([1 - no2! - yes2! - l3!, no2!, yes2!, a3 * l3!, (1 - a3) * l3!] as const),
  ];
  const ofLevels = ([l2, l3]: readonly number[]) => planted([(1 - a2) * l2!, a2 * l2!, l3!]);
  const written = (shares: VerdictShares) => writtenRates(tierParts(shares, wiki ?? shares));
  if (level1 === undefined) {
    const rates = (shares: readonly number[]) => [written(ofLevels(shares)).ai, written(ofLevels(shares)).di];
    // Content that is contested under the whole text strays more: slopes turn there, and the start lies beyond.
    return ofLevels(solveShares(rates, [ai, di], [ai, 1.5 * (1 - di)]));
  }
  const rates = (shares: readonly number[]) => {
    const out = written(planted(shares));
    return [out.level1, out.ai, out.di];
  };
  return planted(solveShares(rates, [level1, ai, di], [(di - level1) / 2, (di - level1) / 2, 1 - di]));
}

const CONTENT: readonly Contested[] = ["settled", "implied", "open", "settled", "void"];

/** What is written of a tier whose verdicts are coupled monotonely with those of the whole text. */
export function tierParts(tier: VerdictShares, wiki: VerdictShares): Part[] {
  const parts: Part[] = [];
  let [i, j, left, wikiLeft] = [0, 0, tier[0], wiki[0]];
  while (i < 5 && j < 5) {
    const share = Math.min(left, wikiLeft);
    const unsettled = (i === 1 || i === 2) && i !== j;
    if (share !== 0) parts.push([share, writtenOf(i as VerdictNumber, CONTENT[j]!, unsettled)]);
    left -= share;
    wikiLeft -= share;
    if (left <= wikiLeft) left = tier[++i]!;
    else wikiLeft = wiki[++j]!;
  }
  return parts;
}

/** What is planted of a governance state of the fleet. */
interface FleetState {
  name: string;
  communities: number;
  volume: number;
  open: number;
  error: number;
}

/** Found by `node scripts/fit-fleet.mjs`: see `docs/simulation.md`. */
export const FITTED_FLEET: readonly FleetState[] = [
  { name: "earned_autonomy", communities: 165, volume: 1, open: 0.005207, error: 0.03444 },
  { name: "policy_gaps", communities: 27.96, volume: 0.3216, open: 0.005744, error: 0.4576 },
  { name: "normative_complexity", communities: 79.72, volume: 0.5032, open: 0.1669, error: 0.07774 },
];

/** Communities of a state are more alike, and their sizes less unequal, than elsewhere: with more scatter the printed counts cannot come out. */
const SCATTER = { concentration: 200, tail: 3 } as const;

/** The fleet with states that are seen as published once its decisions have been audited. */
export function fittedFleet(states: readonly FleetState[]): SimulatedCohort {
  return { ...fleetCohort(), ...SCATTER, states: states.map(stateOf) };
}

/** Void content, of which the paper prints nothing here, is left out; implied content goes with open content as at level 2. */
function stateOf({ name, communities, volume, open, error }: FleetState): SimulatedState {
  const [, a2] = PAPER_RATES.inverse;
  const oneSided = ((1 - a2) / a2) * open;
  return { name, weight: communities, volume, open, void: 0, implied: oneSided / ((1 - open) * (1 - error)), error };
}

/** Share of removals in the cohort of tiers: not published, so assumed. */
const TIER_REMOVALS = 0.4;

/** The paper's cohorts, planted so that the published rates are what its auditor writes: `data/paper-world.json`. */
export function fitWorld(): WorldSettings {
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
        // Traces of open content that stray to level 3 are more than the 2% that is printed: nothing more is planted.
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
