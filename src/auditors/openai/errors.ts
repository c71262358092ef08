import { CallError, type CallFault, type Pace, tooLong } from "../auditor.js";
import { blotSecrets, printable, rememberedBody } from "../http/raw-response.js";
import { describeRefusal, type Refusal, refusedParameter } from "./describe-refusal.js";
import type { Parameter } from "./request-shape.js";

const TIMEOUTS = new Set(["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const CERTIFICATES = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/;
const OTHER_PROTOCOL = /^(HPE_|ERR_SSL_|EPROTO)/;

function networkFault(error: Error, context: CallContext): CallError {
  const { address } = context;
  if (error.name === "AbortError" || error.constructor.name === "APIUserAbortError") {
    return new CallError("aborted", "call: ended by us");
  }
  const code = codeOf(error);
  if (error.constructor.name === "APIConnectionTimeoutError" && !TIMEOUTS.has(code)) {
    return lateAnswer(context);
  }
  if (TIMEOUTS.has(code)) return new CallError("timeout", `${address}: no answer in time (${code})`);
  if (code === "ECONNREFUSED") {
    return new CallError(
      "connection",
      `${address}: refused the connection; is the server running?`,
      "Start the server, or check host and port of `baseUrl`.",
    );
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new CallError("connection", `${address}: no such host (${code})`, "Check `baseUrl` and your network.");
  }
  if (CERTIFICATES.test(code)) {
    return new CallError(
      "connection",
      `${address}: its certificate is not trusted (${code})`,
      "Name your organisation's root certificate in NODE_EXTRA_CA_CERTS.",
    );
  }
  if (OTHER_PROTOCOL.test(code)) {
    return new CallError(
      "connection",
      `${address}: does not speak this protocol (${code})`,
      "Check whether `baseUrl` has to begin with http: or https:.",
    );
  }
  if (code === "BODY_TOO_LARGE") return tooLong(`${address}: ${deepest(error).message}`);
  if (/^Z_|^ERR__ERROR_FORMAT/.test(code)) {
    return new CallError("bad_answer", `${address}: the answer is badly compressed (${code})`);
  }
  const words = printable(deepest(error).message, 200);
  return new CallError("connection", `${address}: the connection failed${code === "" ? "" : ` (${code})`}: ${words}`);
}

/** A call that exceeded its time limit. */
export function lateAnswer({ model, timeoutMs }: CallContext): CallError {
  return new CallError("timeout", `${model}: no answer within ${timeoutMs / 1000} s`, "A longer `timeout` may help.");
}

/** The code of the innermost error: the SDK and undici wrap the original. */
function codeOf(error: Error): string {
  for (const layer of layers(error).reverse()) {
    const { code } = layer as { code?: unknown };
    if (typeof code === "string") return code;
  }
  return "";
}

function deepest(error: Error): Error {
  return layers(error).at(-1)!;
}

function layers(error: Error): Error[] {
  const found = [error];
  for (let next: unknown = error; found.length < 8; ) {
    // If both addresses of a host fail, one error contains several.
    const inner = next as { cause?: unknown; errors?: unknown };
    next = Array.isArray(inner.errors) ? inner.errors[0] : inner.cause;
    if (!(next instanceof Error)) break;
    found.push(next);
  }
  return found;
}

/** Most characters of a server's own words that an error repeats. */
const SHOWN = 500;

/** What an error needs to know about the call it reports. */
export interface CallContext {
  model: string;
  /** Without keys. */
  address: string;
  timeoutMs: number;
  /** Values that must never be shown. */
  secrets: readonly string[];
  /** The environment variable that holds, or should hold, the key. */
  keyVariable: string;
  /** False: the variable is not set, and no key was sent. */
  keyFound?: boolean;
  signal?: AbortSignal;
}

/** The server does not accept a part of the request, or not for this model. */
export class RefusedParameter extends CallError {
  constructor(
    readonly parameter: Parameter,
    message: string,
    remedy: string,
    status: number | null,
    /** The server's message. */
    readonly words: string,
  ) {
    super("unsupported", message, remedy, null, status);
  }
}

/** Converts anything the SDK or the network threw to a CallError. Our own errors pass unchanged. */
export function toCallError(error: unknown, context: CallContext): Error {
  if (context.signal?.aborted) return new CallError("aborted", "call: ended by us");
  if (error instanceof CallError) return error;
  if (!(error instanceof Error)) return new CallError("connection", `call: failed; got ${String(error)}`);
  const own = layers(error).find((layer) => layer instanceof CallError);
  if (own) return own;
  const { status, headers } = error as { status?: unknown; headers?: unknown };
  if (typeof status === "number") {
    const body = rememberedBody(headers) ?? error.message;
    return refusalError(status, body, isHeaders(headers) ? headers : NO_HEADERS, context);
  }
  return networkFault(error, context);
}

interface HeadersLike {
  get(name: string): string | null;
}

export const NO_HEADERS: HeadersLike = { get: () => null };

function isHeaders(value: unknown): value is HeadersLike {
  return typeof value === "object" && value !== null && typeof (value as { get?: unknown }).get === "function";
}

/** A refusal as an error, from status, body and headers. Also used for batch items and for errors sent with status 200. */
export function refusalError(status: number, body: string, headers: HeadersLike, context: CallContext): CallError {
  const refusal = describeRefusal(status, body);
  const words = printable(hideSecrets(refusal.message, context.secrets), SHOWN);
  const retryAfterMs = readRetryAfter(headers, refusal.message, Date.now());
  const message = `${context.model}: ${refusalText(refusal)} (HTTP ${status})${words === "" ? "" : `: ${words}`}`;
  const parameter = refusal.fault === "unsupported" ? refusedParameter(refusal) : null;
  if (parameter !== null) {
    return new RefusedParameter(parameter, message, remedyFor(refusal, parameter, context)!, status, words);
  }
  return new CallError(refusal.fault, message, remedyFor(refusal, null, context), retryAfterMs, status);
}

const FAULT_WORDS: Readonly<Record<CallFault, string>> = {
  rate_limited: "too many requests",
  overloaded: "the server is overloaded",
  timeout: "the server gave up waiting",
  connection: "the connection failed",
  server: "the server failed",
  bad_answer: "the answer cannot be read",
  bad_request: "the request was refused",
  auth: "the key was not accepted",
  quota: "quota or credit is used up",
  not_found: "no such model or address",
  too_long: "the answer is too long",
  unsupported: "a feature was refused",
  aborted: "ended by us",
};

function refusalText(refusal: Refusal): string {
  return refusal.about === "context" ? "the prompt is too long for the model" : FAULT_WORDS[refusal.fault];
}

const OTHER_SIGNALS =
  "Use `signal` sampling (repeated draws) or `signal` none (levels only), or a model that gives token probabilities: " +
  "vLLM, llama.cpp or Ollama on your machine, or gguf:<path>.";

function remedyFor(refusal: Refusal, parameter: Parameter | null, context: CallContext): string | undefined {
  if (refusal.about === "context") {
    return "Give the model's limit as `context`, so that prompts are cut to fit, or take a model with a larger one.";
  }
  if (parameter === "logprobs" || parameter === "top_logprobs") return OTHER_SIGNALS;
  if (parameter !== null) {
    return `The model does not take "${parameter}". Run \`defensible doctor\` with this auditor to see what it gives.`;
  }
  switch (refusal.fault) {
    case "auth":
      return context.keyFound === false
        ? `The server wants a key, and the environment variable ${context.keyVariable} is not set: export ${context.keyVariable}=…`
        : `Check the key in the environment variable ${context.keyVariable}.`;
    case "quota":
      return "Check plan and billing at the provider; what is done so far is kept, and the same command continues.";
    case "not_found":
      return `Check the model's name and the address ${context.address}.`;
    case "unsupported":
      return OTHER_SIGNALS;
    default:
      return undefined;
  }
}

/** Servers repeat keys in their errors, in full or in part. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return blotSecrets(text, secrets, { shortest: 4, mark: "[key]" })
    .replace(/\bBearer\s+[^\s"',;]+/gi, "Bearer [key]")
    .replace(/\b(?:sk|rk|pk|gsk|xai|tgp|fw|hf)[-_][\w*.…-]{4,}/gi, "[key]");
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A duration in milliseconds, from Go's notation (`6m0s`, `12ms`, `1.5s`) or plain seconds; null: neither. */
export function durationMs(text: string): number | null {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed) * 1000;
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d))+$/.test(trimmed)) return null;
  let total = 0;
  for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d)/g)) {
    total += Number(amount) * UNITS_MS[unit!]!;
  }
  return total;
}

/** The limits a server stated; null if it stated none, or only nonsense (Azure sends -1). */
export function readPace(headers: HeadersLike): Pace | null {
  const pace: Pace = {
    limitRequests: countOf(headers.get("x-ratelimit-limit-requests")),
    remainingRequests: countOf(headers.get("x-ratelimit-remaining-requests")),
    resetRequestsMs: resetOf(headers.get("x-ratelimit-reset-requests")),
    limitTokens: countOf(headers.get("x-ratelimit-limit-tokens")),
    remainingTokens: countOf(headers.get("x-ratelimit-remaining-tokens")),
    resetTokensMs: resetOf(headers.get("x-ratelimit-reset-tokens")),
  };
  // A limit of 0 means "not stated"; what remains of it is meaningless too.
  if (pace.limitRequests === 0) pace.limitRequests = pace.remainingRequests = pace.resetRequestsMs = null;
  if (pace.limitTokens === 0) pace.limitTokens = pace.remainingTokens = pace.resetTokensMs = null;
  return Object.values(pace).some((value) => value !== null) ? pace : null;
}

function countOf(text: string | null): number | null {
  return text !== null && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : null;
}

function resetOf(text: string | null): number | null {
  return text === null ? null : durationMs(text);
}

/** How long a refusing server asks callers to wait; null: not stated. */
export function readRetryAfter(headers: HeadersLike, message: string, now: number): number | null {
  const milliseconds = headers.get("retry-after-ms");
  if (milliseconds !== null && /^\s*\d+(\.\d+)?\s*$/.test(milliseconds)) return Number(milliseconds);
  const after = headers.get("retry-after");
  if (after !== null) {
    const duration = durationMs(after);
    if (duration !== null) return duration;
    // An HTTP date begins with the day of the week; `Date.parse` would accept -5 as a date too.
    const date = /^[a-z]{3,9},/i.test(after.trim()) ? Date.parse(after) : Number.NaN;
    if (!Number.isNaN(date)) return Math.max(0, date - now);
  }
  // OpenAI: "Please try again in 1m12s", Azure: "Please retry after 10 seconds".
  const match = /(?:try again in|retry after)\s+([\d.]+(?:ms|[smh])(?:[\d.]+(?:ms|[smh]))*|\d+(?= seconds?))/i.exec(
    message,
  );
  return match ? durationMs(match[1]!) : null;
}
