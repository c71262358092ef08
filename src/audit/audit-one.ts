import type { Ask, Auditor } from "../auditors/auditor.js";
import { type Audit, auditKey, drawKey, type Flag } from "../domain/audit.js";
import type { AuditCase } from "../domain/case.js";
import { type ContentParts, contentParts } from "../domain/content.js";
import type { Decision } from "../domain/decision.js";
import type { Generation } from "../domain/generation.js";
import { detectLanguage } from "../domain/language.js";
import { sameFamily } from "../domain/model-family.js";
import { DefensibleError } from "../errors.js";
import { noticeInjection } from "../prompt/injection.js";
import type { Prompt } from "../prompt/prompt.js";
import { extractSampled } from "../signals/extract-sampled.js";
import { extractSignals } from "../signals/extract-signals.js";
import { type AuditFacts, auditRecord } from "./audit-record.js";
import type { Called } from "./calls/caller.js";
import { RunHalted } from "./calls/run-halted.js";
import { citationKey } from "./citation-key.js";
import type { FrameEntry } from "./frames.js";
import type { RulesInForce } from "./rules-in-force.js";
import type { RunSettings } from "./settings.js";

/** One thing to do: audit a decision, or what the human decided instead, as often as there are replicates in it. */
export interface AuditTask {
  decision: Decision;
  arm: string;
  /** The action whose defensibility is asked. */
  action: string;
  replicates: readonly number[];
}

/** What all audits of a run are made with. */
export interface AuditTools {
  auditor: Auditor;
  settings: RunSettings;
  /** null: the auditor reads the case. */
  prompter: ((auditCase: AuditCase) => Prompt) | null;
  ask: (ask: Ask) => Called[] | Promise<Called[]>;
  /** Keeps an answer as it came. */
  keep: ((key: string, generation: Generation) => Promise<void>) | null;
}

/**
 * Audits one decision. Whatever goes wrong with it becomes its outcome; only the end of the whole run (RunHalted) and programming
 * errors escape.
 */
export async function auditOne(
  task: AuditTask,
  rules: RulesInForce,
  entry: FrameEntry,
  tools: AuditTools,
): Promise<Audit[]> {
  const { facts, question, problem } = prepareAudit(task, rules, entry, tools);
  if (problem) return task.replicates.map((replicate) => auditRecord(facts, replicate, failure(problem)));
  const draw = tools.settings.signal === "sampling" ? drawSamples : drawOnce;
  return draw(task, question, facts, tools);
}

export interface PreparedAudit {
  facts: AuditFacts;
  question: Question;
  /** Why there is no question: the rules do not fit the model. */
  problem: unknown;
}

/** What is asked, and what is known before the answer. */
export function prepareAudit(
  task: AuditTask,
  rules: RulesInForce,
  entry: FrameEntry,
  tools: AuditTools,
): PreparedAudit {
  const { decision } = task;
  const { auditor, settings } = tools;
  const content = contentParts(decision.content);
  const auditCase: AuditCase = { frame: entry.frame, content, decision: task.action, template: settings.template };
  const language =
    content.language ?? detectLanguage(content.title ? `${content.title}\n${content.body}` : content.body);
  const facts: AuditFacts = {
    task,
    auditor,
    settings,
    frame: entry.frame,
    rulesetVersion: rules.version,
    language,
    flags: caseFlags(decision, content, language, rules, entry, auditor),
    notes: null,
    started: performance.now(),
  };
  const question: Question = { case: auditCase, prompt: null };
  if (!tools.prompter) return { facts, question, problem: null };
  try {
    question.prompt = tools.prompter(auditCase);
  } catch (problem) {
    return { facts, question, problem };
  }
  facts.notes = question.prompt.notes;
  if (facts.notes.flags.length > 0) facts.flags = [...new Set([...facts.flags, ...facts.notes.flags])];
  return { facts, question, problem: null };
}

type Question = Pick<Ask, "case" | "prompt">;

/** One answer a replicate, all of them in one call: a task holds no more than the auditor gives. */
async function drawOnce(task: AuditTask, question: Question, facts: AuditFacts, tools: AuditTools): Promise<Audit[]> {
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
  // Outside the try: a full disk is the end of the run, not this decision's outcome.
  if (tools.keep) await keepAll(wanted, called, tools);
  return task.replicates.map((replicate, i) => {
    const { generation, attempts, cached, latencyMs } = called[i]!;
    const read = settings.signal === "none" ? { ...generation, tokens: null } : generation;
    const signals = extractSignals(read, { weights: settings.weights });
    return auditRecord(facts, replicate, { usage: generation.usage, signals, attempts, cached, latencyMs });
  });
}

/** Many draws of the same question, and one record of what they say together. */
async function drawSamples(
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
          if (cause instanceof RunHalted) throw cause;
          return { cause };
        }
        if (tools.keep) await keepAll(some, called, tools);
        return called;
      }),
    );
    // The verdict is draw 0's; another must not take its place. What the others said is in the cache.
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

type Wanted = Ask["wanted"][number];

/** One answer that is wanted: its place in the ledger, and the seed that belongs to it. */
export function wantedFor(
  { decision, arm }: AuditTask,
  replicate: number,
  draw: number,
  { seed }: RunSettings,
): Wanted {
  return {
    key: drawKey(auditKey(decision.id, arm, replicate), draw),
    seed: `${seed}:${decision.id}:${arm}:${replicate}${draw > 0 ? `:${draw}` : ""}`,
  };
}

export function askFor(question: Question, wanted: readonly Wanted[], { temperature, signal }: RunSettings): Ask {
  return { case: question.case, prompt: question.prompt, temperature, logprobs: signal === "logprobs", wanted };
}

async function keepAll(wanted: readonly Wanted[], called: readonly Called[], { keep }: AuditTools): Promise<void> {
  await Promise.all(wanted.map(({ key }, i) => keep!(key, called[i]!.generation)));
}

/** What the draws used together; null as soon as one of them did not say. */
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

function caseFlags(
  decision: Decision,
  content: ContentParts,
  language: string | null,
  rules: RulesInForce,
  entry: FrameEntry,
  auditor: Auditor,
): Flag[] {
  const flags: Flag[] = [];
  if (rules.community === null) flags.push("no_community_rules");
  if (rules.retroactive) flags.push("retroactive_rule");
  if (content.hasMedia) flags.push("unseen_media");
  const languages = entry.precedentLanguages;
  if (language && languages.size > 0 && !languages.has(language)) flags.push("language_not_in_precedents");
  if (decision.decider?.kind === "model" && sameFamily(decision.decider.id ?? null, auditor.name))
    flags.push("same_family");
  if (noticeInjection(content).kinds.length > 0) flags.push("injection_suspected");
  return flags;
}

function failure(cause: unknown): { error: { code: string; message: string }; attempts: number } {
  if (cause instanceof RunHalted) throw cause;
  const attempts = (cause as { attempts?: number }).attempts ?? 1;
  if (cause instanceof DefensibleError) return { error: { code: cause.code, message: cause.message }, attempts };
  const message = cause instanceof Error ? cause.message : String(cause);
  return { error: { code: "auditor_failed", message }, attempts };
}

function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  if (items.length <= size) yield items;
  else for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}
