import { EnvironmentError, InputError } from "../../core/errors.js";
import { isObject } from "../../core/text-checks.js";
import type { AuditorOptions } from "../create-auditor.js";
import { DIALECTS, type Dialect, dialectOf } from "./request-shape.js";

/** A server's address in the parts that its client needs. */
interface BaseUrl {
  /** Without query or trailing slash. */
  address: string;
  host: string;
  port: string;
  /** Sent with every request: Azure has its `api-version` there. */
  query: Readonly<Record<string, string>>;
}

const SECRET_PARAMETER = /key|token|secret|sig|password/i;

/** Parses the given server address. Tolerates a pasted `/chat/completions` at its end, and Azure addresses without a path. */
export function parseBaseUrl(given: string): BaseUrl {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !(url.protocol === "http:" || url.protocol === "https:")) {
    throw new InputError(
      "bad_base_url",
      `base URL: not an address; got "${withoutSecrets(given)}", expected something like http://localhost:11434/v1`,
      "Give the address of the server's OpenAI-compatible API as `baseUrl`.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new InputError(
      "bad_base_url",
      "base URL: holds a user name or password, which would end up in records; expected none",
      "Give the key in the environment variable OPENAI_API_KEY instead.",
    );
  }
  const query = Object.fromEntries(url.searchParams);
  for (const name of Object.keys(query)) {
    if (!SECRET_PARAMETER.test(name)) continue;
    throw new InputError(
      "bad_base_url",
      `base URL: its parameter "${name}" looks like a key, which would end up in records; expected none`,
      "Give the key in the environment variable OPENAI_API_KEY instead.",
    );
  }
  let path = url.pathname.replace(/\/+$/, "").replace(/\/(chat\/completions|responses|models)$/, "");
  if (path === "" && isAzure(url.hostname)) path = "/openai/v1";
  return { address: `${url.origin}${path}`, host: url.hostname, port: url.port, query };
}

function isAzure(host: string): boolean {
  return /(^|\.)(openai\.azure\.(com|us|cn)|services\.ai\.azure\.com|cognitiveservices\.azure\.(com|us|cn))$/.test(
    host,
  );
}

/** The address on one line, for messages and response-cache keys. */
export function showBaseUrl(url: BaseUrl): string {
  const query = new URLSearchParams(url.query).toString();
  return query === "" ? url.address : `${url.address}?${query}`;
}

function withoutSecrets(given: string): string {
  return given.replace(/\/\/[^/@\s]*@/, "//").slice(0, 200);
}

const HOSTS: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)api\.openai\.com$/, "openai"],
  [/(^|\.)openrouter\.ai$/, "openrouter"],
  [/(^|\.)together\.(xyz|ai)$/, "together"],
  [/(^|\.)fireworks\.ai$/, "fireworks"],
  [/(^|\.)deepseek\.com$/, "deepseek"],
  [/(^|\.)anthropic\.com$/, "anthropic"],
  [/(^|\.)mistral\.ai$/, "mistral"],
];

/** Dialect by `owned_by` in a server's list of models. */
const OWNERS: Readonly<Record<string, string>> = {
  vllm: "vllm",
  sglang: "sglang",
  llamacpp: "llamacpp",
  "llama.cpp": "llamacpp",
  library: "ollama",
  organization_owner: "lmstudio",
};

/** Default ports of these servers: the last and weakest clue. */
const PORTS: Readonly<Record<string, string>> = { "11434": "ollama", "1234": "lmstudio", "30000": "sglang" };

/** The dialect as far as it is known without asking the server: from the user's setting, or from a known host. */
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

/** A server's response to a request for its models. */
interface ModelsAnswer {
  headers: { get(name: string): string | null };
  /** The body, if it was JSON. */
  body: unknown;
}

interface DetectedServer {
  dialect: Dialect;
  /** Token limit of prompt and answer together, if the server states it; null: it does not. */
  contextTokens: number | null;
}

/** Detects the dialect by clues in the server's list of models. null: there is no list. */
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
  const meta = isObject(entry.meta) ? entry.meta : {};
  for (const value of [entry.max_model_len, meta.n_ctx, entry.context_length]) {
    if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
  }
  return null;
}

function listOf(body: unknown, key: string): Record<string, unknown>[] {
  const list = isObject(body) ? body[key] : null;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Endpoint and credentials. */
export interface Access {
  url: BaseUrl;
  /** null: to be detected. */
  dialect: Dialect | null;
  /** A function, so that an auditor that is printed or serialised does not show the key. */
  key(): string;
  /** The environment variable that holds, or should hold, the key. */
  keyVariable: string;
  keyFound: boolean;
  /** Values that must never be shown. */
  secrets(): readonly string[];
}

const OPENAI_URL = "https://api.openai.com/v1";
/** Servers on the local machine need no key, but the SDK requires one. */
const NO_KEY = "none";

type AccessOptions = Pick<AuditorOptions, "baseUrl" | "dialect" | "offline">;

type OpenAIKind = "openai" | "openai-compatible";

/** Access from options and environment, or an error that says what is missing. */
export function openaiAccess(kind: OpenAIKind, name: string, options: AccessOptions): Access {
  const given = options.baseUrl ?? (kind === "openai" ? OPENAI_URL : serverFromEnvironment());
  if (given === null) {
    throw new InputError(
      "no_base_url",
      `${name}: the address of the server is missing`,
      "Give it as `baseUrl`, for example http://localhost:11434/v1 (Ollama) or http://localhost:8000/v1 (vLLM), or set OPENAI_BASE_URL.",
    );
  }
  const url = parseBaseUrl(given);
  // For `openai` at another address, OpenAI's dialect is assumed; a gateway that differs is named with a dialect.
  const dialect = dialectOfUrl(url, options.dialect) ?? (kind === "openai" ? dialectOf("openai") : null);
  const variables = dialect?.keys ?? ["OPENAI_API_KEY"];
  const found = variables.find((candidate) => variable(candidate) !== null);
  const key = found === undefined ? null : variable(found);
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
    throw new EnvironmentError(
      "bad_key",
      `${name}: ${found} holds characters that no key has`,
      `Set ${found} again, without quotes, spaces and line breaks.`,
    );
  }
  if (key === null && !options.offline && (kind === "openai" || dialect?.batch)) {
    throw new EnvironmentError(
      "missing_key",
      `${name}: ${variables.join(" and ")} ${variables.length > 1 ? "are" : "is"} not set`,
      `Set ${variables[0]} to your key: export ${variables[0]}=…`,
    );
  }
  const secrets = [...new Set([...variables, "OPENAI_API_KEY"].map(variable).filter((value) => value !== null))];
  return {
    url,
    dialect,
    key: () => key ?? NO_KEY,
    keyVariable: found ?? variables[0]!,
    keyFound: key !== null,
    secrets: () => secrets,
  };
}

export function serverFromEnvironment(): string | null {
  return variable("OPENAI_BASE_URL");
}

function variable(name: string): string | null {
  return process.env[name]?.trim() || null;
}
