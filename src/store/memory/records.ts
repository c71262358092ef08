import type { Actions } from "../../core/records/actions.js";
import type { Added } from "../ports.js";
import { canonicalRecord } from "../records/normalise.js";
import { RECORD_KINDS, type RecordKind } from "../records/record-kinds.js";

const BATCH = 256;

/** Records of one kind in memory, as lines of JSON by their identity. */
export class MemoryRecords<T extends object> {
  private readonly lines = new Map<string, string>();

  constructor(
    private readonly kind: RecordKind,
    private readonly actions: Actions,
  ) {}

  async *read(): AsyncGenerator<T[]> {
    const lines = [...this.lines.values()];
    for (let from = 0; from < lines.length; from += BATCH) {
      yield lines.slice(from, from + BATCH).map((line) => JSON.parse(line) as T);
    }
  }

  async add(records: readonly T[]): Promise<Added> {
    const counts: Added = { accepted: 0, duplicate: 0, conflict: 0 };
    for (const record of records) {
      const [name, line] = this.canonical(record);
      const there = this.lines.get(name);
      counts[there === undefined ? "accepted" : there === line ? "duplicate" : "conflict"] += 1;
      if (there === undefined) this.lines.set(name, line);
    }
    return counts;
  }

  /** Those that are there with exactly this content. */
  async remove(records: readonly T[]): Promise<number> {
    const gone = records
      .map((record) => this.canonical(record))
      .filter(([name, line]) => this.lines.get(name) === line);
    for (const [name] of gone) this.lines.delete(name);
    return gone.length;
  }

  /** Identity and line. */
  private canonical(record: T): [string, string] {
    const { fields, identity } = RECORD_KINDS[this.kind];
    const canonical = canonicalRecord(fields, record, this.actions);
    return [identity(canonical), JSON.stringify(canonical)];
  }
}
