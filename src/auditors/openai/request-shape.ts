import type { Dialect } from "./dialects.js";
import type { ModelFamily } from "./families.js";

/** Parts of a request that a server may refuse. */
const PARAMETERS = [
  "logprobs",
  "top_logprobs",
  "n",
  "response_format",
  "reasoning_effort",
  "temperature",
  "seed",
  "max_tokens",
  "prompt_cache_key",
  "extra",
] as const;
export type Parameter = (typeof PARAMETERS)[number];

/** How requests to one model at one server are formed: at first by what is known of both, later by what the server was seen to take. */
export interface RequestShape {
  dialect: Dialect;
  /** null: nobody has tried. */
  logprobs: boolean | null;
  topLogprobs: number;
  answersPerCall: number;
  structured: boolean;
  /** Sends `reasoning_effort: "none"`. */
  effortNone: boolean;
  temperature: boolean;
  seed: boolean;
  cacheKey: boolean;
  extra: boolean;
  maxTokens: Dialect["maxTokens"];
  outputTokens: number;
}

/** A trace is some 300 tokens; in scripts that tokenizers split finely it is three times as long. */
const OUTPUT_TOKENS = 1200;
/** Where a model thinks before it answers, its thoughts count as output. */
const THINKING_OUTPUT_TOKENS = 16_000;

export function firstShape(dialect: Dialect, family: ModelFamily | null): RequestShape {
  const own = dialect.reasoningEffort ? family : null;
  return {
    dialect,
    logprobs: dialect.logprobs === "none" || own?.logprobs === "no" ? false : null,
    topLogprobs: dialect.topLogprobs,
    answersPerCall: dialect.answers.sure ? dialect.answers.most : 1,
    structured: dialect.structured !== "none",
    effortNone: own?.logprobs === "effort_none",
    temperature: own?.temperature ?? true,
    seed: dialect.seed,
    cacheKey: dialect.cacheKey,
    extra: Object.keys(dialect.extra).length > 0,
    maxTokens: dialect.maxTokens,
    outputTokens: own?.temperature === false ? THINKING_OUTPUT_TOKENS : OUTPUT_TOKENS,
  };
}

/**
 * The shape without what the server refused, or with less of it; null: there is nothing left to drop. `words` are the server's, which may
 * say how much it takes.
 */
export function withoutParameter(shape: RequestShape, parameter: Parameter, words: string): RequestShape | null {
  switch (parameter) {
    case "top_logprobs": {
      const allowed = allowedCandidates(words);
      if (allowed > 0 && allowed < shape.topLogprobs) return { ...shape, topLogprobs: allowed };
      return shape.logprobs === false ? null : { ...shape, logprobs: false };
    }
    case "logprobs":
      if (shape.logprobs === false) return null;
      // A model that thinks by default gives its probabilities only where it is told not to.
      if (shape.dialect.reasoningEffort && !shape.effortNone && shape.temperature)
        return { ...shape, effortNone: true };
      return { ...shape, logprobs: false };
    case "n":
      return shape.answersPerCall > 1 ? { ...shape, answersPerCall: 1 } : null;
    case "response_format":
      return shape.structured ? { ...shape, structured: false } : null;
    case "reasoning_effort":
      return shape.effortNone ? { ...shape, effortNone: false } : null;
    case "temperature":
      return shape.temperature ? { ...shape, temperature: false } : null;
    case "seed":
      return shape.seed ? { ...shape, seed: false } : null;
    case "prompt_cache_key":
      return shape.cacheKey ? { ...shape, cacheKey: false } : null;
    case "extra":
      return shape.extra ? { ...shape, extra: false } : null;
    case "max_tokens":
      return shape.maxTokens === "max_tokens" && words.includes("max_completion_tokens")
        ? { ...shape, maxTokens: "max_completion_tokens" }
        : shape.maxTokens === "max_completion_tokens"
          ? { ...shape, maxTokens: "max_tokens" }
          : null;
  }
}

/** How many candidates a server takes, from its words; 5 where it does not say, as the oldest of these interfaces had it. */
function allowedCandidates(words: string): number {
  const told =
    /(?:at most|less than or equal to|<=|≤|maximum(?: of| is|:)?|up to|between 0 and|greater than|exceeds?)\s*(\d{1,3})\b/i.exec(
      words,
    );
  return told ? Number(told[1]) : 5;
}
