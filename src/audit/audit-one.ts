import type { Auditor } from "../auditors/auditor.js";
import type { Audit, Flag } from "../domain/audit.js";
import type { AuditCase } from "../domain/case.js";
import { contentParts } from "../domain/content.js";
import type { Decision } from "../domain/decision.js";
import type { Generation } from "../domain/generation.js";
import { detectLanguage } from "../domain/language.js";
import { DefensibleError } from "../errors.js";
import { groundCitation } from "../grounding/ground-citation.js";
import { extractSignals } from "../signals/extract-signals.js";
import type { FrameEntry } from "./frames.js";
import type { RulesInForce } from "./rules-in-force.js";
import type { RunSettings } from "./settings.js";

/** One thing to do: audit a decision, or what the human decided instead, once. */
export interface AuditTask {
  decision: Decision;
  arm: string;
  replicate: number;
  /** The action whose defensibility is asked. */
  action: string;
}

/** Longest text of a trace that is kept: a model gone wild must not fill the ledger. */
const MAX_TRACE_CHARACTERS = 65_536;

/** Audits one decision. Whatever goes wrong with it becomes its outcome; only a programming error escapes. */
export async function auditOne(
  task: AuditTask,
  rules: RulesInForce,
  entry: FrameEntry,
  auditor: Auditor,
  settings: RunSettings,
): Promise<Audit> {
  const { decision } = task;
  const content = contentParts(decision.content);
  const auditCase: AuditCase = { frame: entry.frame, content, decision: task.action, template: settings.template };
  const language = content.language ?? detectLanguage(content.title ? `${content.title}\n${content.body}` : content.body);
  const flags: Flag[] = [];
  if (rules.community === null) flags.push("no_community_rules");
  if (rules.retroactive) flags.push("retroactive_rule");
  if (content.hasMedia) flags.push("unseen_media");
  const languages = entry.precedentLanguages;
  if (language && languages.size > 0 && !languages.has(language)) flags.push("language_not_in_precedents");

  const started = performance.now();
  const head = {
    run_id: settings.runId,
    decision_id: decision.id,
    arm: task.arm,
    replicate: task.replicate,
    community: decision.community,
    auditor: auditor.name,
    auditor_version: auditor.version,
    prompt_version: auditor.promptVersion,
    template: settings.template,
    ruleset_version: rules.version,
    tier: settings.tier,
    temperature: settings.temperature,
    signal: settings.signal,
  };
  const known = {
    decision: task.action,
    human_label: decision.human_label ?? null,
    thread_id: decision.thread_id ?? null,
    language,
    decided_at: decision.decided_at ?? null,
  };
  const tail = () => ({
    latency_ms: Math.round((performance.now() - started) * 1000) / 1000,
    attempts: 1,
    created_at: new Date().toISOString(),
  });

  let generation: Generation;
  try {
    const seed = `${settings.seed}:${decision.id}:${task.arm}:${task.replicate}`;
    const answer = auditor.generate(auditCase, { temperature: settings.temperature, seed });
    generation = answer instanceof Promise ? await answer : answer;
  } catch (cause) {
    return { ...head, outcome: "error", error: describe(cause), ...known, flags, ...tail() };
  }

  const signals = extractSignals(settings.signal === "none" ? { ...generation, tokens: null } : generation, {
    weights: settings.weights,
    missing: "floor",
  });
  const { outcome, error, trace, flags: signalFlags, ...numbers } = signals;
  const ground = (text: string | null | undefined) => (text ? groundCitation(text, entry.frame) : null);
  return {
    ...head,
    outcome,
    error,
    ...known,
    trace: trace ? shortened(trace) : null,
    ...numbers,
    flags: flags.concat(signalFlags),
    citation: ground(trace?.policy_citation),
    inverse_citation: ground(trace?.inverse_citation),
    usage: generation.usage,
    ...tail(),
  } as Audit;
}

function shortened<T extends Record<string, unknown>>(trace: T): T {
  for (const [name, value] of Object.entries(trace)) {
    if (typeof value === "string" && value.length > MAX_TRACE_CHARACTERS) {
      return shortened({ ...trace, [name]: `${value.slice(0, MAX_TRACE_CHARACTERS - 1)}…` });
    }
  }
  return trace;
}

function describe(cause: unknown): { code: string; message: string } {
  if (cause instanceof DefensibleError) return { code: cause.code, message: cause.message };
  if (cause instanceof Error) return { code: "auditor_failed", message: cause.message };
  return { code: "auditor_failed", message: String(cause) };
}
