import { CallError, type CallFault, tooLong } from "../call-error.js";
import { type ErrorBody, faultOfStatus, readErrorBody, record, refusedFeature, safeWords, text } from "./faults.js";
import type { GeminiKind } from "./probe.js";

/** What an error message is made from. */
export interface ErrorContext {
  /** The auditor as the user named it. */
  name: string;
  kind: GeminiKind;
  model: string;
  /** Never to be shown. */
  secrets: readonly string[];
}

/** How a call of ours ended, where we ended it. */
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

/** The machine's own credentials are missing, unreadable or expired: the server was not even asked. */
const NO_CREDENTIALS = /default credentials|GOOGLE_APPLICATION_CREDENTIALS|invalid_grant|invalid_rapt|reauth/i;
const TIMEOUT_CODES = /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/;

/** Anything that a call of the SDK throws, as the error that the scheduler knows. */
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
  // The SDK stumbles over a body that is no JSON, or JSON of another shape.
  if (name === "SyntaxError" || name === "TypeError") return callError("bad_answer", context, words);
  return callError("server", context, words);
}

/** The error behind an HTTP status, or behind the status of one item of a batch. */
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

/** Where token probabilities can still be had. */
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
