import { closeSync, existsSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { DefensibleError } from "../../core/errors.js";
import { fileError, syncFolder, writeFileAtomic } from "../../io/files.js";
import { type Closure, closureSchema } from "../records/active-gate.js";
import { gatePaths, makeGateFolder, readJson, recordGateEvents } from "./gate-files.js";
import type { Workspace } from "./workspace.js";

/** The kill switch: null while gates may be open. A closure that cannot be read still closes. */
export function readClosure(workspace: Pick<Workspace, "paths">): Closure | null {
  const { closed } = gatePaths(workspace);
  try {
    const closure = readJson(closed, closureSchema, "a closure");
    // A link to nothing: what it led to is gone, the wish to close is not.
    if (closure !== null || lstatSync(closed, { throwIfNoEntry: false }) === undefined) return closure;
  } catch {
    // Told below.
  }
  return { since: "unknown", reason: `${closed} cannot be read` };
}

/**
 * Closes every gate. A full disk does not keep it from that: the file that was reserved is renamed, which takes no space. Returns what could
 * not be done besides; null: all was.
 */
export async function closeGates(workspace: Pick<Workspace, "paths">, closure: Closure): Promise<string | null> {
  const { closed, reserve } = gatePaths(workspace);
  makeGateFolder(workspace);
  try {
    writeFileAtomic(closed, `${JSON.stringify(closure, null, 2)}\n`);
  } catch (cause) {
    if (!takeReserve(reserve, closed, closure) && readClosure(workspace) === null) throw cause;
  }
  try {
    await recordGateEvents(workspace, [{ type: "closed", at: closure.since, reason: closure.reason }]);
    return null;
  } catch (cause) {
    if (cause instanceof DefensibleError) return cause.message;
    throw cause;
  }
}

export async function openGates(workspace: Pick<Workspace, "paths">, at: string): Promise<void> {
  const { closed } = gatePaths(workspace);
  // Recorded first: a gate is not opened without a trace.
  await recordGateEvents(workspace, [{ type: "opened", at }]);
  try {
    rmSync(closed, { force: true });
  } catch (cause) {
    throw fileError(cause, closed);
  }
  reserveClosure(workspace);
}

/** A block of most file systems. */
const RESERVED_BYTES = 4096;

/** Keeps room for a closure while there is some. What is reserved is a closure itself, for a disk that takes not even a change in place. */
export function reserveClosure(workspace: Pick<Workspace, "paths">): void {
  const { reserve } = gatePaths(workspace);
  if (existsSync(reserve)) return;
  const reason = "Closed while the disk was full: the reason could not be written.";
  try {
    writeFileAtomic(reserve, padded({ since: "unknown", reason }));
  } catch {
    // Nothing can be reserved on a full disk; whatever else is written there fails, and says so.
  }
}

function takeReserve(reserve: string, closed: string, closure: Closure): boolean {
  if (!existsSync(reserve)) return false;
  try {
    const file = openSync(reserve, "r+");
    try {
      writeSync(file, padded(closure), 0);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // What stands there closes too.
  }
  try {
    renameSync(reserve, closed);
    syncFolder(dirname(closed));
    return true;
  } catch {
    return false;
  }
}

/** Exactly as long as what is reserved, so that it is overwritten in place. */
function padded({ since, reason }: Closure): string {
  const text = (words: string) => JSON.stringify({ since, reason: words });
  let words = reason;
  while (Buffer.byteLength(text(words)) >= RESERVED_BYTES) words = words.slice(0, Math.floor(words.length * 0.9));
  const json = text(words);
  return `${json}${" ".repeat(RESERVED_BYTES - 1 - Buffer.byteLength(json))}\n`;
}
