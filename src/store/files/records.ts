import { createHash, type Hash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Decision, Precedent } from "../../core/records/decision.js";
import type { Label, ReviewOutcome } from "../../core/records/label.js";
import { FileProblem, fileError } from "../../io/files.js";
import { fingerprint, HashTable } from "../../io/machine.js";
import { type Line, readLines } from "../../io/read-lines.js";
import { wellFormed } from "../../text/printable.js";
import { contentFromText } from "../formats/csv-table.js";
import { assign, Fault, parseDuckJson } from "../formats/parse-json.js";
import { explainRecord, fits } from "../records/fits.js";
import { normalise } from "../records/normalise.js";
import { type KindOfRecord, RECORD_KINDS, type RecordKind, type RecordObject } from "../records/record-kinds.js";
import { openDuckDB, sqlName, sqlString } from "./duckdb.js";
import type { Workspace } from "./workspace.js";

/** Every decision of a workspace, batch by batch: those of `decisions.parquet`, if it exists, then those of `decisions.jsonl`. */
export function readDecisions(workspace: Workspace): AsyncGenerator<Decision[]> {
  return readRecords(workspace, "decisions") as AsyncGenerator<Decision[]>;
}

export function readPrecedents(workspace: Workspace): AsyncGenerator<Precedent[]> {
  return readRecords(workspace, "precedents") as AsyncGenerator<Precedent[]>;
}

export function readLabels(workspace: Workspace): AsyncGenerator<Label[]> {
  return readRecords(workspace, "labels") as AsyncGenerator<Label[]>;
}

export function readOutcomes(workspace: Workspace): AsyncGenerator<ReviewOutcome[]> {
  return readRecords(workspace, "outcomes") as AsyncGenerator<ReviewOutcome[]>;
}

/** Hash of the bytes of the files of decisions; a missing file counts as empty. An erasure keeps the hash, so that runs can continue. */
export async function hashDecisions({ paths }: Workspace): Promise<string> {
  const hash = createHash("sha256");
  await hashBytes(hash, [paths.decisions, paths.decisionsParquet]);
  const found = hash.digest("hex").slice(0, 16);
  const alias = join(paths.chain, "decisions.json");
  if (!existsSync(alias)) return found;
  const erased = JSON.parse(readFileSync(alias, "utf8")) as { found: string; counts_as: string };
  return erased.found === found ? erased.counts_as : found;
}

export async function hashBytes(hash: Hash, paths: readonly string[]): Promise<void> {
  for (const path of paths.filter((one) => existsSync(one))) {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  }
}

/** Whether a path refers to a file of decisions, in any spelling. */
export function isDecisionsFile({ paths }: Workspace, path: string): boolean {
  const target = existsSync(path) ? realpathSync(path) : resolve(path);
  return [paths.decisions, paths.decisionsParquet].some((own) => existsSync(own) && realpathSync(own) === target);
}

/**
 * The workspace's own records. An invalid row, or one that repeats an identity, stops reading with an InputError that gives its position. A torn
 * last line is skipped: a process was killed while writing it, or is still writing it.
 */
export async function* readRecords(
  workspace: Workspace,
  kind: RecordKind,
  options: { repeated?: "refuse" | "give" } = {},
): AsyncGenerator<RecordObject[]> {
  const reader = new RecordReader(workspace, RECORD_KINDS[kind], options.repeated ?? "refuse");
  const { paths } = workspace;
  if (kind === "decisions" && existsSync(paths.decisionsParquet)) yield* reader.parquet(paths.decisionsParquet);
  if (existsSync(paths[kind])) yield* reader.jsonl(paths[kind]);
}

const BATCH = 256;

/** An escaped surrogate in JSON; a pair of them is one character. */
const HALF = /\\u[dD][89a-fA-F]/;

/** A name with an unpaired surrogate: no file of a run could store it unchanged, so its audits would be lost. In content it does no harm. */
function halvedName({ fields }: KindOfRecord, record: RecordObject): string | null {
  const named = fields.list.find(({ name, type, required }) => {
    const value = type === "id" && required ? record[name] : null;
    return typeof value === "string" && wellFormed(value) !== value;
  });
  return named?.name ?? null;
}

class RecordReader {
  /** Identity -> its position. */
  private readonly seen = new HashTable();
  private readonly files: string[] = [];

  constructor(
    private readonly workspace: Workspace,
    private readonly kind: KindOfRecord,
    private readonly repeated: "refuse" | "give",
  ) {}

  async *jsonl(path: string): AsyncGenerator<RecordObject[]> {
    this.files.push(basename(path));
    try {
      for await (const lines of readLines(path)) {
        // In short-lived batches; see `foreignRows`.
        let batch: RecordObject[] = [];
        for (const line of lines) {
          const record = this.parse(line);
          if (record) batch.push(record);
          if (batch.length < BATCH) continue;
          yield batch;
          batch = [];
        }
        if (batch.length) yield batch;
      }
    } catch (cause) {
      throw fileError(cause, path);
    }
  }

  async *parquet(path: string): AsyncGenerator<RecordObject[]> {
    this.files.push(basename(path));
    const { fields } = this.kind;
    let number = 0;
    for await (const rows of readParquet(path)) {
      yield rows.map((row) => {
        const record = normalise(fields, row, this.workspace.config.actions);
        number++;
        if (record instanceof Fault) throw this.error(number, record);
        this.once(record, number);
        return record;
      });
    }
  }

  private parse(line: Line): RecordObject | null {
    let value: unknown;
    try {
      value = JSON.parse(line.text);
    } catch {
      if (!line.ended) return null;
      throw this.error(line.number, new Fault("", line.utf8 ? "is not valid JSON" : "is not UTF-8 text"));
    }
    const { actions } = this.workspace.config;
    if (!line.utf8) throw this.error(line.number, new Fault("", "is not UTF-8 text"));
    if (!fits(this.kind.fields, value, actions)) {
      throw this.error(line.number, explainRecord(this.kind, value, actions));
    }
    const halved = HALF.test(line.text) ? halvedName(this.kind, value) : null;
    if (halved) throw this.error(line.number, new Fault(halved, "has half of a character (a lone surrogate)"));
    this.once(value, line.number);
    return value;
  }

  private once(record: RecordObject, number: number): void {
    if (this.repeated === "give") return;
    const file = this.files.length - 1;
    const first = this.seen.put(fingerprint(this.kind.identity(record)), [file, number]);
    if (!first) return;
    const { identityName } = this.kind;
    const place = `${this.files[first[0]]}, line ${first[1]}`;
    throw this.error(number, new Fault("", `has the same ${identityName} as ${place}`), "Remove one of the two.");
  }

  private error(number: number, fault: Fault, remedy?: string): InputError {
    const field = fault.field ? `${fault.field}: ` : "";
    return new InputError(
      "bad_record",
      `${this.files.at(-1)}, line ${number}: ${field}${fault.reason}`,
      remedy ??
        "Fix the line; or take it out, and bring its row in with `defensible import`, which understands more spellings.",
    );
  }
}

interface Column {
  column_name: string;
  column_type: string;
}

/** Rows of a Parquet file as objects, batch by batch. Times are given in UTC. */
export async function* readParquet(path: string): AsyncGenerator<RecordObject[]> {
  const db = await openDuckDB({ threads: 1, memoryLimit: "2GB" });
  try {
    await db.run("SET TimeZone = 'UTC'");
    const source = `read_parquet(${sqlString(path)}, hive_partitioning = false)`;
    const columns = await db.rows<Column>(`DESCRIBE SELECT * FROM ${source}`);
    const cells = columns.map((column, index) => `${cell(column)} AS c${index}`);
    for await (const rows of db.stream<Record<string, string | null>>(`SELECT ${cells.join(", ")} FROM ${source}`)) {
      yield rows.map((row) => toObject(columns, row));
    }
  } catch (cause) {
    throw parquetProblem(cause, path);
  } finally {
    db.close();
  }
}

/** Text unchanged, anything else as JSON: converting whole rows to JSON took more than 2 GB for a row group of 8,000 long posts. */
function cell({ column_name, column_type }: Column): string {
  const name = sqlName(column_name);
  // With a prefix, because the client treats a leading U+FEFF of text as a byte order mark and drops it.
  if (column_type === "VARCHAR") return `'.' || ${name}`;
  // Older writers do not mark text as such, so it is read as bytes.
  return column_type === "BLOB" ? `'.' || TRY(decode(${name}))` : `to_json(${name})::VARCHAR`;
}

function toObject(columns: readonly Column[], cells: Record<string, string | null>): RecordObject {
  const row: RecordObject = {};
  columns.forEach(({ column_name, column_type }, index) => {
    const value = cells[`c${index}`];
    if (value === null || value === undefined) assign(row, column_name, null);
    else if (column_type !== "VARCHAR" && column_type !== "BLOB") assign(row, column_name, parseDuckJson(value));
    else assign(row, column_name, column_name === "content" ? contentFromText(value.slice(1)) : value.slice(1));
  });
  return row;
}

function parquetProblem(cause: unknown, path: string): unknown {
  // System errors have a code; DuckDB's do not.
  if (!(cause instanceof Error) || "code" in cause) return cause;
  const [reason] = cause.message.split("\n");
  if (/^Out of Memory/.test(reason!)) {
    const remedy = "Write it with smaller row groups, or as JSONL.";
    return new FileProblem("large_parquet", `${path}: its row groups are too large to be read in 2 GB`, remedy);
  }
  return new FileProblem("bad_parquet", `${path}: not a readable Parquet file; ${reason}`, "Write the file again.");
}
