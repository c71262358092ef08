import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { z } from "zod";
import { DefensibleError, InputError } from "../../core/errors.js";
import { fileError, syncFolder, writeFileAtomic } from "../../io/files.js";
import { waitForLock } from "../../io/lock.js";
import { LineLog, readLines } from "../../io/read-lines.js";
import {
  closedEvent,
  type GateEvent,
  openedEvent,
  parseGateEvent,
  type StoredWatch,
  storedWatchSchema,
} from "../records/gate-event.js";
import {
  type Closure,
  closureSchema,
  type GateInForce,
  type GateStanding,
  inForceSchema,
  sealed,
  sealProblem,
  standingAfter,
  standingOf,
  standingRecord,
  standingSchema,
  withStanding,
} from "../records/suspensions.js";
import type { Workspace } from "./workspace.js";

export function gatePaths(workspace: Pick<Workspace, "paths">) {
  const folder = workspace.paths.gate;
  return {
    folder,
    history: join(folder, "history.jsonl"),
    current: join(folder, "current.json"),
    state: join(folder, "state.json"),
    closed: join(folder, "closed.json"),
    reserve: join(folder, "closed.reserve"),
    routes: join(folder, "routes.jsonl"),
    watch: join(folder, "watch.json"),
    lock: join(folder, "lock"),
  };
}

function makeGateFolder(workspace: Pick<Workspace, "paths">): void {
  const { folder } = gatePaths(workspace);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw fileError(cause, folder);
  }
}

const REMEDY = "Restore the file, or make it anew with `defensible gate apply`.";

/** A file parsed by its schema; null if it does not exist. `problemOf`: any other problem, in words that follow the path. */
function readJson<T>(
  path: string,
  schema: z.ZodType<T>,
  what: string,
  remedy = REMEDY,
  problemOf: (raw: object) => string | null = () => null,
): T | null {
  const text = readRegularFile(path);
  if (text === null) return null;
  let raw: object;
  let parsed: T;
  try {
    raw = JSON.parse(text);
    parsed = schema.parse(raw);
  } catch {
    throw new InputError("bad_gate_file", `${path}: not ${what}`, remedy);
  }
  const problem = problemOf(raw);
  if (problem === null) return parsed;
  throw new InputError("bad_gate_file", `${path}: ${problem}`, remedy);
}

/** The text of a file; null if it does not exist. Anything else, such as a named pipe, is an error at once: reading it could block forever. */
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
    throw new InputError("not_a_file", `${path}: not a regular file`, "Move it away.");
  } catch (cause) {
    throw cause instanceof InputError ? cause : fileError(cause, path);
  } finally {
    closeSync(file);
  }
}

/** Appends to the history, which is never rewritten. */
export async function recordGateEvents(
  workspace: Pick<Workspace, "paths">,
  events: readonly GateEvent[],
): Promise<void> {
  makeGateFolder(workspace);
  const log = new LineLog(gatePaths(workspace).history);
  try {
    log.append(events.map((event) => JSON.stringify(event)));
  } finally {
    await log.close();
  }
}

/** All events of the gate, oldest first. */
export async function* readGateHistory(workspace: Pick<Workspace, "paths">): AsyncGenerator<GateEvent> {
  const { history } = gatePaths(workspace);
  if (!existsSync(history)) return;
  for await (const lines of readLines(history)) {
    for (const line of lines) {
      if (!line.ended) continue;
      yield parseGateEvent(line.text, `${history}, line ${line.number}`);
    }
  }
}

/** The kill switch: null while gates may be open. A closure that cannot be read still closes. */
export function readClosure(workspace: Pick<Workspace, "paths">): Closure | null {
  const { closed } = gatePaths(workspace);
  try {
    const closure = readJson(closed, closureSchema, "a closure");
    // A dangling link still closes: its target is gone, but the intent to close is not.
    if (closure !== null || lstatSync(closed, { throwIfNoEntry: false }) === undefined) return closure;
  } catch {
    // Handled below.
  }
  return { since: "unknown", reason: `${closed} cannot be read` };
}

/** Closes every gate, even on a full disk: the reserved file is renamed, which takes no space. Returns what else could not be done; null: nothing. */
export async function closeGates(
  workspace: Pick<Workspace, "paths">,
  closure: Closure,
  actor?: string,
): Promise<string | null> {
  const { closed, reserve } = gatePaths(workspace);
  makeGateFolder(workspace);
  try {
    writeFileAtomic(closed, `${JSON.stringify(closure, null, 2)}\n`);
  } catch (cause) {
    if (!takeReserve(reserve, closed, closure) && readClosure(workspace) === null) throw cause;
  }
  try {
    await recordGateEvents(workspace, [closedEvent(closure, actor)]);
    return null;
  } catch (cause) {
    if (cause instanceof DefensibleError) return cause.message;
    throw cause;
  }
}

export async function openGates(
  workspace: Pick<Workspace, "paths">,
  at: string,
  who?: { actor?: string; reason?: string | undefined },
): Promise<void> {
  const { closed } = gatePaths(workspace);
  // Recorded first, so that a gate is never opened without a trace.
  await recordGateEvents(workspace, [openedEvent(at, who)]);
  try {
    rmSync(closed, { force: true });
  } catch (cause) {
    throw fileError(cause, closed);
  }
  reserveClosure(workspace);
}

/** Block size of most file systems. */
const RESERVED_BYTES = 4096;

/** Reserves space for a closure while there is some. The reserve is itself a valid closure, for a disk that cannot even overwrite in place. */
function reserveClosure(workspace: Pick<Workspace, "paths">): void {
  const { reserve } = gatePaths(workspace);
  if (existsSync(reserve)) return;
  const reason = "Closed while the disk was full: the reason could not be written.";
  try {
    writeFileAtomic(reserve, padded({ since: "unknown", reason }));
  } catch {
    // On a full disk nothing can be reserved; any other write will fail and report it.
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
    // The content that is there closes too.
  }
  try {
    renameSync(reserve, closed);
    syncFolder(dirname(closed));
    return true;
  } catch {
    return false;
  }
}

/** Padded to the length of the reserved file, so that it is overwritten in place. */
function padded({ since, reason }: Closure): string {
  const text = (words: string) => JSON.stringify({ since, reason: words });
  let words = reason;
  while (Buffer.byteLength(text(words)) >= RESERVED_BYTES) words = words.slice(0, Math.floor(words.length * 0.9));
  const json = text(words);
  return `${json}${" ".repeat(RESERVED_BYTES - 1 - Buffer.byteLength(json))}\n`;
}

/** Runs `work` while no other process changes the gate. Reading needs no lock, because files are replaced atomically. */
export async function withGateLock<T>(workspace: Pick<Workspace, "paths">, work: () => Promise<T>): Promise<T> {
  makeGateFolder(workspace);
  const unlock = await waitForLock(gatePaths(workspace).lock, "the gate", 100);
  try {
    return await work();
  } finally {
    unlock();
  }
}

/**
 * The active gate, or null, with all current suspensions. A file that cannot be read, or was changed outside this program, is an error: routing
 * must continue neither without it nor with it.
 */
export function readGateInForce(workspace: Pick<Workspace, "paths">): GateInForce | null {
  const inForce = readJson(gatePaths(workspace).current, inForceSchema, "a gate", undefined, sealProblem);
  if (inForce === null) return null;
  return withStanding(inForce, readStanding(workspace));
}

/** Writes the suspensions, then the gate. Whatever is suspended in either is suspended. */
export function putInForce(
  workspace: Pick<Workspace, "paths">,
  { content_hash: _, signature: __, ...inForce }: GateInForce,
): void {
  writeStanding(workspace, standingAfter(inForce));
  writeFileAtomic(gatePaths(workspace).current, `${JSON.stringify(sealed(inForce), null, 2)}\n`);
  reserveClosure(workspace);
}

/** null: there was never an active gate here. An unreadable file is an error, because it may contain a suspension. */
export function readStanding(workspace: Pick<Workspace, "paths">): GateStanding | null {
  try {
    const read = readJson(gatePaths(workspace).state, standingSchema, "a list of suspensions");
    return read && standingOf(read);
  } catch (cause) {
    if (!(cause instanceof DefensibleError)) throw cause;
    throw new InputError(
      "bad_gate_state",
      cause.message,
      "Restore the file, or delete it: suspensions are then taken from the gate and its history. Nothing is automated until then.",
    );
  }
}

export function writeStanding(workspace: Pick<Workspace, "paths">, standing: GateStanding): void {
  makeGateFolder(workspace);
  writeFileAtomic(gatePaths(workspace).state, `${JSON.stringify(standingRecord(standing), null, 2)}\n`);
}

const WATCH_REMEDY =
  "Restore the file from a copy, or delete it: the next `defensible gate watch` then goes through all finished runs from the beginning. Suspensions are not lost: the active gate has them.";

export function readWatch(workspace: Pick<Workspace, "paths">): StoredWatch | null {
  return readJson(gatePaths(workspace).watch, storedWatchSchema, "the state of a watch", WATCH_REMEDY);
}

export function writeWatch(workspace: Pick<Workspace, "paths">, watch: StoredWatch): void {
  makeGateFolder(workspace);
  writeFileAtomic(gatePaths(workspace).watch, `${JSON.stringify(watch)}\n`);
}
