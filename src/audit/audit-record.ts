import type { Auditor, Measured } from "../auditors/auditor.js";
import type { PromptNotes } from "../auditors/output-format.js";
import type { Audit, Flag, PartialTrace, ReadHashes } from "../core/records/audit.js";
import type { CaseFrame, Generation } from "../core/records/case.js";
import { groundCitation } from "../measures/grounding/ground-citation.js";
import type { SampledResult } from "../measures/signals/extract-sampled.js";
import { unscrub } from "../text/scrub/scrub.js";
import type { RunSettings } from "./arms.js";
import type { AuditTask } from "./audit-one.js";

/** What is known about an audit before its answer. */
export interface AuditFacts {
  task: AuditTask;
  auditor: Auditor;
  settings: RunSettings;
  frame: CaseFrame;
  rulesetVersion: string;
  language: string | null;
  flags: Flag[];
  /** Hashes of what is read; null: no routing by the audit's content. */
  read: ReadHashes | null;
  /** What was done to fit the case into a prompt; null: nothing, or there was no prompt. */
  notes: PromptNotes | null;
  started: number;
}

type AuditAnswer =
  | {
      signals: Measured & Partial<Pick<SampledResult, "samples" | "se" | "h_citation_sampled_bits">>;
      usage: Generation["usage"] | null;
      attempts: number;
      cached: boolean;
      latencyMs: number;
      error?: undefined;
      unscored?: undefined;
    }
  | {
      error: { code: string; message: string };
      attempts: number;
      unscored?: undefined;
      signals?: undefined;
      usage?: undefined;
      cached?: undefined;
      latencyMs?: undefined;
    }
  | {
      /** The auditor was not asked. */
      unscored: { code: string; message: string };
      attempts: number;
      error?: undefined;
      signals?: undefined;
      usage?: undefined;
      cached?: undefined;
      latencyMs?: undefined;
    };

/** Longest trace text kept, in characters: a runaway model must not fill the ledger. */
const MAX_TRACE_CHARACTERS = 65_536;

/** The record of one audit. All fields are listed: every record has the same shape, and this is several times faster than spreading. */
export function auditRecord(facts: AuditFacts, replicate: number, answer: AuditAnswer): Audit {
  const { task, auditor, settings, frame } = facts;
  const { signals, error, unscored } = answer;
  const { decision } = task;
  const trace = signals ? shortened(signals.trace) : null;
  const hidden = facts.notes?.scrubbed ?? null;
  const ground = (text: string | null | undefined) =>
    text ? groundCitation(hidden ? unscrub(text, hidden) : text, frame) : null;
  return {
    run_id: settings.runId,
    decision_id: decision.id,
    arm: task.arm,
    replicate,
    community: decision.community,
    auditor: auditor.name,
    auditor_version: auditor.version,
    prompt_version: settings.promptVersion,
    template: settings.template,
    ruleset_version: facts.rulesetVersion,
    tier: settings.tier,
    temperature: settings.temperature,
    signal: settings.signal,
    missing: settings.missing === "paper" ? "paper" : null,
    outcome: signals?.outcome ?? (unscored ? "unscored" : "error"),
    error: error ?? unscored ?? signals?.error ?? null,
    decision: task.action,
    human_label: decision.human_label ?? null,
    thread_id: decision.thread_id ?? null,
    language: facts.language,
    decided_at: decision.decided_at ?? null,
    trace,
    level: signals?.level ?? null,
    inverse: signals?.inverse ?? null,
    level_probs: signals?.level_probs ?? null,
    level_map: signals?.level_map ?? null,
    lambda_nats: signals?.lambda_nats ?? null,
    h_weight_bits: signals?.h_weight_bits ?? null,
    h_citation_bits: signals?.h_citation_bits ?? null,
    h_citation_sampled_bits: signals?.h_citation_sampled_bits ?? null,
    citation_tokens: signals?.citation_tokens ?? null,
    citation_spans: signals?.citation_spans ?? null,
    entropy_support: signals?.entropy_support ?? null,
    inverse_log_odds: signals?.inverse_log_odds ?? null,
    inverse_yes_prob: signals?.inverse_yes_prob ?? null,
    pds: signals?.pds ?? null,
    p_defensible: signals?.p_defensible ?? null,
    label_mass: signals?.label_mass ?? null,
    tail_mass: signals?.tail_mass ?? null,
    logprob_space: signals?.logprob_space ?? null,
    samples: signals?.samples ?? null,
    se: signals?.se ?? null,
    sensitivity: signals?.sensitivity ? { ...signals.sensitivity } : null,
    flags: flagsOf(facts, answer),
    citation: signals?.citation === undefined ? ground(trace?.policy_citation) : signals.citation,
    inverse_citation: ground(trace?.inverse_citation),
    prompt: promptOf(facts.notes),
    read: facts.read,
    usage: answer.usage ?? null,
    latency_ms: Math.round((answer.latencyMs ?? performance.now() - facts.started) * 1000) / 1000,
    attempts: answer.attempts,
    created_at: new Date().toISOString(),
  };
}

function flagsOf(facts: AuditFacts, { signals, cached }: AuditAnswer): Flag[] {
  const flags = signals ? facts.flags.concat(signals.flags) : facts.flags;
  return cached ? [...flags, "cached"] : flags;
}

/** Recorded only where the model saw something other than the whole case. */
function promptOf(notes: PromptNotes | null): Audit["prompt"] {
  if (notes === null) return null;
  const { precedents_used, precedents_left_out, content_cut, scrubbed } = notes;
  if (precedents_left_out === 0 && content_cut === 0 && scrubbed === null) return null;
  return { precedents_used, precedents_left_out, content_cut, scrubbed };
}

function shortened(trace: PartialTrace): PartialTrace {
  const { logic_chain, policy_citation, inverse_citation } = trace;
  const longest = Math.max(logic_chain?.length ?? 0, policy_citation?.length ?? 0, inverse_citation?.length ?? 0);
  if (longest <= MAX_TRACE_CHARACTERS) return trace;
  return {
    ...trace,
    logic_chain: cut(logic_chain),
    policy_citation: cut(policy_citation),
    inverse_citation: cut(inverse_citation),
  };
}

function cut<T extends string | null | undefined>(text: T): T | string {
  return text && text.length > MAX_TRACE_CHARACTERS ? `${text.slice(0, MAX_TRACE_CHARACTERS - 1)}…` : text;
}
