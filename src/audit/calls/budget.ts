import { CheckFailedError, type DefensibleError } from "../../core/errors.js";

/** What calls are paid from. */
export interface Purse {
  /** Sets a call aside, or throws where it could pass the limit. Every call that was set aside must be settled. */
  reserve(): Promise<void>;
  /** A call is over; it cost this much. null: that is not known. */
  settle(cost: number | null): void;
  /** The provider asks for fewer calls, and to wait so long. */
  slowed?(waitMs: number): void;
}

/**
 * Money a run may spend. Each call is set aside before it is made, at the dearest price seen so far (at least the estimate), so that what is in
 * flight cannot carry the run over its limit. What comes from the cache is no call.
 */
export class Budget implements Purse {
  private spent: number;
  private inFlight = 0;
  private dearest: number;
  private waiting: (() => void)[] = [];

  /**
   * @param max USD; null: no limit.
   * @param before spent by this run earlier.
   * @param expected USD of one call, by the estimate.
   */
  constructor(
    private readonly max: number | null,
    before: number,
    expected: number,
  ) {
    this.spent = before;
    this.dearest = expected;
  }

  /**
   * Sets a call aside; waits where only calls in flight are in the way, and throws where the limit does. Every call that was set aside
   * must be settled.
   */
  async reserve(): Promise<void> {
    while (this.max !== null && this.spent + (this.inFlight + 1) * this.dearest > this.max) {
      if (this.inFlight === 0 || this.spent + this.dearest > this.max) throw this.refusal(this.max);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    this.inFlight++;
  }

  /** A call is over; it cost this much. null: unknown, and it counts as the dearest. */
  settle(cost: number | null): void {
    this.inFlight--;
    this.charge(cost ?? this.dearest);
    this.dearest = Math.max(this.dearest, cost ?? 0);
    const woken = this.waiting;
    this.waiting = [];
    for (const resolve of woken) resolve();
  }

  /** Counts what was paid otherwise. */
  charge(cost: number): void {
    this.spent += cost;
  }

  private refusal(max: number): CheckFailedError {
    return new CheckFailedError(
      "max_cost",
      `cost: ${dollars(this.spent)} are spent, and another call could pass the limit of ${dollars(max)}`,
      "Repeat it with a higher `maxCost`: a run continues where it stopped.",
    );
  }
}

/** USD with as many digits as matter. */
export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  return amount < 0.01 ? `$${amount.toPrecision(2)}` : `$${amount.toFixed(2)}`;
}

/** How long calls in flight may go on after a request to stop. */
const GRACE_MS = 5000;

interface Grace {
  /** Given to calls: ends those that are still in flight. */
  signal: AbortSignal;
  release(): void;
}

/** A signal that follows a request to stop by five seconds. */
export function graceAfter(stop: AbortSignal): Grace {
  const abandon = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  const onStop = () => {
    timer = setTimeout(() => abandon.abort(), GRACE_MS);
  };
  if (stop.aborted) onStop();
  else stop.addEventListener("abort", onStop, { once: true });
  return {
    signal: abandon.signal,
    release() {
      stop.removeEventListener("abort", onStop);
      if (timer) clearTimeout(timer);
    },
  };
}

/** Ends a run before its end. The audit in whose name it is thrown is left undone, not recorded as an error. */
export class RunHalted extends Error {
  /** @param reason why no call can succeed; null: a stop was requested. */
  constructor(readonly reason: DefensibleError | null) {
    super(reason?.message ?? "stopped");
    this.name = "RunHalted";
  }
}

/** The work's result, or the end of the run as soon as a stop is requested; the work itself is left to its fate. */
export function unlessStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onStop = () => reject(new RunHalted(null));
    if (stop.aborted) onStop();
    else stop.addEventListener("abort", onStop, { once: true });
    work.then(resolve, reject).finally(() => stop.removeEventListener("abort", onStop));
  });
}
