import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { InputError } from "../../core/errors.js";
import { fileError } from "../../io/files.js";
import { LineLog } from "../../io/line-log.js";
import { readLines } from "../../io/read-lines.js";
import { type GateEvent, parseGateEvent } from "../records/gate-event.js";
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

export function makeGateFolder(workspace: Pick<Workspace, "paths">): void {
  const { folder } = gatePaths(workspace);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw fileError(cause, folder);
  }
}

const REMEDY = "Restore the file, or make it anew with `defensible gate apply`.";

/** A file as its schema has it; null where there is none. `problemOf`: what else is wrong with what was read, in words that follow its path. */
export function readJson<T>(
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

/** Adds to the history, which is never rewritten. */
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

/** Everything that happened to the gate, oldest first. */
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
