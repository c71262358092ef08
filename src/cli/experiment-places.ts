import { type Command, Option } from "commander";
import { auditFormat } from "../app/audit/audit-format.js";
import { type AuditsPlace, findAudits } from "../app/calibrate/load-scores.js";
import { InputError } from "../core/errors.js";
import type { Actions } from "../core/records/actions.js";
import type { Experiment } from "../core/results/experiment.js";
import { writeExperiment } from "../store/files/experiment-store.js";
import { fileStores } from "../store/files/stores.js";
import type { Workspace } from "../store/files/workspace.js";
import { printable } from "../text/printable.js";
import { type FigureOptions, withFigureOption } from "./figure-data.js";
import { actions, type CommonOptions, collect, withCommonOptions, workspaceOf } from "./options.js";
import { say } from "./output.js";
import type { PageOptions } from "./page.js";

export interface ExperimentFlags extends CommonOptions, PageOptions, FigureOptions {
  run?: string[];
  audits?: string[];
  actions?: Actions;
}

/** The flags of every experiment that analyses what there is. */
export function withAnalysisOptions(command: Command): Command {
  return withFigureOption(withCommonOptions(command))
    .option("--run <id>", "which run, or newest (default: the newest); may be given several times", collect)
    .option("--audits <file>", "an audits file instead of a workspace; may be given several times", collect)
    .option("--actions <positive,negative>", "with --audits: the two actions, the restricting one first", actions)
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp());
}

export interface ExperimentPlaces {
  /** Null with audits files. */
  workspace: Workspace | null;
  places: [AuditsPlace, ...AuditsPlace[]];
}

/** The audits that an experiment was asked to look at. */
export async function experimentPlaces(flags: ExperimentFlags): Promise<ExperimentPlaces> {
  const { run, audits } = flags;
  if (audits) {
    if (run) {
      throw new InputError("needs_workspace", "--run: needs a workspace; got --audits", "Leave out one of the two.");
    }
    const of = (path: string) =>
      findAudits(null, { file: { path, format: auditFormat(path) }, actions: flags.actions });
    return { workspace: null, places: await each(audits, of) };
  }
  if (flags.actions) {
    throw new InputError("needs_audits", "--actions: goes with --audits", "A run knows its own actions.");
  }
  const workspace = await workspaceOf(flags);
  const names = run ? [...new Set(run)] : [undefined];
  const places = await each(names, (name) =>
    findAudits(fileStores(workspace).runs, name === undefined ? {} : { run: name }),
  );
  return { workspace, places };
}

/** One after the other; flags that were given name at least one. */
async function each<T>(
  names: readonly T[],
  find: (name: T) => Promise<AuditsPlace>,
): Promise<ExperimentPlaces["places"]> {
  const [first, ...rest] = names as [T, ...T[]];
  const places: ExperimentPlaces["places"] = [await find(first)];
  for (const name of rest) places.push(await find(name));
  return places;
}

/** Keeps the result beside the workspace's others; of files there is nowhere to keep it. */
export function keep(workspace: Workspace | null, result: Experiment): void {
  if (workspace) say(`Kept as ${printable(writeExperiment(workspace, result))}`);
}
