import type { Ask, Auditor } from "../auditors/auditor.js";
import type { Prompt } from "../auditors/output-format.js";
import { detectLanguage } from "../core/language.js";
import { sameFamily } from "../core/model-family.js";
import { ERASED, NO_RULES } from "../core/names.js";
import type { Audit, Flag } from "../core/records/audit.js";
import type { AuditCase, Generation } from "../core/records/case.js";
import { type ContentParts, contentParts, type Decision } from "../core/records/decision.js";
import { noticeInjection } from "../text/injection/find-injection.js";
import type { ReadHasher, RunSettings } from "./arms.js";
import { type AuditFacts, auditRecord } from "./audit-record.js";
import type { Called } from "./calls/caller.js";
import { drawOnce, drawSamples, failure, measure, type Question } from "./draw-answers.js";
import type { FrameEntry } from "./frames.js";
import type { RulesInForce } from "./rules-in-force.js";

/** One unit of work: audit a decision, or the human's decision instead, once for each replicate. */
export interface AuditTask {
  decision: Decision;
  arm: string;
  /** The action whose defensibility is asked. */
  action: string;
  replicates: readonly number[];
  /** Seeds the random numbers. Default: the arm. */
  draws?: string;
}

/** What all audits of a run share. */
export interface AuditTools {
  auditor: Auditor;
  settings: RunSettings;
  /** null: the auditor reads cases. */
  prompter: ((auditCase: AuditCase) => Prompt) | null;
  ask: (ask: Ask) => Called[] | Promise<Called[]>;
  /** Hashes what is read, so that the same input can be recognised. */
  hasher?: ReadHasher;
  /** Stores an answer as received; null: answers are not stored. */
  keep: ((key: string, generation: Generation) => Promise<void>) | null;
}

/**
 * Audits one decision. Whatever goes wrong becomes the decision's outcome. Only the end of the whole run (RunHalted), an answer
 * still to come (AnswerPending) and errors outside the call, such as a full disk, are thrown.
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
  /** Why there is no question: no rule is in force, the content was erased, or the error that the rules do not fit the model. */
  problem: unknown;
}

/** Without rules nothing can be derived, whatever the precedents say: the auditor is not asked. */
const UNDER_NO_RULE = {
  unscored: { code: NO_RULES, message: "rules: none of the community or the platform is in force for this decision" },
  attempts: 0,
};

const WITHOUT_CONTENT = { unscored: { code: ERASED, message: "its content was erased" }, attempts: 0 };

/** Prepares the question and everything that is known before its answer. */
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

/** What is known about a content, whatever is asked about it. */
interface ContentView {
  content: ContentParts;
  language: string | null;
  /** It seems to address the auditor. */
  suspected: boolean;
}

let last: { decision: Decision; view: ContentView } | null = null;

/** Remembers the last decision: its arms and replicates follow one another, and the search for injections takes longer than a simulated audit. */
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
