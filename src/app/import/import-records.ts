import type { Actions } from "../../core/records/actions.js";
import { FileProblem } from "../../io/files.js";
import type { ForeignFile } from "../../store/formats/foreign-file.js";
import type { ForeignRow } from "../../store/formats/foreign-rows.js";
import { Fault } from "../../store/formats/parse-json.js";
import type { FileFormat } from "../../store/formats/sniff-file.js";
import type { RecordSink, RejectSink } from "../../store/ports.js";
import { normalise } from "../../store/records/normalise.js";
import type { KindOfRecord, RecordObject } from "../../store/records/record-kinds.js";
import type { RowMap } from "../../store/records/row-map.js";
import { MissingFields } from "./column-hints.js";
import { type FileImport, RejectTally } from "./import-report.js";

export interface RecordImport {
  kind: KindOfRecord;
  store: RecordSink;
  /** Filled with the communities of the decisions that are taken. */
  communities: Set<string>;
  map: RowMap;
  actions: Actions;
  /** Null in a dry run. */
  log: RejectSink | null;
  /** Called after each batch; throws to stop. */
  progress(bytes: number | null): void;
}

const TOO_DEEP = "is nested too deeply";

const CONFLICT = "different content under an id that is already there";

/** Takes the records of one file into the store. What was wrong with rows is returned; `entry` is brought up to date on the way. */
export async function importRecords(
  file: ForeignFile,
  format: FileFormat,
  entry: FileImport,
  into: RecordImport,
): Promise<RejectTally> {
  const rejects = new RejectTally();
  const missing = new MissingFields(into.kind);
  const nested = format.format !== "csv";
  const { fields } = into.kind;
  const take = (row: ForeignRow): Fault | null => {
    try {
      return takeRow(row);
    } catch (cause) {
      // Thousands of brackets inside each other overflow the stack of everything that walks a record.
      if (cause instanceof RangeError) return new Fault("", TOO_DEEP);
      throw cause;
    }
  };
  const takeRow = (row: ForeignRow): Fault | null => {
    if (row.value instanceof Fault) return row.value;
    if (nested) {
      missing.noteColumnsOf(row.value);
      into.map.renameIn(row.value);
    }
    into.map.translateIn(row.value);
    const record = normalise(fields, row.value, into.actions);
    missing.noteRow(row.value, !(record instanceof Fault));
    return record instanceof Fault ? record : add(record, into, entry);
  };
  for await (const batch of file.rows({ fields, rename: into.map.rename }, format)) {
    if (batch.columns) {
      into.map.noteColumns(batch.columns);
      missing.noteColumns(batch.columns);
    }
    for (const row of batch.rows) {
      entry.rows++;
      const fault = take(row);
      if (fault === null) continue;
      entry.rejected++;
      const { field, reason } = fault;
      const rejected = row.text ?? (reason === TOO_DEEP ? null : row.value);
      const reject = { file: file.name, line: row.line, field, reason, row: rejected };
      rejects.add(reject);
      into.log?.add(reject);
    }
    await into.store.flush();
    into.progress(batch.bytes);
  }
  refuseWhole(file.name, entry, missing);
  return rejects;
}

function add(record: RecordObject, into: RecordImport, entry: FileImport): Fault | null {
  switch (into.store.add(record)) {
    case "accepted":
      if (into.kind.kind === "decisions") into.communities.add(record.community as string);
      entry.accepted++;
      return null;
    case "duplicate":
      entry.duplicates++;
      return null;
    case "conflict":
      return new Fault(into.kind.identityName, CONFLICT);
  }
}

function refuseWhole(file: string, entry: FileImport, missing: MissingFields): void {
  if (entry.rows === 0) {
    throw new FileProblem("no_rows", `${file}: holds no rows`, "Check that it was written completely.");
  }
  const problem = missing.problem(file);
  if (problem) throw new FileProblem("wrong_columns", problem.message, problem.remedy);
}
