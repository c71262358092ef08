import type { SimulatedCohort } from "../../core/results/simulation.js";
import { WORLD } from "../world/default-settings.js";
import { PAPER_RATES } from "../world/paper-rates.js";
import { type SeenCommunity, seenFleet } from "./seen-fleet.js";

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
