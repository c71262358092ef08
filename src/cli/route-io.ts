import { closeSync, createReadStream, openSync, statSync, writeSync } from "node:fs";
import { Readable } from "node:stream";
import { fileError } from "../ledger/files.js";
import { say } from "./output.js";

export interface RouteInput {
  stream: Readable;
  /** Size of a file; null: a stream, or one decision. */
  bytes: number | null;
}

/** A file, standard input, or one decision given as text. */
export function openInput(file: string | undefined, decision: string | undefined, chunkBytes: number): RouteInput {
  if (decision !== undefined) {
    // JSON may be spread over lines; inside its texts there are none.
    return { stream: Readable.from([Buffer.from(decision.replace(/[\r\n]+/g, " "))]), bytes: null };
  }
  if (file === undefined || file === "-") {
    if (process.stdin.isTTY) say("Reading decisions from the keyboard, one JSON object a line; Ctrl-D ends.");
    return { stream: process.stdin, bytes: null };
  }
  try {
    const stat = statSync(file);
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    const stream = createReadStream(file, { fd: openSync(file, "r"), highWaterMark: chunkBytes });
    return { stream, bytes: stat.isFile() ? stat.size : null };
  } catch (cause) {
    throw fileError(cause, file);
  }
}

export interface RouteOutput {
  /** Resolves when more may be written. */
  write: (lines: string) => Promise<void> | void;
  close: () => void;
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
