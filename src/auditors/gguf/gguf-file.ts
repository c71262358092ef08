import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { readGgufMetadata } from "./gguf-metadata.js";

/** What is known of a model's file without loading it. */
export interface GgufFile {
  path: string;
  bytes: number;
  modifiedMs: number;
  /** SHA-256 of the file's beginning: its metadata and usually its vocabulary. Hashing gigabytes of weights would take longer than an audit. */
  head: string;
  name: string | null;
  /** Tokens of context that the model was trained with. */
  trainedContext: number | null;
}

const HEAD_BYTES = 1 << 18;

/** Looks at the file that is to be loaded. A relative path is taken from the working folder. */
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

const NAME_A_FILE = "Name a model in GGUF format: --auditor gguf:<file>.";

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
