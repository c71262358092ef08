import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Generation } from "../domain/generation.js";
import { trimGeneration } from "../signals/trim-generation.js";
import { fileError } from "./files.js";
import { encodeGeneration, generationFromJson } from "./generation-codec.js";

/** Answers of earlier runs, so that nobody pays twice for the same question. Losing it costs money, never a result. */
export interface ResponseCache {
  /** The answer kept under a key; null if there is none that can be read. Never fails. */
  get(key: string): Promise<Generation | null>;
  /**
   * Keeps an answer, unless it was cut off, refused or filtered. Never fails: the first write that does not succeed ends all writing,
   * with one message; what is there can still be read.
   */
  put(key: string, generation: Generation): Promise<void>;
  size(): Promise<CacheSize>;
  /** Deletes every answer, and tells how much that was. */
  clear(): Promise<CacheSize>;
  /** Waits for writes that are under way. */
  close(): Promise<void>;
}

export interface CacheSize {
  entries: number;
  bytes: number;
}

/** Changes when `trimGeneration` keeps more than before, or a kept answer could be read as something else. */
const VERSION = 1;
/** Answers that wait for a slow disk; more are not kept, because they would fill the memory. */
const MAX_PENDING = 256;

const KEY = /^[0-9a-f]{64}$/;
const SHELF = /^[0-9a-f]{2}$/;
const ENTRY = /^[0-9a-f]{62}\.json$/;
const ASIDE = /^[0-9a-f]{62}\.json\.\d+\.[0-9a-f]{6}\.tmp$/;

/**
 * A folder with one small file an answer, `<2 hex>/<62 hex>.json`, by a SHA-256 of what was asked. Several processes may share it: a
 * file appears whole under its name, and the last one wins. Nothing is synced: what a crash of the machine leaves torn is not JSON
 * and counts as absent. Measured on answers of 200 tokens with 20 candidates: 17 kB, 0.3 ms of the event loop to keep, 0.2 ms to get, 0.02 ms to miss.
 */
export function openResponseCache(folder: string, tell: (message: string) => void = () => {}): ResponseCache {
  const pending = new Set<Promise<void>>();
  let writable = true;

  const write = async (path: string, key: string, generation: Generation) => {
    const aside = `${path}.${process.pid}.${randomBytes(3).toString("hex")}.tmp`;
    try {
      const entry = entryText(key, generation);
      await writeFile(aside, entry).catch(async (cause) => {
        if (cause.code !== "ENOENT") throw cause;
        await mkdir(dirname(path), { recursive: true });
        await writeFile(aside, entry);
      });
      await rename(aside, path);
    } catch (cause) {
      await rm(aside, { force: true }).catch(() => {});
      if (!writable) return;
      writable = false;
      const reason = (fileError(cause, path) as Error).message;
      tell(`response cache: cannot be written, answers are not kept from here on; ${reason}`);
    }
  };

  return {
    async get(key) {
      const path = entryPath(folder, key);
      try {
        return readEntry(key, await readFile(path, "utf8"));
      } catch {
        return null;
      }
    },

    async put(key, generation) {
      const path = entryPath(folder, key);
      if (!writable || generation.finish !== "stop" || pending.size >= MAX_PENDING) return;
      const work = write(path, key, generation);
      pending.add(work);
      await work;
      pending.delete(work);
    },

    size: () => walk(folder, false),
    clear: () => walk(folder, true),

    async close() {
      await Promise.all(pending);
    },
  };
}

function entryPath(folder: string, key: string): string {
  if (!KEY.test(key))
    throw new RangeError(`cache key: not a SHA-256; got ${JSON.stringify(key)}, expected 64 hex digits`);
  return join(folder, key.slice(0, 2), `${key.slice(2)}.json`);
}

function entryText(key: string, generation: Generation): string {
  const encoded = encodeGeneration(trimGeneration(generation));
  return `{"format":"defensible-response","version":${VERSION},"key":"${key}","generation":${encoded}}`;
}

function readEntry(key: string, text: string): Generation | null {
  const entry = JSON.parse(text);
  if (entry.format !== "defensible-response" || entry.version !== VERSION || entry.key !== key) return null;
  const generation = generationFromJson(entry.generation);
  return generation.finish === "stop" ? generation : null;
}

/** Counts, and perhaps deletes, what this cache wrote and nothing else: the folder may have been named by mistake. */
async function walk(folder: string, remove: boolean): Promise<CacheSize> {
  const size: CacheSize = { entries: 0, bytes: 0 };
  for (const shelf of await namesIn(folder, SHELF)) {
    const path = join(folder, shelf);
    for (const name of await namesIn(path, ENTRY)) {
      const found = await stat(join(path, name)).catch(() => null);
      if (!found?.isFile()) continue;
      size.entries++;
      size.bytes += found.size;
      if (remove) await rm(join(path, name), { force: true });
    }
    if (!remove) continue;
    for (const name of await namesIn(path, ASIDE)) await rm(join(path, name), { force: true });
  }
  return size;
}

async function namesIn(folder: string, form: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch((cause) => {
    if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return [];
    throw fileError(cause, folder);
  });
  return names.filter((name) => form.test(name)).sort();
}
