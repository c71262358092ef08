import { createHash } from "node:crypto";
import type { AuditTools } from "../../../audit/audit-one.js";
import type { Generation } from "../../../core/records/case.js";
import type { RawAnswers, RawLog, RawStore } from "../../../store/ports.js";

/** Answers of batches by their id: kept as they are fetched, so that none is fetched or paid twice. */
export class BatchAnswers {
  private log: RawLog | null = null;
  private reader: RawAnswers | null = null;
  private known = new Set<string>();

  constructor(
    private readonly store: RawStore,
    private readonly tools: Pick<AuditTools, "auditor" | "settings">,
  ) {}

  async append(id: string, generation: Generation): Promise<void> {
    const { auditor, settings } = this.tools;
    this.log ??= this.store.open(settings, auditor);
    await this.log.append(id, generation);
  }

  /** Makes what was appended readable. */
  async reload(): Promise<void> {
    await this.close();
    this.reader = await this.store.read();
    this.known = new Set(this.reader?.keys());
  }

  has(id: string): boolean {
    return this.known.has(id);
  }

  async get(id: string): Promise<Generation | null> {
    return (await this.reader?.get(id)) ?? null;
  }

  /** Answers that are here, and the rest from elsewhere. What is here was paid with its batch, and is counted once. */
  before(ask: AuditTools["ask"]): AuditTools["ask"] {
    return async (question) => {
      const known = await Promise.all(
        question.wanted.map(({ key }) => (this.has(batchId(key)) ? this.get(batchId(key)) : null)),
      );
      const wanted = question.wanted.filter((_, i) => known[i] === null);
      const asked = wanted.length > 0 ? await ask({ ...question, wanted }) : [];
      let next = 0;
      return known.map((generation) =>
        generation ? { generation, attempts: 1, cached: false, latencyMs: 0 } : asked[next++]!,
      );
    };
  }

  async close(): Promise<void> {
    await this.log?.close();
    await this.reader?.close();
    this.log = null;
    this.reader = null;
  }
}

/** A question's name at the provider: what it may be called is narrower than what a decision may. */
export function batchId(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}
