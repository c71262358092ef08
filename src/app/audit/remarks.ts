import type { Audit } from "../../core/records/audit.js";

/** What should be said about the audits of one command beside their number. */
export class Remarks {
  /** Answers that came from the cache. */
  cached = 0;
  private readonly reasons = new Map<string, { count: number; message: string }>();

  note(audits: readonly Audit[]): void {
    for (const audit of audits) {
      if (audit.flags.includes("cached")) this.cached++;
      if (audit.outcome === "verdict") continue;
      const { code, message } = audit.error ?? { code: audit.outcome, message: "" };
      const known = this.reasons.get(code);
      if (known) known.count++;
      else this.reasons.set(code, { count: 1, message });
    }
  }

  /** Why audits have no verdict, the commonest first, each with one example of its words. */
  get causes(): { code: string; count: number; message: string }[] {
    return [...this.reasons].map(([code, reason]) => ({ code, ...reason })).sort((a, b) => b.count - a.count);
  }
}
