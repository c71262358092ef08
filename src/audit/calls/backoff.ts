const BASE_MS = 500;
const CAP_MS = 30_000;

/** Time before the next try: what the server asked for, else doubling from half a second; with jitter, so that calls do not return in step. */
export function backoffMs(attempt: number, retryAfterMs: number | null, random: () => number = Math.random): number {
  if (retryAfterMs !== null && retryAfterMs > 0) return retryAfterMs * (1 + 0.1 * random());
  return Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1)) * (0.5 + 0.5 * random());
}

/** Waits, or less if the signal comes first. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}
