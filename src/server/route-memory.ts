import { hash as digest } from "node:crypto";
import type { Decision } from "../core/records/decision.js";
import type { Queries } from "../store/postgres/database.js";
import type { PostgresRecords } from "../store/postgres/records.js";
import { type Known, lookUp } from "../store/postgres/routing.js";
import type { RecordObject } from "../store/records/record-kinds.js";

/** Audits that one process remembers for a workspace: about 4 kB each. */
const MOST = 20_000;

export interface Sent {
  id: string;
  record: RecordObject;
  hash: Buffer;
}

export interface Remembered extends Known {
  identity: Buffer;
  /** For the log: the salted hash of the content. It proves what the content was as long as the content is kept, and nothing once it is erased. */
  mark: string;
}

/**
 * What is known of decisions that were routed before. It may be out of date: the statement that writes a route compares it with the
 * database and writes nothing if they differ.
 */
export class RouteMemory {
  private readonly known = new Map<string, Remembered>();

  constructor(
    private readonly workspace: string,
    private readonly decisions: PostgresRecords<Decision>,
    private readonly most = MOST,
  ) {}

  /** By id. Everything not remembered is read by one statement. */
  async look(queries: Queries, sent: Iterable<Sent>): Promise<Map<string, Remembered>> {
    const found = new Map<string, Remembered>();
    const missing: { id: string; identity: Buffer }[] = [];
    for (const { id, record, hash } of sent) {
      const there = this.known.get(id);
      if (there?.hash?.equals(hash)) found.set(id, there);
      else missing.push({ id, identity: this.decisions.identityOf(record) });
    }
    const rows = missing.length > 0 ? await lookUp(queries, this.workspace, missing) : [];
    for (const [i, { id, identity }] of missing.entries()) {
      const row = rows[i]!;
      found.set(id, { ...row, identity, mark: row.salt && row.hash ? contentMark(row.salt, row.hash) : "" });
    }
    return found;
  }

  /** Keeps what routes were based on. Decisions without an audit will soon have one, and appealed ones are few, so neither is kept. */
  keep(all: ReadonlyMap<string, Remembered>): void {
    for (const [id, one] of all) {
      this.known.delete(id);
      if (one.hash !== null && one.audit !== null && !one.appealed) this.known.set(id, one);
    }
    for (const id of this.known.keys()) {
      if (this.known.size <= this.most) return;
      this.known.delete(id);
    }
  }

  forget(ids: Iterable<string>): void {
    for (const id of ids) this.known.delete(id);
  }
}

export function contentMark(salt: Buffer, hash: Buffer): string {
  return digest("sha256", Buffer.concat([salt, hash]), "hex");
}
