import type { CallError, Pace } from "../../auditors/auditor.js";
import { RunHalted } from "./budget.js";

/** What a scheduler did while one process worked on a run. */
interface SchedulerSession {
  started_at: string;
  calls: number;
  /** Failed calls by fault, including those retried. */
  faults: Record<string, number>;
  most_in_flight: number;
  /** Changes of the limit, and holds; `s` is seconds since the start. The middle of a very long list is left out. */
  history: { s: number; event: string; limit: number; why?: string }[];
}

const KEPT = 100;

/** The history of one session, bounded in length. */
class SchedulerHistory {
  private calls = 0;
  private peak = 0;
  private shownLimit: number;
  private readonly faults: Record<string, number> = {};
  private readonly first: SchedulerSession["history"] = [];
  private readonly last: SchedulerSession["history"] = [];
  private readonly zero: number;

  constructor(
    private readonly startedAt: Date,
    limit: number,
    private readonly clock: () => number,
  ) {
    this.zero = clock();
    this.shownLimit = limit;
    this.add("start", limit);
  }

  started(inFlight: number): void {
    this.calls++;
    if (inFlight > this.peak) this.peak = inFlight;
  }

  fault(name: string): void {
    this.faults[name] = (this.faults[name] ?? 0) + 1;
  }

  /** Growth is recorded only each time the limit has doubled. */
  grown(limit: number): void {
    if (limit >= 2 * this.shownLimit) this.add("grow", limit);
  }

  add(event: string, limit: number, why?: string): void {
    this.shownLimit = limit;
    const s = Math.round((this.clock() - this.zero) / 10) / 100;
    const entry = { s, event, limit: Math.round(limit * 10) / 10, ...(why ? { why } : {}) };
    if (this.first.length < KEPT) this.first.push(entry);
    else {
      this.last.push(entry);
      if (this.last.length > KEPT) this.last.shift();
    }
  }

  session(): SchedulerSession {
    return {
      started_at: this.startedAt.toISOString(),
      calls: this.calls,
      faults: { ...this.faults },
      most_in_flight: this.peak,
      history: [...this.first, ...this.last],
    };
  }
}

/** The longest wait that headers alone can cause: their reset is the time to a full bucket, not to the next free call. */
const LONGEST_MS = 60_000;

/**
 * Wait in ms before the next call, given what the server says is left. A bucket that refills evenly regains one request after
 * reset / (limit − remaining); while more are left than are in flight, no call has to wait.
 */
function paceDelay(pace: Pace, inFlight: number): number {
  const requests = refill(pace.limitRequests, pace.remainingRequests, pace.resetRequestsMs, inFlight);
  // The tokens of a call are not known here; a bucket below a tenth counts as nearly empty for any call.
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

/** Calls in flight at the start; each answer adds one until the server objects. */
const START = 4;
const CUT = 0.5;

export interface SchedulerOptions {
  /** Hard limit on calls in flight. */
  max: number;
  /** Ends all waiting. */
  signal?: AbortSignal;
  /** From then on no call is started; those in flight continue. */
  stop?: AbortSignal;
  /** Monotonic clock, in milliseconds. */
  clock?: () => number;
  now?: () => Date;
}

/** One call's permission to be made. */
interface Permit {
  startedAt: number;
}

/**
 * How many calls may be in flight: slow start (one more per answer), then one more per round trip; halved when the server answers
 * 429 or 503, once for all calls under way at that moment. Other failures say nothing about load and change nothing. The server's
 * stated limits are kept: `retry-after` stops every call, and calls are spaced out when fewer are left than are in flight.
 */
export class Scheduler {
  readonly max: number;
  private limit: number;
  private threshold: number;
  private inFlight = 0;
  /** Most in flight since the last cut. */
  private peak = 0;
  private lastCut = Number.NEGATIVE_INFINITY;
  /** No call starts before this time. */
  private heldUntil = 0;
  private waiting: (() => void)[] = [];
  private timer: NodeJS.Timeout | null = null;
  private readonly clock: () => number;
  private readonly history: SchedulerHistory;
  private readonly signal: AbortSignal | undefined;
  private readonly stop: AbortSignal | undefined;

  constructor({ max, signal, stop, clock = () => performance.now(), now = () => new Date() }: SchedulerOptions) {
    this.max = Math.max(1, max);
    this.limit = Math.min(START, this.max);
    this.threshold = this.max;
    this.clock = clock;
    this.signal = signal;
    this.stop = stop;
    signal?.addEventListener("abort", () => this.wake(), { once: true });
    stop?.addEventListener("abort", () => this.wake(), { once: true });
    this.history = new SchedulerHistory(now(), this.limit, clock);
  }

  /** Calls that may be in flight now. */
  get width(): number {
    return Math.max(1, Math.floor(this.limit));
  }

  /** Waits for a free slot, makes the call, and adapts to how it ended. */
  async run<T extends { pace?: Pace | null }>(call: () => T | Promise<T>): Promise<T> {
    const permit = await this.acquire();
    try {
      const answer = await call();
      this.succeeded(permit, answer.pace ?? null);
      return answer;
    } catch (cause) {
      this.failed(permit, cause);
      throw cause;
    } finally {
      this.inFlight--;
      this.wake();
    }
  }

  /** Delays every call: when a server names a waiting time, it means all of them. */
  hold(ms: number, why: string): void {
    const until = this.clock() + ms;
    if (until <= this.heldUntil) return;
    this.heldUntil = until;
    this.history.add("hold", this.limit, `${why}: ${Math.round(ms)} ms`);
  }

  /** What happened, for the run's manifest. */
  session(): SchedulerSession {
    return this.history.session();
  }

  private async acquire(): Promise<Permit> {
    while (!this.free()) {
      if (this.signal?.aborted || this.stop?.aborted) break;
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        this.arm();
      });
    }
    this.signal?.throwIfAborted();
    if (this.stop?.aborted) throw new RunHalted(null);
    this.inFlight++;
    this.peak = Math.max(this.peak, this.inFlight);
    this.history.started(this.inFlight);
    return { startedAt: this.clock() };
  }

  private free(): boolean {
    return this.inFlight < this.width && this.clock() >= this.heldUntil;
  }

  /** Wakes waiting calls when a hold ends. It may have ended since they checked; then only calls in flight would wake them, if any. */
  private arm(): void {
    const ms = Math.max(0, this.heldUntil - this.clock());
    if (this.timer || (ms === 0 && this.inFlight >= this.width)) return;
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.wake();
      },
      Math.min(ms, 60_000),
    );
  }

  private wake(): void {
    const woken = this.waiting;
    this.waiting = [];
    for (const resolve of woken) resolve();
  }

  private succeeded(permit: Permit, pace: Pace | null): void {
    // A window that was never half full says nothing about the load the server can take.
    if (this.width <= 2 * this.peak && permit.startedAt >= this.lastCut) {
      this.limit = Math.min(this.max, this.limit + (this.limit < this.threshold ? 1 : 1 / this.limit));
      this.history.grown(this.limit);
    }
    const delay = pace ? paceDelay(pace, this.inFlight) : 0;
    if (delay > 0) this.hold(delay, "the server's limits");
  }

  private failed(permit: Permit, cause: unknown): void {
    const error = cause as Partial<CallError>;
    this.history.fault(typeof error.fault === "string" ? error.fault : "other");
    if (error.slower !== true) return;
    if (permit.startedAt >= this.lastCut) {
      this.lastCut = this.clock();
      this.limit = Math.max(1, this.limit * CUT);
      this.threshold = this.limit;
      this.peak = 0;
      this.history.add("cut", this.limit, String(error.fault));
    }
    if (error.retryAfterMs) this.hold(error.retryAfterMs, "retry-after");
  }
}
