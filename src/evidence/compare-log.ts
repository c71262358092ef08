import { sha256 } from "./canonical.js";
import { type ChainEntry, recordHash } from "./chain.js";

/** A record that is not what was sealed. */
export interface RecordProblem {
  code: "changed" | "removed" | "added" | "reordered" | "erased_without_tombstone" | "erasure_not_sealed";
  source: string;
  /** Its number in the log, from 0. */
  n: number;
  /** The decision that the record is about now, if it names one. */
  decision?: string;
  /** Where it is kept, for a person to read. */
  where?: string;
}

/** An entry, and its place in the chain. */
export interface PlacedEntry extends ChainEntry {
  at: number;
}

/** How far a record is looked for when it is not where it was. */
const WINDOW = 1000;

/**
 * Gives what differs between the entries of a log and its records. `erasure` says what is wrong with a record that is only its `rest`. Returns how
 * many records come after the last entry.
 */
export function* compareLog(
  source: string,
  entries: readonly PlacedEntry[],
  records: readonly string[],
  erasure: (entry: PlacedEntry, record: string) => RecordProblem["code"] | null,
): Generator<RecordProblem, number> {
  const isWhole = (record: number, { salt, hash }: ChainEntry) =>
    salt !== null && recordHash(records[record]!, salt) === hash;
  const fits = (record: number, entry: number) => {
    if (record >= records.length || entry >= entries.length) return false;
    const { rest } = entries[entry]!;
    return isWhole(record, entries[entry]!) || (rest !== undefined && sha256(records[record]!) === rest);
  };
  const later = (test: (step: number) => boolean) => {
    for (let step = 1; step <= WINDOW; step++) if (test(step)) return step;
    return 0;
  };
  const problem = (code: RecordProblem["code"], n: number, record?: number): RecordProblem => {
    const decision = record === undefined ? null : decisionOf(records[record]!);
    return { code, source, n, ...(decision !== null && { decision }) };
  };
  /** Entries and records whose counterpart was found at another place before. */
  const movedEntries = new Set<number>();
  const movedRecords = new Set<number>();
  let r = 0;
  let e = 0;
  while (e < entries.length) {
    if (fits(r, e)) {
      const wrong = isWhole(r, entries[e]!) ? null : erasure(entries[e]!, records[r]!);
      if (wrong) yield problem(wrong, e, r);
      r += 1;
      e += 1;
      continue;
    }
    const ended = r >= records.length;
    const entryLater = ended ? 0 : later((step) => fits(r, e + step));
    const recordLater = later((step) => fits(r + step, e));
    const [wasEntry, wasRecord] = [movedEntries.has(e), movedRecords.has(r)];
    if (wasRecord && !wasEntry && recordLater) r += 1;
    else if (wasEntry && !wasRecord && entryLater) yield problem("reordered", e++);
    else if ((recordLater || wasEntry) && (entryLater || wasRecord)) {
      yield problem("reordered", e, r);
      movedEntries.add(e + entryLater);
      movedRecords.add(r + recordLater);
      r += 1;
      e += 1;
    } else if (recordLater) {
      for (; !fits(r, e); r++) if (!movedRecords.has(r)) yield problem("added", r, r);
    } else if (entryLater || wasRecord || wasEntry || ended) {
      const gone = entryLater || (ended ? entries.length - e : 1);
      for (const end = e + gone; e < end; e++) yield problem(movedEntries.has(e) ? "reordered" : "removed", e);
    } else {
      yield problem("changed", e, r);
      r += 1;
      e += 1;
    }
  }
  while (movedRecords.has(r)) r += 1;
  return Math.max(0, records.length - r);
}

/** null: the record names no decision. */
export function decisionOf(record: string): string | null {
  try {
    const { decision_id } = JSON.parse(record) as { decision_id?: unknown };
    return typeof decision_id === "string" ? decision_id : null;
  } catch {
    return null;
  }
}
