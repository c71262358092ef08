import type { TrueVerdict, Truth } from "../../core/records/label.js";
import type { PlantedRates } from "../../core/results/simulation.js";

const TIER_NAMES = ["title", "sidebar", "wiki"] as const;
const SCOPE_NAMES = ["platform", "community"] as const;
const CAUSES = ["model_error", "implicit_norm", "policy_ambiguity", "human_error"] as const;

/** Counts truths as they are generated. */
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
 * The truth about the opposite decision on the same content, derived from the truth about this one: the truth behind a dual audit.
 *
 * Formula: the opposite is derivable ⇔ inverse. Both derivable → (2, true); only the opposite → (1, false); only this one → (3, true);
 * neither → (3, false).
 * Range: a verdict. Applied twice, it returns the original verdict, except that one-sided level 2 becomes level 1: the verdict on the other
 * decision does not show whether this one rests on a rule's words or on its purpose.
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

/** The expected rates of a community's decisions in the long run. */
export interface ExpectedRates {
  defensibility_index: number;
  ambiguity_index: number;
  ambiguity_pure: number;
}

/**
 * The rates implied by a community's latent rates: its DI and AI with infinitely many decisions and an error-free auditor.
 *
 * Formula: a share s = 1 − open − void of its content has one derivable outcome; DI = open + s (1 − error), AI = open + s · error, AI_pure = open.
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

/**
 * The published rates and sizes on which the paper preset is based; nothing else is taken from the paper. P(inverse | level) are
 * the midpoints of the printed ranges.
 * @see paper §5.2–§5.4, §6, appendix (datasets)
 */
export const PAPER_RATES = {
  /** P(inverse check = Yes | level): 1.7–2.9%, 58.8–61.4%, 86.1–90.5%. */
  inverse: [0.023, 0.601, 0.883],
  random: {
    decisions: 26_984,
    communities: 398,
    di: 0.923,
    ai: 0.183,
    f1: 0.457,
    fnDefensible: 0.798,
    /** Printed as "about 6%". */
    accurateIndefensible: 0.06,
  },
  balanced: {
    decisions: 19_899,
    di: 0.873,
    ai: 0.249,
    f1: 0.543,
    fnDefensible: 0.806,
    disagreements: 6_760,
    /** Disagreements at level 3. */
    modelErrors: 1_311,
    /** Mean σ(ρ) of disagreements divided by that of agreements. */
    yesProbRatio: 1.63,
  },
  fleet: { decisions: 109_186, communities: 4_565, large: { communities: 270, min: 25 }, di: 1 - 0.0566 },
  /** The standard gate, and the share of the large communities' decisions that pass it. */
  gate: { di: 0.9, ai: 0.15, coverage: 0.774 },
  states: [
    { name: "earned_autonomy", communities: 165, di: 0.968, ai: 0.07 },
    { name: "policy_gaps", communities: 40, di: 0.677, ai: 0.36 },
    { name: "normative_complexity", communities: 65, di: 0.922, ai: 0.23 },
  ],
  tiers: {
    decisions: 37_286,
    title: { indefensible: 962, ai: 0.182, removal: { level1: 0.485, ai: 0.32 } },
    sidebar: { indefensible: 757, ai: 0.088, removal: { level1: 0.746, ai: 0.102 } },
    wiki: { indefensible: 722, ai: 0.074, removal: { level1: 0.746, ai: 0.102 } },
  },
  expert: { decisions: 199, di: 0.98, ai: 0.156 },
  human: { decisions: 30 },
} as const;

/** The rates from which a world is made. */
export interface LatentRates {
  /** Share of content for which both outcomes are derivable. */
  open: number;
  /** Share of content for which neither is. */
  void: number;
  /** Of content with one derivable outcome: share where it rests on a rule's purpose, not its words. */
  implied: number;
  /** Of content with one derivable outcome: share decided the other way. */
  error: number;
}

/**
 * The content and decider rates that give the wanted shares of levels, with P(inverse | level) at levels 2 and 3.
 *
 * Formula: open = a2 l2; void = (1 − a3) l3; error = a3 l3/(1 − open − void); implied = (1 − a2) l2/(l1 + (1 − a2) l2).
 * Range: each in [0, 1]. Errors fall equally on content of either basis.
 * Undefined when: nothing is determinate: error is 0; level 1 and one-sided level 2 have no share: implied is 0.
 * Differs from the paper: derived, not printed there.
 * @see paper §5.4
 * @example latentRates([0.7, 0.2, 0.1], [0.5, 0.8]).open // => 0.1
 */
export function latentRates(levels: LevelShares, [a2, a3]: readonly [number, number]): LatentRates {
  const [l1, l2, l3] = levels;
  const open = a2 * l2;
  const voided = (1 - a3) * l3;
  const determinate = 1 - open - voided;
  const oneSided = (1 - a2) * l2;
  return {
    open,
    void: voided,
    implied: l1 + oneSided > 0 ? oneSided / (l1 + oneSided) : 0,
    error: determinate > 0 ? (a3 * l3) / determinate : 0,
  };
}

/** Shares of the three levels. */
export type LevelShares = readonly [number, number, number];

export interface PublishedRates {
  /** Defensibility Index. */
  di: number;
  /** Ambiguity Index. */
  ai: number;
  /** P(inverse check = Yes | level), for levels 1, 2, 3. */
  inverse: readonly [number, number, number];
}

/**
 * The shares of the levels implied by published totals. The paper prints DI, AI and how often the inverse check fires at each level, but for
 * most cohorts not the levels themselves.
 *
 * Formula: l3 = 1 − DI; l2 = (AI − a1 DI − a3 l3)/(a2 − a1); l1 = DI − l2, from DI = l1 + l2 and AI = a1 l1 + a2 l2 + a3 l3.
 * Range: each in [0, 1], sum 1.
 * Undefined when: a1 = a2, or the rates contradict each other (a share would lie outside [0, 1]): RangeError.
 * Differs from the paper: derived, not printed there.
 * @see paper §5.2, §5.4
 * @example levelShares({ di: 0.9, ai: 0.2, inverse: [0, 0.5, 1] }) // => [ 0.7, 0.2, 0.1 ]
 */
export function levelShares({ di, ai, inverse: [a1, a2, a3] }: PublishedRates): LevelShares {
  const l3 = round(1 - di);
  const l2 = round((ai - a1 * di - a3 * l3) / (a2 - a1));
  const l1 = round(di - l2);
  if (![l1, l2, l3].every((share) => share >= 0 && share <= 1)) {
    throw new RangeError(
      `rates: contradict each other; DI ${di} and AI ${ai} give level shares ${[l1, l2, l3].join(", ")}`,
    );
  }
  return [l1, l2, l3];
}

/** 12 decimals: later digits come from floating-point arithmetic, not from the paper. */
function round(value: number): number {
  return Math.round(value * 1e12) / 1e12;
}
