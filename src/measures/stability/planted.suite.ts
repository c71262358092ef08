import type { StabilityGroup } from "../../core/names.js";
import { createRng } from "../../stats/random/create-rng.js";
import { samplingLaw } from "./cell-stats.js";
import type { Replicates } from "./replicates.js";
import { makeReplicates, type TestRow } from "./replicates.suite.js";

export interface Planted {
  cases: number;
  replicates: number;
  temperatures: readonly number[];
  seed: number;
  /** Spread of traces of Flippers at the lowest temperature, on the logit scale, and how it grows per unit of temperature. */
  flippers?: number;
  growth?: number;
}

/** A cohort in which cases differ in where they stand and, the first half, in how much their traces scatter. */
export function plantedCohort(options: Planted): { replicates: Replicates; groups: (StabilityGroup | null)[] } {
  const { cases, temperatures, flippers = 2.5, growth = 0, seed } = options;
  const rng = createRng(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());
  const groups = Array.from({ length: cases }, (_, i): StabilityGroup => (i < cases / 2 ? "flipper" : "stable"));
  const rows = groups.map((group) => {
    const place = 1.5 * normal() + 1;
    const entropy = rng.next();
    return temperatures.map((temperature) =>
      Array.from({ length: options.replicates }, (): TestRow => {
        const scatter = (group === "flipper" ? flippers : 0.8) + growth * (temperature - temperatures[0]!);
        const z = place + scatter * normal();
        const defensible = 1 / (1 + Math.exp(-z));
        const p: [number, number, number] = [0.8 * defensible, 0.2 * defensible, 1 - defensible];
        const law = samplingLaw(...p, temperature)!;
        const u = rng.next();
        const yes = 1 - defensible;
        return {
          level: u < law[0] ? 1 : u < law[0] + law[1] ? 2 : 3,
          p,
          pds: Math.exp(-0.36 * yes),
          inverseYesProb: yes,
          citationBits: entropy + 0.1 * rng.next(),
        };
      }),
    );
  });
  return { replicates: makeReplicates(rows, temperatures), groups };
}
