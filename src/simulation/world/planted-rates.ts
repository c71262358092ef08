import type { Truth } from "../../core/records/truth.js";
import type { PlantedRates } from "../../core/results/simulated-world.js";

const TIER_NAMES = ["title", "sidebar", "wiki"] as const;
const SCOPE_NAMES = ["platform", "community"] as const;
const CAUSES = ["model_error", "implicit_norm", "policy_ambiguity", "human_error"] as const;

/** Counts truths as they pass. */
export class PlantedTally {
  communities = 0;
  private n = 0;
  private readonly counts = new Map<string, number>();

  add(truth: Truth): void {
    this.n += 1;
    this.count(`level ${truth.level}`);
    if (truth.inverse) {
      this.count("inverse");
      this.count(`inverse ${truth.rule ? truth.rule.scope : "none"}`);
      this.count(truth.level === 3 ? "contradiction" : "pure");
    } else if (truth.level === 3) this.count("void");
    this.count(truth.cause);
    for (const tier of TIER_NAMES) this.verdict(`tier ${tier}`, truth.tiers[tier]);
    for (const scope of SCOPE_NAMES) this.verdict(`scope ${scope}`, truth.scopes[scope]);
  }

  rates(): PlantedRates {
    const share = (key: string) => (this.n === 0 ? null : (this.counts.get(key) ?? 0) / this.n);
    const pair = (key: string) => ({
      defensibility_index: share(`${key} derivable`),
      ambiguity_index: share(`${key} inverse`),
    });
    const tier = (name: (typeof TIER_NAMES)[number]) => pair(`tier ${name}`);
    return {
      decisions: this.n,
      communities: this.communities,
      levels: { "1": share("level 1"), "2": share("level 2"), "3": share("level 3") },
      defensibility_index: share("tier wiki derivable"),
      ambiguity_index: share("inverse"),
      ambiguity: {
        platform: share("inverse platform"),
        community: share("inverse community"),
        none: share("inverse none"),
        pure: share("pure"),
        contradiction: share("contradiction"),
      },
      void: share("void"),
      tiers: { title: tier("title"), sidebar: tier("sidebar"), wiki: tier("wiki") },
      scopes: { platform: pair("scope platform"), community: pair("scope community") },
      causes: Object.fromEntries(CAUSES.map((cause) => [cause, share(cause)])) as PlantedRates["causes"],
    };
  }

  private verdict(key: string, verdict: { level: number; inverse: boolean }): void {
    if (verdict.level !== 3) this.count(`${key} derivable`);
    if (verdict.inverse) this.count(`${key} inverse`);
  }

  private count(key: string): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}
