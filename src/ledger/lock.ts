import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { BusyError } from "../errors.js";
import { fileError } from "./files.js";

interface Holder {
  pid: number;
  host: string;
  /** Start time of the process where the system tells it: a pid alone may have been given to somebody else since. */
  started: string | null;
}

/**
 * One process at a time writes a run. The lock is a file that names its holder, so that a lock left by a killed process is
 * recognised as stale and taken over, and a live one is refused with the holder's name.
 */
export function acquireLock(path: string, what: string): () => void {
  const me: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      const file = openSync(path, "wx");
      writeSync(file, JSON.stringify(me));
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw fileError(cause, path);
    }
    const holder = readHolder(path);
    if (holder && isAlive(holder)) {
      throw new BusyError(
        "run_locked",
        `${what}: another process is writing it (process ${holder.pid} on ${holder.host})`,
        holder.host === hostname()
          ? "Wait until it has finished, or stop it; then repeat the command."
          : `If nothing on ${holder.host} is writing it any more, delete ${path} and repeat the command.`,
      );
    }
    rmSync(path, { force: true });
  }
  throw new BusyError("run_locked", `${what}: its lock changes hands all the time`, "Repeat the command in a moment.");
}

function readHolder(path: string): Holder | null {
  try {
    const holder: Partial<Holder> = JSON.parse(readFileSync(path, "utf8"));
    if (typeof holder.pid !== "number" || typeof holder.host !== "string") return null;
    return { pid: holder.pid, host: holder.host, started: holder.started ?? null };
  } catch {
    // Gone, or torn by a kill while it was written: nobody holds it.
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

/** Field 22 of /proc/<pid>/stat; null where there is no /proc. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
