import type { Price } from "../auditor.js";
import type { ErrorContext } from "./errors.js";

/** The two ways to the same models: the Gemini Developer API (AI Studio) and Vertex AI. */
export type GeminiKind = "gemini" | "vertex";

/** Gemini 2.5 takes a number of tokens, Gemini 3 a level; a model refuses the other's. */
export type Thinking = { thinkingBudget: number } | { thinkingLevel: "MINIMAL" | "LOW" };

/** What is known about a family of models before its probe. */
interface GeminiFamily {
  pattern: RegExp;
  contextTokens: number;
  /** The least thinking that the model accepts; null: it does not think. */
  thinking: Thinking | null;
  /** Room for thoughts beside the answer: `maxOutputTokens` counts them too. */
  thoughtTokens: number;
  /** Whether token probabilities were ever seen; the probe has the last word. */
  logprobs: Readonly<Record<GeminiKind, boolean>>;
  /** What a user should know. */
  note: string | null;
}

const SHUT_2_0 = "Google shut Gemini 2.0 down on 2026-06-01.";
const ENDS_2_5 =
  "Google announced to shut Gemini 2.5 down from October 2026; it is the last family seen to give token probabilities, on Vertex AI.";
const LIMITS_3 =
  "Gemini 3 refuses token probabilities and, where it was tried, more than one answer a call; it cannot be kept from thinking.";
const WINDOW = 1_048_576;

/** The first that fits. A model that fits none is left to the probe: aliases such as `gemini-flash-latest` and new families. */
const GEMINI_FAMILIES: readonly GeminiFamily[] = [
  {
    pattern: /^gemini-2\.0-/,
    contextTokens: WINDOW,
    thinking: null,
    thoughtTokens: 0,
    logprobs: { gemini: true, vertex: true },
    note: SHUT_2_0,
  },
  {
    pattern: /^gemini-2\.5-pro/,
    contextTokens: WINDOW,
    thinking: { thinkingBudget: 128 },
    thoughtTokens: 1_024,
    logprobs: { gemini: false, vertex: true },
    note: `${ENDS_2_5} Gemini 2.5 Pro cannot be kept from thinking.`,
  },
  {
    pattern: /^gemini-2\.5-flash/,
    contextTokens: WINDOW,
    thinking: { thinkingBudget: 0 },
    thoughtTokens: 0,
    logprobs: { gemini: false, vertex: true },
    note: ENDS_2_5,
  },
  {
    pattern: /^gemini-3\.5-flash-lite/,
    contextTokens: WINDOW,
    thinking: { thinkingLevel: "MINIMAL" },
    thoughtTokens: 2_048,
    logprobs: { gemini: false, vertex: false },
    note: `${LIMITS_3} Gemini 3.5 Flash-Lite ignores the temperature.`,
  },
  {
    pattern: /^gemini-3(\.\d+)?-.*flash/,
    contextTokens: WINDOW,
    thinking: { thinkingLevel: "MINIMAL" },
    thoughtTokens: 2_048,
    logprobs: { gemini: false, vertex: false },
    note: LIMITS_3,
  },
  {
    pattern: /^gemini-3(\.\d+)?-/,
    contextTokens: WINDOW,
    thinking: { thinkingLevel: "LOW" },
    thoughtTokens: 4_096,
    logprobs: { gemini: false, vertex: false },
    note: LIMITS_3,
  },
];

/** The family of a model, whichever way its name is written: `gemini-…`, `models/gemini-…`, `publishers/google/models/gemini-…`. */
export function geminiFamily(model: string): GeminiFamily | null {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return GEMINI_FAMILIES.find((family) => family.pattern.test(name)) ?? null;
}

/** What a model was found to accept; the probe and refusals write it, every request reads it. */
interface Limits {
  /** null: not probed. */
  logprobs: boolean | null;
  answersPerCall: number;
  schema: boolean;
  safetyOff: boolean;
  /** null: leave it to the model. */
  thinking: Thinking | null;
}

/** One model at one address, as the parts of its auditor share it. */
export interface Model {
  context: ErrorContext;
  price: Price | null;
  maxOutputTokens: number;
  limits: Limits;
}
