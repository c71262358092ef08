import type { CallFault } from "../call-error.js";
import type { ErrorBody } from "./error-body.js";
import { list, record, text } from "./loose.js";

export interface StatusFault {
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
  const told = seconds ?? /retry in (\d+(?:\.\d+)?)s\b/i.exec(body.words)?.[1];
  return told === undefined ? null : Math.ceil(Number(told) * 1_000);
}

function reasons(body: ErrorBody): (string | null)[] {
  return body.details.map((detail) => text(record(detail).reason));
}
