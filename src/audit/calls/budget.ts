import { CheckFailedError } from "../../core/errors.js";

/**
 * Money a run may spend. Each call is set aside before it is made, at the dearest price seen so far (at least the estimate), so that what is in
 * flight cannot carry the run over its limit. What comes from the cache is no call.
 */
export class Budget {
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
   * Sets a call aside; waits where only calls in flight stand in the way, and throws where the limit does. Every call that was set aside
   * must be settled.
   */
  async reserve(): Promise<void> {
    while (this.max !== null && this.spent + (this.inFlight + 1) * this.dearest > this.max) {
      if (this.inFlight === 0 || this.spent + this.dearest > this.max) throw this.refusal(this.max);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    this.inFlight++;
  }

  /** A call is over; it cost this much. null: nobody knows, and it counts as the dearest. */
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
      "What is done is kept. Repeat the command with a higher --max-cost to continue.",
    );
  }
}

/** USD with as many digits as matter. */
export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  return amount < 0.01 ? `$${amount.toPrecision(2)}` : `$${amount.toFixed(2)}`;
}
