import type { Fault } from "./fault.js";
import type { Dialect } from "./traits.js";

const STATUS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** An error as all of Google's APIs tell it. */
export function googleError(code: number, message: string, details?: unknown[]): Fault {
  const error = { code, message, status: STATUS[code] ?? "UNKNOWN", ...(details ? { details } : {}) };
  return { fault: "status", status: code, body: { error }, type: "application/json; charset=UTF-8" };
}

/** A wrong key is a 400 there. */
export function wrongGoogleKey(key: string): Fault {
  return googleError(400, `API key not valid. Please pass a valid API key. Got ${key}`, [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "API_KEY_INVALID",
      domain: "googleapis.com",
      metadata: { service: "generativelanguage.googleapis.com" },
    },
  ]);
}

export interface GoogleQuota {
  per?: "minute" | "day";
  /** As `34s` or `1.5s`; absent: nothing is said about when. */
  retryDelay?: string;
}

/** Quota used up: for this minute (again later), or for this day (in vain). Without either, what Vertex says when it is busy. */
export function googleRateLimited({ per, retryDelay }: GoogleQuota = {}): Fault {
  const details: unknown[] = [];
  if (per) {
    const quotaId = `GenerateRequestsPer${per === "day" ? "Day" : "Minute"}PerProjectPerModel-FreeTier`;
    const violation = {
      quotaMetric: "generativelanguage.googleapis.com/generate_content_free_tier_requests",
      quotaId,
      quotaDimensions: { location: "global", model: "gemini-2.0-flash" },
      quotaValue: per === "day" ? "200" : "15",
    };
    details.push({ "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [violation] });
    details.push({
      "@type": "type.googleapis.com/google.rpc.Help",
      links: [{ description: "Learn more", url: "https://ai.google.dev" }],
    });
  }
  if (retryDelay) details.push({ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay });
  if (details.length === 0) return googleError(429, "Resource exhausted. Please try again later.");
  return googleError(429, "You exceeded your current quota, please check your plan and billing details.", details);
}

export const googleOverloaded = (): Fault => googleError(503, "The model is overloaded. Please try again later.");

export const googleServerError = (): Fault =>
  googleError(500, "An internal error has occurred. Please retry or report it.");

export const googleUnknownModel = (model: string): Fault =>
  googleError(404, `models/${model} is not found for API version v1beta, or is not supported for generateContent.`);

export function googleLogprobsRefused(dialect: Dialect, model: string): Fault {
  return googleError(
    400,
    dialect === "vertex" ? "Logprobs is not supported for this model." : `Logprobs is not enabled for models/${model}`,
  );
}

export const googleOneCandidateOnly = (): Fault =>
  googleError(400, "Multiple candidates is not enabled for this model");
