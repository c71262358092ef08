import type { Audit } from "../domain/audit.js";

/** What should be said about the audits of one command beside their number. */
export class Remarks {
  /** Answers that came from the cache. */
  cached = 0;
  private readonly reasons = new Map<string, { count: number; message: string }>();

  note(audits: readonly Audit[]): void {
    for (const audit of audits) {
      if (audit.flags.includes("cached")) this.cached++;
      if (!audit.error) continue;
      const { code, message } = audit.error;
      const known = this.reasons.get(code);
      if (known) known.count++;
      else this.reasons.set(code, { count: 1, message });
    }
  }

  /** The commonest reason why an audit has no verdict, with one example of its words. */
  get commonest(): { code: string; count: number; message: string } | null {
    let best: { code: string; count: number; message: string } | null = null;
    for (const [code, reason] of this.reasons) if (!best || reason.count > best.count) best = { code, ...reason };
    return best;
  }
}
