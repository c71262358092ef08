import { createHash, randomBytes } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import type { Manifest } from "../domain/manifest.js";

/** Hash of a file's bytes, and its number of lines; an absent file is empty. */
export async function hashFile(path: string): Promise<{ hash: string; lines: number }> {
  const hash = createHash("sha256");
  let lines = 0;
  if (existsSync(path)) {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
    }
  }
  return { hash: hash.digest("hex").slice(0, 16), lines };
}

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** `<UTC yyyymmddThhmmssZ>-<4 hex>`. */
export function newRunId(now: Date): string {
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:]/g, "");
  return `${stamp}-${randomBytes(2).toString("hex")}`;
}

type Identifying = Pick<
  Manifest,
  | "auditor"
  | "auditor_version"
  | "prompt_version"
  | "template"
  | "tier"
  | "temperature"
  | "signal"
  | "replicates"
  | "humans"
  | "seed"
  | "actions"
  | "selection"
  | "hashes"
  | "weights"
>;

/** Hash of everything that decides what a run will contain. */
export function fingerprint(parts: Identifying): string {
  const ordered = Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1));
  return hashText(JSON.stringify(ordered));
}
