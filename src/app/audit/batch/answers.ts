import { existsSync } from "node:fs";
import type { AuditTools } from "../../../audit/audit-one.js";
import { RawLog } from "../../../auditors/recorded/raw-log.js";
import { RawReader } from "../../../auditors/recorded/raw-reader.js";
import type { Generation } from "../../../core/records/generation.js";
import { batchId } from "./batch-store.js";

/** Answers of batches by their id: kept on disk as they are fetched, so that none is fetched or paid twice. */
export class BatchAnswers {
  private log: RawLog | null = null;
  private reader: RawReader | null = null;
  private known = new Set<string>();

  constructor(
    private readonly path: string,
    private readonly tools: Pick<AuditTools, "auditor" | "settings">,
  ) {}

  async append(id: string, generation: Generation): Promise<void> {
    const { auditor, settings } = this.tools;
    this.log ??= new RawLog(this.path, settings, auditor);
    await this.log.append(id, generation);
  }

  /** Makes what was appended readable. */
  async reload(): Promise<void> {
    await this.close();
    if (!existsSync(this.path)) return;
    this.reader = await RawReader.open(this.path);
    this.known = new Set(this.reader.keys());
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
