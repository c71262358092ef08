import paper from "../../../data/paper-world.json" with { type: "json" };
import type { WorldSettings } from "../../core/results/simulation.js";
import { COHORT, WORLD } from "./default-settings.js";
import { fleetCohort, fleetStates } from "./fleet-cohort.js";

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
