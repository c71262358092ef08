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
