import { type Auditor, CallError, type CallFault, type Capabilities } from "../../auditors/auditor.js";
import { RunHalted, unlessStopped } from "./budget.js";

/** How long a server may refuse every call before the run stops. */
const GIVE_UP_MS = 10 * 60_000;

const TICK_MS = 1000;

export interface PatienceOptions {
  /** The auditor's name. */
  name: string;
  /** Default: ten minutes. */
  limitMs?: number | undefined;
  /** Called once a second while every call is refused, with the time left and the reason. null: a call succeeded. */
  tell?: ((waiting: { leftMs: number; fault: CallFault } | null) => void) | undefined;
  /** Monotonic clock, in milliseconds. */
  clock?: () => number;
}

/**
 * Tolerates a server that refuses calls (too many requests, overloaded) for a limited time without any success, counted over all
 * calls of a run. Then the run stops and can be continued later: there is no telling when the server will answer again.
 */
export class Patience {
  private since: number | null = null;
  private lastSuccess = Number.NEGATIVE_INFINITY;
  private fault: CallFault = "rate_limited";
  private ticking: NodeJS.Timeout | null = null;
  private readonly limitMs: number;
  private readonly clock: () => number;

  constructor(private readonly options: PatienceOptions) {
    this.limitMs = options.limitMs ?? GIVE_UP_MS;
    this.clock = options.clock ?? (() => performance.now());
  }

  succeeded(): void {
    this.lastSuccess = this.clock();
    if (this.since === null) return;
    this.since = null;
    this.release();
    this.options.tell?.(null);
  }

  /** Whether any call has succeeded since `moment` on the clock. */
  hasSucceededSince(moment: number): boolean {
    return this.lastSuccess >= moment;
  }

  /** Records a failure before another wait; throws if that wait would end after the time limit. */
  failed(cause: CallError, waitMs: number): void {
    if (!cause.slower) {
      if (waitMs > this.limitMs) throw new RunHalted(tooLongWait(cause));
      return;
    }
    const now = this.clock();
    this.since ??= now;
    this.fault = cause.fault;
    const left = this.since + this.limitMs - now;
    if (waitMs > left) {
      this.release();
      throw new RunHalted(this.since === now ? tooLongWait(cause) : this.exhausted(cause));
    }
    this.ticking ??= this.tick();
  }

  /** Stops the timer. */
  release(): void {
    if (this.ticking) clearInterval(this.ticking);
    this.ticking = null;
  }

  private tick(): NodeJS.Timeout {
    const { tell } = this.options;
    const show = (): void => {
      if (this.since !== null)
        tell?.({ leftMs: Math.max(0, this.since + this.limitMs - this.clock()), fault: this.fault });
    };
    show();
    return setInterval(show, TICK_MS).unref();
  }

  private exhausted(cause: CallError): CallError {
    const seconds = Math.max(1, Math.round((this.clock() - (this.since ?? this.clock())) / 1000));
    const time =
      seconds < 90 ? `${seconds} ${seconds === 1 ? "second" : "seconds"}` : `${Math.round(seconds / 60)} minutes`;
    return new CallError(
      cause.fault,
      `${this.options.name}: every call was refused for ${time}; the last refusal: ${cause.message}`,
      "What is done is kept: repeat it later to continue. A lower `concurrency` may help; `give_up_minutes` in defensible.yaml sets how long a run waits.",
    );
  }
}

const CENTURY_MS = 100 * 365 * 86_400_000;

/** The error for a quota that a run cannot wait for. */
function tooLongWait({ fault, message, retryAfterMs }: CallError): CallError {
  const until = new Date(Date.now() + Math.min(retryAfterMs ?? 0, CENTURY_MS)).toISOString().slice(0, 16);
  return new CallError(
    fault,
    `${message}; the server wants no call before ${until.replace("T", " ")} UTC`,
    "Repeat the command then; what is done is kept.",
  );
}

const BASE_MS = 500;

const CAP_MS = 30_000;

/** Time before the next attempt: what the server asked for, else doubling from half a second; with jitter, so that calls do not retry in step. */
export function backoffMs(attempt: number, retryAfterMs: number | null, random: () => number = Math.random): number {
  if (retryAfterMs !== null && retryAfterMs > 0) return retryAfterMs * (1 + 0.1 * random());
  return Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1)) * (0.5 + 0.5 * random());
}

/** Waits `ms`, or until the signal aborts. */
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

/** As for calls. */
const MAX_TRIES = 6;

/** For a server that is unreachable, or silent for minutes: that is worth reporting soon. */
const MAX_SILENT_TRIES = 2;

const NOT_THERE = /refused the connection|no such host|ECONNREFUSED|ENOTFOUND|EAI_AGAIN/;

/** Probes what a model supports, as persistently as calls are made. null: the auditor has no probe. */
export async function probePatiently(
  auditor: Auditor,
  stop: AbortSignal,
  options: Pick<PatienceOptions, "limitMs" | "tell"> = {},
): Promise<Capabilities | null> {
  if (!auditor.probe) return null;
  const patience = new Patience({ name: auditor.name, ...options });
  try {
    for (let tries = 1, slowed = 0; ; tries++) {
      try {
        const found = await unlessStopped(auditor.probe(), stop);
        patience.succeeded();
        return found;
      } catch (cause) {
        if (!(cause instanceof CallError) || !cause.again || stop.aborted) throw cause;
        if (cause.slower) slowed++;
        const silent = cause.fault === "timeout" || NOT_THERE.test(cause.message);
        if (tries - slowed >= (silent ? MAX_SILENT_TRIES : MAX_TRIES)) throw cause;
        const waitMs = backoffMs(tries, cause.retryAfterMs);
        patience.failed(cause, waitMs);
        await wait(waitMs, stop);
      }
    }
  } catch (cause) {
    throw cause instanceof RunHalted && cause.reason ? cause.reason : cause;
  } finally {
    patience.release();
  }
}
