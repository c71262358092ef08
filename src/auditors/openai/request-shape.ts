import models from "../../../data/models.json" with { type: "json" };

/** The habits of one kind of server behind the OpenAI interface, as data: no other code asks which server it is. */
export interface Dialect {
  name: string;
  /** Name for messages. */
  label: string;
  /** Whether logprobs are from the model's own distribution or from the one after temperature. */
  space: "raw" | "tempered" | "unknown";
  /** `true`: a token's own bytes, even of half a character. `lossy`: rebuilt from its text, so they add nothing. */
  bytes: "true" | "lossy" | "absent";
  /** The endpoint that provides logprobs. Without logprobs, every server is asked for chat completions. */
  endpoint: "chat" | "responses";
  /** How logprobs are requested: `flag` = `logprobs: true, top_logprobs: k`; `count` = `logprobs: k`; `include` as in Responses; `none`: never. */
  logprobs: "flag" | "count" | "include" | "none";
  /** Most candidates it gives per token. */
  topLogprobs: number;
  /** Most answers per call (`n`); 1: it has no `n`. `sure` is false if that has to be tried. */
  answers: { most: number; sure: boolean };
  /** How the answer's form is requested. `json_object` promises JSON, but not of which form. */
  structured: "json_schema" | "json_schema_twice" | "vllm" | "json_object" | "none";
  maxTokens: "max_completion_tokens" | "max_tokens";
  seed: boolean;
  /** It has `reasoning_effort`, as OpenAI's own models do. */
  reasoningEffort: boolean;
  /** It has `prompt_cache_key`. */
  cacheKey: boolean;
  /** Fields sent with every request. */
  extra: Readonly<Record<string, unknown>>;
  /** Environment variables that may hold its key, in order of preference. */
  keys: readonly string[];
  /** Token limit of prompt and answer together, if nothing better is known. */
  contextTokens: number;
  /** It has the batch API. */
  batch: boolean;
  /** What a user should know before a run. */
  notes: readonly string[];
}

const GENERIC = { name: "generic", ...models.generic_server } as Dialect;

/**
 * All dialects by name, in the order of `data/models.json`, where a server lists only what differs from a generic one or from the one it is `like`.
 * Models that think before they answer would put their thoughts in front of the labels, so thinking is switched off where there is a field for it;
 * templates without the switch ignore it. Without `require_parameters`, OpenRouter silently drops what a host does not support.
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

/** What is known of a family of OpenAI's models. The probe overrides everything but the tokenizer. */
export interface ModelFamily {
  tokenizer: "o200k" | "cl100k";
  contextTokens: number;
  /** `effort_none`: only with `reasoning_effort: "none"`. */
  logprobs: "yes" | "effort_none" | "no";
  /** False for models that always think and refuse a temperature. */
  temperature: boolean;
  /** Shutdown date announced by OpenAI, as known in November 2026. */
  shutDown: string | null;
}

/**
 * The first match counts. Where longer prompts cost more, the context is what is billed at the ordinary price. Hardly anything is
 * known of models named `chat`; the probe drops a temperature they refuse.
 */
const FAMILIES = models.openai_families.map(({ pattern, kind, ...own }) => {
  const { chat, ...kinds } = models.openai_kinds;
  return [new RegExp(pattern), { ...chat, ...kinds[kind as keyof typeof kinds], ...own } as ModelFamily] as const;
});

/** The family of a model by its name, including fine-tuned ones (`ft:gpt-4.1-mini:…`) and `openai/gpt-4.1`; null: not one of OpenAI's. */
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

/** How requests to one model at one server are formed: first by what is known of both, later by what the server was seen to accept. */
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

/** A trace is about 300 tokens; in scripts that tokenizers split finely, three times as many. */
const OUTPUT_TOKENS = 1200;
/** If a model thinks before it answers, its thoughts count as output. */
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

/** The shape without what the server refused, or with less of it; null: nothing to drop. `words`: the server's, which may state its limit. */
export function withoutParameter(shape: RequestShape, parameter: Parameter, words: string): RequestShape | null {
  switch (parameter) {
    case "top_logprobs": {
      const allowed = allowedCandidates(words);
      if (allowed > 0 && allowed < shape.topLogprobs) return { ...shape, topLogprobs: allowed };
      return shape.logprobs === false ? null : { ...shape, logprobs: false };
    }
    case "logprobs":
      if (shape.logprobs === false) return null;
      // A model that thinks by default gives probabilities only if thinking is switched off.
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

/** How many candidates a server accepts, from its words; 5 if it does not say, as in the oldest of these interfaces. */
function allowedCandidates(words: string): number {
  const match =
    /(?:at most|less than or equal to|<=|≤|maximum(?: of| is|:)?|up to|between 0 and|greater than|exceeds?)\s*(\d{1,3})\b/i.exec(
      words,
    );
  return match ? Number(match[1]) : 5;
}
