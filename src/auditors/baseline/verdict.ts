import type { Features } from "./features.js";

/** How p(level, inverse) is made up: the four ways a case can lie. They sum to 1. */
export interface Verdict {
  /** Level 1: the decision follows. */
  follows: number;
  /** Level 2: the rules can be read either way. */
  ambiguous: number;
  /** Level 3, inverse Yes: the opposite follows. */
  opposite: number;
  /** Level 3, inverse No: a rule demands a third action. */
  neither: number;
}

/**
 * Weights in log-odds. Where they come from: docs/baseline.md.
 * `violation`: does the content break a rule, if the rules settle it. `ambiguity`: do they leave it open. `procedure`: do they send it elsewhere.
 */
const VERDICT_WEIGHTS = {
  violation: { constant: -0.45, breach: 2.1, leaning: 0.85, fullness: -0.4, precedents: 1 },
  ambiguity: {
    constant: -0.65,
    checkable: -1,
    chargeIfRestricts: -0.6,
    restricts: 0.05,
    discretion: 0.2,
    borderline: 0.5,
    openness: 1.2,
    usualOpenness: 0.18,
  },
  procedure: { constant: -4, procedure: 5 },
  decisiveness: 3,
} as const;

/**
 * The probabilities of the four ways a case can lie, from a few named features: the whole of the auditor's judgement.
 *
 * Formula: v = σ(violation), g = σ(ambiguity), m = σ(procedure), each a weighted sum of features; c = v for a restricting decision, else 1 − v;
 * neither = m, ambiguous = (1 − m) g, follows = (1 − m)(1 − g) c, opposite = (1 − m)(1 − g)(1 − c), each then raised to the power k and
 * renormalised: an auditor that commits itself, so that a run at T = 0.2 does not scatter. Calibration is left to `calibrate`.
 * Range: each in (0, 1), together 1.
 * Undefined when: never.
 * Differs from the paper: not in the paper, whose auditor is a language model.
 * @see docs/baseline.md
 */
export function verdict(features: Features): Verdict {
  const { violation, ambiguity, procedure } = VERDICT_WEIGHTS;
  const { breach, leaning, charge, fullness, checkable, openness, discretion, borderline, precedents, restricts } =
    features;
  const violates = sigmoid(
    violation.constant +
      violation.breach * breach +
      violation.leaning * leaning +
      violation.fullness * fullness +
      violation.precedents * precedents,
  );
  const open = sigmoid(
    ambiguity.constant +
      ambiguity.checkable * checkable +
      ambiguity.borderline * borderline +
      restricts *
        (ambiguity.restricts +
          ambiguity.chargeIfRestricts * charge +
          ambiguity.discretion * discretion * (1 - breach)) +
      ambiguity.openness * (openness - ambiguity.usualOpenness),
  );
  const elsewhere = sigmoid(procedure.constant + procedure.procedure * features.procedure);
  const settled = (1 - elsewhere) * (1 - open);
  const right = restricts === 1 ? violates : 1 - violates;
  return decide(settled * right, (1 - elsewhere) * open, settled * (1 - right), elsewhere);
}

/** Sharpens the four shares to p^k / Σ p^k. */
function decide(follows: number, ambiguous: number, opposite: number, neither: number): Verdict {
  const { decisiveness } = VERDICT_WEIGHTS;
  const one = follows ** decisiveness;
  const two = ambiguous ** decisiveness;
  const three = opposite ** decisiveness;
  const four = neither ** decisiveness;
  const total = one + two + three + four;
  return { follows: one / total, ambiguous: two / total, opposite: three / total, neither: four / total };
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** p(inverse, level) as six cells: for each level 1, 2, 3 first No, then Yes. */
export type JointCells = [number, number, number, number, number, number];

/**
 * How the inverse check goes with the level: an explicit conflict of rules makes level 1 with Yes, a precedent without a counterpart level 2 with No,
 * an unseen procedure level 3 with No. Rounded shares of the eight development communities (2 of 117, 2 of 70, 14 of 67 before procedures are
 * recognised).
 */
const YES_GIVEN_LEVEL_1 = 0.03;
const NO_GIVEN_LEVEL_2 = 0.03;
const NO_GIVEN_OPPOSITE = 0.15;

/** What is cited colours the reading: a clause of discretion authorises nothing by itself, a procedure calls for a third action. */
export type CitedForce = "settles" | "leaves open" | "sends elsewhere";

const LEVEL_1_IF_OPEN = 0.4;
const LEVEL_2_IF_OPEN = 1.6;
const NEITHER_IF_ELSEWHERE = 2;

/** The joint distribution of inverse check and level, given what was cited. */
export function jointCells(judged: Verdict, force: CitedForce): JointCells {
  const follows = judged.follows * (force === "leaves open" ? LEVEL_1_IF_OPEN : 1);
  const ambiguous = judged.ambiguous * (force === "leaves open" ? LEVEL_2_IF_OPEN : 1);
  const neither = judged.neither * (force === "sends elsewhere" ? NEITHER_IF_ELSEWHERE : 1);
  const total = follows + ambiguous + judged.opposite + neither;
  return [
    (follows * (1 - YES_GIVEN_LEVEL_1)) / total,
    (follows * YES_GIVEN_LEVEL_1) / total,
    (ambiguous * NO_GIVEN_LEVEL_2) / total,
    (ambiguous * (1 - NO_GIVEN_LEVEL_2)) / total,
    (neither + judged.opposite * NO_GIVEN_OPPOSITE) / total,
    (judged.opposite * (1 - NO_GIVEN_OPPOSITE)) / total,
  ];
}

/** p(High), p(Medium), p(Low) of the precedents' weight, by the similarity of the nearest one. */
export function precedentWeights(similarity: number, citesPrecedent: boolean): [number, number, number] {
  const high = Math.exp(-3 + 9 * similarity + (citesPrecedent ? 2 : 0));
  const medium = Math.exp(-1 + 5 * similarity + (citesPrecedent ? 1 : 0));
  const total = high + medium + 1;
  return [high / total, medium / total, 1 / total];
}
