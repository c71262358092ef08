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
  /** Chunks; each may be overwritten by the next. */
  chunks: AsyncIterable<Buffer>;
  /** Ends the wait for the next chunk. */
  stop: () => void;
  /** Size of the file; null: a stream, or one decision. */
  bytes: number | null;
}

/** A gate in a file, which may change while it is followed. */
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

/** Opens a file, standard input, or one decision given as text. */
export function openInput(file: string | undefined, decision: string | undefined, chunkBytes: number): RouteInput {
  if (decision !== undefined) {
    // JSON may contain line breaks between tokens, but not inside strings.
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

/** Reads a file into one reused buffer, without a new buffer and thread per chunk. Signals are handled between chunks. */
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

/** Fails if the file cannot be written, and changes nothing: called before anything is paid for. */
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

/** Opens standard output or a file. */
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
