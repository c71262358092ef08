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

/** The chain of a workspace and the logs that it covers, besides the runs. */
interface ChainFiles extends ChainStore {
  /** SHA-256 of the ids of decisions in the log of erasures. */
  buried(): Promise<ReadonlySet<string>>;
  /** Adds to the log of erasures. */
  bury(tombstones: readonly Tombstone[]): Promise<void>;
  /** Deletes the salts of records that tombstones took something of. Returns how many. */
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

/** Whole lines of a file. What may still be written is left for the next time. */
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
 * The log of every routing: append-only, and written by as many processes as like to. Each batch of whole lines is one write in append
 * mode, which the system puts at the end of the file in one piece. Nothing is ever cut: a last line without a newline may be what a
 * crash left, or what another process is writing at this moment, so a new line is begun instead. A write that returned survives the
 * process; a machine's crash may cost the last 200 ms.
 */
export class RouteLog {
  private file: number;
  private lastSync = performance.now();
  private syncing = false;
  /** What is at the end of the file may be half a line. */
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
   * Writes whole lines; returns when they are in the file of that name. Throws where one of them is not. A file that was moved away or
   * deleted is begun anew, before the lines are written or, where it went in that moment, with the same lines.
   */
  append(lines: string): void {
    if (lines === "") return;
    this.reopenIfGone();
    do this.write(lines);
    while (this.reopenIfGone());
    if (performance.now() - this.lastSync >= SYNC_MS) this.startSync();
  }

  /** Whether the name meant another file, or none. The folder is not made anew: where it is gone, so is the workspace. */
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
        // The disk took a part. Another process may already have written behind it: the line that was cut off is begun anew.
        this.torn = true;
        const begun = bytes.subarray(0, written).lastIndexOf(NEWLINE) + 1;
        bytes = Buffer.concat([Buffer.of(NEWLINE), bytes.subarray(begun)]);
      }
    } catch (cause) {
      throw logError(cause, this.path);
    }
    this.torn = false;
  }

  /** In parallel with the work: waiting for the disk would make it the metronome of the stream. */
  private startSync(): void {
    if (this.syncing) return;
    this.syncing = true;
    fdatasync(this.file, () => {
      this.syncing = false;
      this.lastSync = performance.now();
    });
  }

  async close(): Promise<void> {
    // A descriptor must not be closed under a sync that is still running.
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

/** Every routing of a log, oldest first, a batch at a time. What a crash left of a line is passed over. */
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
