import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Gate, gateSchema } from "../domain/gate.js";
import { BusyError, InputError } from "../errors.js";
import { fileError, writeFileAtomic } from "../ledger/files.js";
import { LineLog } from "../ledger/line-log.js";
import { acquireLock } from "../ledger/lock.js";
import { readLines } from "../ledger/read-lines.js";
import { type GateEvent, parseGateEvent } from "./gate-event.js";
import type { Workspace } from "./workspace.js";

export type { GateEvent } from "./gate-event.js";

/** The gate that `route` follows. `sampling_key` decides which automated decisions are reviewed all the same; nobody outside can foresee it. */
export interface GateInForce {
  gate: Gate;
  sampling_key: string;
  in_force_since: string;
  /** Somebody put it in force with --apply: only another --apply replaces it. */
  applied?: boolean | undefined;
}

export interface Closure {
  since: string;
  reason: string;
}

const inForceSchema = z.object({
  gate: gateSchema,
  sampling_key: z.string().min(16),
  in_force_since: z.string(),
  applied: z.boolean().optional(),
});
const closureSchema = z.object({ since: z.string(), reason: z.string() });

export function gatePaths(workspace: Pick<Workspace, "paths">) {
  const folder = workspace.paths.gate;
  return {
    folder,
    history: join(folder, "history.jsonl"),
    current: join(folder, "current.json"),
    closed: join(folder, "closed.json"),
    routes: join(folder, "routes.jsonl"),
    watch: join(folder, "watch.json"),
    lock: join(folder, "lock"),
  };
}

/** Runs something while no other process changes the gate. Reading needs no lock: files are replaced as a whole. */
export async function withGateLock<T>(workspace: Workspace, work: () => Promise<T>): Promise<T> {
  makeFolder(workspace);
  const unlock = await patiently(() => acquireLock(gatePaths(workspace).lock, "the gate"));
  try {
    return await work();
  } finally {
    unlock();
  }
}

/** The gate in force, or null. A file that is there and cannot be understood is an error: routing must not go on without it. */
export function readGateInForce(workspace: Workspace): GateInForce | null {
  return readJson(gatePaths(workspace).current, inForceSchema, "a gate");
}

export function putInForce(workspace: Workspace, inForce: GateInForce): void {
  makeFolder(workspace);
  writeFileAtomic(gatePaths(workspace).current, `${JSON.stringify(inForce, null, 2)}\n`);
}

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

export async function closeGates(workspace: Pick<Workspace, "paths">, closure: Closure): Promise<void> {
  makeFolder(workspace);
  writeFileAtomic(gatePaths(workspace).closed, `${JSON.stringify(closure, null, 2)}\n`);
  await recordGateEvents(workspace, [{ type: "closed", at: closure.since, reason: closure.reason }]);
}

export async function openGates(workspace: Workspace, at: string): Promise<void> {
  const { closed } = gatePaths(workspace);
  try {
    rmSync(closed, { force: true });
  } catch (cause) {
    throw fileError(cause, closed);
  }
  await recordGateEvents(workspace, [{ type: "opened", at }]);
}

/** Adds to the history, which is never rewritten. */
export async function recordGateEvents(
  workspace: Pick<Workspace, "paths">,
  events: readonly GateEvent[],
): Promise<void> {
  makeFolder(workspace);
  const log = new LineLog(gatePaths(workspace).history);
  try {
    log.append(events.map((event) => JSON.stringify(event)));
  } finally {
    await log.close();
  }
}

/** Everything that happened to the gate, oldest first. */
export async function* readGateHistory(workspace: Workspace): AsyncGenerator<GateEvent> {
  const { history } = gatePaths(workspace);
  if (!existsSync(history)) return;
  for await (const lines of readLines(history)) {
    for (const line of lines) {
      if (!line.ended) continue;
      yield parseGateEvent(line.text, `${history}, line ${line.number}`);
    }
  }
}

/** Another gate is put in force within moments. */
async function patiently<T>(work: () => T): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (cause) {
      if (!(cause instanceof BusyError) || tries >= 100) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function makeFolder(workspace: Pick<Workspace, "paths">): void {
  const { folder } = gatePaths(workspace);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw fileError(cause, folder);
  }
}

/** The text of a file, null where there is none. What is no file, such as a named pipe, is an error at once: it could be waited for in vain. */
function readRegularFile(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fileError(cause, path);
  }
  try {
    if (fstatSync(file).isFile()) return readFileSync(file, "utf8");
    throw new InputError("bad_gate_file", `${path}: not a regular file`, "Move it away.");
  } catch (cause) {
    throw cause instanceof InputError ? cause : fileError(cause, path);
  } finally {
    closeSync(file);
  }
}

export function readJson<T>(
  path: string,
  schema: z.ZodType<T>,
  what: string,
  remedy = "Restore the file, or make it anew with `defensible gate`.",
): T | null {
  const text = readRegularFile(path);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new InputError("bad_gate_file", `${path}: not ${what}`, remedy);
  }
}
