import type { Actions } from "../../core/records/actions.js";
import { Fault } from "../formats/canonical.js";
import type { Added } from "../ports.js";
import { normalise } from "../records/normalise.js";
import { RECORD_KINDS, type RecordKind, type RecordObject } from "../records/record-kinds.js";

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
    const { fields, identity } = RECORD_KINDS[this.kind];
    const counts: Added = { accepted: 0, duplicate: 0, conflict: 0 };
    for (const record of records) {
      const canonical = normalise(fields, record as RecordObject, this.actions);
      if (canonical instanceof Fault) throw new Error(`${canonical.field}: ${canonical.reason}`);
      const [name, line] = [identity(canonical), JSON.stringify(canonical)];
      const there = this.lines.get(name);
      counts[there === undefined ? "accepted" : there === line ? "duplicate" : "conflict"] += 1;
      if (there === undefined) this.lines.set(name, line);
    }
    return counts;
  }
}
