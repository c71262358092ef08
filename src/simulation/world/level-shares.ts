/**
 * The paper's published rates and sizes that its preset starts from: nothing else of the paper goes into a world. P(inverse | level) are the middles
 * of the printed ranges.
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
    /** Mean σ(ρ) of disagreements over that of agreements. */
    yesProbRatio: 1.63,
  },
  fleet: { decisions: 109_186, communities: 4_565, large: { communities: 270, min: 25 }, di: 1 - 0.0566 },
  /** The standard gate, and the share of the large communities' decisions that it passes. */
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

/** The rates a world is made with. */
export interface LatentRates {
  /** Share of content for which both outcomes are derivable. */
  open: number;
  /** Share of content for which none is. */
  void: number;
  /** Of content with one derivable outcome: share where it rests on a rule's purpose and not on its words. */
  implied: number;
  /** Of content with one derivable outcome: share that the decider decides the other way. */
  error: number;
}

/**
 * The rates of contents and decider that give wanted shares of levels, with P(inverse | level) at levels 2 and 3.
 *
 * Formula: open = a2 l2; void = (1 − a3) l3; error = a3 l3/(1 − open − void); implied = (1 − a2) l2/(l1 + (1 − a2) l2).
 * Range: each in [0, 1]. Errors fall on content of either basis alike.
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
 * The shares of the levels that published totals imply. The paper prints DI, AI and how often the inverse check fires at each level, but for most
 * cohorts not the levels themselves.
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

/** 12 decimals: what lies beyond is arithmetic's, not the paper's. */
function round(value: number): number {
  return Math.round(value * 1e12) / 1e12;
}
