import type { Flag } from "../../core/records/audit.js";
import type { Level } from "../../core/records/level.js";
import { type PartialTrace, PRECEDENT_WEIGHTS } from "../../core/records/trace.js";
import { extractSignals } from "../../measures/signals/extract-signals.js";
import { labelConfidence } from "../../measures/signals/label-confidence.js";
import { probabilisticDefensibilitySignal } from "../../measures/signals/probabilistic-defensibility-signal.js";
import { weightEntropy } from "../../measures/signals/weight-entropy.js";
import type { Weights } from "../../measures/signals/weights.js";
import { citationSignals } from "../../simulation/auditor/citation-profile.js";
import type { Measured } from "../auditor.js";
import { level3Reason, type SimulatedAnswer } from "./simulated-answer.js";
import { writeGeneration } from "./write-generation.js";

/** Nearly all probability is on labels; the tokens' fillers have 3e-8. */
const FULL_MASS = Object.freeze({ level: 1, weight: 1, inverse: 1 });
const WITHOUT_WEIGHT = Object.freeze({ level: 1, weight: null, inverse: 1 });

/**
 * The signals that `extractSignals` would read from the answer's tokens, without the tokens, to nine decimals: records of a long run are
 * shorter so. Texts are left out, save what a grounding needs. The few answers without a verdict are read from their tokens after all.
 */
export function measureAnswer(answer: SimulatedAnswer, weights: Weights): Measured {
  const { draw, citation } = answer;
  if (draw.fault === "refusal" || draw.fault === "truncation") {
    return extractSignals(writeGeneration(answer), { weights });
  }
  const missing = draw.fault === "missing";
  const [p1, p2, p3] = draw.levelProbs;
  const confidence = labelConfidence(draw.levelProbs);
  const cited = citationSignals(draw.citationBits, citation.pieces.length);
  const yes = 1 / (1 + Math.exp(-draw.inverseLogOdds));
  const parts = {
    lambda_nats: confidence.lambda_nats,
    h_weight_bits: missing ? null : weightEntropy(draw.weightProbs),
    h_citation_bits: cited.bits,
    inverse_yes_prob: yes,
  };
  const pds = probabilisticDefensibilitySignal(parts, weights);
  return {
    outcome: "verdict",
    error: null,
    trace: traceOf(answer, missing),
    level: (draw.level + 1) as Level,
    inverse: draw.inverse,
    level_probs: [short(p1), short(p2), short(p3)],
    level_map: confidence.level,
    lambda_nats: short(parts.lambda_nats),
    h_weight_bits: parts.h_weight_bits === null ? null : short(parts.h_weight_bits),
    h_citation_bits: short(cited.bits),
    citation_tokens: citation.pieces.length,
    citation_spans: null,
    entropy_support: "top_k",
    inverse_log_odds: short(draw.inverseLogOdds),
    inverse_yes_prob: short(yes),
    pds: pds === null ? null : short(pds),
    p_defensible: short(Math.min(1, p1 + p2)),
    label_mass: missing ? WITHOUT_WEIGHT : FULL_MASS,
    tail_mass: short(cited.tail),
    logprob_space: "raw",
    flags: flagsOf(pds, confidence.tie, weights),
    citation: citation.grounded,
  };
}

function traceOf({ draw, template, inverseCitation }: SimulatedAnswer, missing: boolean): PartialTrace {
  return {
    logic_chain: null,
    policy_citation: null,
    precedent_weight: missing ? null : PRECEDENT_WEIGHTS[draw.weight]!,
    inverse_check: draw.inverse ? "Yes" : "No",
    inverse_citation: inverseCitation?.text ?? null,
    defensibility_level: (draw.level + 1) as Level,
    level3_reason: template === "extended" && draw.level === 2 ? level3Reason(draw) : null,
  };
}

function flagsOf(pds: number | null, tie: boolean, weights: Weights): Flag[] {
  const flags: Flag[] = tie ? ["tie"] : [];
  if (pds === null) flags.push("no_signal");
  else if (!weights.calibrated) flags.push("uncalibrated");
  return flags;
}

function short(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}
