import { AnswerPending, type Ask, type Measured, type Wanted } from "../auditors/auditor.js";
import { DefensibleError } from "../core/errors.js";
import { type Audit, auditKey, drawKey } from "../core/records/audit.js";
import type { CaseFrame, Generation } from "../core/records/case.js";
import { groundCitation } from "../measures/grounding/ground-citation.js";
import { normaliseCitation } from "../measures/signals/citation-entropy.js";
import { extractSampled } from "../measures/signals/extract-sampled.js";
import { extractSignals } from "../measures/signals/extract-signals.js";
import type { RunSettings } from "./arms.js";
import type { AuditTask, AuditTools } from "./audit-one.js";
import { type AuditFacts, auditRecord } from "./audit-record.js";
import { RunHalted } from "./calls/budget.js";
import type { Called } from "./calls/caller.js";

export type Question = Pick<Ask, "case" | "prompt">;

/** For an auditor that returns measured signals: there is no text to read. */
export function measure(
  task: AuditTask,
  question: Question,
  facts: AuditFacts,
  { auditor, settings }: AuditTools,
): Audit[] {
  const wanted = task.replicates.map((replicate) => wantedFor(task, replicate, 0, settings));
  let results: Measured[];
  try {
    results = auditor.measure!(askFor(question, wanted, settings), settings.weights);
  } catch (cause) {
    const failed = failure(cause);
    return task.replicates.map((replicate) => auditRecord(facts, replicate, failed));
  }
  const latencyMs = (performance.now() - facts.started) / results.length;
  return task.replicates.map((replicate, i) =>
    auditRecord(facts, replicate, { signals: results[i]!, usage: null, attempts: 1, cached: false, latencyMs }),
  );
}

/** One answer per replicate, all in one call: a task holds no more replicates than the auditor answers at once. */
export async function drawOnce(
  task: AuditTask,
  question: Question,
  facts: AuditFacts,
  tools: AuditTools,
): Promise<Audit[]> {
  const { settings } = tools;
  const wanted = task.replicates.map((replicate) => wantedFor(task, replicate, 0, settings));
  let called: Called[];
  try {
    const answer = tools.ask(askFor(question, wanted, settings));
    called = answer instanceof Promise ? await answer : answer;
  } catch (cause) {
    const failed = failure(cause);
    return task.replicates.map((replicate) => auditRecord(facts, replicate, failed));
  }
  // Outside the try: a full disk ends the run and is not this decision's outcome.
  if (tools.keep) await keepAll(wanted, called, tools);
  return task.replicates.map((replicate, i) => {
    const { generation, attempts, cached, latencyMs } = called[i]!;
    const read = settings.signal === "none" ? { ...generation, tokens: null } : generation;
    const signals = extractSignals(read, { weights: settings.weights, missing: settings.missing ?? "floor" });
    return auditRecord(facts, replicate, { usage: generation.usage, signals, attempts, cached, latencyMs });
  });
}

/** Draws several answers to one question and combines them into one record. */
export async function drawSamples(
  task: AuditTask,
  question: Question,
  facts: AuditFacts,
  tools: AuditTools,
): Promise<Audit[]> {
  const { settings, auditor } = tools;
  const audits: Audit[] = [];
  for (const replicate of task.replicates) {
    const wanted = Array.from({ length: settings.samples }, (_, draw) => wantedFor(task, replicate, draw, settings));
    const answers = await Promise.all(
      [...chunks(wanted, auditor.answersPerCall)].map(async (some): Promise<Called[] | { cause: unknown }> => {
        let called: Called[];
        try {
          called = await tools.ask(askFor(question, some, settings));
        } catch (cause) {
          if (isNoOutcome(cause)) throw cause;
          return { cause };
        }
        if (tools.keep) await keepAll(some, called, tools);
        return called;
      }),
    );
    // The verdict is that of draw 0; no other draw may take its place. Answers to the other draws are in the cache.
    const [first] = answers;
    if (!Array.isArray(first)) {
      audits.push(auditRecord(facts, replicate, failure(first!.cause)));
      continue;
    }
    const called = answers.flatMap((answer) => (Array.isArray(answer) ? answer : []));
    const signals = extractSampled(
      called.map(({ generation }) => ({ ...generation, tokens: null })),
      { weights: settings.weights, citationKey: (text) => citationKey(text, facts.frame) },
    );
    audits.push(
      auditRecord(facts, replicate, {
        signals,
        usage: sumUsage(called),
        attempts: answers.reduce((sum, answer) => sum + (Array.isArray(answer) ? (answer[0]?.attempts ?? 0) : 1), 0),
        cached: called.every((one) => one.cached),
        latencyMs: Math.max(...called.map((one) => one.latencyMs)),
      }),
    );
  }
  return audits;
}

/** One wanted answer: its key in the ledger and its seed. */
export function wantedFor(
  { decision, arm, draws = arm }: AuditTask,
  replicate: number,
  draw: number,
  { seed, signal, samples }: RunSettings,
): Wanted {
  return {
    key: drawKey(auditKey(decision.id, arm, replicate), draw),
    seed: `${seed}:${decision.id}:${draws}:${replicate}${draw > 0 ? `:${draw}` : ""}`,
    draw: (signal === "sampling" ? replicate * samples : replicate) + draw + 1,
  };
}

export function askFor(question: Question, wanted: readonly Wanted[], settings: RunSettings): Ask {
  const { temperature, variant, signal } = settings;
  return {
    case: question.case,
    prompt: question.prompt,
    temperature,
    ...(variant === undefined ? {} : { variant }),
    logprobs: signal === "logprobs",
    wanted,
  };
}

async function keepAll(wanted: readonly Wanted[], called: readonly Called[], { keep }: AuditTools): Promise<void> {
  await Promise.all(wanted.map(({ key }, i) => keep!(key, called[i]!.generation)));
}

/** Total usage of the draws; null as soon as one draw did not report it. */
function sumUsage(called: readonly Called[]): Generation["usage"] {
  const sum = (name: keyof Generation["usage"]) =>
    called.reduce<number | null>((total, { generation }) => {
      const value = generation.usage[name];
      return total === null || value === null ? null : total + value;
    }, 0);
  return {
    input_tokens: sum("input_tokens"),
    cached_input_tokens: sum("cached_input_tokens"),
    output_tokens: sum("output_tokens"),
    cost_usd: sum("cost_usd"),
  };
}

/** The end of the whole run and an answer still to come are not outcomes. */
function isNoOutcome(cause: unknown): boolean {
  return cause instanceof RunHalted || cause instanceof AnswerPending;
}

/** Turns an error into an outcome. */
export function failure(cause: unknown): { error: { code: string; message: string }; attempts: number } {
  if (isNoOutcome(cause)) throw cause;
  const attempts = (cause as { attempts?: number }).attempts ?? 1;
  if (cause instanceof DefensibleError) return { error: { code: cause.code, message: cause.message }, attempts };
  const message = cause instanceof Error ? cause.message : String(cause);
  return { error: { code: "auditor_failed", message }, attempts };
}

function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  if (items.length <= size) yield items;
  else for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

/** Citations are the same if they rest on the same rule or precedent; otherwise, if they have the same words. */
function citationKey(citation: string, frame: CaseFrame): string {
  const { grounded, scope, rule_id } = groundCitation(citation, frame);
  if (grounded && rule_id !== null) return `${scope} ${rule_id}`;
  return normaliseCitation(citation);
}
