import { readFileSync } from "node:fs";
import { EnvironmentError } from "../core/errors.js";

/** Below this the database engine dies without a word. */
const LEAST_DESCRIPTORS = 128;

/** Refuses to start where the process may open too few files. Where the system does not tell the limit, nothing is checked. */
export function checkDescriptors(limit = openFilesLimit()): void {
  if (limit === null || limit >= LEAST_DESCRIPTORS) return;
  throw new EnvironmentError(
    "few_descriptors",
    `open files: the limit is ${limit}, at least ${LEAST_DESCRIPTORS} are needed`,
    "Raise it and repeat the command: ulimit -n 1024",
  );
}

/** The soft limit, where Linux tells it; null: unknown or none. */
function openFilesLimit(): number | null {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"));
    return line ? Number(line[1]) : null;
  } catch {
    return null;
  }
}
