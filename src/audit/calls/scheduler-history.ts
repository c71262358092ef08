/** What a scheduler did while one process worked on a run. */
export interface SchedulerSession {
  started_at: string;
  calls: number;
  /** Failed calls by fault, the retried ones too. */
  faults: Record<string, number>;
  most_in_flight: number;
  /** Changes of the limit and holds; seconds since the start. The middle of a very long list is left out. */
  history: { s: number; event: string; limit: number; why?: string }[];
}

const KEPT = 100;

/** A short, bounded diary. */
export class SchedulerHistory {
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

  /** Growth is noted each time the limit has doubled. */
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
