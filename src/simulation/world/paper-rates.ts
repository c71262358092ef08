/**
 * The paper's published rates and sizes that its preset starts from: nothing else of the paper goes into a world. P(inverse | level) are the middles
 * of the printed ranges.
 * @see paper §5.2–§5.4, §6, appendix (datasets)
 */
export const PAPER_RATES = {
  /** P(inverse check = Yes | level): 1.7–2.9 %, 58.8–61.4 %, 86.1–90.5 %. */
  inverse: [0.023, 0.601, 0.883],
  random: {
    decisions: 26_984,
    communities: 398,
    di: 0.923,
    ai: 0.183,
    f1: 0.457,
    fnDefensible: 0.798,
    /** Printed as "about 6 %". */
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
