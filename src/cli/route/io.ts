import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { ForeignGate } from "../../app/route/gate.js";
import { fileError, markOf } from "../../io/files.js";
import { say } from "../output.js";

export interface RouteInput {
  /** A chunk may be overwritten by the next one. */
  chunks: AsyncIterable<Buffer>;
  /** Ends a wait for the next chunk. */
  stop: () => void;
  /** Size of a file; null: a stream, or one decision. */
  bytes: number | null;
}

/** A gate in a file, which may be changed while it is followed. */
export function gateFile(path: string): ForeignGate {
  return {
    name: path,
    mark: () => markOf(path),
    text() {
      try {
        return readFileSync(path, "utf8");
      } catch (cause) {
        throw fileError(cause, path);
      }
    },
  };
}

/** A file, standard input, or one decision given as text. */
export function openInput(file: string | undefined, decision: string | undefined, chunkBytes: number): RouteInput {
  if (decision !== undefined) {
    // JSON may be spread over lines; not inside its texts.
    return ofStream(Readable.from([Buffer.from(decision.replace(/[\r\n]+/g, " "))]));
  }
  if (file === undefined || file === "-") {
    if (process.stdin.isTTY) say("Reading decisions from the keyboard, one JSON object a line; Ctrl-D ends.");
    return ofStream(process.stdin);
  }
  try {
    const stat = statSync(file);
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    const fd = openSync(file, "r");
    if (!stat.isFile()) return ofStream(createReadStream(file, { fd, highWaterMark: chunkBytes }));
    return { chunks: fileChunks(fd, file, chunkBytes), stop: () => {}, bytes: stat.size };
  } catch (cause) {
    throw fileError(cause, file);
  }
}

function ofStream(stream: Readable): RouteInput {
  return { chunks: stream, stop: () => stream.destroy(), bytes: null };
}

/** A file is read into one buffer, without a new one and a thread for every chunk. Signals are handled between two chunks. */
async function* fileChunks(fd: number, file: string, chunkBytes: number): AsyncGenerator<Buffer> {
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  try {
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
      yield chunk.subarray(0, read);
      await setImmediate();
    }
  } catch (cause) {
    throw fileError(cause, file);
  } finally {
    closeSync(fd);
  }
}

export interface RouteOutput {
  /** Resolves when more may be written. */
  write: (lines: string) => Promise<void> | void;
  close: () => void;
}

/** Fails where a file could not be written, and changes nothing: for a time at which nothing has been paid yet. */
export function checkOutput(file: string | undefined): void {
  if (file === undefined) return;
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    const folder = dirname(resolve(file));
    if (!stat && !statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
    accessSync(stat ? file : folder, constants.W_OK);
  } catch (cause) {
    throw fileError(cause, file);
  }
}

/** Standard output, or a file. */
export function openOutput(file: string | undefined): RouteOutput {
  if (file === undefined) {
    const write = (lines: string) => {
      if (process.stdout.write(lines)) return;
      return new Promise<void>((resolve) => process.stdout.once("drain", resolve));
    };
    return { write, close: () => {} };
  }
  try {
    const target = openSync(file, "w");
    const write = (lines: string) => {
      const bytes = Buffer.from(lines);
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(target, bytes, written);
      } catch (cause) {
        throw fileError(cause, file);
      }
    };
    return { write, close: () => closeSync(target) };
  } catch (cause) {
    throw fileError(cause, file);
  }
}
