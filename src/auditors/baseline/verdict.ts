import type { Alternative, Token } from "../../core/records/case.js";
import type { Candidate } from "./citations.js";

/** What the verdict depends on. */
export interface Features {
  /** Strength of the rules' case and similarity to precedents, in log-odds that a rule is broken. */
  rules: number;
  ownPrecedents: number;
  allPrecedents: number;
  /** How strongly a rule sends the content elsewhere, 0 … 1. */
  procedure: number;
  /** 1 if the content states something that can be verified, less how usual that is: −1 … 1. */
  checkable: number;
  /** How little the rules settle in writing, 0 … 1. */
  openness: number;
  /** How far a rule leaves it to the moderators, 0 … 1, where the decision restricts; else 0. */
  discretion: number;
  /** The decision is the restricting action. */
  restricts: boolean;
}

/** The four ways a case can lie. They sum to 1. */
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

/** Precedents of all communities count less than those of its own. */
const OTHERS = 0.75;
/** An auditor that commits itself: shares are raised to this power. */
const DECISIVENESS = 3;

/**
 * The probabilities of the four ways a case can lie: the whole of the auditor's judgement. Every weight is a round number that was set, not fitted.
 *
 * Formula: x = rules + own precedents + ¾ those of all communities, v = σ(x) that a rule is broken, c = v for a restricting decision, else 1 − v;
 * g = σ(−0.6 − checkable + ½ openness + ½ discretion − ¼ |x|) that the rules leave it open; m = σ(−4 + 5 procedure) that they demand a third action;
 * neither = m, ambiguous = (1 − m) g, follows = (1 − m)(1 − g) c, opposite = (1 − m)(1 − g)(1 − c), each cubed and renormalised.
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

/** What precedents say, in log-odds that a rule is broken. */
export function fromPrecedents({ ownPrecedents, allPrecedents }: Features): number {
  return ownPrecedents + OTHERS * allPrecedents;
}

/** p(level): what the trace gives at the level, whatever was drawn for other fields. */
export function levelProbs({ follows, ambiguous, opposite, neither }: Verdict): [number, number, number] {
  return [follows, ambiguous, opposite + neither];
}

/** Level 1 with inverse Yes is a conflict of rules, level 2 with No a precedent without a counterpart, level 3 with No an unseen procedure. */
const CROSSED = [0.05, 0.05, 0.1] as const;

/** p(inverse = Yes | level), by level. */
export function yesGivenLevel({ opposite, neither }: Verdict): [number, number, number] {
  return [CROSSED[0], 1 - CROSSED[1], ((1 - CROSSED[2]) * opposite) / (opposite + neither)];
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** p(High), p(Medium), p(Low) of the precedents' weight, by the similarity of the nearest one. */
export function precedentWeights(similarity: number, citesPrecedent: boolean): [number, number, number] {
  const high = Math.exp(-3 + 9 * similarity + (citesPrecedent ? 2 : 0));
  const medium = Math.exp(-1 + 5 * similarity + (citesPrecedent ? 1 : 0));
  const total = high + medium + 1;
  return [high / total, medium / total, 1 / total];
}

/** Gives the next random number of a trace; null at T = 0, where the likeliest is taken. */
export type Random = () => number | null;

/**
 * Index drawn with probability proportional to p^(1/T): the sampling temperature of a language model. Without a random number, the likeliest.
 * Powers are taken of p over the largest p, so that a low temperature does not underflow.
 */
export function draw(probs: readonly number[], temperature: number, random: number | null): number {
  const most = Math.max(...probs);
  const best = probs.indexOf(most);
  if (random === null || temperature <= 0) return best;
  const shares = probs.map((prob) => (prob / most) ** (1 / temperature));
  let left = random * shares.reduce((sum, share) => sum + share, 0);
  const drawn = shares.findIndex((share) => {
    left -= share;
    return left < 0;
  });
  return drawn < 0 ? best : drawn;
}

/**
 * Draws a citation token by token, as a language model would: candidates that begin alike share a path; at each branch the alternatives are the
 * conditional distribution of the next token given those before. Where all go on alike, or one is left, its prepared tokens are used.
 *
 * Citations are prefix-free as long as ids differ; of two that are not, the shorter loses its probability where the longer goes on.
 */
export function drawCitation(
  candidates: readonly Candidate[],
  temperature: number,
  random: Random,
): { cited: Candidate; tokens: Token[] } {
  const tokens: Token[] = [];
  let alive = candidates;
  for (let at = 0; ; at++) {
    const [cited] = alive as [Candidate];
    const next = cited.tokens[at];
    if (alive.every((candidate) => candidate.tokens[at]?.text === next?.text)) {
      if (next === undefined) return { cited, tokens };
      tokens.push(next);
      continue;
    }
    const top = nextTokens(alive, at);
    const probs = top.map(({ logprob }) => Math.exp(logprob));
    const { text, logprob } = top[draw(probs, temperature, random())]!;
    tokens.push({ text, logprob, top });
    alive = alive.filter((candidate) => candidate.tokens[at]?.text === text);
  }
}

/** The alternatives at a position, best first. */
function nextTokens(alive: readonly Candidate[], at: number): Alternative[] {
  const probs = new Map<string, number>();
  let total = 0;
  for (const { tokens, prob } of alive) {
    const text = tokens[at]?.text;
    if (text === undefined) continue;
    total += prob;
    probs.set(text, (probs.get(text) ?? 0) + prob);
  }
  return bestFirst(Array.from(probs, ([text, prob]) => ({ text, logprob: Math.min(0, Math.log(prob / total)) })));
}

/** Below this a label's logprob would be no finite number, or read as a provider's mark for "unknown". */
const LEAST_PROB = 1e-6;

/** A label of a small closed set, with the distribution it was drawn from. */
export function label(labels: readonly string[], probs: readonly number[], chosen: number): Token {
  const top = labels.map((text, i) => ({ text, logprob: Math.log(Math.max(LEAST_PROB, probs[i]!)) }));
  const { text, logprob } = top[chosen]!;
  return { text, logprob, top: bestFirst(top) };
}

function bestFirst(top: Alternative[]): Alternative[] {
  return top.sort((a, b) => b.logprob - a.logprob);
}
