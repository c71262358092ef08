import type { Audit } from "../../domain/audit.js";
import { CheckFailedError } from "../../errors.js";

/** Money a run may spend. Calls in flight are counted at the mean of those that came back, so that the limit is not overrun by them. */
export class Budget {
  private spent: number;
  private tasks = 0;
  private fresh = 0;

  /**
   * @param max USD; null: no limit.
   * @param before spent by this run earlier.
   * @param expected USD of one task, until some have come back.
   */
  constructor(
    private readonly max: number | null,
    before: number,
    private readonly expected: number,
  ) {
    this.spent = before;
  }

  get total(): number {
    return this.spent;
  }

  /** Counts what one task cost. */
  spend(audits: readonly Audit[]): void {
    const cost = audits.reduce((sum, audit) => sum + (audit.usage?.cost_usd ?? 0), 0);
    this.spent += cost;
    this.fresh += cost;
    this.tasks++;
  }

  /** Why no further task may be started; null: it may. */
  refusal(inHand: number): CheckFailedError | null {
    if (this.max === null) return null;
    const each = this.tasks > 0 ? this.fresh / this.tasks : this.expected;
    if (this.spent + (inHand + 1) * each <= this.max) return null;
    return new CheckFailedError(
      "max_cost",
      `cost: ${dollars(this.spent)} are spent, and another call could pass the limit of ${dollars(this.max)}`,
      "What is done is kept. Repeat the command with a higher --max-cost to continue.",
    );
  }
}

/** USD with as many digits as matter. */
export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  return amount < 0.01 ? `$${amount.toPrecision(2)}` : `$${amount.toFixed(2)}`;
}
