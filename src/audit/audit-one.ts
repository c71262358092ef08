import type { Auditor } from "../auditors/auditor.js";
import type { Audit, Flag } from "../domain/audit.js";
import type { AuditCase } from "../domain/case.js";
import { type ContentParts, contentParts } from "../domain/content.js";
import type { Decision } from "../domain/decision.js";
import type { Generation } from "../domain/generation.js";
import { detectLanguage } from "../domain/language.js";
import { DefensibleError } from "../errors.js";
import { extractSignals } from "../signals/extract-signals.js";
import { auditRecord } from "./audit-record.js";
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
  const language =
    content.language ?? detectLanguage(content.title ? `${content.title}\n${content.body}` : content.body);
  const facts = {
    task,
    auditor,
    settings,
    frame: entry.frame,
    rulesetVersion: rules.version,
    language,
    flags: caseFlags(content, language, rules, entry),
    started: performance.now(),
  };
  let generation: Generation;
  try {
    const seed = `${settings.seed}:${decision.id}:${task.arm}:${task.replicate}`;
    const answer = auditor.generate(auditCase, { temperature: settings.temperature, seed });
    generation = answer instanceof Promise ? await answer : answer;
  } catch (cause) {
    return auditRecord(facts, { error: describe(cause) });
  }
  const read = settings.signal === "none" ? { ...generation, tokens: null } : generation;
  return auditRecord(facts, { generation, signals: extractSignals(read, { weights: settings.weights }) });
}

function caseFlags(content: ContentParts, language: string | null, rules: RulesInForce, entry: FrameEntry): Flag[] {
  const flags: Flag[] = [];
  if (rules.community === null) flags.push("no_community_rules");
  if (rules.retroactive) flags.push("retroactive_rule");
  if (content.hasMedia) flags.push("unseen_media");
  const languages = entry.precedentLanguages;
  if (language && languages.size > 0 && !languages.has(language)) flags.push("language_not_in_precedents");
  return flags;
}

function describe(cause: unknown): { code: string; message: string } {
  if (cause instanceof DefensibleError) return { code: cause.code, message: cause.message };
  if (cause instanceof Error) return { code: "auditor_failed", message: cause.message };
  return { code: "auditor_failed", message: String(cause) };
}
