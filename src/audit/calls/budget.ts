import { CheckFailedError, type DefensibleError } from "../../core/errors.js";

/** What pays for calls. */
export interface Purse {
  /** Reserves a call; throws if it could exceed the limit. Every reserved call must be settled. */
  reserve(): Promise<void>;
  /** Ends a call that cost this much in USD. null: unknown. */
  settle(cost: number | null): void;
  /** The provider asked for fewer calls, and to wait this long. */
  slowed?(waitMs: number): void;
}

/**
 * Money a run may spend. Each call is reserved before it is made, at the highest price seen so far (at least the estimate), so
 * that calls in flight cannot take the run over its limit. A cached answer is not a call.
 */
export class Budget implements Purse {
  private spent: number;
  private inFlight = 0;
  private dearest: number;
  private waiting: (() => void)[] = [];

  /**
   * @param max USD; null: no limit.
   * @param before USD spent by this run earlier.
   * @param expected estimated USD per call.
   */
  constructor(
    private readonly max: number | null,
    before: number,
    expected: number,
  ) {
    this.spent = before;
    this.dearest = expected;
  }

  /** Waits where only calls in flight are in the way, and throws where the limit is. */
  async reserve(): Promise<void> {
    while (this.max !== null && this.spent + (this.inFlight + 1) * this.dearest > this.max) {
      if (this.inFlight === 0 || this.spent + this.dearest > this.max) throw this.refusal(this.max);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    this.inFlight++;
  }

  /** null: unknown, counted as the highest price so far. */
  settle(cost: number | null): void {
    this.inFlight--;
    this.charge(cost ?? this.dearest);
    this.dearest = Math.max(this.dearest, cost ?? 0);
    const woken = this.waiting;
    this.waiting = [];
    for (const resolve of woken) resolve();
  }

  /** Adds money spent other than through `reserve` and `settle`. */
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

/** USD to the cent; to two significant digits below one cent. */
export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  return amount < 0.01 ? `$${amount.toPrecision(2)}` : `$${amount.toFixed(2)}`;
}

/** How long calls in flight may continue after a stop is requested. */
const GRACE_MS = 5000;

interface Grace {
  /** Passed to calls: aborts those still in flight. */
  signal: AbortSignal;
  release(): void;
}

/** A signal that aborts five seconds after a stop is requested. */
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

/** Ends a run early. The audit that throws it is left undone, not recorded as an error. */
export class RunHalted extends Error {
  /** @param reason why no call can succeed; null: a stop was requested. */
  constructor(readonly reason: DefensibleError | null) {
    super(reason?.message ?? "stopped");
    this.name = "RunHalted";
  }
}

/** The work's result, or RunHalted as soon as a stop is requested. The work itself is not cancelled. */
export function unlessStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onStop = () => reject(new RunHalted(null));
    if (stop.aborted) onStop();
    else stop.addEventListener("abort", onStop, { once: true });
    work.then(resolve, reject).finally(() => stop.removeEventListener("abort", onStop));
  });
}
