import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "../../core/errors.js";

/** Bytes of each fixed-size type of the format, by its number; 8 is a string, 9 an array. */
const SIZES = [1, 1, 2, 2, 4, 4, 4, 1, null, null, 8, 8, 8] as const;
const STRING = 8;
const ARRAY = 9;

/**
 * Strings and numbers of a GGUF file's metadata, as far as they are in the file's beginning: writers put them before the vocabulary. Lists are
 * skipped. The file is untrusted: a length that points beyond the end ends the reading, and what was read so far is returned.
 * @see https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
export function readGgufMetadata(head: Buffer): Map<string, string | number> {
  const found = new Map<string, string | number>();
  const reader = new Reader(head);
  try {
    reader.skip(8 + 8);
    const count = reader.length();
    for (let i = 0; i < count; i++) {
      const key = reader.text();
      const value = reader.value(reader.u32());
      if (value !== null) found.set(key, value);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

class Reader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  skip(count: number): number {
    const from = this.at;
    if (!(count >= 0) || from + count > this.bytes.length) throw new RangeError("the end");
    this.at = from + count;
    return from;
  }

  u32(): number {
    return this.bytes.readUInt32LE(this.skip(4));
  }

  length(): number {
    return Number(this.bytes.readBigUInt64LE(this.skip(8)));
  }

  text(): string {
    const length = this.length();
    const from = this.skip(length);
    return this.bytes.toString("utf8", from, from + length);
  }

  /** A string or a number; null for what is skipped. */
  value(type: number): string | number | null {
    if (type === STRING) return this.text();
    if (type === ARRAY) {
      this.skipArray();
      return null;
    }
    const size = SIZES[type];
    if (size === undefined || size === null) throw new RangeError("an unknown type");
    const from = this.skip(size);
    if (type === 4) return this.bytes.readUInt32LE(from);
    if (type === 5) return this.bytes.readInt32LE(from);
    if (type === 6) return this.bytes.readFloatLE(from);
    if (type === 10) return Number(this.bytes.readBigUInt64LE(from));
    return null;
  }

  private skipArray(): void {
    const type = this.u32();
    const count = this.length();
    const size = SIZES[type];
    if (type === STRING) for (let i = 0; i < count; i++) this.skip(this.length());
    else if (typeof size === "number") this.skip(count * size);
    else throw new RangeError("a list of lists");
  }
}

/** What is known about a model's file without loading it. */
export interface GgufFile {
  path: string;
  bytes: number;
  modifiedMs: number;
  /** SHA-256 of the file's beginning: its metadata and usually its vocabulary. Hashing gigabytes of weights would take longer than an audit. */
  head: string;
  name: string | null;
  /** Context length in tokens that the model was trained with. */
  trainedContext: number | null;
}

const HEAD_BYTES = 1 << 18;

/** Inspects the file that is to be loaded. A relative path is resolved against the working folder. */
export async function readGgufFile(given: string): Promise<GgufFile> {
  const path = resolve(given);
  const { head, bytes, modifiedMs } = await readHead(path).catch((error: NodeJS.ErrnoException) => {
    throw new InputError("gguf_file", `GGUF file: cannot be read; got ${path} (${why(error)})`, NAME_A_FILE);
  });
  if (head.toString("latin1", 0, 4) !== "GGUF") {
    const pointer = head.toString("latin1", 0, 40).startsWith("version https://git-lfs");
    throw new InputError(
      "gguf_file",
      `GGUF file: is no model; got ${path} (${pointer ? "a Git LFS pointer" : `${bytes} bytes that do not begin with GGUF`})`,
      pointer ? "Fetch the model itself: git lfs pull." : NAME_A_FILE,
    );
  }
  const version = head.length < 8 ? 0 : head.readUInt32LE(4);
  if (version !== 2 && version !== 3) {
    throw new InputError(
      "gguf_file",
      `GGUF file: of a version that is not read; got ${path} (version ${version}), expected version 2 or 3`,
      "Convert the model again with a current llama.cpp.",
    );
  }
  const metadata = readGgufMetadata(head);
  const name = metadata.get("general.name");
  const context = metadata.get(`${metadata.get("general.architecture")}.context_length`);
  return {
    path,
    bytes,
    modifiedMs,
    head: createHash("sha256").update(head).digest("hex"),
    name: typeof name === "string" && name.trim() !== "" ? name.trim() : null,
    trainedContext: typeof context === "number" && context > 0 ? context : null,
  };
}

const NAME_A_FILE = "Name a model in GGUF format: gguf:<file>.";

async function readHead(path: string): Promise<{ head: Buffer; bytes: number; modifiedMs: number }> {
  const file = await open(path, "r");
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error("not a file");
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return { head: buffer.subarray(0, bytesRead), bytes: stat.size, modifiedMs: Math.trunc(stat.mtimeMs) };
  } finally {
    await file.close();
  }
}

function why(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return "there is no such file";
  if (error.code === "EACCES" || error.code === "EPERM") return "it may not be read";
  if (error.code === "EISDIR") return "not a file";
  return error.code ?? error.message;
}
