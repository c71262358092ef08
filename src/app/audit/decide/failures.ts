import { DefensibleError } from "../../../core/errors.js";

/** Why decisions got no proposal. */
export class Failures {
  count = 0;
  /** Which decision was the first, and why. */
  first: string | null = null;
  private readonly reasons = new Map<string, { reason: string; count: number }>();

  note(id: string, cause: Error): void {
    this.count++;
    this.first ??= `${id}: ${cause.message}`;
    // Words of a server may differ from one call to the next for the same reason.
    const key = cause instanceof DefensibleError ? cause.code : cause.message;
    const known = this.reasons.get(key);
    if (known) known.count++;
    else this.reasons.set(key, { reason: cause.message, count: 1 });
  }

  /** null: there are none. */
  get commonest(): { reason: string; count: number } | null {
    return [...this.reasons.values()].reduce<{ reason: string; count: number } | null>(
      (best, next) => (best && best.count >= next.count ? best : next),
      null,
    );
  }
}
