import { hash } from "node:crypto";
import type { Actions } from "../../core/records/actions.js";
import { type Content, contentParts } from "../../core/records/decision.js";
import { isTime } from "../../core/text-checks.js";
import { FileProblem } from "../../io/files.js";
import { HashTable } from "../../io/machine.js";
import type { ForeignFile, ForeignRow } from "../../store/formats/foreign-rows.js";
import { Fault } from "../../store/formats/parse-json.js";
import type { FileFormat } from "../../store/formats/sniff-file.js";
import type { RecordSink, RejectSink } from "../../store/ports.js";
import { normalise, type RowMap } from "../../store/records/normalise.js";
import type { KindOfRecord, RecordObject } from "../../store/records/record-kinds.js";
import { type FileImport, RejectTally } from "./import-report.js";

export interface RecordImport {
  kind: KindOfRecord;
  store: RecordSink;
  /** Called with the id of each decision that is accepted or already stored. */
  taken?: ((id: string) => void) | undefined;
  /** Called with the id of each decision rejected because its id is stored with different contents. */
  contested?: ((id: string) => void) | undefined;
  /** Filled with the communities of accepted decisions. */
  communities: Set<string>;
  /** SHA-256 of the ids of erased decisions. */
  buried: ReadonlySet<string>;
  map: RowMap;
  actions: Actions;
  log: RejectSink | null;
  progress(bytes: number | null): void;
}

const TOO_DEEP = "is nested too deeply";

const CONFLICT = "different content under an id that is already there";

/** The text of such a row is not kept among the rejected rows either. */
const WAS_ERASED = "was erased; not taken again";

const SHOWN_COLUMNS = 30;
const MOST_EXAMPLES = 3;

/** Adds the records of one file to the store and returns the faulty rows; `entry` is updated as it goes. */
export async function importRecords(
  file: ForeignFile,
  format: FileFormat,
  entry: FileImport,
  columns: readonly string[],
  into: RecordImport,
): Promise<RejectTally> {
  const rejects = new RejectTally();
  const taking = new RowTaking(format.format !== "csv", entry, into);
  for await (const batch of file.rows({ fields: into.kind.fields, rename: into.map.rename }, format)) {
    if (batch.columns) into.map.noteColumns(batch.columns);
    for (const row of batch.rows) {
      entry.rows++;
      const fault = taking.take(row);
      if (fault === null) continue;
      entry.rejected++;
      const { field, reason } = fault;
      if (reason === WAS_ERASED) {
        const reject = { file: file.name, line: row.line, field, reason };
        rejects.add(reject);
        into.log?.add(reject);
        continue;
      }
      const rejected = row.text ?? (reason === TOO_DEEP ? null : row.value);
      const reject = { file: file.name, line: row.line, field, reason, row: rejected };
      rejects.add(reject, row.source);
      into.log?.add(row.text === null && row.source !== null ? { ...reject, raw: row.source } : reject);
    }
    await into.store.flush();
    into.progress(batch.bytes);
  }
  if (entry.rows === 0) {
    throw new FileProblem("no_rows", `${file.name}: holds no rows`, "Check that it was written completely.");
  }
  const lacking = taking.lackingEverywhere();
  if (lacking.length > 0) throw wrongColumns(file.name, lacking, columns);
  return rejects;
}

function wrongColumns(file: string, lacking: readonly string[], columns: readonly string[]): FileProblem {
  const shown = columns.slice(0, SHOWN_COLUMNS).join(", ");
  const more = columns.length > SHOWN_COLUMNS ? ` and ${columns.length - SHOWN_COLUMNS} more` : "";
  const names = lacking.map((field) => `"${field}"`).join(", ");
  return new FileProblem(
    "wrong_columns",
    `${file}: every row lacks ${names}; columns found: ${shown}${more}`,
    "Say which column each of them is.",
  );
}

/** Adds rows one by one, and tracks required fields that every row lacks. */
class RowTaking {
  /** Required field -> number of rows without it. */
  private readonly missing = new Map<string, number>();
  private rows = 0;
  /** Generated id -> first line with it. */
  private readonly lines = new HashTable();

  constructor(
    private readonly nested: boolean,
    private readonly entry: FileImport,
    private readonly into: RecordImport,
  ) {}

  take(row: ForeignRow): Fault | null {
    if (row.value instanceof Fault) return row.value;
    try {
      return this.takeValue(row.value, row.line);
    } catch (cause) {
      // Thousands of nested brackets overflow the stack of any code that walks the record.
      if (cause instanceof RangeError) return new Fault("", TOO_DEEP);
      throw cause;
    }
  }

  lackingEverywhere(): string[] {
    return [...this.missing].filter(([, count]) => count === this.rows).map(([field]) => field);
  }

  private takeValue(row: RecordObject, line: number): Fault | null {
    const { map, kind, actions } = this.into;
    if (this.nested) map.renameIn(row);
    map.translateIn(row);
    const isHashed = map.mapping.idFrom === "hash";
    // A placeholder until the record exists from which the id is made.
    if (isHashed) row.id = "-";
    const record = normalise(kind.fields, row, actions);
    this.rows++;
    if (record instanceof Fault) {
      if (isHashed) delete row.id;
      this.noteMissing(row, isHashed);
      return this.isBuried(row.id) ? new Fault("id", WAS_ERASED) : record;
    }
    if (isHashed) record.id = this.newId(record, line);
    return this.add(record);
  }

  private isBuried(id: unknown): boolean {
    const { buried, kind } = this.into;
    const has = buried.size > 0 && (kind.kind === "decisions" || kind.kind === "precedents");
    return has && (typeof id === "string" || typeof id === "number") && buried.has(hash("sha256", String(id)));
  }

  private noteMissing(row: RecordObject, isHashed: boolean): void {
    for (const { name, required, type } of this.into.kind.fields.list) {
      const value = row[name];
      const isEmpty = value === undefined || value === null || (value === "" && type !== "content");
      if (required && isEmpty && !(isHashed && name === "id")) {
        this.missing.set(name, (this.missing.get(name) ?? 0) + 1);
      }
    }
  }

  private newId(record: RecordObject, line: number): string {
    const id = idOf(record);
    const half = (from: number) => Number.parseInt(id.slice(from, from + 8), 16);
    const first = this.lines.put([half(1), half(9)], [0, line]);
    if (first) {
      this.entry.same_ids ??= { rows: 0, examples: [] };
      this.entry.same_ids.rows++;
      const { examples } = this.entry.same_ids;
      if (examples.length < MOST_EXAMPLES) examples.push({ line, first_line: first[1] });
    }
    return id;
  }

  private noteTimes(record: RecordObject): void {
    for (const { name, type } of this.into.kind.fields.list) {
      const value = record[name];
      if (type !== "moment" || value === undefined || isTime(value)) continue;
      this.entry.times_unread ??= [];
      const known = this.entry.times_unread.find(({ field }) => field === name);
      if (known) known.rows++;
      else this.entry.times_unread.push({ field: name, rows: 1, example: String(value).slice(0, 60) });
    }
  }

  private add(record: RecordObject): Fault | null {
    const { store, kind, communities } = this.into;
    if (kind.kind === "precedents" && this.isBuried(record.id)) return new Fault("id", WAS_ERASED);
    const outcome = store.add(record);
    if (kind.kind === "decisions") {
      const tell = outcome === "conflict" ? this.into.contested : this.into.taken;
      tell?.(record.id as string);
    }
    switch (outcome) {
      case "accepted":
        this.noteTimes(record);
        if (kind.kind === "decisions") communities.add(record.community as string);
        this.entry.accepted++;
        return null;
      case "duplicate":
        this.noteTimes(record);
        this.entry.duplicates++;
        return null;
      case "conflict":
        return new Fault(kind.identityName, this.isBuried(record.id) ? WAS_ERASED : CONFLICT);
    }
  }
}

/** Parts of a generated id, for messages. */
export const ID_PARTS = ["community", "content", "decision", "decider", "decided_at", "thread_id"] as const;

/**
 * An id made of what was decided, where, by whom and when: the same row has the same id in every file and on every day. A label added later does
 * not change it.
 * @param record in canonical form
 */
function idOf(record: RecordObject): string {
  const { title, body, url } = contentParts(record.content as Content);
  const decider = (record.decider as { id?: string } | undefined)?.id ?? null;
  const { community, decision, decided_at = null, thread_id = null } = record;
  const parts = [community, title, body, url, decision, decider, decided_at, thread_id];
  return `h${hash("sha256", JSON.stringify(parts)).slice(0, 16)}`;
}
