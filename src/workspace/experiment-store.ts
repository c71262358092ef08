import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EXPERIMENT_KINDS, type Experiment, type ExperimentKind } from "../domain/experiment.js";
import { SCHEMAS, type SchemaName } from "../domain/schemas.js";
import { InputError } from "../errors.js";
import { writeFileAtomic } from "../ledger/files.js";
import type { Workspace } from "./workspace.js";

type Place = Pick<Workspace, "root">;

/** Where the newest result of an experiment is kept. */
export function experimentFile(workspace: Place, kind: ExperimentKind): string {
  return join(workspace.root, "experiments", `${kind}.json`);
}

/** Keeps the newest result of an experiment, for reports. */
export function writeExperiment(workspace: Place, result: Experiment): string {
  const file = experimentFile(workspace, result.experiment);
  mkdirSync(join(workspace.root, "experiments"), { recursive: true });
  writeFileAtomic(file, `${JSON.stringify(result)}\n`);
  return file;
}

/** The newest result of an experiment; null: it was never made. */
export function readExperiment(workspace: Place, kind: ExperimentKind): Experiment | null {
  const file = experimentFile(workspace, kind);
  if (!existsSync(file)) return null;
  try {
    const result: unknown = JSON.parse(readFileSync(file, "utf8"));
    // As it stands in the file: a schema drops what it does not know.
    if (SCHEMAS[schemaOf(kind)].safeParse(result).success) return result as Experiment;
  } catch {
    // Falls through to the sentence below.
  }
  throw new InputError(
    "damaged_experiment",
    `${file}: is not a result of experiment ${kind} as this version makes it`,
    "Run the experiment again (with --run it needs no new audits), or delete the file.",
  );
}

function schemaOf(kind: ExperimentKind): SchemaName {
  return kind === "diff" ? "rules_diff" : kind;
}

/** All results that a workspace keeps. */
export function readExperiments(workspace: Place): Partial<Record<ExperimentKind, Experiment>> {
  const found: Partial<Record<ExperimentKind, Experiment>> = {};
  for (const kind of EXPERIMENT_KINDS) {
    const result = readExperiment(workspace, kind);
    if (result) found[kind] = result;
  }
  return found;
}
