import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { fileError } from "./files.js";

const SYNC_ROWS = 100;
const SYNC_MS = 200;

/**
 * An append-only file of lines. A write that returned survives the process; a machine's crash may cost the last 100 rows or 200 ms.
 * What a crash left half-written is cut back to the last newline when the file is opened.
 */
export class LineLog {
  readonly path: string;
  private readonly file: number;
  private size: number;
  /** Used again and again: a joined string of a whole batch would go to the old generation and stay there for long. */
  private buffer: Buffer = Buffer.alloc(1 << 18);
  private unsynced = 0;
  private lastSync = performance.now();
  private syncing = false;

  constructor(path: string) {
    this.path = path;
    try {
      this.file = openSync(path, "a+");
      this.size = cutTornTail(this.file);
    } catch (cause) {
      throw fileError(cause, path);
    }
  }

  /** Byte offset at which the next line will start. */
  get end(): number {
    return this.size;
  }

  /** Writes lines in one go and returns where each ends. */
  append(lines: readonly string[]): number[] {
    const ends: number[] = [];
    let used = 0;
    for (const line of lines) {
      // Three bytes a UTF-16 unit at the most, and the newline.
      const room = used + 3 * line.length + 1;
      if (room > this.buffer.length) this.buffer = Buffer.concat([this.buffer.subarray(0, used)], 2 * room);
      used += this.buffer.write(line, used, "utf8");
      this.buffer[used++] = 0x0a;
      ends.push(this.size + used);
    }
    try {
      for (let written = 0; written < used; ) written += writeSync(this.file, this.buffer, written, used - written);
    } catch (cause) {
      try {
        ftruncateSync(this.file, this.size);
      } catch {}
      throw fileError(cause, this.path);
    }
    this.size += used;
    this.unsynced += lines.length;
    if (this.unsynced >= SYNC_ROWS || performance.now() - this.lastSync >= SYNC_MS) this.startSync();
    return ends;
  }

  /** Syncs run alongside the work, one at a time: waiting for each would make the disk the metronome of the run. */
  private startSync(): void {
    if (this.syncing) return;
    this.syncing = true;
    this.unsynced = 0;
    fdatasync(this.file, () => {
      this.syncing = false;
      this.lastSync = performance.now();
    });
  }

  read(offset: number, length: number, into: Buffer): void {
    readSync(this.file, into, 0, length, offset);
  }

  async close(): Promise<void> {
    // A descriptor must not be closed under a sync that is still running.
    while (this.syncing) await new Promise((resolve) => setImmediate(resolve));
    fdatasyncSync(this.file);
    closeSync(this.file);
  }
}

function cutTornTail(file: number): number {
  const size = fstatSync(file).size;
  const buffer = Buffer.alloc(1 << 16);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - buffer.length);
    readSync(file, buffer, 0, end - start, start);
    const newline = buffer.subarray(0, end - start).lastIndexOf(0x0a);
    if (newline >= 0) {
      const keep = start + newline + 1;
      if (keep < size) ftruncateSync(file, keep);
      return keep;
    }
    end = start;
  }
  if (size > 0) ftruncateSync(file, 0);
  return 0;
}
