import type { SimulatedCohort, WorldSettings } from "../../src/core/results/simulation.js";
import { PAPER_RATES } from "../../src/simulation/world/level-shares.js";
import { type CommunityPlan, planCommunities } from "../../src/simulation/world/plan-communities.js";
import { WORLD } from "../../src/simulation/world/presets.js";
import { createRng, type Rng } from "../../src/stats/random/create-rng.js";
import { partsOf } from "./paper-noise.js";

const { states, fleet, gate } = PAPER_RATES;

/** What the paper prints of its fleet and the fit goes by, in the order of `fleetNumbers`. */
export const PRINTED_FLEET: readonly (readonly [name: string, printed: number])[] = [
  ...states.flatMap(({ name, communities, di, ai }) => [
    [`${name}: communities`, communities] as const,
    [`${name}: mean DI`, di] as const,
    [`${name}: mean AI`, ai] as const,
  ]),
  ["indefensible decisions", 1 - fleet.di],
  ["coverage of the standard gate", gate.coverage],
];

/** Mean over simulated fleets of what is printed of one, and how much single fleets scatter around it. */
export function fleetNumbers(cohort: SimulatedCohort, seeds: readonly number[]): { mean: number[]; sd: number[] } {
  const all = seeds.map((seed) => numbersOf(seenFleet(cohort, WORLD.threads, seed, fleet.large.min)));
  const mean = PRINTED_FLEET.map((_, i) => all.reduce((sum, one) => sum + one[i]!, 0) / all.length);
  const sd = mean.map((centre, i) =>
    Math.sqrt(all.reduce((sum, one) => sum + (one[i]! - centre) ** 2, 0) / (all.length - 1)),
  );
  return { mean, sd };
}

function numbersOf(communities: readonly SeenCommunity[]): number[] {
  const rates = communities.map(({ decisions, indefensible, inverse }) => ({
    decisions,
    indefensible,
    di: 1 - indefensible / decisions,
    ai: inverse / decisions,
  }));
  const passes = rates.filter(({ di, ai }) => di >= gate.di && ai <= gate.ai);
  const gaps = rates.filter(({ di }) => di < gate.di);
  const complex = rates.filter(({ di, ai }) => di >= gate.di && ai > gate.ai);
  const sum = (some: readonly (typeof rates)[number][], of: "decisions" | "indefensible" | "di" | "ai") =>
    some.reduce((total, one) => total + one[of], 0);
  return [
    ...[passes, gaps, complex].flatMap((some) => [
      some.length,
      sum(some, "di") / some.length,
      sum(some, "ai") / some.length,
    ]),
    sum(rates, "indefensible") / sum(rates, "decisions"),
    sum(passes, "decisions") / sum(rates, "decisions"),
  ];
}

/** What a gate sees of a community. */
interface SeenCommunity {
  decisions: number;
  indefensible: number;
  inverse: number;
}

/** The communities of a fleet with at least `min` decisions, as the paper's auditor sees them: no text is written. */
function seenFleet(
  cohort: SimulatedCohort,
  threads: WorldSettings["threads"],
  seed: number,
  min: number,
): SeenCommunity[] {
  const rng = createRng(seed).fork("seen");
  return planCommunities(cohort, rng)
    .filter(({ decisions }) => decisions >= min)
    .map((plan, i) => seenCommunity(plan, threads, rng.fork(`community ${i}`)));
}

function seenCommunity(plan: CommunityPlan, threads: WorldSettings["threads"], rng: Rng): SeenCommunity {
  const { state, open, error, decisions } = plan;
  const parts = partsOf({ open, void: Math.min(state.void, 1 - open), implied: state.implied, error });
  const seen: SeenCommunity = { decisions, indefensible: 0, inverse: 0 };
  let first: number | null = null;
  for (let i = 0; i < decisions; i++) {
    if (first === null || rng.next() >= 1 - 1 / threads.size) first = null;
    const again: boolean = first !== null && rng.next() < threads.correlation;
    const part: number = again ? first! : pick(parts, rng.next());
    first ??= part;
    const { levels, inverse } = parts[part]![1];
    if (rng.next() < levels[2]) seen.indefensible += 1;
    if (rng.next() < inverse) seen.inverse += 1;
  }
  return seen;
}

function pick(parts: ReturnType<typeof partsOf>, place: number): number {
  let left = place;
  for (let i = 0; i < parts.length; i++) {
    left -= parts[i]![0];
    if (left < 0) return i;
  }
  return parts.length - 1;
}
