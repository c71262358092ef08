import { isRestricting } from "../../core/records/actions.js";
import type { AuditCase, CaseFrame, CasePrecedent, Generation } from "../../core/records/case.js";
import { contentParts } from "../../core/records/decision.js";
import { createRng } from "../../stats/random/create-rng.js";
import { withoutInjection } from "../../text/injection/find-injection.js";
import type { Auditor } from "../auditor.js";
import { Citations, PrecedentIndex, rarityOf, vectorOf } from "./citations.js";
import { isCheckable, viewContent } from "./content-view.js";
import { type RuleBook, readRules } from "./read-rules.js";
import { fromPrecedents, verdict } from "./verdict.js";
import { onScale, ruleStrength, type Scale, scaleOf, weigh } from "./weigh.js";
import { spelled, writeTrace } from "./write-trace.js";

/** Everything about a frame that does not depend on the content. */
export interface PreparedFrame {
  book: RuleBook;
  own: PrecedentIndex;
  /** Precedents of every community; null if only those of this one are known. */
  everyone: PrecedentIndex | null;
  rarity: Float64Array;
  /** Scale that turns the strength of the rules' case into log-odds. */
  ruleScale: Scale;
  /** Share of the precedents that state something verifiable. */
  usuallyCheckable: number;
  citations: Citations;
}

const frames = new WeakMap<CaseFrame, PreparedFrame>();
/** Indexes of a run's precedents, shared by its frames. */
const pools = new WeakMap<readonly CasePrecedent[], { rarity: Float64Array; index: PrecedentIndex }>();

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

/** Scale before any precedent is seen: the strength that content has by chance, and one unit of log-odds per unit of strength. */
const USUAL_RULES = { centre: 1, deviation: 1, slope: 1, count: 16 };
/** Without rules nothing can be broken, whatever the precedents say. */
const NO_RULES: Scale = { centre: 2, deviation: 1, slope: 1 };
/** Most precedents whose strengths are used. */
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
 * The embedded auditor: it compares the content with precedents letter by letter, checks properties that rules mention, matches
 * words, and turns the result into probabilities by a short untrained formula. It needs no model and is the same for the same
 * seed. It is a baseline: do not use it to judge real policy.
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
