import type { AuditCase } from "../../domain/case.js";
import type { Generation } from "../../domain/generation.js";
import { withoutInjection } from "../../prompt/injection-removal.js";
import { createRng } from "../../stats/create-rng.js";
import type { Auditor } from "../auditor.js";
import { viewContent } from "./content-view.js";
import { caseFeatures } from "./features.js";
import { prepareFrame } from "./prepare-frame.js";
import { verdict } from "./verdict.js";
import { weigh } from "./weigh.js";
import { writeTrace } from "./write-trace.js";

/** Changes whenever the same case could get other numbers. */
export const BASELINE_VERSION = "3";

/**
 * The embedded auditor: it reads the rules by their wording, checks what can be checked about the content, matches words, and turns both sides of
 * the case into probabilities by a short formula. It needs no model, is the same for the same seed, and is a baseline: no judge of real policy.
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
  const prepared = prepareFrame(auditCase.frame);
  const { content, leftOut } = withoutInjection(auditCase.content);
  const view = viewContent(content, prepared.vocabulary.numberWords, leftOut);
  const evidence = weigh(prepared, view);
  const features = caseFeatures(prepared, view, evidence, auditCase.decision === auditCase.frame.actions.positive);
  const judged = { prepared, view, evidence, features, verdict: verdict(features) };
  const { tokens, text } = writeTrace(judged, auditCase, temperature, temperature > 0 ? createRng(seed) : null);
  return {
    text,
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
