import type { WorldSettings } from "../../core/results/simulation.js";
import { generatePlatformRules, generateWorld } from "../../simulation/world/generate-world.js";
import type { WorldCase, WorldCommunity } from "./audit-world.js";

/** Size of the worlds: large enough for a gate of 25 decisions, small enough that many can be made. */
export interface WorldSize {
  communities: number;
  decisions: number;
}

/** The first generated cohort of the settings, at another size, with communities that are a sample: what an interval over communities is about. */
export function resized(settings: WorldSettings, { communities, decisions }: WorldSize): WorldSettings {
  const [cohort] = settings.cohorts;
  return {
    ...settings,
    cohorts: [{ ...cohort!, communities, decisions, large: null, tiers: null, exact: false }],
    draws: [],
  };
}

/** A world without its texts: what estimators and a simulated auditor need. */
export function drawWorld(settings: WorldSettings, seed: number): WorldCommunity[] {
  const communities: WorldCommunity[] = [];
  const platform = generatePlatformRules(settings, seed).rules.length;
  for (const { community, expected, ruleSet, cases } of generateWorld(settings, seed)) {
    const own: WorldCase[] = [];
    for (const { decision, truth } of cases()) {
      const { id, human_label: label } = decision;
      own.push({
        // Ids repeat from world to world; the auditor must not misread the same cases in each.
        decisionId: `${seed}/${id}`,
        positive: decision.decision === "remove",
        humanPositive: label ? label === "remove" : null,
        truth,
      });
    }
    const platformRules = platform / (platform + ruleSet.rules.length);
    communities.push({ name: community, expected, platformRules, cases: own });
  }
  return communities;
}
