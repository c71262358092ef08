import { existsSync, readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { AsideFile, fileError, writeFileAtomic } from "../../../io/files.js";
import { readLines } from "../../../io/read-lines.js";

/** Result for a line: the same text, another text, or null to drop it. */
export type LineChange = (line: string) => string | null;

/**
 * Atomically replaces a file by one with changed lines. Returns the number of changes; without changes the file is not touched. `ready`: called
 * with the new file before it replaces the old one.
 */
export async function rewriteLines(
  path: string,
  change: LineChange,
  dryRun: boolean,
  ready: (aside: string) => void | Promise<void> = () => {},
): Promise<number> {
  if (!existsSync(path)) return 0;
  let changed = 0;
  for await (const lines of readLines(path)) for (const { text } of lines) if (change(text) !== text) changed += 1;
  if (changed === 0 || dryRun) return changed;
  const file = new AsideFile(path);
  try {
    for await (const lines of readLines(path)) {
      for (const { text, ended } of lines) {
        const next = change(text);
        if (next !== null) file.write(ended || next !== text ? `${next}\n` : next);
      }
    }
    file.close();
    await ready(file.aside);
    file.commit();
  } catch (cause) {
    throw fileError(cause, path);
  } finally {
    file.discard();
  }
  return changed;
}

/** The same for a gzip file. */
export function rewritePacked(path: string, change: LineChange, dryRun: boolean): number {
  const lines = gunzipSync(readFileSync(path)).toString("utf8").split("\n");
  const next = lines.map((line) => (line === "" ? line : change(line)));
  const changed = next.filter((line, i) => line !== lines[i]).length;
  if (changed > 0 && !dryRun) writeFileAtomic(path, gzipSync(next.filter((line) => line !== null).join("\n")));
  return changed;
}

/** The object on a line; null: there is no object. */
export function rowOf(line: string): Record<string, unknown> | null {
  try {
    const row: unknown = JSON.parse(line);
    return typeof row === "object" && row !== null && !Array.isArray(row) ? (row as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
