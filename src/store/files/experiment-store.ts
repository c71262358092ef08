import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Experiment, ExperimentKind, ExperimentResults } from "../../core/results/experiment.js";
import { writeFileAtomic } from "../../io/files.js";
import type { Workspace } from "./workspace.js";

type Place = Pick<Workspace, "paths">;

/** The file with the newest result of an experiment. */
export function experimentFile({ paths }: Place, kind: string): string {
  return join(paths.experiments, `${kind}.json`);
}

/** A file that an experiment stores between its steps; null: it does not exist. */
export function findStepFile({ paths }: Place, name: string): string | null {
  const file = join(paths.experiments, name);
  return existsSync(file) ? file : null;
}

export function writeStepFile({ paths }: Place, name: string, content: string): void {
  mkdirSync(paths.experiments, { recursive: true });
  writeFileAtomic(join(paths.experiments, name), content);
}

/** Stores the newest result of an experiment, for reports. */
export function writeExperiment(workspace: Place, result: Experiment): string {
  const file = experimentFile(workspace, result.experiment);
  mkdirSync(workspace.paths.experiments, { recursive: true });
  writeFileAtomic(file, `${JSON.stringify(result)}\n`);
  return file;
}

/** The newest result of an experiment; null if absent. */
export async function readExperiment<Kind extends ExperimentKind>(
  workspace: Place,
  kind: Kind,
): Promise<ExperimentResults[Kind] | null> {
  const file = experimentFile(workspace, kind);
  if (!existsSync(file)) return null;
  // Imported here because short commands do not need schemas.
  const { EXPERIMENTS } = await import("../../experiments/registry.js");
  try {
    const result: unknown = JSON.parse(readFileSync(file, "utf8"));
    // Returned as stored, because a schema would drop unknown members.
    const schema = (await EXPERIMENTS[kind]?.result())?.default;
    if (schema?.safeParse(result).success) return result as ExperimentResults[Kind];
  } catch {
    // Continues with the error below.
  }
  throw new InputError(
    "damaged_experiment",
    `${file}: is not a result of experiment ${kind} as this version makes it`,
    "Run the experiment again (with --run it needs no new audits), or delete the file.",
  );
}

export async function readExperiments(workspace: Place): Promise<Partial<ExperimentResults>> {
  if (!existsSync(workspace.paths.experiments)) return {};
  const { EXPERIMENTS } = await import("../../experiments/registry.js");
  const kept: [string, unknown][] = [];
  for (const kind of Object.keys(EXPERIMENTS))
    kept.push([kind, await readExperiment(workspace, kind as ExperimentKind)]);
  return Object.fromEntries(kept.filter(([, result]) => result !== null));
}
