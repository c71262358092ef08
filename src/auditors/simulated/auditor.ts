import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { sameFamily } from "../../core/model-family.js";
import { SIMULATION_FILE, STATED_ARM, TRUTH_FILE } from "../../core/names.js";
import { type Flag, type PartialTrace, PRECEDENT_WEIGHTS } from "../../core/records/audit.js";
import type { Level } from "../../core/records/level.js";
import { labelConfidence, probabilisticDefensibilitySignal, weightEntropy } from "../../measures/signals/components.js";
import { extractSignals } from "../../measures/signals/extract-signals.js";
import type { Weights } from "../../measures/signals/weights.js";
import { type CompiledAuditor, compileAuditor, drawAudit } from "../../simulation/auditor/draw-audit.js";
import { readCase } from "../../simulation/auditor/read-case.js";
import { citationSignals } from "../../simulation/auditor/token-entropies.js";
import { createRng, type Rng } from "../../stats/random/create-rng.js";
import { type Ask, type Auditor, CallError, type Measured } from "../auditor.js";
import type { AuditorOptions } from "../create-auditor.js";
import { answerOf, citationsOf, level3Reason, type SimulatedAnswer, writeGeneration } from "./answer.js";
import { readSettings, readTruthTable, TruthTable } from "./truth-table.js";

/** Nearly all probability is on labels; the fillers have 3e-8. */
const FULL_MASS = Object.freeze({ level: 1, weight: 1, inverse: 1 });
const WITHOUT_WEIGHT = Object.freeze({ level: 1, weight: null, inverse: 1 });

/**
 * The signals that `extractSignals` would read from the answer's tokens, computed without them, to nine decimals to keep the records of a long run
 * short. Texts are left out, except what a grounding needs. The few answers without a verdict are read from their tokens.
 */
function measureAnswer(answer: SimulatedAnswer, weights: Weights): Measured {
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

/** Changes whenever the same case could get other numbers. */
const SIMULATED_VERSION = "1";

/**
 * An auditor of a simulated world: it looks up the truth and distorts it by stated errors, so that the error of any number
 * computed from its audits is known. It reads no content.
 * @see docs/simulated-auditor.md
 */
export async function createSimulatedAuditor(
  name: string,
  text: string,
  options: Pick<AuditorOptions, "workspace" | "offline">,
): Promise<Auditor> {
  const folder = options.workspace;
  if (folder === undefined || !existsSync(join(folder, TRUTH_FILE))) {
    throw new InputError(
      "no_truth",
      `simulated auditor: ${folder ?? "no workspace"} holds no ${TRUTH_FILE}: it is no simulated world`,
      "Make one with `defensible simulate DIR`; for other decisions use another auditor.",
    );
  }
  const { columns, settings } = readSettings(text, folder);
  const truths = options.offline ? new TruthTable() : await truthOf(join(folder, TRUTH_FILE));
  const auditor = compileAuditor(settings);
  const answers = (ask: Ask) => answersTo(ask, auditor, truths);
  return {
    name,
    version: `${SIMULATED_VERSION}#${hashOf(JSON.stringify(settings), worldOf(folder))}`,
    signals: ["logprobs", "sampling", "none"],
    inProcess: true,
    readsPrompt: null,
    answersPerCall: Number.POSITIVE_INFINITY,
    maxConcurrency: null,
    // It knows the truth under all rules, not what follows from some of them.
    knows: (_, arm) => arm !== STATED_ARM,
    ask: (ask) => ({ generations: answers(ask).map(writeGeneration) }),
    ...(columns
      ? { measure: (ask: Ask, weights: Weights) => answers(ask).map((answer) => measureAnswer(answer, weights)) }
      : {}),
  };
}

/** One answer per wanted answer. All belong to one decision: an ask is one question. */
function answersTo(ask: Ask, auditor: CompiledAuditor, truths: TruthTable): SimulatedAnswer[] {
  const auditCase = ask.case!;
  const { settings } = auditor;
  const decisionId = decisionOf(ask.wanted[0]!.key);
  const truth = truths.get(decisionId);
  if (!truth) {
    throw new CallError(
      "bad_request",
      `simulated auditor: the truth of decision ${JSON.stringify(decisionId)} is not known; it was not made with this world`,
    );
  }
  const citations = citationsOf(auditCase.frame, settings.citation.tokens);
  const reading = readCase(
    {
      decisionId,
      truth,
      sameFamily: sameFamily(truth.decider, settings.family),
      shown: {
        tier: auditCase.frame.tier,
        scopes: citations.scopes,
        opposite: auditCase.decision !== truth.decision,
        precedents: auditCase.frame.precedents.length > 0,
      },
    },
    auditor,
    ask.temperature,
  );
  return ask.wanted.map(({ seed }) => {
    const draw = drawAudit(reading, auditor, traceRng(settings.seed, decisionId, seed, ask.temperature));
    return answerOf(draw, reading, truth, citations, auditCase.template);
  });
}

/** At temperature 0 all traces of a case are the same. */
function traceRng(auditorSeed: number, decisionId: string, seed: string, temperature: number): Rng {
  return createRng(`${auditorSeed}:trace:${temperature === 0 ? decisionId : seed}`);
}

function decisionOf(key: string): string {
  const end = key.indexOf("\u0000");
  return end < 0 ? key : key.slice(0, end);
}

/** The last world read: one command asks several auditors about the same world. */
let lastRead: { path: string; stamp: string; table: Promise<TruthTable> } | null = null;

function truthOf(path: string): Promise<TruthTable> {
  const { size, mtimeMs } = statSync(path);
  const stamp = `${size}:${mtimeMs}`;
  if (lastRead?.path !== path || lastRead.stamp !== stamp) lastRead = { path, stamp, table: readTruthTable(path) };
  return lastRead.table;
}

function worldOf(folder: string): string {
  const path = join(folder, SIMULATION_FILE);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function hashOf(...parts: string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\u0000");
  return hash.digest("hex").slice(0, 12);
}
