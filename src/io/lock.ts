import { createHash, randomBytes } from "node:crypto";
import { closeSync, fstatSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { BusyError } from "../core/errors.js";
import { fileError } from "./files.js";

interface Holder {
  pid: number;
  host: string;
  /** Start time of the process, if the system reports it: the pid alone may have been reused since. */
  started: string | null;
}

/** A lock file as it was read. `id` identifies this file with this content; no later lock has the same one. */
interface Found {
  id: string;
  /** null: the content names no process. */
  holder: Holder | null;
  /** Milliseconds since it was written. */
  age: number;
}

/** A lock that names no process may still be in writing; after this long it is stale. */
const WRITING_MS = 10_000;
/** Error codes of file systems without hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
const ATTEMPTS = 20;

/**
 * Lets one process at a time write a run. The lock file names its holder, so that a lock left by a killed process is recognised
 * as stale and taken over, and a live one is refused with the holder's name.
 *
 * The lock is written to a temporary file and linked into place, so it appears with its content: a file that is created and then
 * written is empty for a moment, and an empty lock looks unheld.
 */
export function acquireLock(path: string, what: string): () => void {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = readLock(path);
    if (!found) {
      const release = tryLock(path);
      if (release) return release;
    } else if (isHeld(found)) throw busy(path, what, found.holder);
    else removeDead(path, path, found);
  }
  throw new BusyError("run_locked", `${what}: its lock changes hands all the time`, "Repeat the command in a moment.");
}

/** `acquireLock` for locks held only briefly: retries every 50 ms instead of refusing at once. */
export async function waitForLock(path: string, what: string, tries = 50): Promise<() => void> {
  for (let tried = 1; ; tried++) {
    try {
      return acquireLock(path, what);
    } catch (cause) {
      if (!(cause instanceof BusyError) || tried >= tries) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Takes the lock if it is free; null if another process was faster. */
function tryLock(path: string): (() => void) | null {
  const token = randomBytes(12).toString("hex");
  const me: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  const content = JSON.stringify({ ...me, token });
  const aside = `${path}.${token}.tmp`;
  try {
    writeFileSync(aside, content, { flag: "wx" });
    linkOrCreate(aside, path, content);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return null;
    throw fileError(cause, path);
  } finally {
    rmSync(aside, { force: true });
  }
  return () => {
    // The lock may have been deleted by hand and taken by another process since.
    if (contentOf(path) === content) rmSync(path, { force: true });
  };
}

function linkOrCreate(aside: string, path: string, content: string): void {
  try {
    linkSync(aside, path);
  } catch (cause) {
    if (!NO_LINKS.has((cause as NodeJS.ErrnoException).code ?? "")) throw cause;
    writeFileSync(path, content, { flag: "wx" });
  }
}

/**
 * Removes the lock of a dead process. Between reading a lock and removing it, another process may have removed and retaken it, so
 * a process must first hold a claim on this very lock (`id`). While the claim is held and the lock is unchanged, no other process
 * can remove it. A claim is a lock itself; that of a dead process is removed in the same way.
 */
function removeDead(path: string, base: string, dead: Found): void {
  const claim = `${base}.dead-${dead.id}`;
  const release = tryLock(claim);
  if (release) {
    try {
      if (readLock(path)?.id === dead.id) rmSync(path, { force: true });
    } finally {
      release();
    }
    return;
  }
  const other = readLock(claim);
  if (other && !isHeld(other)) removeDead(claim, base, other);
}

function busy(path: string, what: string, holder: Holder | null): BusyError {
  if (!holder) return new BusyError("run_locked", `${what}: another process is taking it`, "Repeat the command.");
  return new BusyError(
    "run_locked",
    `${what}: another process is writing it (process ${holder.pid} on ${holder.host})`,
    holder.host === hostname()
      ? "Wait until it has finished, or stop it; then repeat the command."
      : `If nothing on ${holder.host} is writing it any more, delete ${path} and repeat the command.`,
  );
}

function isHeld({ holder, age }: Found): boolean {
  return holder ? isAlive(holder) : Math.abs(age) < WRITING_MS;
}

/** null: there is no lock file. */
function readLock(path: string): Found | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fileError(cause, path);
  }
  try {
    const { ino, mtimeMs } = fstatSync(file);
    const text = readFileSync(file, "utf8");
    const id = createHash("sha256").update(`${ino} ${mtimeMs} ${text}`).digest("hex").slice(0, 24);
    return { id, holder: holderIn(text), age: Date.now() - mtimeMs };
  } catch (cause) {
    throw fileError(cause, path);
  } finally {
    closeSync(file);
  }
}

function holderIn(text: string): Holder | null {
  try {
    const holder: Partial<Holder> | null = JSON.parse(text);
    if (typeof holder?.pid !== "number" || typeof holder.host !== "string") return null;
    return { pid: holder.pid, host: holder.host, started: holder.started ?? null };
  } catch {
    // Torn by a machine crash, or not written yet.
    return null;
  }
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
  return holder.started === null || holder.started === startOf(holder.pid);
}

/** Start time of a process: field 22 of /proc/<pid>/stat; null where there is no /proc. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
