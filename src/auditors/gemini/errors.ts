import { parsedJson } from "../../core/text-checks.js";
import { CallError, type CallFault, tooLong } from "../auditor.js";
import { blotSecrets } from "../http/raw-response.js";
import type { GeminiKind } from "./probe.js";

/** What an error message is made from. */
export interface ErrorContext {
  /** The auditor as the user named it. */
  name: string;
  kind: GeminiKind;
  model: string;
  /** Values that must never be shown. */
  secrets: readonly string[];
}

/** How we ended a call of ours; null: we did not. */
export type Ended = "aborted" | "timeout" | null;

const WHAT_IS_WRONG: Readonly<Record<CallFault, string>> = {
  rate_limited: "too many requests",
  overloaded: "the server is overloaded",
  timeout: "no answer in time",
  connection: "the connection failed",
  server: "the server failed",
  bad_answer: "the answer could not be read",
  bad_request: "the request was refused",
  auth: "access was refused",
  quota: "the quota is used up",
  not_found: "the model was not found",
  too_long: "the answer is too long",
  unsupported: "the model refuses what was asked for",
  aborted: "the call was ended",
};

/** The machine's own credentials are missing, unreadable or expired; the server was not asked. */
const NO_CREDENTIALS = /default credentials|GOOGLE_APPLICATION_CREDENTIALS|invalid_grant|invalid_rapt|reauth/i;
const TIMEOUT_CODES = /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/;

/** Turns anything a call of the SDK throws into the error type that the scheduler knows. */
export function toCallError(error: unknown, context: ErrorContext, ended: Ended = null): CallError {
  if (error instanceof CallError) return error;
  if (ended)
    return callError(ended, context, ended === "timeout" ? "no whole answer in the time given" : "a signal of ours");
  const thrown = record(error);
  const words = text(thrown.message) ?? String(error);
  const { name, status } = thrown;
  if (NO_CREDENTIALS.test(words)) return callError("auth", context, words);
  if (typeof status === "number" && status >= 400) return errorOfStatus(status, readErrorBody(words), context);
  const cause = record(thrown.cause);
  const code = text(cause.code) ?? text(thrown.code);
  if (code === "BODY_TOO_LARGE") return tooLong(`${context.name}: ${words}`);
  if (code !== null) {
    const detail = [code, text(cause.message)].filter((part) => part !== null && part !== words).join(": ");
    return callError(TIMEOUT_CODES.test(code) ? "timeout" : "connection", context, `${words} (${detail})`);
  }
  if (name === "AbortError" || name === "TimeoutError") return callError("timeout", context, words);
  if (/^(fetch failed|terminated)$/.test(words)) return callError("connection", context, words);
  // The SDK throws these for a body that is not JSON, or JSON of an unexpected shape.
  if (name === "SyntaxError" || name === "TypeError") return callError("bad_answer", context, words);
  return callError("server", context, words);
}

/** The error for an HTTP status, or for the status of one item of a batch. */
export function errorOfStatus(status: number, body: ErrorBody, context: ErrorContext): CallError {
  const { fault, retryAfterMs } = faultOfStatus(status, body);
  return callError(fault, context, `HTTP ${status}: ${body.words}`, retryAfterMs, status);
}

function callError(
  fault: CallFault,
  context: ErrorContext,
  got: string,
  retryAfterMs: number | null = null,
  status: number | null = null,
): CallError {
  const words = safeWords(got, context.secrets);
  const message = `${context.name}: ${WHAT_IS_WRONG[fault]}; got ${words}`;
  return new CallError(fault, message, remedy(fault, words, context), retryAfterMs, status);
}

const OTHER_WAYS =
  "a local model (openai-compatible:<model> with `baseUrl`, or gguf:<file>), or `signal` sampling or `signal` none";

/** Where token probabilities are still available. */
export function logprobsRemedy(kind: GeminiKind): string {
  return kind === "gemini"
    ? `The Gemini Developer API gives no token probabilities. Use vertex:gemini-2.5-flash as long as it answers, ${OTHER_WAYS}.`
    : `On Vertex AI only models up to Gemini 2.5 gave token probabilities. Use one of them as long as it answers, ${OTHER_WAYS}.`;
}

function remedy(fault: CallFault, words: string, { kind, model }: ErrorContext): string | undefined {
  switch (fault) {
    case "unsupported":
      return refusedFeature(words) === "logprobs"
        ? logprobsRemedy(kind)
        : "Run `defensible doctor` with this auditor: its probe finds out what the model accepts.";
    case "auth":
      return kind === "gemini"
        ? "Set GEMINI_API_KEY (or GOOGLE_API_KEY) to a valid key; keys are made at https://aistudio.google.com/apikey."
        : "Run `gcloud auth application-default login` and check that GOOGLE_CLOUD_PROJECT may use Vertex AI in GOOGLE_CLOUD_LOCATION, or set GOOGLE_API_KEY to a valid Vertex AI key.";
    case "quota":
      return "Continue when the quota is renewed or the account has credit again: the same command goes on where it stopped.";
    case "not_found":
      return `Check the spelling of ${model} and the base URL. Google retires models: Gemini 2.0 is gone since 2026-06-01, Gemini 2.5 was announced to go from October 2026.`;
    default:
      return undefined;
  }
}

/** Readers for values received over the wire: a value of an unexpected type counts as absent. */

export type Loose = Readonly<Record<string, unknown>>;

const NOTHING: Loose = Object.freeze({});

export function record(value: unknown): Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : NOTHING;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A count. Google writes 64-bit integers as strings. */
export function count(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** An error from Google, in plain values. */
interface ErrorBody {
  words: string;
  /** `google.rpc` details: RetryInfo, QuotaFailure, ErrorInfo … */
  details: readonly unknown[];
}

const MAX_DEPTH = 5;
const MAX_SCANNED = 100_000;
const MAX_WORDS = 500;

/**
 * The SDK puts the body's JSON into its error message. If the headers did not declare JSON the body is wrapped once more, a
 * stream's body is an array, and some begin with words ("got status: 429 …"), so it is unpacked until no JSON is left inside.
 */
export function readErrorBody(message: string, depth = 0): ErrorBody {
  const start = message.search(/[[{]/);
  if (start >= 0 && depth < MAX_DEPTH) {
    const parsed = parsedJson(message.slice(start));
    const body = record(Array.isArray(parsed) ? parsed[0] : parsed);
    const error = typeof body.error === "object" ? record(body.error) : body;
    const inner = text(error.message) ?? text(body.error);
    if (inner !== null) {
      const deeper = readErrorBody(inner, depth + 1);
      return deeper.details.length > 0 ? deeper : { words: deeper.words, details: list(error.details) };
    }
  }
  return { words: message, details: [] };
}

const KEY_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bAIza[\w-]{10,}/g, "[key]"],
  [/\bAQ\.[\w-]{10,}/g, "[key]"],
  [/\bya29\.[\w.-]+/g, "[token]"],
  [/\b(Bearer\s+)[^\s"',]+/gi, "$1[token]"],
  [/([?&](?:key|access_token)=)[^&\s"']+/gi, "$1[key]"],
];

/** Makes words safe to show and keep: no keys, one printable line, at most 500 characters. */
export function safeWords(words: string, secrets: readonly string[]): string {
  let safe = blotSecrets(words.slice(0, MAX_SCANNED), secrets, { shortest: 4, mark: "[key]" });
  for (const [form, replacement] of KEY_FORMS) safe = safe.replace(form, replacement);
  safe = safe
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return safe.length <= MAX_WORDS ? safe : `${safe.slice(0, MAX_WORDS - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

interface StatusFault {
  fault: CallFault;
  retryAfterMs: number | null;
}

/** Optional features of a request that a model may refuse. */
export type Feature = "logprobs" | "answers" | "thinking" | "schema" | "safety";

const FEATURE_WORDS: readonly (readonly [Feature, RegExp])[] = [
  ["logprobs", /logprobs/i],
  ["answers", /multiple candidates|candidate_?count/i],
  ["thinking", /thinking/i],
  ["safety", /safety_?settings?|harm_?block_?threshold/i],
  ["schema", /json mode|response_?(json_?)?schema|response_?mime_?type|controlled generation/i],
];

/** The feature an error is about; null: none that could be left out. */
export function refusedFeature(words: string): Feature | null {
  return FEATURE_WORDS.find(([, form]) => form.test(words))?.[0] ?? null;
}

/** `google.rpc.Code` → HTTP status: items of a batch carry the former. */
const HTTP_OF_RPC: readonly number[] = [
  200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401,
];

export function httpStatus(code: number): number {
  return HTTP_OF_RPC[code] ?? code;
}

function faultOfStatus(status: number, body: ErrorBody): StatusFault {
  if (status === 429) return tooMany(body);
  return { fault: plainFault(status, body), retryAfterMs: status >= 500 ? retryAfterMs(body) : null };
}

/** Refusals that concern the key or the location, not the request; Google sends some of them as 400. */
const KEY_WORDS =
  /api[ _]key (not valid|not found|expired)|API_KEY_INVALID|user location is not supported|free tier is not available/i;
function plainFault(status: number, body: ErrorBody): CallFault {
  switch (status) {
    case 401:
    case 403:
      return "auth";
    case 404:
      return "not_found";
    case 408:
    case 504:
      return "timeout";
    case 503:
    case 529:
      return "overloaded";
    case 409:
    case 499:
      return "server";
  }
  if (status >= 500) return "server";
  if (KEY_WORDS.test(body.words) || reasons(body).includes("API_KEY_INVALID")) return "auth";
  // A refusal that concerns the model, whatever the decision.
  return refusedFeature(body.words) === null ? "bad_request" : "unsupported";
}

/**
 * A per-minute limit passes; a daily limit does not pass during a run. A limit of 0 means the plan does not include the model.
 * Without details (Vertex AI's shared quota), retry later as usual.
 */
function tooMany(body: ErrorBody): StatusFault {
  const violations = body.details.flatMap((detail) => list(record(detail).violations)).map(record);
  const spent = violations.some((violation) => {
    const limit = [violation.quotaId, violation.quotaMetric, violation.subject, violation.description]
      .map(text)
      .join(" ");
    return /per[ _]?day|daily/i.test(limit) || String(violation.quotaValue) === "0";
  });
  const dry =
    /limit: 0(?![.\d])|per day|daily (limit|quota)|credits? (are|is|has been|have been)? ?(depleted|exhausted)|spend(ing)? (cap|limit)/i;
  if (spent || dry.test(body.words)) return { fault: "quota", retryAfterMs: null };
  return { fault: "rate_limited", retryAfterMs: retryAfterMs(body) };
}

/** How long Google asks to wait: `34s` or `1.5s` in RetryInfo, else in words ("Please retry in 12.3s."). */
function retryAfterMs(body: ErrorBody): number | null {
  const delays = body.details.map((detail) => text(record(detail).retryDelay)).filter((delay) => delay !== null);
  const seconds = delays.map((delay) => /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1]).find((match) => match !== undefined);
  const given = seconds ?? /retry in (\d+(?:\.\d+)?)s\b/i.exec(body.words)?.[1];
  return given === undefined ? null : Math.ceil(Number(given) * 1_000);
}

function reasons(body: ErrorBody): (string | null)[] {
  return body.details.map((detail) => text(record(detail).reason));
}
