import type { Ask, Auditor, Measured } from "../auditors/auditor.js";
import type { Prompt, PromptNotes } from "../auditors/output-format.js";
import { detectLanguage } from "../core/language.js";
import { sameFamily } from "../core/model-family.js";
import { ERASED, NO_RULES } from "../core/names.js";
import type { Audit, Flag, PartialTrace, ReadHashes } from "../core/records/audit.js";
import type { AuditCase, CaseFrame, Generation } from "../core/records/case.js";
import { type ContentParts, contentParts, type Decision } from "../core/records/decision.js";
import { groundCitation } from "../measures/grounding/ground-citation.js";
import type { SampledResult } from "../measures/signals/extract-sampled.js";
import { noticeInjection } from "../text/injection/find-injection.js";
import { unscrub } from "../text/scrub/scrub.js";
import type { ReadHasher, RunSettings } from "./arms.js";
import type { Called } from "./calls/caller.js";
import { drawOnce, drawSamples, failure, measure, type Question } from "./draw-answers.js";
import type { FrameEntry } from "./frames.js";
import type { RulesInForce } from "./rules-in-force.js";

/** One thing to do: audit a decision, or what the human decided instead, as often as there are replicates in it. */
export interface AuditTask {
  decision: Decision;
  arm: string;
  /** The action whose defensibility is asked. */
  action: string;
  replicates: readonly number[];
  /** Names the random numbers it draws. Default: the arm. */
  draws?: string;
}

/** What all audits of a run are made with. */
export interface AuditTools {
  auditor: Auditor;
  settings: RunSettings;
  /** null: the auditor reads the case. */
  prompter: ((auditCase: AuditCase) => Prompt) | null;
  ask: (ask: Ask) => Called[] | Promise<Called[]>;
  /** Hashes what is read, so that it is known again. */
  hasher?: ReadHasher;
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
  if (problem === NO_RULES) return task.replicates.map((replicate) => auditRecord(facts, replicate, UNDER_NO_RULE));
  if (problem === ERASED) return task.replicates.map((replicate) => auditRecord(facts, replicate, WITHOUT_CONTENT));
  if (problem) return task.replicates.map((replicate) => auditRecord(facts, replicate, failure(problem)));
  const { signal } = tools.settings;
  if (signal === "sampling") return drawSamples(task, question, facts, tools);
  if (signal === "logprobs" && tools.auditor.measure && !tools.keep) return measure(task, question, facts, tools);
  return drawOnce(task, question, facts, tools);
}

interface PreparedAudit {
  facts: AuditFacts;
  question: Question;
  /** Why there is no question: no rule is in force, the content was erased, or (the cause) the rules do not fit the model. */
  problem: unknown;
}

/** Nothing can be derived from no rules, whatever precedents say: the auditor is not asked. */
const UNDER_NO_RULE = {
  unscored: { code: NO_RULES, message: "rules: none of the community or the platform is in force for this decision" },
  attempts: 0,
};

const WITHOUT_CONTENT = { unscored: { code: ERASED, message: "content: it was erased" }, attempts: 0 };

/** What is asked, and what is known before the answer. */
export function prepareAudit(
  task: AuditTask,
  rules: RulesInForce,
  entry: FrameEntry,
  tools: AuditTools,
): PreparedAudit {
  const { decision } = task;
  const { auditor, settings } = tools;
  const view = viewOf(decision);
  const { content, language } = view;
  const auditCase: AuditCase = { frame: entry.frame, content, decision: task.action, template: settings.template };
  const facts: AuditFacts = {
    task,
    auditor,
    settings,
    frame: entry.frame,
    rulesetVersion: rules.version,
    language,
    flags: caseFlags(decision, view, rules, entry, auditor),
    notes: null,
    read: tools.hasher ? { content: tools.hasher.content(decision.content), ...tools.hasher.frame(entry.frame) } : null,
    started: performance.now(),
  };
  const question: Question = { case: auditCase, prompt: null };
  if (decision.erased === true) return { facts, question, problem: ERASED };
  if (entry.frame.rules.length === 0) {
    facts.flags = [...facts.flags, NO_RULES];
    return { facts, question, problem: NO_RULES };
  }
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

/** What is known of a content whatever is asked about it. */
interface ContentView {
  content: ContentParts;
  language: string | null;
  /** It seems to address the auditor. */
  suspected: boolean;
}

let last: { decision: Decision; view: ContentView } | null = null;

/** Of the same decision as before: the same. Arms and parts of replicates follow one another, and looking for injections takes longer than a simulated audit. */
function viewOf(decision: Decision): ContentView {
  if (last?.decision === decision) return last.view;
  const content = contentParts(decision.content);
  const text = content.title ? `${content.title}\n${content.body}` : content.body;
  const language = content.language ?? detectLanguage(text);
  const view = { content, language, suspected: noticeInjection(content).length > 0 };
  last = { decision, view };
  return view;
}

function caseFlags(
  decision: Decision,
  { content, language, suspected }: ContentView,
  rules: RulesInForce,
  entry: FrameEntry,
  auditor: Auditor,
): Flag[] {
  const flags: Flag[] = [];
  if (rules.community === null && !rules.withheld) flags.push("no_community_rules");
  if (rules.retroactive) flags.push("retroactive_rule");
  if (content.hasMedia) flags.push("unseen_media");
  const languages = entry.precedentLanguages;
  if (language && languages.size > 0 && !languages.has(language)) flags.push("language_not_in_precedents");
  if (decision.decider?.kind === "model" && sameFamily(decision.decider.id ?? null, auditor.name))
    flags.push("same_family");
  if (suspected) flags.push("injection_suspected");
  return flags;
}

/** What is known of an audit before its answer. */
export interface AuditFacts {
  task: AuditTask;
  auditor: Auditor;
  settings: RunSettings;
  frame: CaseFrame;
  rulesetVersion: string;
  language: string | null;
  flags: Flag[];
  /** Hashes of what is read; null: nothing can be routed by the audit's content. */
  read: ReadHashes | null;
  /** What was done to fit the case into a prompt; null: nothing was done, or there was no prompt. */
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

/** Longest text of a trace that is kept: a model gone wild must not fill the ledger. */
const MAX_TRACE_CHARACTERS = 65_536;

/** The record of one audit. All fields are written out: one shape for every record, which is also several times faster than spreading. */
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

/** Written only where the model saw something other than the whole case. */
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
