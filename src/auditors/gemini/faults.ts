import { parsedJson } from "../../core/text-checks.js";
import type { CallFault } from "../call-error.js";
import { blotSecrets } from "../http/raw-response.js";

/** Readers for what came over the wire: a value of another type than expected counts as absent. */

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

/** A count of something. Google writes 64-bit integers as strings. */
export function count(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** What Google says in an error, in plain values. */
export interface ErrorBody {
  words: string;
  /** `google.rpc` details: RetryInfo, QuotaFailure, ErrorInfo … */
  details: readonly unknown[];
}

const MAX_DEPTH = 5;
const MAX_SCANNED = 100_000;
const MAX_WORDS = 500;

/**
 * The SDK puts the body's JSON into the message of its error. A body that was not called JSON by its headers is wrapped once more,
 * a stream's is an array, and some begin with words ("got status: 429 …"): so it is unpacked until no JSON is left inside.
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

/** Words fit to be shown and kept: no keys, one printable line, at most 500 characters. */
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

/** What of a request a model can refuse and do without. */
export type Feature = "logprobs" | "answers" | "thinking" | "schema" | "safety";

const FEATURE_WORDS: readonly (readonly [Feature, RegExp])[] = [
  ["logprobs", /logprobs/i],
  ["answers", /multiple candidates|candidate_?count/i],
  ["thinking", /thinking/i],
  ["safety", /safety_?settings?|harm_?block_?threshold/i],
  ["schema", /json mode|response_?(json_?)?schema|response_?mime_?type|controlled generation/i],
];

/** Which feature an error's words are about; null: none that could be left out. */
export function refusedFeature(words: string): Feature | null {
  return FEATURE_WORDS.find(([, form]) => form.test(words))?.[0] ?? null;
}

/** `google.rpc.Code` → HTTP: items of a batch carry the former. */
const HTTP_OF_RPC: readonly number[] = [
  200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401,
];

export function httpStatus(code: number): number {
  return HTTP_OF_RPC[code] ?? code;
}

/** What an error of that status means for the run. */
export function faultOfStatus(status: number, body: ErrorBody): StatusFault {
  if (status === 429) return tooMany(body);
  return { fault: plainFault(status, body), retryAfterMs: status >= 500 ? retryAfterMs(body) : null };
}

/** Refusals that concern the key or the place, not the request; Google sends some of them as 400. */
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
  // About the model, whatever the decision.
  return refusedFeature(body.words) === null ? "bad_request" : "unsupported";
}

/**
 * A limit a minute passes, a limit a day does not: not in a run's time. A limit of 0 is a model that the plan does not include. Without
 * details (Vertex AI's shared quota) it is the ordinary "later".
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
