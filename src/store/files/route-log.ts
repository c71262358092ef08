import {
  close,
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { EnvironmentError } from "../../core/errors.js";
import type { RouteRecord } from "../../core/records/route.js";
import { fileError } from "../../io/files.js";
import { readLines } from "../../io/read-lines.js";

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
