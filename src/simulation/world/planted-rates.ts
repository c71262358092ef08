import type { TrueVerdict, Truth } from "../../core/records/truth.js";
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

/**
 * What is true of the opposite decision about the same content, from what is true of this one: the truth behind a dual audit.
 *
 * Formula: the opposite is derivable ⇔ inverse. Both derivable → (2, true); only the opposite → (1, false); only this one → (3, true);
 * neither → (3, false).
 * Range: a verdict. Twice the opposite is the verdict itself, save that one-sided level 2 comes back as level 1: the verdict on the other
 * decision does not tell whether this one rests on a rule's words or on its purpose.
 * Undefined when: never.
 * Differs from the paper: not in the paper.
 * @see paper §3.1
 * @example oppositeTruth({ level: 1, inverse: false }) // => { level: 3, inverse: true }
 */
export function oppositeTruth(verdict: TrueVerdict): TrueVerdict {
  const derivable = verdict.level !== 3;
  if (verdict.inverse) return derivable ? { level: 2, inverse: true } : { level: 1, inverse: false };
  return { level: 3, inverse: derivable };
}

/** What a community's decisions come to in the long run. */
export interface ExpectedRates {
  defensibility_index: number;
  ambiguity_index: number;
  ambiguity_pure: number;
}

/**
 * The rates that a community's latent rates imply: what its DI and AI would be with decisions without end and an auditor without error.
 *
 * Formula: s = 1 − open − void of its content has one derivable outcome; DI = open + s (1 − error), AI = open + s · error, AI_pure = open.
 * Range: [0, 1].
 * Undefined when: never.
 * Differs from the paper: not in the paper.
 * @see docs/simulation.md
 * @example expectedRates({ open: 0.1, void: 0, error: 0.1 }).defensibility_index // => 0.91
 */
export function expectedRates(rates: { open: number; void: number; error: number }): ExpectedRates {
  const settled = 1 - rates.open - rates.void;
  return {
    defensibility_index: rates.open + settled * (1 - rates.error),
    ambiguity_index: rates.open + settled * rates.error,
    ambiguity_pure: rates.open,
  };
}
