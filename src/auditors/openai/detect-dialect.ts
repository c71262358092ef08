import { InputError } from "../../core/errors.js";
import { type BaseUrl, isAzure } from "./base-url.js";
import { DIALECTS, type Dialect, dialectOf } from "./dialects.js";

const HOSTS: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)api\.openai\.com$/, "openai"],
  [/(^|\.)openrouter\.ai$/, "openrouter"],
  [/(^|\.)together\.(xyz|ai)$/, "together"],
  [/(^|\.)fireworks\.ai$/, "fireworks"],
  [/(^|\.)deepseek\.com$/, "deepseek"],
  [/(^|\.)anthropic\.com$/, "anthropic"],
  [/(^|\.)mistral\.ai$/, "mistral"],
];

/** `owned_by` in a server's list of models. */
const OWNERS: Readonly<Record<string, string>> = {
  vllm: "vllm",
  sglang: "sglang",
  llamacpp: "llamacpp",
  "llama.cpp": "llamacpp",
  library: "ollama",
  organization_owner: "lmstudio",
};

/** Ports that these servers have unless told otherwise: the last and weakest mark. */
const PORTS: Readonly<Record<string, string>> = { "11434": "ollama", "1234": "lmstudio", "30000": "sglang" };

/** The dialect as far as it can be told without asking the server: by what the user says, or by a known host. */
export function dialectOfUrl(url: BaseUrl, given: string | undefined): Dialect | null {
  if (given !== undefined) {
    const dialect = DIALECTS.get(given);
    if (dialect) return dialect;
    throw new InputError(
      "unknown_dialect",
      `dialect: unknown; got "${given}", expected one of: ${[...DIALECTS.keys()].join(", ")}`,
      "Leave it out to have it found out.",
    );
  }
  if (isAzure(url.host)) return dialectOf("azure");
  const known = HOSTS.find(([host]) => host.test(url.host));
  return known ? dialectOf(known[1]) : null;
}

/** What a server said when it was asked for its models. */
export interface ModelsAnswer {
  headers: { get(name: string): string | null };
  /** The body, if it was JSON. */
  body: unknown;
}

export interface DetectedServer {
  dialect: Dialect;
  /** Tokens that prompt and answer may have together, where the server says so; null: it does not. */
  contextTokens: number | null;
}

/** The dialect by the marks that servers leave in their list of models. null: there was no such list. */
export function detectDialect(url: BaseUrl, model: string, answer: ModelsAnswer | null): DetectedServer {
  const models = listOf(answer?.body, "data");
  const own = models.find((entry) => entry.id === model);
  const name = markOf(answer, own ? [own, ...models] : models) ?? PORTS[url.port] ?? "generic";
  return { dialect: dialectOf(name), contextTokens: own ? contextOf(own) : null };
}

function markOf(answer: ModelsAnswer | null, models: readonly Record<string, unknown>[]): string | null {
  if (answer === null) return null;
  if (answer.headers.get("x-litellm-version") !== null) return "litellm";
  for (const entry of models) {
    const owner = entry.owned_by;
    if (typeof owner === "string" && Object.hasOwn(OWNERS, owner)) return OWNERS[owner]!;
  }
  const server = answer.headers.get("server")?.toLowerCase() ?? "";
  if (server.includes("llama.cpp")) return "llamacpp";
  if (server.includes("sglang")) return "sglang";
  if (server.includes("vllm")) return "vllm";
  return null;
}

/** vLLM and SGLang: `max_model_len`; llama.cpp: `meta.n_ctx`; gateways: `context_length`. */
function contextOf(entry: Record<string, unknown>): number | null {
  const meta = isRecord(entry.meta) ? entry.meta : {};
  for (const value of [entry.max_model_len, meta.n_ctx, entry.context_length]) {
    if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
  }
  return null;
}

function listOf(body: unknown, key: string): Record<string, unknown>[] {
  const list = isRecord(body) ? body[key] : null;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
