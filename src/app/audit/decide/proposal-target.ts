import { cpSync, existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { Decision } from "../../../core/records/decision.js";
import { fileError } from "../../../io/files.js";
import { readLines } from "../../../io/read-lines.js";
import { createWorkspace, type Workspace } from "../../../store/files/workspace.js";

/** Where proposals go. */
export interface ProposalTarget {
  file: string;
  /** Makes the new workspace around the file, where one is asked for and not there yet. */
  create(): void;
}

/** A file of proposals alone, or a workspace with the same rules and precedents; never the workspace they are about. */
export function proposalTarget(
  { into, out }: { into?: string; out?: string },
  workspace: Workspace,
  decider: string,
): ProposalTarget {
  if ((into === undefined) === (out === undefined)) {
    throw new InputError(
      "no_target",
      "decide: expected one of --into DIR and --out FILE",
      "Say where the decisions go.",
    );
  }
  const file = out ?? join(into!, "decisions.jsonl");
  if ((into !== undefined && samePlace(into, workspace.root)) || samePlace(file, workspace.paths.decisions)) {
    throw new InputError(
      "same_workspace",
      `decide: ${into === undefined ? "--out is a file of" : "--into is"} the workspace itself`,
      "Name another place: the decisions that are there stay as they are.",
    );
  }
  if (into === undefined) return { file, create: () => {} };
  const parquet = join(into, "decisions.parquet");
  if (existsSync(parquet)) throw otherDecider(parquet, "somebody else", decider);
  return { file, create: () => createAround(into, workspace) };
}

/**
 * Ids of the proposals that are there. A file of anybody else's is refused: it would be mixed, and nobody could tell later. So is one with
 * more proposals of a decision than are asked for. Fewer are not: answers that name no action are not counted.
 */
export async function proposalsIn(file: string, decider: string, replicates: number): Promise<Set<string>> {
  const ids = new Set<string>();
  if (!existsSync(file)) return ids;
  try {
    for await (const lines of readLines(file)) {
      for (const { text, ended } of lines) {
        let record: Partial<Decision> | null = null;
        try {
          record = JSON.parse(text) as Partial<Decision> | null;
        } catch {
          // Torn when a process was killed; it is cut off before anything is written behind it.
          if (!ended && text.startsWith("{")) continue;
        }
        if (typeof record?.id !== "string") {
          throw new InputError("no_proposals", `decide: ${file} is no file of proposals`, "Name another with --out.");
        }
        const by = record.decider?.kind === "model" ? record.decider.id : null;
        if (by !== decider) throw otherDecider(file, record.decider?.id ?? "somebody else", decider);
        const proposals = Object.values(record.decider?.replicates ?? {}).reduce((sum, count) => sum + count, 0);
        if (replicates > 1 && proposals > replicates) throw otherReplicates(file, proposals, replicates);
        if (ended) ids.add(record.id);
      }
    }
  } catch (cause) {
    throw fileError(cause, file);
  }
  return ids;
}

function otherDecider(file: string, there: string, decider: string): InputError {
  return new InputError(
    "other_decider",
    `decide: ${file} has decisions by ${there}, and the decider is ${decider}`,
    "Name another folder with --into, or another file with --out; what is there stays as it is.",
  );
}

function otherReplicates(file: string, there: number, asked: number): InputError {
  return new InputError(
    "other_replicates",
    `decide: ${file} has decisions with ${there} proposals, and --replicates is ${asked}: its flips are those of other proposals`,
    `Repeat it with the --replicates that the file was made with, at least ${there}, or name another place.`,
  );
}

function createAround(into: string, { config, paths }: Workspace): void {
  if (existsSync(join(into, "defensible.yaml"))) return;
  const made = createWorkspace(into, { actions: config.actions });
  cpSync(paths.config, made.paths.config);
  cpSync(paths.rules, made.paths.rules, { recursive: true });
  if (existsSync(paths.precedents)) cpSync(paths.precedents, made.paths.precedents);
}

/** Whether two paths lead to the same place, however they are spelt. */
function samePlace(a: string, b: string): boolean {
  try {
    return realpathSync.native(a) === realpathSync.native(b);
  } catch {
    // What does not exist is nowhere yet.
    return false;
  }
}
