import type { Reject } from "./rejects.js";

export interface ReasonCount {
  field: string;
  reason: string;
  count: number;
}

const FIRST_REJECTS = 20;
/** A reason may quote the value: then each row has its own. What comes after so many is counted together. */
const MAX_REASONS = 200;
const OTHER: ReasonCount = { field: "", reason: "other reasons", count: 0 };

/** The first rejected rows, and how many there are by reason. */
export class RejectTally {
  readonly first: Reject[] = [];
  private readonly byReason = new Map<string, ReasonCount>();

  add(reject: Reject): void {
    if (this.first.length < FIRST_REJECTS) this.first.push(reject);
    this.count({ field: reject.field, reason: reject.reason, count: 1 });
  }

  merge(other: RejectTally): void {
    this.first.push(...other.first.slice(0, FIRST_REJECTS - this.first.length));
    for (const reason of other.byReason.values()) this.count(reason);
  }

  /** Most frequent first. */
  reasons(): ReasonCount[] {
    return [...this.byReason.values()].sort((a, b) => b.count - a.count);
  }

  private count(added: ReasonCount): void {
    const known = this.byReason.get(key(added));
    const full = this.byReason.size >= MAX_REASONS;
    const entry = known ?? (full ? this.byReason.get(key(OTHER)) : undefined);
    if (entry) entry.count += added.count;
    else this.byReason.set(key(full ? OTHER : added), { ...(full ? OTHER : added), count: added.count });
  }
}

function key({ field, reason }: ReasonCount): string {
  return `${field}: ${reason}`;
}
