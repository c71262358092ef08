import type { AuditCase } from "../../core/records/case.js";
import type { Generation } from "../../core/records/generation.js";
import { createRng } from "../../stats/random/create-rng.js";
import { withoutInjection } from "../../text/injection/find-injection.js";
import type { Auditor } from "../auditor.js";
import { viewContent } from "./content-view.js";
import { vectorOf } from "./precedent-index.js";
import { prepareFrame } from "./prepare-frame.js";
import { onScale } from "./scale.js";
import { fromPrecedents, verdict } from "./verdict.js";
import { ruleStrength, weigh } from "./weigh.js";
import { spelled, writeTrace } from "./write-trace.js";

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
  const restricts = decision === frame.actions.positive;
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
