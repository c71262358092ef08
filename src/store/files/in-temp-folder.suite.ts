import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DefensibleError } from "../../core/errors.js";
import type { Decision } from "../../core/records/decision.js";
import { createWorkspace, type Workspace } from "./workspace.js";

const folders: string[] = [];

// Test files share a process: a hook here would belong to the first of them alone.
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is gone when the tests are over. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "defensible-test-"));
  folders.push(folder);
  return folder;
}

export function tempWorkspace(options: Parameters<typeof createWorkspace>[1] = {}): Workspace {
  return createWorkspace(join(tempFolder(), "ws"), options);
}

/** A file with this content, in a folder of its own. */
export function tempFile(name: string, content: string | Uint8Array): string {
  const path = join(tempFolder(), name);
  writeFileSync(path, content);
  return path;
}

export function jsonLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

export function decision(id: string, more: Partial<Decision> = {}): Decision {
  return { id, community: "garden", content: "hello", decision: "remove", ...more };
}

export async function all<T>(batches: AsyncIterable<T[]>): Promise<T[]> {
  const items: T[] = [];
  for await (const batch of batches) items.push(...batch);
  return items;
}

/** Every file under a folder with its bytes. */
export function snapshot(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of (readdirSync(folder, { recursive: true }) as string[]).sort()) {
    const path = join(folder, name);
    if (statSync(path).isFile()) files[name] = readFileSync(path, "latin1");
  }
  return files;
}

/** Message and remedy of the error that a call ends in. */
export async function failure(
  work: () => unknown,
): Promise<{ code: string; message: string; remedy: string | undefined }> {
  try {
    await work();
  } catch (cause) {
    if (!(cause instanceof DefensibleError)) throw cause;
    return { code: cause.code, message: cause.message, remedy: cause.remedy };
  }
  throw new Error("expected a DefensibleError, but nothing was thrown");
}
