import type { Pace } from "../../auditors/pace.js";

/** The longest wait that headers alone can ask for: their reset is the time to a full bucket, not to the next free call. */
const LONGEST_MS = 60_000;

/**
 * How long to wait before the next call, by what the server said is left. A bucket that refills evenly has one more request after
 * reset / (limit − remaining); while more are left than are in flight nobody has to wait.
 */
export function paceDelay(pace: Pace, inFlight: number): number {
  const requests = refill(pace.limitRequests, pace.remainingRequests, pace.resetRequestsMs, inFlight);
  // Tokens of a call are not known here; a bucket under a tenth is nearly empty for any of them.
  const low = (pace.limitTokens ?? 0) / 10;
  const tokens =
    pace.remainingTokens !== null && pace.remainingTokens < low
      ? ((pace.resetTokensMs ?? 0) * (low - pace.remainingTokens)) /
        Math.max(1, pace.limitTokens! - pace.remainingTokens)
      : 0;
  return Math.min(LONGEST_MS, Math.max(requests, tokens));
}

function refill(limit: number | null, remaining: number | null, resetMs: number | null, inFlight: number): number {
  if (remaining === null || resetMs === null || remaining > inFlight) return 0;
  const used = Math.max(1, (limit ?? remaining + 1) - remaining);
  return resetMs / used;
}
