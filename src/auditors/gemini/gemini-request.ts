import { hashSeed } from "../../stats/random/hash-seed.js";
import type { Prompt } from "../prompt.js";
import type { Thinking } from "./gemini-families.js";
import { geminiSchema } from "./gemini-schema.js";

/** The most candidates that the API documents. */
const TOP_LOGPROBS = 20;

/** A request as it goes over the wire; a line of a batch file holds the same. */
export interface GeminiRequest {
  contents: { role: "user"; parts: { text: string }[] }[];
  systemInstruction?: { role: "user"; parts: { text: string }[] };
  safetySettings?: { category: string; threshold: string }[];
  generationConfig: Record<string, unknown>;
}

export interface RequestSettings {
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
