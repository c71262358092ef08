import { InputError } from "../core/errors.js";
import type { Manifest } from "../core/records/manifest.js";
import { EXPERIMENT_COMMANDS, type ExperimentKind } from "../core/results/experiment.js";
import type { RunStore } from "./ports.js";

/** Sound runs that audit decisions as they stand, newest first: an experiment's run is analysed by its own command. */
export async function ordinaryRuns(runs: RunStore): Promise<Manifest[]> {
  return (await runs.list()).filter((run) => run.experiment === undefined);
}

/** The newest ordinary run, if there is one. Refuses while a damaged run may be newer: an older one must not be taken for it without a word. */
export async function newestRun(runs: RunStore): Promise<Manifest | undefined> {
  const [newest] = await ordinaryRuns(runs);
  await refuseDamaged(runs, newest);
  return newest;
}

/** The run of that name; without one, or with "newest", the newest ordinary run. */
export async function chosenRun(runs: RunStore, runId = "newest"): Promise<Manifest> {
  const manifest = runId === "newest" ? await newestRun(runs) : await runs.manifest(runId);
  return manifest ?? noRuns(await runs.list());
}

/** The run of that name; with "newest" the newest run of an experiment, of those that fit. */
export async function chosenRunOf(
  runs: RunStore,
  kind: ExperimentKind,
  runId: string,
  fits: (run: Manifest) => boolean = () => true,
): Promise<Manifest> {
  if (runId !== "newest") return runs.manifest(runId);
  const newest = (await runs.list()).find((run) => run.experiment?.kind === kind && fits(run));
  await refuseDamaged(runs, newest);
  if (newest) return newest;
  throw new InputError(
    "no_runs",
    `runs: the workspace has none of experiment ${kind}`,
    "Leave out --run to make one, or name a run: `defensible runs` lists what there is.",
  );
}

/** Damaged runs; where a run is given, those that may be newer. */
export async function damagedSince(runs: RunStore, than?: Manifest): Promise<string[]> {
  return (await runs.damaged()).filter((name) => !than || mayBeNewer(name, than.run_id));
}

/** Refuses if there are damaged runs, or where a run is given, if there are such that may be newer. */
export async function refuseDamaged(runs: RunStore, than?: Manifest): Promise<void> {
  const [first, ...more] = (await damagedSince(runs, than)).reverse();
  if (first === undefined) return;
  const others = more.length > 0 ? ` (and ${more.length} more)` : "";
  throw new InputError(
    "damaged_run",
    `run ${first}${others}: its manifest.json cannot be read, so that nobody knows whether it is the run that is meant`,
    `Restore the file, delete the run with \`defensible runs delete ${first}\`, or name another with --run.`,
  );
}

/** Ids of runs begin with the time of their start; another name says nothing of it. */
function mayBeNewer(name: string, than: string): boolean {
  const stamp = /^\d{8}T\d{6}Z(?=-)/;
  const [own, others] = [stamp.exec(name)?.[0], stamp.exec(than)?.[0]];
  return !own || !others || own >= others;
}

export function unknownRun(runId: string): InputError {
  return new InputError("unknown_run", `run: there is no run "${runId}"`, "`defensible runs` lists what there is.");
}

export function sealedRun(runId: string): InputError {
  return new InputError("run_sealed", `run ${runId}: it is finished and sealed`, "Start another with --new.");
}

/** By the time of their start, newest first. */
export function newestFirst(a: Manifest, b: Manifest): number {
  return compare(b.created_at, a.created_at) || compare(b.run_id, a.run_id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Says that there is no ordinary run, and which others there are. */
export function noRuns(all: readonly Manifest[]): never {
  const [experiment] = all.filter((run) => run.experiment !== undefined);
  if (!experiment) throw new InputError("no_runs", "runs: the workspace has none", "Run `defensible audit` first.");
  throw new InputError(
    "no_runs",
    `runs: the workspace has none but those of experiments (the newest, ${experiment.run_id}, is of ${experiment.experiment!.kind})`,
    "Run `defensible audit` first, or name a run with --run.",
  );
}

/** Refuses a run whose audits are all under arms, where the run as it stands is asked about. */
export function refuseArmsOnly({ run_id, experiment }: Manifest): void {
  if (!experiment || experiment.arms.some(({ name }) => name === "")) return;
  throw new InputError(
    "experiment_run",
    `run ${run_id}: was made for experiment ${experiment.kind}, and all its audits are under its arms`,
    `\`defensible ${EXPERIMENT_COMMANDS[experiment.kind]} --run ${run_id}\` shows it; here name an ordinary run.`,
  );
}
