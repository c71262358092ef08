import type { Alternative, Generation, Token } from "../../core/records/case.js";
import type { Price } from "../auditor.js";
import { CallError } from "../call-error.js";
import { withoutSecrets } from "../http/blot-secrets.js";
import { costOf } from "../prices.js";
import { count, type Loose, list, record, text } from "./faults.js";

/** How Gemini writes "no information" (−2^100): the mark of a candidate that the schema rules out. */
const NO_INFORMATION = -1.2676506e30;

/**
 * The tokens of a candidate; null where the server gave no probabilities. There are no bytes: a token that is half a character cannot
 * be rebuilt. With thinking on, thoughts may come before the answer; signals lay the tokens over the text and find its place. The
 * likeliest candidates are made when they are read, for signals read them at few of the tokens.
 */
export function geminiTokens(logprobsResult: unknown): Token[] | null {
  const { chosenCandidates, topCandidates } = record(logprobsResult);
  if (!Array.isArray(chosenCandidates) || chosenCandidates.length === 0) return null;
  const tops = list(topCandidates);
  return chosenCandidates.map((chosen, position) => {
    let top: readonly Alternative[] | null = null;
    return {
      ...(alternative(chosen) ?? { text: "", logprob: NO_INFORMATION }),
      get top() {
        top ??= alternatives(record(tops[position]).candidates);
        return top;
      },
    };
  });
}

/**
 * A missing probability is a 0 that was left out, as JSON made from protocol buffers does with defaults, but only where there is a
 * token: nothing at all is no information. The chosen token need not be among the likeliest.
 */
function alternative(value: unknown): Alternative | null {
  const { token, logProbability } = record(value);
  const logprob = logProbability ?? (token === undefined ? undefined : 0);
  if (typeof logprob !== "number" || Number.isNaN(logprob)) return null;
  return { text: typeof token === "string" ? token : "", logprob };
}

function alternatives(candidates: unknown): Alternative[] {
  return list(candidates)
    .map(alternative)
    .filter((candidate) => candidate !== null)
    .sort((a, b) => b.logprob - a.logprob);
}

export interface AnswerContext {
  /** The auditor's name, for errors. */
  name: string;
  model: string;
  temperature: number;
  /** How many answers were asked for. */
  answers: number;
  /** The ordinary one also for a batch: who collects it knows its share. */
  price: Price | null;
  /** Keys that must not get into a record, should a server repeat them. */
  secrets?: readonly string[];
}

/**
 * The answers in a response: at least one, at most as many as were asked for. A response without candidates is a prompt that was
 * blocked, given as an empty answer that a filter withheld. A body with nothing of a response in it is no answer at all.
 */
export function geminiAnswers(response: unknown, context: AnswerContext): Generation[] {
  const body = record(response);
  const candidates = list(body.candidates).map(record).slice(0, context.answers);
  const known = ["candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId"];
  if (!known.some((field) => body[field] !== undefined)) {
    throw new CallError(
      "bad_answer",
      `${context.name}: the answer is no response of a model; got a body without candidates`,
    );
  }
  const withheld: Loose[] = Array.from({ length: context.answers }, () => ({ finishReason: "SAFETY" }));
  const answers = candidates.length > 0 ? candidates : withheld;
  const outputs = outputTokens(answers, record(body.usageMetadata));
  const generations = answers.map(
    (candidate, index): Generation => ({
      text: answerText(candidate),
      tokens: geminiTokens(candidate.logprobsResult),
      finish: finish(candidate.finishReason),
      space: "unknown",
      temperature: context.temperature,
      support: "top_k",
      model: text(body.modelVersion) ?? context.model,
      usage: usage(record(body.usageMetadata), index, outputs[index]!, context),
    }),
  );
  return generations.map((generation) => withoutSecrets(generation, context.secrets ?? []));
}

/** The text of an answer without the thoughts. */
function answerText(candidate: Loose): string {
  return list(record(candidate.content).parts)
    .map(record)
    .filter((part) => part.thought !== true)
    .map((part) => text(part.text) ?? "")
    .join("");
}

/** Reasons that are not named here (SAFETY, RECITATION, PROHIBITED_CONTENT, BLOCKLIST, SPII, LANGUAGE, OTHER …) withhold an answer. */
function finish(reason: unknown): Generation["finish"] {
  if (reason === undefined || reason === "STOP" || reason === "FINISH_REASON_UNSPECIFIED") return "stop";
  return reason === "MAX_TOKENS" || reason === "CONTINUATION" ? "length" : "filter";
}

/** The output of a call is counted once for all its answers: as their own counts say where each has one, else in equal parts. */
function outputTokens(answers: readonly Loose[], usageMetadata: Loose): (number | null)[] {
  const answered = count(usageMetadata.candidatesTokenCount);
  const thoughts = count(usageMetadata.thoughtsTokenCount);
  // Left out with the rest of the counts they are unknown, left out next to the prompt's they are 0: such is a blocked prompt.
  const counted = count(usageMetadata.promptTokenCount) ?? answered ?? thoughts;
  if (counted === null) return answers.map(() => null);
  const total = (answered ?? 0) + (thoughts ?? 0);
  const own = answers.map((answer) => count(answer.tokenCount));
  const sum = own.reduce<number>((all, one) => all + (one ?? 0), 0);
  const parts =
    own.includes(null) || sum > total
      ? answers.map(() => Math.floor(total / answers.length))
      : own.map((one) => one ?? 0);
  parts[0]! += total - parts.reduce((all, one) => all + one, 0);
  return parts;
}

/** The prompt is paid for once: it is booked on the first answer. */
function usage(metadata: Loose, index: number, output: number | null, context: AnswerContext): Generation["usage"] {
  const prompt = count(metadata.promptTokenCount);
  if (output === null) {
    return { input_tokens: null, cached_input_tokens: null, output_tokens: null, cost_usd: null };
  }
  const input = index === 0 ? prompt : 0;
  const cached = index === 0 ? Math.min(count(metadata.cachedContentTokenCount) ?? 0, prompt ?? 0) : 0;
  return {
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
    cost_usd: costOf(context.price, { input, cached, output }),
  };
}
