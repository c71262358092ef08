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
 * The format as Gemini's `responseSchema`, a subset of OpenAPI. Properties come in no order of their own there: `propertyOrdering` says it.
 * An enum is for texts only (a whole number with an enum is refused with "only allowed for STRING type"), so a digit is bounded.
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

// The SDK's `Type` is an enum of the same words; importing it would load the SDK.
const STRING = { type: "STRING" as NonNullable<Schema["type"]> };
const INTEGER = { type: "INTEGER" as NonNullable<Schema["type"]> };

/** The most candidates that the API documents. */
const TOP_LOGPROBS = 20;

/** A request as it goes over the wire; a line of a batch file holds the same. */
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
  /** False where the model refused them. */
  schema: boolean;
  safetyOff: boolean;
}

/** What is audited is hostile by nature: a filter that withholds the answer would leave exactly the hard cases unscored. */
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
