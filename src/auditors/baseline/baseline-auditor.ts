import { isRestricting } from "../../core/records/actions.js";
import type { AuditCase, CaseFrame, CasePrecedent, Generation } from "../../core/records/case.js";
import { contentParts } from "../../core/records/decision.js";
import { createRng } from "../../stats/random/create-rng.js";
import { withoutInjection } from "../../text/injection/find-injection.js";
import type { Auditor } from "../auditor.js";
import { Citations, PrecedentIndex, rarityOf, vectorOf } from "./citations.js";
import { isCheckable, viewContent } from "./content-view.js";
import { type RuleBook, readRules } from "./read-rules.js";
import { onScale, ruleStrength, type Scale, scaleOf, weigh } from "./weigh.js";
import { spelled, writeTrace } from "./write-trace.js";

/** Everything about a frame that does not depend on the content. */
export interface PreparedFrame {
  book: RuleBook;
  own: PrecedentIndex;
  /** Precedents of every community; null where only those of this one are known. */
  everyone: PrecedentIndex | null;
  rarity: Float64Array;
  /** What the strength of the rules' case counts here. */
  ruleScale: Scale;
  /** Share of the precedents that state something that can be verified. */
  usuallyCheckable: number;
  citations: Citations;
}

const frames = new WeakMap<CaseFrame, PreparedFrame>();
/** The precedents of a run, shared by its frames. */
const pools = new WeakMap<readonly CasePrecedent[], { rarity: Float64Array; index: PrecedentIndex }>();

/** Prepares a frame, once. */
function prepareFrame(frame: CaseFrame): PreparedFrame {
  return known(frames, frame, () => prepare(frame));
}

function known<K extends object, V>(made: WeakMap<K, V>, key: K, make: () => V): V {
  const value = made.get(key) ?? make();
  if (!made.has(key)) made.set(key, value);
  return value;
}

function prepare(frame: CaseFrame): PreparedFrame {
  const { precedents, allPrecedents, actions } = frame;
  const pooled = allPrecedents ?? precedents;
  const isBroken = (decision: string) => isRestricting(actions, decision);
  const { rarity, index } = known(pools, pooled, () => {
    const rarity = rarityOf(pooled);
    return { rarity, index: new PrecedentIndex(pooled, isBroken, rarity) };
  });
  const book = readRules(frame.rules);
  const checkable = precedents.filter(({ text }) => isCheckable(text)).length;
  return {
    book,
    own: allPrecedents ? new PrecedentIndex(precedents, isBroken, rarity) : index,
    everyone: allPrecedents ? index : null,
    rarity,
    ruleScale: ruleScaleOf(book, frame),
    usuallyCheckable: (checkable + 0.5) / (precedents.length + 2),
    citations: new Citations(frame, book),
  };
}

/** Before any precedent was seen: the strength that content has by chance, and one unit of log-odds a unit of strength. */
const USUAL_RULES = { centre: 1, deviation: 1, slope: 1, count: 16 };
/** Without rules nothing can be broken, whatever precedents say. */
const NO_RULES: Scale = { centre: 2, deviation: 1, slope: 1 };
/** Precedents whose strengths are taken. */
const MOST_WEIGHED = 100;

function ruleScaleOf(book: RuleBook, { precedents, actions }: CaseFrame): Scale {
  if (book.rules.length === 0) return NO_RULES;
  const strengths: [number[], number[]] = [[], []];
  const step = Math.max(1, Math.ceil(precedents.length / MOST_WEIGHED));
  for (let i = 0; i < precedents.length; i += step) {
    const { text, decision } = precedents[i]!;
    strengths[isRestricting(actions, decision) ? 1 : 0].push(
      ruleStrength(weigh(book, viewContent(contentParts(text)))),
    );
  }
  return scaleOf(...strengths, USUAL_RULES);
}

/** Changes whenever the same case could get other numbers. */
const BASELINE_VERSION = "5";

/**
 * The embedded auditor: it compares the content with precedents by their letters, checks properties that rules speak of, matches words, and turns that into
 * probabilities by a short formula that was not trained. It needs no model, is the same for the same seed, and is a baseline, not a judge of real policy.
 * @see docs/baseline.md
 */
export function createBaselineAuditor(): Auditor {
  return {
    name: "baseline",
    version: BASELINE_VERSION,
    signals: ["logprobs", "sampling", "none"],
    inProcess: true,
    readsPrompt: null,
    answersPerCall: Number.POSITIVE_INFINITY,
    maxConcurrency: null,
    ask: (ask) => ({
      generations: ask.wanted.map(({ seed }) => generateTrace(ask.case!, ask.temperature, seed)),
    }),
  };
}

/** One reasoning trace of a case. */
export function generateTrace(auditCase: AuditCase, temperature: number, seed: string): Generation {
  const { frame, decision } = auditCase;
  const prepared = prepareFrame(frame);
  const { content, leftOut } = withoutInjection(auditCase.content);
  const view = viewContent(content, leftOut);
  const evidence = weigh(prepared.book, view);
  const vector = vectorOf(view.whole, prepared.rarity);
  const restricts = isRestricting(frame.actions, decision);
  const features = {
    rules: onScale(prepared.ruleScale, ruleStrength(evidence)),
    ownPrecedents: prepared.own.score(vector),
    allPrecedents: prepared.everyone?.score(vector) ?? 0,
    procedure: evidence.rules.reduce(
      (most, { procedure, excuse }) => Math.max(most, procedure.strength * (1 - excuse.strength)),
      0,
    ),
    checkable: (view.isCheckable ? 1 : 0) - prepared.usuallyCheckable,
    openness: prepared.book.openness,
    discretion: restricts ? prepared.book.discretion : 0,
    restricts,
  };
  const rng = temperature > 0 ? createRng(seed) : null;
  const judged = {
    prepared,
    view,
    rules: evidence.rules,
    verdict: verdict(features),
    precedents: fromPrecedents(features),
    nearest: prepared.own.nearest(vector),
  };
  const tokens = writeTrace(judged, auditCase, temperature, () => rng?.next() ?? null);
  return {
    text: spelled(tokens),
    tokens,
    joined: true,
    finish: "stop",
    space: "raw",
    temperature,
    support: "top_k",
    model: "baseline",
    usage: { input_tokens: null, cached_input_tokens: null, output_tokens: tokens.length, cost_usd: 0 },
  };
}

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
function fromPrecedents({ ownPrecedents, allPrecedents }: Features): number {
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
