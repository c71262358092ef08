/** What is known of a family of OpenAI's models. The probe has the last word on everything but the tokenizer. */
export interface ModelFamily {
  tokenizer: "o200k" | "cl100k";
  contextTokens: number;
  /** `effort_none`: only with `reasoning_effort: "none"`. */
  logprobs: "yes" | "effort_none" | "no";
  /** False for models that think always and refuse a temperature. */
  temperature: boolean;
  /** Announced by OpenAI, as known in November 2026. */
  shutDown: string | null;
}

const CHAT: ModelFamily = {
  tokenizer: "o200k",
  contextTokens: 128_000,
  logprobs: "yes",
  temperature: true,
  shutDown: null,
};
const OLD: ModelFamily = { ...CHAT, tokenizer: "cl100k", shutDown: "2026-10-23" };
const THINKING: ModelFamily = { ...CHAT, logprobs: "no", temperature: false, contextTokens: 200_000 };
const EFFORT: ModelFamily = { ...CHAT, logprobs: "effort_none", contextTokens: 200_000 };

/** First match counts. Context is what is billed at the ordinary price, where a longer prompt costs more. */
const FAMILIES: readonly (readonly [RegExp, ModelFamily])[] = [
  [/^gpt-4o-2024-05-13/, { ...CHAT, shutDown: "2026-10-23" }],
  [/^(gpt|chatgpt)-4o/, { ...CHAT, shutDown: "2027-01-14" }],
  [/^gpt-4\.1-nano/, { ...CHAT, contextTokens: 1_047_576, shutDown: "2026-10-23" }],
  [/^gpt-4\.1/, { ...CHAT, contextTokens: 1_047_576, shutDown: "2027-01-14" }],
  [/^gpt-4-(turbo|1106|0125)/, OLD],
  [/^gpt-4(-|$)/, { ...OLD, contextTokens: 8192 }],
  [/^gpt-3\.5/, { ...OLD, contextTokens: 16_385 }],
  [/^o\d/, THINKING],
  [/^gpt-\d.*-(pro|codex)(-|$)/, THINKING],
  // Hardly anything is known of these; a temperature they do not want is dropped by the probe.
  [/^gpt-\d.*-chat(-|$)/, { ...CHAT, logprobs: "no" }],
  [/^gpt-5(-|$)/, { ...THINKING, contextTokens: 400_000 }],
  [/^gpt-5\.1(-|$)/, { ...EFFORT, contextTokens: 400_000, shutDown: "2027-04-01" }],
  [/^gpt-5\.[23](-|$)/, { ...EFFORT, contextTokens: 400_000 }],
  [/^gpt-5\.[45](-|$)/, { ...EFFORT, contextTokens: 272_000 }],
  [/^gpt-(5\.\d+|[6-9]|\d\d)/, EFFORT],
  [/^gpt-oss/, { ...CHAT, contextTokens: 131_072 }],
];

/** The family of a model by its name: also of a fine-tuned one (`ft:gpt-4.1-mini:…`) and of `openai/gpt-4.1`; null: not one of OpenAI's. */
export function familyOf(model: string): ModelFamily | null {
  const name = model
    .toLowerCase()
    .replace(/^ft:/, "")
    .replace(/^openai\//, "");
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
