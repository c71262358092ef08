/** What the verdict depends on. */
export interface Features {
  /** Strength of the rules' case and similarity to precedents, in log-odds that a rule is broken. */
  rules: number;
  ownPrecedents: number;
  allPrecedents: number;
  /** How strongly a rule sends the content elsewhere, 0 … 1. */
  procedure: number;
  /** 1 if the content states something verifiable, else 0, minus how common that is: −1 … 1. */
  checkable: number;
  /** How little the rules settle in writing, 0 … 1. */
  openness: number;
  /** How far a rule leaves the matter to the moderators, 0 … 1, if the decision restricts; else 0. */
  discretion: number;
  /** The decision is the restricting action. */
  restricts: boolean;
}

/** Probabilities of the four possible cases. They sum to 1. */
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

/** Weight of the precedents of all communities, relative to those of its own. */
const OTHERS = 0.75;

/** Shares are raised to this power, so that the auditor commits itself. */
const DECISIVENESS = 3;

/**
 * The probabilities of the four possible cases: the auditor's whole judgement. Every weight is a round number that was set, not fitted.
 *
 * Formula: x = rules + own precedents + ¾ those of all communities; v = σ(x) is the probability that a rule is broken; c = v for a restricting
 * decision, else 1 − v; g = σ(−0.6 − checkable + ½ openness + ½ discretion − ¼ |x|) that the rules leave it open; m = σ(−4 + 5 procedure) that
 * they demand a third action; neither = m, ambiguous = (1 − m) g, follows = (1 − m)(1 − g) c, opposite = (1 − m)(1 − g)(1 − c), each cubed
 * and renormalised.
 * Range: each in (0, 1), together 1. Undefined when: never.
 * Differs from the paper: not in the paper, whose auditor is a language model.
 * @see docs/baseline.md
 */
export function verdict(features: Features): Verdict {
  const { rules, checkable, openness, discretion } = features;
  const broken = rules + fromPrecedents(features);
  const violates = sigmoid(broken);
  const open = sigmoid(-0.6 - checkable + openness / 2 + discretion / 2 - Math.abs(broken) / 4);
  const elsewhere = sigmoid(-4 + 5 * features.procedure);
  const right = features.restricts ? violates : 1 - violates;
  const settled = (1 - elsewhere) * (1 - open);
  const shares = [settled * right, (1 - elsewhere) * open, settled * (1 - right), elsewhere].map(
    (share) => share ** DECISIVENESS,
  );
  const total = shares.reduce((sum, share) => sum + share, 0);
  const [follows, ambiguous, opposite, neither] = shares.map((share) => share / total);
  return { follows: follows!, ambiguous: ambiguous!, opposite: opposite!, neither: neither! };
}

/** Evidence from precedents, in log-odds that a rule is broken. */
export function fromPrecedents({ ownPrecedents, allPrecedents }: Features): number {
  return ownPrecedents + OTHERS * allPrecedents;
}

/** p(level): the probabilities in the trace's level token, whatever was drawn for other fields. */
export function levelProbs({ follows, ambiguous, opposite, neither }: Verdict): [number, number, number] {
  return [follows, ambiguous, opposite + neither];
}

/**
 * Rare combinations: level 1 with inverse Yes is a conflict of rules, level 2 with No a precedent without a counterpart, level 3
 * with No an unseen procedure.
 */
const CROSSED = [0.05, 0.05, 0.1] as const;

/** p(inverse = Yes | level), by level. */
export function yesGivenLevel({ opposite, neither }: Verdict): [number, number, number] {
  return [CROSSED[0], 1 - CROSSED[1], ((1 - CROSSED[2]) * opposite) / (opposite + neither)];
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** p(High), p(Medium), p(Low) of the precedent weight, by the similarity of the nearest precedent. */
export function precedentWeights(similarity: number, citesPrecedent: boolean): [number, number, number] {
  const high = Math.exp(-3 + 9 * similarity + (citesPrecedent ? 2 : 0));
  const medium = Math.exp(-1 + 5 * similarity + (citesPrecedent ? 1 : 0));
  const total = high + medium + 1;
  return [high / total, medium / total, 1 / total];
}
