import { cpSync, existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { fileError } from "../../io/files.js";
import { acquireLock } from "../../io/lock.js";
import { type Line, LineLog, readLines } from "../../io/read-lines.js";
import { createWorkspace, type Workspace, workspacePaths } from "../../store/files/workspace.js";

/**
 * Proposals in a separate file, or in a new workspace with the same rules and precedents; never in the workspace they are for.
 * `foreign`: creates the error to throw if the new workspace has decisions that are not proposals.
 */
export function proposalFile(
  { into, out }: { into?: string; out?: string },
  workspace: Workspace,
  foreign: (file: string) => Error,
) {
  if ((into === undefined) === (out === undefined)) {
    throw new InputError(
      "no_target",
      "decide: expected one of --into DIR and --out FILE",
      "Say where the decisions go.",
    );
  }
  const name = out ?? join(into!, "decisions.jsonl");
  if ((into !== undefined && samePlace(into, workspace.root)) || samePlace(name, workspace.paths.decisions)) {
    throw new InputError(
      "same_workspace",
      `decide: ${into === undefined ? "--out is a file of" : "--into is"} the workspace itself`,
      "Name another place: the decisions that are there stay as they are.",
    );
  }
  const parquet = into === undefined ? null : join(into, "decisions.parquet");
  if (parquet !== null && existsSync(parquet)) throw foreign(parquet);
  return {
    name,
    lines: () => linesOf(name),
    async open() {
      if (into !== undefined) createAround(into, workspace);
      const unlock = acquireLock(`${name}.lock`, `the proposals in ${name}`);
      const log = new LineLog(name);
      return {
        append: (lines: readonly string[]) => void log.append(lines),
        async close() {
          await log.close();
          unlock();
        },
      };
    },
  };
}

async function* linesOf(path: string): AsyncGenerator<Line[]> {
  if (!existsSync(path)) return;
  try {
    yield* readLines(path);
  } catch (cause) {
    throw fileError(cause, path);
  }
}

function createAround(into: string, { config, paths }: Workspace): void {
  if (existsSync(workspacePaths(into).config)) return;
  const made = createWorkspace(into, { actions: config.actions });
  cpSync(paths.config, made.paths.config);
  cpSync(paths.rules, made.paths.rules, { recursive: true });
  if (existsSync(paths.precedents)) cpSync(paths.precedents, made.paths.precedents);
}

/** Whether two paths lead to the same place, however they are spelled. */
function samePlace(a: string, b: string): boolean {
  try {
    return realpathSync.native(a) === realpathSync.native(b);
  } catch {
    // A path that does not exist is not the same place as any other.
    return false;
  }
}
