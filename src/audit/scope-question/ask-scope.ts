import type { Ask, Auditor } from "../../auditors/auditor.js";
import type { Prompt } from "../../auditors/output-format.js";
import { InputError } from "../../core/errors.js";
import type { CaseFrame, CaseRule, Generation } from "../../core/records/case.js";
import { rulesInText } from "../../measures/grounding/rules-in-text.js";
import { nearestRules } from "../../measures/grounding/scope/scope-case.js";
import type { ScopeInput } from "../../measures/grounding/scope/scope-verdict.js";
import type { DualClass } from "../../measures/metrics/paired/dual-audit.js";
import { alignTokens } from "../../measures/signals/align-tokens.js";
import { readLabel } from "../../measures/signals/label-distribution.js";
import { type Member, parseInverse, scanObject, unescapeString } from "../../measures/signals/scan-object.js";
import { utf8Length } from "../../text/printable.js";
import type { Scrub } from "../../text/scrub/scrub.js";
import type { ScopeQuestion } from "../prompt/audit-prompt.js";

/** One audit of a pair: the verdict on one action. */
export interface DualSide {
  /** null: no verdict. */
  level: number | null;
  /** null: no probability. */
  p_defensible: number | null;
}

export interface DualVerdict {
  /** null: one of the two audits has no verdict. */
  state: DualClass | null;
  /** Probability that only the opposite can be derived, taking the two audits as independent: (1 − p) q. null: one has no probability. */
  suspicion: number | null;
  /** Only the opposite can be derived. */
  flagged: boolean;
  /** Why there is no state; null if there is one. */
  reason: string | null;
}

/**
 * The dual audit as a layer of defence: decision and opposite are audited separately, and a decision is flagged as a model error if only its opposite
 * can be derived. If both can be derived, the rules are ambiguous; if neither can, no rule covers the case: both are signs of other faults.
 */
export function dualVerdict(own: DualSide, opposite: DualSide): DualVerdict {
  const suspicion =
    own.p_defensible === null || opposite.p_defensible === null ? null : (1 - own.p_defensible) * opposite.p_defensible;
  if (own.level === null || opposite.level === null) {
    return { state: null, suspicion, flagged: false, reason: "one of the two audits has no verdict" };
  }
  const state = classOf(own.level < 3, opposite.level < 3);
  return { state, suspicion, flagged: state === "model_error", reason: null };
}

function classOf(own: boolean, opposite: boolean): DualClass {
  if (own) return opposite ? "ambiguous" : "determinate";
  return opposite ? "model_error" : "void";
}

/** Rules shown in addition to the cited ones: those nearest to the content, since one of them may be decisive. */
const NEAR_RULES = 3;
/** A citation that names half the rule book says nothing; no more than this many cited rules are shown. */
const MOST_CITED = 4;

interface Focus {
  frame: CaseFrame;
  /** The cited rules and precedents, as a prompt names them. */
  cited: string[];
}

/** Reduced frames by the rules they hold, so that each is prepared once. */
const focused = new WeakMap<CaseFrame, Map<string, CaseFrame>>();
const REMEMBERED = 500;

/** The part of the frame on which the step from citation to verdict depends: what was cited, and the rules nearest to the content. */
export function focusFrame(input: ScopeInput): Focus {
  const { frame, trace } = input;
  const named = rulesInText(trace.policy_citation ?? "", frame).named.slice(0, MOST_CITED);
  const isNamed = ({ scope, id }: { scope: string; id: string }) =>
    named.some((one) => one.scope === scope && one.rule_id === id);
  const near = new Set<CaseRule>(nearestRules(input, NEAR_RULES));
  const rules = frame.rules.filter((rule) => isNamed(rule) || near.has(rule));
  const precedents = frame.precedents.filter(({ id }) => isNamed({ scope: "precedent", id }));
  return {
    frame: remembered(frame, rules, precedents),
    cited: named.map(({ scope, rule_id }) =>
      scope === "precedent" ? `precedent ${rule_id}` : `${scope} rule ${rule_id}`,
    ),
  };
}

function remembered(frame: CaseFrame, rules: CaseFrame["rules"], precedents: CaseFrame["precedents"]): CaseFrame {
  const known = focused.get(frame) ?? new Map<string, CaseFrame>();
  focused.set(frame, known);
  const key = JSON.stringify([rules.map((rule) => frame.rules.indexOf(rule)), precedents.map(({ id }) => id)]);
  const same = known.get(key);
  if (same) return same;
  if (known.size >= REMEMBERED) known.clear();
  const part = { ...frame, rules, precedents };
  known.set(key, part);
  return part;
}

export interface ScopeReply extends ScopeAnswer {
  /** Why there is no probability; null if there is one. */
  reason: string | null;
  /** Version of the question; null: it was not asked. */
  prompt_version: string | null;
  usage: Generation["usage"] | null;
}

export interface AskScopeOptions {
  /** Separates this question from others in logs and caches. Default "scope". */
  key?: string;
  seed?: string;
  /** Default 0: the answer is read from the probabilities, so nothing has to be sampled. */
  temperature?: number;
  scrub?: Scrub | null;
  signal?: AbortSignal;
}

/** Asks, and returns the answers in the order in which they were wanted. */
export type AskFunction = (ask: Ask) => Promise<readonly { generation: Generation }[]>;

/**
 * The focused second question: does the cited rule, with its scope and exceptions, support the step to this decision? The probability is that of
 * `Yes` at the token where the answer says so. An auditor that reads cases instead of questions (the baseline, the simulated auditor, recorded
 * answers) cannot be asked: the answer is null, with the reason. Throws what `ask` throws.
 */
export async function askScope(
  ask: AskFunction,
  auditor: Auditor,
  input: ScopeInput,
  options: AskScopeOptions = {},
): Promise<ScopeReply> {
  const { policy_citation: citation } = input.trace;
  if (auditor.readsPrompt === null || auditor.given !== undefined) {
    return notAsked(`${auditor.name} reads cases, not questions: it cannot be asked about a single step`);
  }
  if (auditor.intake) {
    return notAsked(`${auditor.name} holds answers to audits: it cannot be asked about a single step`);
  }
  if (citation === null || citation.trim() === "") return notAsked("the trace cites nothing");
  const { frame, cited } = focusFrame(input);
  const { content, decision } = input;
  const prompter = await prompterFor(auditor, options.scrub ?? null);
  let prompt: Prompt;
  try {
    prompt = prompter({ frame, content, decision, citation, cited });
  } catch (cause) {
    if (cause instanceof InputError) return notAsked(cause.message);
    throw cause;
  }
  const [answer] = await ask({
    case: null,
    prompt,
    temperature: options.temperature ?? 0,
    logprobs: true,
    wanted: [{ key: options.key ?? "scope", seed: options.seed ?? "scope" }],
    ...(options.signal && { signal: options.signal }),
  });
  const { generation } = answer!;
  const read = readScopeAnswer(generation);
  return { ...read, reason: whyNone(read, generation), prompt_version: prompt.version, usage: generation.usage };
}

function notAsked(reason: string): ScopeReply {
  const nothing: ScopeAnswer = { condition_met: null, exception_applies: null, supports: null, p_supported: null };
  return { ...nothing, reason, prompt_version: null, usage: null };
}

function whyNone({ supports, p_supported }: ScopeAnswer, { finish, tokens }: Generation): string | null {
  if (p_supported !== null) return null;
  if (supports !== null) {
    return tokens === null || tokens.length === 0
      ? `the model answered ${supports} and gave no token probabilities`
      : `the model answered ${supports} at a token that does not say where the choice was made`;
  }
  switch (finish) {
    case "refusal":
      return "the model refused to answer";
    case "filter":
      return "the provider's filter withheld the answer";
    case "too_long":
      return "the answer is larger than what is read of one";
    case "length":
      return "the answer was cut off at the most tokens it may have";
    case "stop":
      return "the answer does not say Yes or No";
  }
}

type Prompter = (question: ScopeQuestion) => Prompt;
const NO_SCRUB = {};
const prompters = new WeakMap<Auditor, WeakMap<object, Promise<Prompter>>>();

/** One prompter per auditor and scrub. Tokenizers are loaded only here. */
function prompterFor(auditor: Auditor, scrub: Scrub | null): Promise<Prompter> {
  const known = prompters.get(auditor) ?? new WeakMap<object, Promise<Prompter>>();
  prompters.set(auditor, known);
  let prompter = known.get(scrub ?? NO_SCRUB);
  if (!prompter) {
    prompter = createPrompter(auditor, scrub);
    known.set(scrub ?? NO_SCRUB, prompter);
  }
  return prompter;
}

async function createPrompter(auditor: Auditor, scrub: Scrub | null): Promise<Prompter> {
  const { createScopePrompter } = await import("../prompt/audit-prompt.js");
  const { createTokenCounter } = await import("../prompt/token-counter.js");
  const { tokenizer, contextTokens, outputTokens } = auditor.readsPrompt!;
  const counter = await createTokenCounter(tokenizer);
  return createScopePrompter({ counter, budget: contextTokens - outputTokens, scrub });
}

type YesNo = "Yes" | "No";

/** An answer to the second question, as far as it is readable. */
export interface ScopeAnswer {
  condition_met: YesNo | null;
  exception_applies: YesNo | null;
  supports: YesNo | null;
  /** Probability of `Yes` where `supports` was written; null: no probabilities, or no such label. */
  p_supported: number | null;
}

/** Reads an answer however it is wrapped. Of several objects, the last one with a `supports` label counts. */
export function readScopeAnswer(generation: Generation): ScopeAnswer {
  const { text } = generation;
  let answer: ScopeAnswer = { condition_met: null, exception_applies: null, supports: null, p_supported: null };
  for (let at = text.indexOf("{"); at >= 0; ) {
    const object = scanObject(text, at);
    const fields = new Map(object?.members.filter(({ complete }) => complete).map((member) => [member.key, member]));
    const value = (name: string) => labelOf(text, fields.get(name));
    const supports = value("supports");
    if (supports !== null) {
      answer = {
        condition_met: value("condition_met"),
        exception_applies: value("exception_applies"),
        supports,
        p_supported: yesProbability(generation, fields.get("supports")!),
      };
    }
    at = text.indexOf("{", object === null ? at + 1 : object.end);
  }
  return answer;
}

function labelOf(text: string, member: Member | undefined): YesNo | null {
  if (!member || member.kind === "nested") return null;
  const raw = text.slice(member.start, member.end);
  return parseInverse((member.kind === "string" ? unescapeString(raw) : raw).trim());
}

/** p(Yes) among the candidates of the token where the label begins, read as in the inverse check of an audit. */
function yesProbability(generation: Generation, { start, end }: Member): number | null {
  const { text, tokens } = generation;
  if (!tokens || tokens.length === 0) return null;
  const lead = text.slice(start, end).search(/\S/);
  const from = utf8Length(text, 0, start + lead);
  const span = {
    start: from,
    end: from + utf8Length(text, start + lead, end),
    charStart: start + lead,
    charEnd: end,
  };
  const alignment = alignTokens(tokens, text, undefined, generation.joined);
  return readLabel(generation, tokens, alignment, "inverse", span, "floor")?.probs[0] ?? null;
}
