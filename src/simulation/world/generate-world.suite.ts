import type { WorldSettings } from "../../core/results/simulation.js";
import type { SimulatedCase } from "./draw-cases.js";
import { generateWorld } from "./generate-world.js";
import { presetWorld } from "./presets.js";

export function casesOf(world: WorldSettings, seed: number): SimulatedCase[] {
  return [...generateWorld(world, seed)].flatMap((community) => [...community.cases()]);
}

/** The small world with changes to its one cohort. */
export function world(
  cohort: Partial<WorldSettings["cohorts"][number]>,
  rest: Partial<WorldSettings> = {},
): WorldSettings {
  const base = presetWorld("small");
  return { ...base, ...rest, cohorts: [{ ...base.cohorts[0]!, ...cohort }] };
}

/** A state that is the only one. */
export const plain = { weight: 1, volume: 1, name: "all" };
