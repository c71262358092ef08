import type { Schema } from "@google/genai";
import { hashSeed } from "../../stats/random/create-rng.js";
import type { OutputField, OutputFormat, Prompt } from "../output-format.js";
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
