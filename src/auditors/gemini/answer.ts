import type { Schema } from "@google/genai";
import type { Alternative, Generation, Token } from "../../core/records/case.js";
import { hashSeed } from "../../stats/random/create-rng.js";
import { CallError, type Price } from "../auditor.js";
import { costOf } from "../create-auditor.js";
import { withoutSecrets } from "../http/raw-response.js";
import type { OutputField, OutputFormat, Prompt } from "../output-format.js";
import { count, type Loose, list, record, text } from "./errors.js";
import type { Thinking } from "./probe.js";

/**
 * The format as Gemini's `responseSchema`, a subset of OpenAPI. Properties have no inherent order there, so `propertyOrdering` sets it. An enum is
 * allowed only for strings (an integer with an enum is refused with "only allowed for STRING type"), so a digit is bounded instead.
 */
export function geminiSchema(format: OutputFormat): Schema {
  const names = format.fields.map((field) => field.name);
  return {
    type: "OBJECT" as Schema["type"],
    properties: Object.fromEntries(format.fields.map((field) => [field.name, fieldSchema(field)])),
    required: names,
    propertyOrdering: names,
  } as Schema;
}

function fieldSchema(field: OutputField): Schema {
  const description = field.about;
  switch (field.kind) {
    case "text":
      return { ...STRING, description };
    case "text_or_null":
      return { ...STRING, nullable: true, description };
    case "choice":
      return { ...STRING, format: "enum", enum: [...field.values], description };
    case "choice_or_null":
      return { ...STRING, format: "enum", enum: [...field.values], nullable: true, description };
    case "digit":
      return { ...INTEGER, minimum: Math.min(...field.values), maximum: Math.max(...field.values), description };
  }
}

// The SDK's `Type` is an enum with the same strings; importing it would load the SDK.
const STRING = { type: "STRING" as NonNullable<Schema["type"]> };
const INTEGER = { type: "INTEGER" as NonNullable<Schema["type"]> };

/** The maximum that the API documents. */
const TOP_LOGPROBS = 20;

/** A request as sent over the wire; a line of a batch file holds the same. */
export interface GeminiRequest {
  contents: { role: "user"; parts: { text: string }[] }[];
  systemInstruction?: { role: "user"; parts: { text: string }[] };
  safetySettings?: { category: string; threshold: string }[];
  generationConfig: Record<string, unknown>;
}

interface RequestSettings {
  prompt: Pick<Prompt, "system" | "shared" | "own" | "format">;
  temperature: number;
  logprobs: boolean;
  answers: number;
  seed: string;
  maxOutputTokens: number;
  thinking: Thinking | null;
  /** False if the model refused it. */
  schema: boolean;
  safetyOff: boolean;
}

/** Audited content is hostile by nature: a filter that withholds the answer would leave exactly the hard cases unscored. */
const SAFETY_OFF = ["HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT"].map((category) => ({
  category: `HARM_CATEGORY_${category}`,
  threshold: "OFF",
}));

export function geminiRequest(settings: RequestSettings): GeminiRequest {
  const { prompt, thinking } = settings;
  const request: GeminiRequest = {
    contents: [{ role: "user", parts: [{ text: (prompt.shared + prompt.own).toWellFormed() }] }],
    generationConfig: {
      temperature: settings.temperature,
      candidateCount: settings.answers,
      maxOutputTokens: settings.maxOutputTokens,
      // The field is a signed 32-bit integer.
      seed: hashSeed(settings.seed) >>> 1,
      ...(settings.schema ? { responseMimeType: "application/json", responseSchema: geminiSchema(prompt.format) } : {}),
      ...(settings.logprobs ? { responseLogprobs: true, logprobs: TOP_LOGPROBS } : {}),
      ...(thinking ? { thinkingConfig: thinking } : {}),
    },
  };
  // An empty part is refused.
  if (prompt.system !== "")
    request.systemInstruction = { role: "user", parts: [{ text: prompt.system.toWellFormed() }] };
  if (settings.safetyOff) request.safetySettings = SAFETY_OFF;
  return request;
}

/** Gemini's "no information" (−2^100), which marks a candidate that the schema rules out. */
const NO_INFORMATION = -1.2676506e30;

/**
 * The tokens of a candidate; null if the server gave no probabilities. There are no bytes, so a token that is half a character
 * cannot be rebuilt. With thinking on, thoughts may precede the answer; the signals align the tokens with the text and find its
 * place. The lists of candidates are built on demand, since signals read them at only a few tokens.
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
 * A missing probability is a 0 that was left out, as in JSON made from protocol buffers, but only where there is a token: an
 * empty object is no information. The chosen token need not be among the most likely ones.
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
  /** Number of answers requested. */
  answers: number;
  /** The ordinary price, also for a batch: the code that collects a batch applies the batch share. */
  price: Price | null;
  /** Keys that must not get into a record if a server repeats them. */
  secrets?: readonly string[];
}

/**
 * The answers in a response: at least one, and at most as many as requested. A response without candidates means the prompt was
 * blocked; it becomes an empty answer withheld by a filter. A body with nothing of a response in it is an error.
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

/** Reasons not named here (SAFETY, RECITATION, PROHIBITED_CONTENT, BLOCKLIST, SPII, LANGUAGE, OTHER …) mean the answer was withheld. */
function finish(reason: unknown): Generation["finish"] {
  if (reason === undefined || reason === "STOP" || reason === "FINISH_REASON_UNSPECIFIED") return "stop";
  return reason === "MAX_TOKENS" || reason === "CONTINUATION" ? "length" : "filter";
}

/** The output tokens of a call are counted once for all its answers: they are divided by the answers' own counts if each has one, else equally. */
function outputTokens(answers: readonly Loose[], usageMetadata: Loose): (number | null)[] {
  const answered = count(usageMetadata.candidatesTokenCount);
  const thoughts = count(usageMetadata.thoughtsTokenCount);
  // If all counts are missing they are unknown; if only these are missing they are 0, as for a blocked prompt.
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

/** The prompt is paid for once and booked on the first answer. */
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
