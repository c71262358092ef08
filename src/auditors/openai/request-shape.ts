import models from "../../../data/models.json" with { type: "json" };

/**
 * The habits of one kind of server behind the OpenAI interface. All that is special about a server is here as data; nothing else asks
 * which server it is.
 */
export interface Dialect {
  name: string;
  /** For messages. */
  label: string;
  /** Whether logprobs are of the model's own distribution or of the one after temperature. */
  space: "raw" | "tempered" | "unknown";
  /** `true`: a token's own bytes, also of half a character. `lossy`: made from its text again, so they say nothing new. */
  bytes: "true" | "lossy" | "absent";
  /** Where logprobs are to be had. Without them every server is asked for chat completions. */
  endpoint: "chat" | "responses";
  /** How logprobs are asked for: `flag` = `logprobs: true, top_logprobs: k`; `count` = `logprobs: k`; `include` as Responses do; `none`: never. */
  logprobs: "flag" | "count" | "include" | "none";
  /** Most candidates per token that it gives. */
  topLogprobs: number;
  /** Most answers to one call (`n`); 1: it has no `n`. `sure` is false where one has to try. */
  answers: { most: number; sure: boolean };
  /** How an answer's form is asked for. `json_object` promises JSON, but not which. */
  structured: "json_schema" | "json_schema_twice" | "vllm" | "json_object" | "none";
  maxTokens: "max_completion_tokens" | "max_tokens";
  seed: boolean;
  /** It has `reasoning_effort`, as OpenAI's own models do. */
  reasoningEffort: boolean;
  /** It has `prompt_cache_key`. */
  cacheKey: boolean;
  /** Fields that every request carries. */
  extra: Readonly<Record<string, unknown>>;
  /** Environment variables that may hold its key, best first. */
  keys: readonly string[];
  /** Tokens that prompt and answer may have together, where nothing better is known. */
  contextTokens: number;
  /** It has the batch API. */
  batch: boolean;
  /** What a user should know before a run. */
  notes: readonly string[];
}

const GENERIC = { name: "generic", ...models.generic_server } as Dialect;

/**
 * All dialects by name, in the order of `data/models.json`; a server has there what differs from a generic one, or from the one that it is `like`. Models that
 * think before they answer would put their thoughts in front of the labels, so that is switched off where there is a field for it; templates
 * without the switch ignore it. Without `require_parameters`, OpenRouter silently leaves out what a host cannot do.
 */
export const DIALECTS: ReadonlyMap<string, Dialect> = allDialects();

function allDialects(): Map<string, Dialect> {
  const all = new Map<string, Dialect>();
  for (const [name, row] of Object.entries(models.servers)) {
    const { like, ...own } = row as Partial<Dialect> & { like?: string };
    all.set(name, { ...(all.get(like ?? "") ?? GENERIC), ...own, name });
  }
  return all.set(GENERIC.name, GENERIC);
}

export function dialectOf(name: string): Dialect {
  const dialect = DIALECTS.get(name);
  if (!dialect) throw new Error(`dialect: unknown; got "${name}"`);
  return dialect;
}

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

/**
 * First match counts. Context is what is billed at the ordinary price, where a longer prompt costs more. Hardly anything is known of models named
 * `chat`; a temperature they do not want is dropped by the probe.
 */
const FAMILIES = models.openai_families.map(({ pattern, kind, ...own }) => {
  const { chat, ...kinds } = models.openai_kinds;
  return [new RegExp(pattern), { ...chat, ...kinds[kind as keyof typeof kinds], ...own } as ModelFamily] as const;
});

/** The family of a model by its name: also of a fine-tuned one (`ft:gpt-4.1-mini:…`) and of `openai/gpt-4.1`; null: not one of OpenAI's. */
export function familyOf(model: string): ModelFamily | null {
  const name = model
    .toLowerCase()
    .replace(/^ft:/, "")
    .replace(/^openai\//, "");
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

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
  /** null: not tried yet. */
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
      // A model that thinks by default gives its probabilities only where that is switched off.
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
  const match =
    /(?:at most|less than or equal to|<=|≤|maximum(?: of| is|:)?|up to|between 0 and|greater than|exceeds?)\s*(\d{1,3})\b/i.exec(
      words,
    );
  return match ? Number(match[1]) : 5;
}
