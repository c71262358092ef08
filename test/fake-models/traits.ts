import type { JsonHabits } from "./write-json.js";

/** How a server reports token probabilities. One row of the table in which they differ. */
export interface Traits extends JsonHabits {
  /** `tempered`: of the distribution after temperature. Greedy drawing (T = 0) is raw everywhere. */
  space: "raw" | "tempered";
  /** Whether a grammar has already been applied to what is reported. */
  mask: "before" | "after";
  /** What is written where there is no information. */
  sentinel: string;
  order: "sorted" | "sampled_first";
  bytes: "true" | "of_text" | "of_text_or_absent" | "absent";
  /** How half a character is printed. */
  half: "escaped" | "cut" | "replaced" | "empty";
  /** What a chosen token that is not among the 20 likeliest gets. */
  outside: "sentinel" | "value";
  /** Whether the final object of `/v1/responses` has its logprobs rounded to six decimals. */
  rounds: boolean;
  /** The most candidates that may be asked for. */
  maxTop: number;
  /** The most answers to one question. */
  maxAnswers: number;
  /** Name of the one who owns the models in `/v1/models`; null: not said. */
  ownedBy: string | null;
  headers: Readonly<Record<string, string>>;
}

export const DIALECTS = [
  "openai",
  "azure",
  "vllm",
  "sglang",
  "llamacpp",
  "ollama",
  "lmstudio",
  "openrouter",
  "together",
  "fireworks",
  "deepseek",
  "gemini",
  "vertex",
] as const;

export type Dialect = (typeof DIALECTS)[number];

const OPENAI: Traits = {
  space: "raw",
  mask: "before",
  sentinel: "-9999.0",
  order: "sorted",
  bytes: "true",
  half: "escaped",
  outside: "sentinel",
  rounds: true,
  maxTop: 20,
  maxAnswers: 128,
  ownedBy: "system",
  layout: "pretty",
  escape: "raw",
  headers: {
    server: "cloudflare",
    "openai-organization": "org-fake",
    "openai-version": "2020-10-01",
    "openai-processing-ms": "412",
  },
};

const VLLM: Traits = {
  ...OPENAI,
  mask: "after",
  order: "sampled_first",
  bytes: "of_text",
  half: "replaced",
  outside: "value",
  ownedBy: "vllm",
  layout: "compact",
  headers: { server: "uvicorn" },
};

const LLAMACPP: Traits = {
  ...OPENAI,
  sentinel: "-3.4028234663852886e+38",
  half: "cut",
  outside: "value",
  maxTop: 1000,
  maxAnswers: 8,
  ownedBy: "llamacpp",
  layout: "compact",
  headers: { server: "llama.cpp" },
};

const GEMINI: Traits = {
  ...OPENAI,
  mask: "after",
  sentinel: "-1.2676506e+30",
  bytes: "absent",
  half: "replaced",
  outside: "value",
  maxAnswers: 8,
  ownedBy: null,
  escape: "html",
  headers: {
    server: "scaffolding on HTTPServer2",
    vary: "Origin, X-Origin, Referer",
    "x-content-type-options": "nosniff",
  },
};

export const TRAITS: Readonly<Record<Dialect, Traits>> = {
  openai: OPENAI,
  azure: {
    ...OPENAI,
    layout: "compact",
    ownedBy: null,
    headers: { "x-ms-region": "Sweden Central", "apim-request-id": "fake" },
  },
  vllm: VLLM,
  sglang: { ...VLLM, space: "tempered", order: "sorted", sentinel: "null", ownedBy: "sglang" },
  llamacpp: LLAMACPP,
  ollama: {
    ...LLAMACPP,
    bytes: "of_text_or_absent",
    half: "empty",
    maxTop: 20,
    maxAnswers: 1,
    ownedBy: "library",
    escape: "html",
    headers: {},
  },
  lmstudio: {
    ...LLAMACPP,
    rounds: false,
    maxTop: 20,
    maxAnswers: 1,
    ownedBy: "organization_owner",
    headers: { "x-powered-by": "Express" },
  },
  openrouter: { ...OPENAI, layout: "compact", ownedBy: null, headers: { server: "cloudflare" } },
  together: {
    ...VLLM,
    mask: "before",
    order: "sorted",
    bytes: "absent",
    ownedBy: null,
    headers: { server: "cloudflare", "x-inference-version": "v2" },
  },
  fireworks: {
    ...VLLM,
    mask: "before",
    order: "sorted",
    bytes: "true",
    ownedBy: "fireworks",
    headers: { server: "cloudflare" },
  },
  deepseek: {
    ...OPENAI,
    outside: "value",
    maxAnswers: 1,
    ownedBy: "deepseek",
    layout: "compact",
    headers: { server: "elb", "x-ds-trace-id": "fake" },
  },
  gemini: GEMINI,
  vertex: GEMINI,
};
