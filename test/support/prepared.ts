import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of what test files share, for this run of the tests (`prepared.ts`). */
    prepared: string;
  }
}

/**
 * A folder that is made once in a run of the tests and used by several test files, which must not write into it (copy it first). Test files
 * run in several processes: the first to come makes it, the others wait.
 */
export async function prepared(name: string, make: (folder: string) => void | Promise<void>): Promise<string> {
  const root = inject("prepared");
  const folder = join(root, name);
  const done = `${folder}.done`;
  const failed = `${folder}.failed`;
  if (isFirst(folder)) {
    try {
      await make(folder);
      writeFileSync(done, "");
    } catch (cause) {
      writeFileSync(failed, String(cause));
      throw cause;
    }
  }
  while (!existsSync(done)) {
    if (existsSync(failed)) throw new Error(`${name}: could not be prepared: ${readFileSync(failed, "utf8")}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return folder;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw cause;
  }
}
