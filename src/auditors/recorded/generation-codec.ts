import type { Generation } from "../../core/records/generation.js";
import {
  damaged,
  numberFromJson,
  numberToJson,
  type TokenColumns,
  tokensFromColumns,
  tokensToColumns,
} from "./token-columns.js";

/** Changes when a generation of an earlier version could be read as something else. */
const VERSION = 1;

const FINISHES: readonly Generation["finish"][] = ["stop", "length", "refusal", "filter", "too_long"];
const SPACES: readonly Generation["space"][] = ["raw", "tempered", "unknown"];
const SUPPORTS: readonly Generation["support"][] = ["top_k", "vocab"];

/**
 * A generation as one line of compact JSON that `decodeGeneration` turns back into the same: halves of UTF-8 characters, lone
 * surrogates, sentinels, infinities, NaN and -0 included.
 */
export function encodeGeneration(generation: Generation): string {
  const { text, tokens, joined, finish, space, temperature, support, model, usage } = generation;
  const columns: TokenColumns | null = tokens && tokensToColumns(tokens);
  return JSON.stringify({
    v: VERSION,
    text,
    joined,
    finish,
    space,
    temperature: numberToJson(temperature),
    support,
    model,
    usage: [usage.input_tokens, usage.cached_input_tokens, usage.output_tokens, usage.cost_usd].map((value) =>
      value === null ? null : numberToJson(value),
    ),
    tokens: columns,
  });
}

/** The generation that was encoded. InputError for anything else. */
export function decodeGeneration(text: string): Generation {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged("JSON");
  }
  return generationFromJson(value);
}

/** The same of what its text parses to. */
export function generationFromJson(value: unknown): Generation {
  if (typeof value !== "object" || value === null) throw damaged("an object");
  const { v, text, joined, finish, space, temperature, support, model, usage, tokens } = value as Record<
    string,
    unknown
  >;
  if (v !== VERSION) throw damaged(`version ${VERSION}`);
  if (typeof text !== "string" || typeof model !== "string") throw damaged("a text and a model");
  if (joined !== undefined && typeof joined !== "boolean") throw damaged("joined: true or false");
  if (!Array.isArray(usage) || usage.length !== 4) throw damaged("four numbers of usage");
  const [input_tokens, cached_input_tokens, output_tokens, cost_usd] = usage.map((item: unknown) =>
    item === null ? null : numberFromJson(item),
  ) as [number | null, number | null, number | null, number | null];
  return {
    text,
    tokens: tokens === null ? null : tokensFromColumns(tokens),
    ...(joined !== undefined && { joined }),
    finish: oneOf(FINISHES, finish),
    space: oneOf(SPACES, space),
    temperature: numberFromJson(temperature),
    support: oneOf(SUPPORTS, support),
    model,
    usage: { input_tokens, cached_input_tokens, output_tokens, cost_usd },
  };
}

function oneOf<T>(allowed: readonly T[], value: unknown): T {
  if (!allowed.includes(value as T)) throw damaged(`one of ${allowed.join(", ")}`);
  return value as T;
}
