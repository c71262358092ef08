import { closeSync, existsSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { isJson } from "../../core/text-checks.js";
import { writeFileAtomic } from "../../io/files.js";
import { fingerprint, HashTable } from "../../io/limits.js";
import { LineLog } from "../../io/line-log.js";
import { acquireLock } from "../../io/lock.js";
import { readLines } from "../../io/read-lines.js";
import { Fault } from "../formats/parse-json.js";
import type { Added, RecordSink } from "../ports.js";
import { isObject } from "../records/fits.js";
import { canonicalRecord, normalise } from "../records/normalise.js";
import { type KindOfRecord, RECORD_KINDS, type RecordKind, type RecordObject } from "../records/record-kinds.js";
import { readRecords } from "./records.js";
import type { Workspace } from "./workspace.js";

const BATCH_CHARACTERS = 1 << 17;

type Outcome = keyof Added;

/** The records of one kind in a workspace, to add to: what is there is known by hashes of identity and content, never held. */
export class RecordLog implements RecordSink {
  private readonly index = new HashTable();
  private readonly kind: KindOfRecord;
  private log: LineLog | null = null;
  private lines: string[] = [];
  private characters = 0;

  private constructor(
    private readonly path: string,
    kind: RecordKind,
    private readonly dryRun: boolean,
  ) {
    this.kind = RECORD_KINDS[kind];
  }

  static async open(workspace: Workspace, kind: RecordKind, dryRun: boolean): Promise<RecordLog> {
    const store = new RecordLog(workspace.paths[kind], kind, dryRun);
    const { fields } = store.kind;
    for await (const records of readRecords(workspace, kind, { repeated: "give" })) {
      for (const record of records) {
        // A file that was written by hand may have another order of keys and say the same.
        const canonical = normalise(fields, record, workspace.config.actions);
        store.know(canonical instanceof Fault ? record : canonical);
      }
    }
    return store;
  }

  private know(record: RecordObject, line = JSON.stringify(record)): Outcome {
    const content = fingerprint(line);
    const there = this.index.put(fingerprint(this.kind.identity(record)), content);
    if (!there) return "accepted";
    return there[0] === content[0] && there[1] === content[1] ? "duplicate" : "conflict";
  }

  /** @param record in canonical form */
  add(record: RecordObject): Outcome {
    const line = JSON.stringify(record);
    const outcome = this.know(record, line);
    if (outcome !== "accepted" || this.dryRun) return outcome;
    this.lines.push(line);
    this.characters += line.length;
    if (this.characters >= BATCH_CHARACTERS) this.write();
    return outcome;
  }

  /** It writes by itself as soon as it has enough. */
  async flush(): Promise<void> {}

  private write(): void {
    if (this.lines.length === 0) return;
    if (!this.log) {
      endLastLine(this.path);
      this.log = new LineLog(this.path);
    }
    this.log.append(this.lines);
    this.lines = [];
    this.characters = 0;
  }

  async close(): Promise<void> {
    this.write();
    await this.log?.close();
    this.log = null;
  }
}

/** Runs something while no other process imports into the workspace. */
export async function whileImporting<T>({ paths, root }: Workspace, work: () => Promise<T>): Promise<T> {
  const unlock = acquireLock(paths.importLock, `import into ${root}`);
  try {
    return await work();
  } finally {
    unlock();
  }
}

/** Adds records of the program's own making, as an import would. */
export async function addRecords(workspace: Workspace, kind: RecordKind, records: readonly object[]): Promise<Added> {
  const counts = { accepted: 0, duplicate: 0, conflict: 0 };
  if (records.length === 0) return counts;
  return whileImporting(workspace, async () => {
    const store = await RecordLog.open(workspace, kind, false);
    for (const record of records) {
      counts[store.add(canonicalRecord(RECORD_KINDS[kind].fields, record, workspace.config.actions))] += 1;
    }
    await store.close();
    return counts;
  });
}

/** Removes records that are there with exactly this content. The file is replaced in one piece; its other lines stay as they are. */
export async function removeRecords(workspace: Workspace, kind: "labels", records: readonly object[]): Promise<number> {
  const path = workspace.paths[kind];
  if (records.length === 0 || !existsSync(path)) return 0;
  const { actions } = workspace.config;
  const { fields } = RECORD_KINDS[kind];
  const gone = new Set(records.map((record) => JSON.stringify(canonicalRecord(fields, record, actions))));
  return whileImporting(workspace, async () => {
    const kept: string[] = [];
    let removed = 0;
    for await (const lines of readLines(path)) {
      for (const { text, ended } of lines) {
        const row: unknown = isJson(text) ? JSON.parse(text) : null;
        // What a crash left of a line ends with it.
        if (row === null && !ended) continue;
        if (isObject(row) && gone.has(JSON.stringify(normalise(fields, row, actions)))) removed += 1;
        else kept.push(`${text}\n`);
      }
    }
    if (removed > 0) writeFileAtomic(path, kept.join(""));
    return removed;
  });
}

/** A file written by hand may lack its last newline. Its last row is whole, and must not be cut off as the rest of a torn write. */
function endLastLine(path: string): void {
  if (!existsSync(path)) return;
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    let tail = Buffer.alloc(0);
    for (let length = 1 << 16; ; length *= 4) {
      tail = Buffer.alloc(Math.min(length, size));
      readSync(file, tail, 0, tail.length, size - tail.length);
      if (tail.length === size || tail.includes(0x0a)) break;
    }
    const text = tail.subarray(tail.lastIndexOf(0x0a) + 1).toString("utf8");
    if (text === "") return;
    JSON.parse(text);
    writeSync(file, "\n", size);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  } finally {
    closeSync(file);
  }
}
