import {
  close,
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { EnvironmentError, InputError } from "../../core/errors.js";
import type { RouteRecord } from "../../core/records/route.js";
import { type ChainEntry, type ChainHead, type ChainSource, readChainLine } from "../../evidence/chain.js";
import { ERASURES, isErasedBy, readTombstone, type Tombstone } from "../../evidence/tombstone.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import { waitForLock } from "../../io/lock.js";
import { LineLog, readLines } from "../../io/read-lines.js";
import type { ChainStore } from "../ports.js";
import { restOf } from "../records/erased.js";
import { gatePaths } from "./gate-files.js";
import type { Workspace } from "./workspace.js";

/** The chain of a workspace and the logs that it covers in addition to the runs. */
interface ChainFiles extends ChainStore {
  /** SHA-256 of the ids of decisions in the log of erasures. */
  buried(): Promise<ReadonlySet<string>>;
  /** Adds to the log of erasures. */
  bury(tombstones: readonly Tombstone[]): Promise<void>;
  /** Deletes the salts of records from which tombstones erased something. Returns their number. */
  deleteSalts(buried: readonly Tombstone[], dryRun: boolean): Promise<number>;
}

export function chainFiles(workspace: Pick<Workspace, "root" | "paths">): ChainFiles {
  const { chain: folder } = workspace.paths;
  const path = join(folder, "chain.jsonl");
  const erasures = join(folder, "erasures.jsonl");
  const { routes, history } = gatePaths(workspace);
  const logs = { routes, gate: history, outcomes: workspace.paths.outcomes, [ERASURES]: erasures };
  return {
    async read() {
      const entries: ChainEntry[] = [];
      const heads: ChainHead[] = [];
      for (const [i, line] of (await linesOf(path)).entries()) {
        const read = readChainLine(line);
        if (read === null) {
          throw new InputError("bad_chain", `${path}, line ${i + 1}: was changed; not a line of the chain`);
        }
        if ("source" in read) entries.push(read);
        else heads.push(read);
      }
      return { entries, heads };
    },
    async logs() {
      const found: ChainSource[] = [];
      for (const [source, file] of Object.entries(logs)) {
        found.push({ source, records: await linesOf(file), complete: false });
      }
      return found;
    },
    append: (entries, head) => appendLines(path, [...entries, head]),
    rest: restOf,
    where(source, n) {
      const log = (logs as Record<string, string>)[source];
      if (log !== undefined) return `${relative(workspace.root, log)}:${n + 1}`;
      return `${source.replace(/^audits:(.*)$/, "runs/$1/audits.parquet")}, row ${n + 1}`;
    },
    async withSealLock(work) {
      makeFolder(folder);
      const unlock = await waitForLock(join(folder, "lock"), "the chain");
      try {
        return await work();
      } finally {
        unlock();
      }
    },
    buried: async () => new Set((await linesOf(erasures)).flatMap((line) => readTombstone(line)?.decision ?? [])),
    bury: (tombstones) => appendLines(erasures, tombstones),
    async deleteSalts(buried, dryRun) {
      const earlier = (await linesOf(erasures)).flatMap((line) => readTombstone(line) ?? []);
      const isErased = isErasedBy([...earlier, ...buried]);
      let deleted = 0;
      const lines = (await linesOf(path)).map((line) => {
        const read = readChainLine(line);
        if (!read || !("source" in read) || read.salt === null || !isErased(read)) return line;
        deleted += 1;
        return JSON.stringify({ ...read, salt: null });
      });
      if (deleted > 0 && !dryRun) writeFileAtomic(path, lines.map((line) => `${line}\n`).join(""));
      return deleted;
    },
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw fileError(cause, folder);
  }
}

async function appendLines(path: string, values: readonly object[]): Promise<void> {
  if (values.length === 0) return;
  makeFolder(dirname(path));
  const log = new LineLog(path);
  try {
    log.append(values.map((value) => JSON.stringify(value)));
  } finally {
    await log.close();
  }
}

/** Complete lines of a file. A line that may still be being written is left for the next call. */
async function linesOf(path: string): Promise<string[]> {
  const found: string[] = [];
  if (!existsSync(path)) return found;
  for await (const lines of readLines(path)) {
    for (const { text, ended } of lines) if (ended) found.push(text);
  }
  return found;
}

const SYNC_MS = 200;
const NEWLINE = 0x0a;

/**
 * The log of all routings: append-only, and written by any number of processes. Each batch of complete lines is one write in append mode, which the
 * system appends atomically. Nothing is ever truncated: a last line without a newline may be left by a crash, or may be being written by another
 * process, so a new line is started instead. A completed write survives the process; a crash of the machine may lose the last 200 ms.
 */
export class RouteLog {
  private file: number;
  private lastSync = performance.now();
  private syncing = false;
  /** Whether the file may end with an incomplete line. */
  private torn: boolean;

  constructor(readonly path: string) {
    try {
      mkdirSync(dirname(path), { recursive: true });
      this.file = openSync(path, "a+");
      this.torn = hasTornTail(this.file);
    } catch (cause) {
      throw logError(cause, path);
    }
  }

  /**
   * Writes complete lines and returns when they are in the file of that name; throws if one is not. If the file was moved or deleted, it is created
   * again before writing, or, if it disappeared during the write, the same lines are written again.
   */
  append(lines: string): void {
    if (lines === "") return;
    this.reopenIfGone();
    do this.write(lines);
    while (this.reopenIfGone());
    if (performance.now() - this.lastSync >= SYNC_MS) this.startSync();
  }

  /**
   * Reopens the file if its name means another file or none; returns whether it did. The folder is not recreated: without it there is no workspace.
   */
  private reopenIfGone(): boolean {
    try {
      const own = fstatSync(this.file);
      if (!own.isFile()) return false;
      const named = statSync(this.path, { throwIfNoEntry: false });
      if (named && named.ino === own.ino && named.dev === own.dev) return false;
      const old = this.file;
      this.file = openSync(this.path, "a+");
      this.torn = hasTornTail(this.file);
      fdatasync(old, () => close(old, () => {}));
      return true;
    } catch (cause) {
      throw logError(cause, this.path);
    }
  }

  private write(lines: string): void {
    let bytes = Buffer.from(this.torn ? `\n${lines}` : lines);
    try {
      for (;;) {
        const written = writeSync(this.file, bytes);
        if (written === bytes.length) break;
        // The disk accepted only a part. Another process may already have written after it, so the cut-off line is started again.
        this.torn = true;
        const begun = bytes.subarray(0, written).lastIndexOf(NEWLINE) + 1;
        bytes = Buffer.concat([Buffer.of(NEWLINE), bytes.subarray(begun)]);
      }
    } catch (cause) {
      throw logError(cause, this.path);
    }
    this.torn = false;
  }

  /** Syncs in parallel with the work, because waiting for the disk would limit the speed of the stream. */
  private startSync(): void {
    if (this.syncing) return;
    this.syncing = true;
    fdatasync(this.file, () => {
      this.syncing = false;
      this.lastSync = performance.now();
    });
  }

  async close(): Promise<void> {
    // A descriptor must not be closed while a sync is running.
    while (this.syncing) await new Promise((resolve) => setImmediate(resolve));
    try {
      fdatasyncSync(this.file);
    } catch {
      // A pipe or a terminal cannot be synced.
    }
    closeSync(this.file);
  }
}

function logError(cause: unknown, path: string): unknown {
  const failure = fileError(cause, path);
  const known = failure instanceof EnvironmentError;
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  if (!known && !code) return cause;
  const what = known ? failure.message : `${path}: cannot be written (${code})`;
  return new EnvironmentError(
    "no_route_log",
    `log: ${what}; nothing is automated without a line in the log`,
    known ? failure.remedy?.replace("--out", "--log") : "Name another file with --log.",
  );
}

function hasTornTail(file: number): boolean {
  const stat = fstatSync(file);
  if (!stat.isFile() || stat.size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, stat.size - 1);
  return last[0] !== NEWLINE;
}

/** All routings of a log, oldest first, batch by batch. Torn lines are skipped. */
export async function* readRoutes(path: string): AsyncGenerator<RouteRecord[]> {
  for await (const lines of readLines(path)) {
    const routes: RouteRecord[] = [];
    for (const line of lines) {
      try {
        routes.push(JSON.parse(line.text) as RouteRecord);
      } catch {}
    }
    if (routes.length) yield routes;
  }
}
