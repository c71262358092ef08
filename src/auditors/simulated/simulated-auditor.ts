import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { sameFamily } from "../../core/model-family.js";
import type { Weights } from "../../measures/signals/weights.js";
import { type CompiledAuditor, compileAuditor } from "../../simulation/auditor/compile-auditor.js";
import { drawAudit } from "../../simulation/auditor/draw-audit.js";
import { readCase } from "../../simulation/auditor/read-case.js";
import { createRng, type Rng } from "../../stats/random/create-rng.js";
import type { Ask, Auditor } from "../auditor.js";
import { CallError } from "../call-error.js";
import type { AuditorOptions } from "../create-auditor.js";
import { citationsOf } from "./frame-citations.js";
import { measureAnswer } from "./measure-answer.js";
import { readSettings } from "./read-settings.js";
import { answerOf, type SimulatedAnswer } from "./simulated-answer.js";
import { SIMULATION_FILE, TRUTH_FILE } from "./simulation-files.js";
import { readTruthTable, TruthTable } from "./truth-table.js";
import { writeGeneration } from "./write-generation.js";

/** Changes whenever the same case could get other numbers. */
const SIMULATED_VERSION = "1";

/**
 * An auditor of a simulated world: it looks the truth up and distorts it by stated errors, so that one knows how far any number made of its audits is
 * from the truth. It reads no content.
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
    ask: (ask) => ({ generations: answers(ask).map(writeGeneration) }),
    ...(columns
      ? { measure: (ask: Ask, weights: Weights) => answers(ask).map((answer) => measureAnswer(answer, weights)) }
      : {}),
  };
}

/** One answer for each wanted. All are of one decision: an ask is one question. */
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

/** At temperature 0 all traces of a case are one. */
function traceRng(auditorSeed: number, decisionId: string, seed: string, temperature: number): Rng {
  return createRng(`${auditorSeed}:trace:${temperature === 0 ? decisionId : seed}`);
}

function decisionOf(key: string): string {
  const end = key.indexOf("\u0000");
  return end < 0 ? key : key.slice(0, end);
}

/** The last world that was read: one command asks several auditors of the same. */
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
