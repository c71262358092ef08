import type { Pace } from "../auditor.js";

interface HeadersLike {
  get(name: string): string | null;
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

/** Milliseconds of a duration as Go writes it (`6m0s`, `12ms`, `1.5s`), or of plain seconds; null: it is not one. */
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

/** What a server said about its limits; null where it said nothing, or nothing that makes sense (Azure sends -1). */
export function readPace(headers: HeadersLike): Pace | null {
  const pace: Pace = {
    limitRequests: countOf(headers.get("x-ratelimit-limit-requests")),
    remainingRequests: countOf(headers.get("x-ratelimit-remaining-requests")),
    resetRequestsMs: resetOf(headers.get("x-ratelimit-reset-requests")),
    limitTokens: countOf(headers.get("x-ratelimit-limit-tokens")),
    remainingTokens: countOf(headers.get("x-ratelimit-remaining-tokens")),
    resetTokensMs: resetOf(headers.get("x-ratelimit-reset-tokens")),
  };
  // A limit of nothing is no limit but a blank; what remains of it says nothing either.
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

/** How long a refusing server asks to be left alone; null: it does not say. */
export function readRetryAfter(headers: HeadersLike, message: string, now: number): number | null {
  const milliseconds = headers.get("retry-after-ms");
  if (milliseconds !== null && /^\s*\d+(\.\d+)?\s*$/.test(milliseconds)) return Number(milliseconds);
  const after = headers.get("retry-after");
  if (after !== null) {
    const duration = durationMs(after);
    if (duration !== null) return duration;
    // An HTTP date begins with the day of the week; `Date.parse` takes -5 for one too.
    const date = /^[a-z]{3,9},/i.test(after.trim()) ? Date.parse(after) : Number.NaN;
    if (!Number.isNaN(date)) return Math.max(0, date - now);
  }
  // OpenAI: "Please try again in 1m12s", Azure: "Please retry after 10 seconds".
  const match = /(?:try again in|retry after)\s+([\d.]+(?:ms|[smh])(?:[\d.]+(?:ms|[smh]))*|\d+(?= seconds?))/i.exec(
    message,
  );
  return match ? durationMs(match[1]!) : null;
}
