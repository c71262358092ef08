import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { InputError } from "../../core/errors.js";
import { type Actions, actionNames } from "../../core/records/actions.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import { isJson } from "../../core/text-checks.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import { acquireLock } from "../../io/lock.js";
import { fingerprint, HashTable } from "../../io/machine.js";
import { LineLog, readLines } from "../../io/read-lines.js";
import { Fault } from "../formats/parse-json.js";
import { ruleFileName, ruleSetYaml } from "../formats/rule-file.js";
import type { Added, RecordSink, Reject, RejectSink } from "../ports.js";
import { isObject } from "../records/fits.js";
import { canonicalRecord, normalise } from "../records/normalise.js";
import { type KindOfRecord, RECORD_KINDS, type RecordKind, type RecordObject } from "../records/record-kinds.js";
import { writeActions } from "./config-file.js";
import { readRecords } from "./records.js";
import type { Workspace } from "./workspace.js";

const BATCH_CHARACTERS = 1 << 17;

type Outcome = keyof Added;

/** The records of one kind in a workspace, for adding more. Existing ones are known by hashes of identity and content, never held in memory. */
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
        // A manually written file may have another order of keys with the same content.
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

  /** Writes happen automatically as soon as enough is buffered. */
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

/** Runs `work` while no other process imports into the workspace. */
export async function whileImporting<T>({ paths, root }: Workspace, work: () => Promise<T>): Promise<T> {
  const unlock = acquireLock(paths.importLock, `import into ${root}`);
  try {
    return await work();
  } finally {
    unlock();
  }
}

/** Adds records created by the program, like an import. */
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

/** Removes existing records with exactly this content. The file is replaced atomically; its other lines are unchanged. */
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
        // Drops a torn last line.
        if (row === null && !ended) continue;
        if (isObject(row) && gone.has(JSON.stringify(normalise(fields, row, actions)))) removed += 1;
        else kept.push(`${text}\n`);
      }
    }
    if (removed > 0) writeFileAtomic(path, kept.join(""));
    return removed;
  });
}

/** A manually written file may lack its last newline. Its last row is complete and must not be cut off like a torn write. */
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

/** The workspace with renamed actions. Only possible while nothing in it has been decided under the old names. */
export function renameActions(workspace: Workspace, actions: Actions, dryRun: boolean): Workspace {
  const { config, paths } = workspace;
  const taken = [paths.decisions, paths.decisionsParquet, paths.precedents].find(
    (path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  if (taken) throw actionsFixed(basename(taken), config.actions, actions);
  if (!dryRun) writeActions(paths.config, actions);
  return { ...workspace, config: { ...config, actions } };
}

export function actionsFixed(what: string, kept: Actions, asked: Actions): InputError {
  const names = (actions: Actions) => actionNames(actions).join("/");
  return new InputError(
    "actions_fixed",
    `actions: ${what} is written in ${names(kept)}; got ${names(asked)}`,
    `Leave --actions out and translate the values, such as --map-value decision:${asked.positive}=${kept.positive}, or make another workspace.`,
  );
}

/** Writes a rule set to its own file. User-written YAML is kept exactly, including comments; null: no text to keep. */
export function writeRuleSet({ paths }: Workspace, set: RuleSet, text: string | null): string {
  const { rules } = paths;
  try {
    mkdirSync(rules, { recursive: true });
  } catch (cause) {
    throw fileError(cause, rules);
  }
  let name = ruleFileName(set, 1);
  for (let n = 2; existsSync(join(rules, name)); n++) name = ruleFileName(set, n);
  const isYaml = text !== null && !/^\uFEFF?\s*\{/.test(text);
  writeFileAtomic(join(rules, name), isYaml ? text.replace(/^\uFEFF/, "") : ruleSetYaml(set));
  return `rules/${name}`;
}

const BUFFER_CHARACTERS = 1 << 16;
const MAX_TEXT = 10_000;

/** A rejected row as a line of JSON. */
export function rejectLine(reject: Reject): string {
  const row = typeof reject.row === "string" ? reject.row.slice(0, MAX_TEXT) : reject.row;
  return `${JSON.stringify({ ...reject, row, raw: reject.raw?.slice(0, MAX_TEXT) })}\n`;
}

/** The rejected rows of one file, stored with the workspace's data for a person to correct. */
export class RejectFile implements RejectSink {
  private readonly folder: string;
  private readonly aside: string;
  private file: number | null = null;
  private buffer = "";

  constructor(
    { paths }: Workspace,
    private readonly name: string,
    private readonly stamp: string,
  ) {
    this.folder = paths.rejects;
    refuseOtherThanFolder(this.folder);
    this.aside = join(this.folder, `.${stamp}-${process.pid}.tmp`);
  }

  add(reject: Reject): void {
    this.buffer += rejectLine(reject);
    if (this.buffer.length >= BUFFER_CHARACTERS) this.flush();
  }

  private flush(): void {
    try {
      if (this.file === null) {
        mkdirSync(this.folder, { recursive: true });
        this.file = openSync(this.aside, "w");
      }
      const bytes = Buffer.from(this.buffer, "utf8");
      for (let written = 0; written < bytes.length; ) written += writeSync(this.file, bytes, written);
    } catch (cause) {
      this.drop();
      throw fileError(cause, this.folder);
    }
    this.buffer = "";
  }

  /** Gives the file its final name. If an earlier import left the same rows under such a name, that file is kept: repeating changes nothing. */
  async finish(): Promise<string | null> {
    if (this.buffer) this.flush();
    if (this.file === null) return null;
    closeSync(this.file);
    this.file = null;
    const suffix = `-${basename(this.name).replace(/[^\w.-]+/g, "_")}`;
    const names = readdirSync(this.folder).filter((name) => name.includes(suffix) && name.endsWith(".jsonl"));
    const same = names.find((name) => sameBytes(join(this.folder, name), this.aside));
    if (same) {
      rmSync(this.aside, { force: true });
      return `rejects/${same}`;
    }
    let name = `${this.stamp}${suffix}.jsonl`;
    for (let n = 2; existsSync(join(this.folder, name)); n++) name = `${this.stamp}${suffix}-${n}.jsonl`;
    renameSync(this.aside, join(this.folder, name));
    return `rejects/${name}`;
  }

  async discard(): Promise<void> {
    this.drop();
  }

  private drop(): void {
    this.buffer = "";
    if (this.file === null) return;
    closeSync(this.file);
    this.file = null;
    rmSync(this.aside, { force: true });
  }
}

/** Checked before the first row, so that nothing is imported if its rejected rows could not be stored. */
function refuseOtherThanFolder(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false }) || statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new InputError(
    "rejects_not_folder",
    `${path}: is not a folder, and rejected rows are kept in a folder of this name. Nothing was imported`,
    "Move it away or rename it, and repeat the command.",
  );
}

function sameBytes(a: string, b: string): boolean {
  if (statSync(a).size !== statSync(b).size) return false;
  const files = [openSync(a, "r"), openSync(b, "r")] as const;
  const buffers = [Buffer.alloc(BUFFER_CHARACTERS), Buffer.alloc(BUFFER_CHARACTERS)] as const;
  try {
    for (;;) {
      const read = readSync(files[0], buffers[0]);
      if (readSync(files[1], buffers[1]) !== read) return false;
      if (read === 0) return true;
      if (!buffers[0].subarray(0, read).equals(buffers[1].subarray(0, read))) return false;
    }
  } finally {
    for (const file of files) closeSync(file);
  }
}
