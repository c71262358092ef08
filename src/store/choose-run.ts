import { InputError } from "../core/errors.js";
import { type ExperimentKind, isArmsOnly } from "../core/names.js";
import type { Manifest } from "../core/records/manifest.js";
import { compareText, nearestName } from "../core/text-checks.js";
import { commandOf } from "../experiments/registry.js";
import type { RunStore } from "./ports.js";

/** Undamaged runs of plain decisions, newest first. An experiment's run is analysed by its own command. */
export async function ordinaryRuns(runs: RunStore): Promise<Manifest[]> {
  return ownRuns((await runs.list()).filter((run) => run.experiment === undefined));
}

/** Excludes runs whose audits were sent by another tool, unless there are no others. */
export function ownRuns(runs: readonly Manifest[]): Manifest[] {
  const own = runs.filter((run) => run.selection.sent_by === undefined);
  return own.length > 0 ? own : [...runs];
}

interface RunSize {
  run_id: string;
  decisions: number;
}

export interface SmallRun {
  run: RunSize;
  fuller: RunSize;
}

/** Manifests of earlier builds only have the number of audits, not of decisions. */
const sizeOf = ({ run_id, decisions, counts, replicates }: Manifest): RunSize => ({
  run_id,
  decisions: decisions ?? Math.round(counts.planned / (replicates ?? 1)),
});

const AUDITED_BY = ["auditor", "template", "tier", "temperature", "signal"] as const satisfies (keyof Manifest)[];

/**
 * Whether a run covers a selection with less than half of the decisions of the largest finished run with the same auditor and settings. The run to
 * suggest instead is the newest with at least half. null: the run covers enough. A day of the live service does not count as a selection.
 */
export function smallerThanOthers(runs: readonly Manifest[], manifest: Manifest): SmallRun | null {
  if (Object.keys(manifest.selection).length === 0 || manifest.selection.live !== undefined) return null;
  const ordinary = ownRuns(runs.filter((run) => run.experiment === undefined));
  const alike = ordinary
    .filter((run) => run.status === "sealed" && AUDITED_BY.every((key) => run[key] === manifest[key]))
    .map(sizeOf);
  const enough = Math.max(0, ...alike.map(({ decisions }) => decisions)) / 2;
  const run = sizeOf(manifest);
  const fuller = run.decisions < enough && alike.find(({ decisions }) => decisions >= enough);
  return fuller ? { run, fuller } : null;
}

/** A run (default: the newest) that covers a small selection, and the run to suggest instead; null: it covers enough, or there are no runs. */
export async function smallRun(runs: RunStore, name?: string): Promise<SmallRun | null> {
  const run = await (name === undefined ? newestRun(runs) : namedRun(runs, name));
  return run ? smallerThanOthers(await runs.list(), run) : null;
}

/** The newest ordinary run, apart from `but`, with an audit of one of the decisions; null: there is no such run. */
export async function runThatAudited(
  runs: RunStore,
  decisions: { has(id: string): boolean },
  but: readonly (string | null)[],
): Promise<string | null> {
  for (const { run_id } of await ordinaryRuns(runs)) {
    if (but.includes(run_id)) continue;
    for await (const batch of runs.audits(run_id)) {
      if (batch.some(({ decision_id }) => decisions.has(decision_id))) return run_id;
    }
  }
  return null;
}

/** The newest ordinary run, if there is one. Fails if a damaged run may be newer, so that an older one is not used silently. */
export async function newestRun(runs: RunStore): Promise<Manifest | undefined> {
  const [newest] = await ordinaryRuns(runs);
  await refuseDamaged(runs, newest);
  return newest;
}

/** The run of that name (`namedRun`); without one, the newest ordinary run. */
export async function chosenRun(runs: RunStore, name = "newest"): Promise<Manifest> {
  return namedRun(runs, name);
}

/** The run with a given name: an id, a prefix or the last part of one, `newest`, or `newest~1`, the one before the newest ordinary run. */
export async function namedRun(runs: RunStore, name: string): Promise<Manifest> {
  const back = stepsBack(name);
  if (back !== null) return stepped(runs, await ordinaryRuns(runs), back);
  return runs.manifest(await runIdOf(runs, name));
}

/** The id of the run with this name, among undamaged and damaged runs. */
export async function runIdOf(runs: RunStore, name: string): Promise<string> {
  if (stepsBack(name) !== null) return (await namedRun(runs, name)).run_id;
  const ids = [...(await runs.list()).map((run) => run.run_id), ...(await runs.damaged())];
  if (ids.includes(name) || name === "") return name;
  const meant = ids.filter((id) => id.startsWith(name) || id.endsWith(`-${name}`));
  if (meant.length > 1) throw ambiguousRun(name, meant);
  if (meant.length === 0 && ids.length > 0) throw unknownRun(name, nearestName(name, ["newest", ...ids]));
  return meant[0] ?? name;
}

/** 0 for `newest`, 2 for `newest~2`, null for any other name. */
function stepsBack(name: string): number | null {
  const found = /^newest(?:~(\d{1,6}))?$/.exec(name);
  return found ? Number(found[1] ?? 0) : null;
}

async function stepped(runs: RunStore, among: readonly Manifest[], back: number): Promise<Manifest> {
  await refuseDamaged(runs, among[back] ?? among[0]);
  const [found, oldest] = [among[back], among.at(-1)];
  if (found) return found;
  if (!oldest) return noRuns(await runs.list());
  throw new InputError(
    "unknown_run",
    `run newest~${back}: the workspace has ${among.length === 1 ? "one run" : `${among.length} runs`}`,
    `The oldest is ${oldest.run_id}${among.length === 1 ? "" : `, newest~${among.length - 1}`}.`,
  );
}

function ambiguousRun(name: string, meant: readonly string[]): InputError {
  const shown = meant.slice(0, 5).join(", ");
  const more = meant.length > 5 ? ` and ${meant.length - 5} more` : "";
  return new InputError("ambiguous_run", `run: "${name}" is the name of several`, `Write more of it: ${shown}${more}.`);
}

/** The run of that name; for `newest`, the newest run of an experiment among those that fit. */
export async function chosenRunOf(
  runs: RunStore,
  kind: ExperimentKind,
  runId: string,
  fits: (run: Manifest) => boolean = () => true,
): Promise<Manifest> {
  const back = stepsBack(runId);
  if (back === null) return namedRun(runs, runId);
  const fitting = (await runs.list()).filter((run) => run.experiment?.kind === kind && fits(run));
  await refuseDamaged(runs, fitting[back]);
  if (fitting.length > 0) return stepped(runs, fitting, back);
  throw new InputError(
    "no_runs",
    `runs: the workspace has none of experiment ${kind}`,
    "Leave out --run to make one, or name a run: `defensible runs` lists what there is.",
  );
}

/** Damaged runs; if a run is given, only those that may be newer. */
export async function damagedSince(runs: RunStore, than?: Manifest): Promise<string[]> {
  return (await runs.damaged()).filter((name) => !than || mayBeNewer(name, than.run_id));
}

/** Fails if there are damaged runs or, if a run is given, damaged runs that may be newer. */
export async function refuseDamaged(runs: RunStore, than?: Manifest): Promise<void> {
  const [first, ...more] = (await damagedSince(runs, than)).reverse();
  if (first === undefined) return;
  const others = more.length > 0 ? ` (and ${more.length} more)` : "";
  throw new InputError(
    "damaged_run",
    `run ${first}${others}: its manifest.json cannot be read, so it is unknown whether it is the run that is meant`,
    `Restore the file, delete the run with \`defensible runs delete ${first}\`, or name another with --run.`,
  );
}

/** Run ids begin with their start time. Any other name does not show it. */
function mayBeNewer(name: string, than: string): boolean {
  const stamp = /^\d{8}T\d{6}Z(?=-)/;
  const [own, others] = [stamp.exec(name)?.[0], stamp.exec(than)?.[0]];
  return !own || !others || own >= others;
}

/** `meant`: the run that was probably intended. */
export function unknownRun(runId: string, meant: string | null = null): InputError {
  const remedy = "`defensible runs` lists what there is.";
  const guess = meant === null ? "" : `Did you mean ${meant}? `;
  return new InputError("unknown_run", `run: there is no run "${runId}"`, `${guess}${remedy}`);
}

export function sealedRun(runId: string): InputError {
  return new InputError("run_sealed", `run ${runId}: it is finished and sealed`, "Start another with --new.");
}

/** Sorts by start time, newest first. */
export function newestFirst(a: Manifest, b: Manifest): number {
  return compareText(b.created_at, a.created_at) || compareText(b.run_id, a.run_id);
}

/** Fails because there is no ordinary run, and lists the others. */
export function noRuns(all: readonly Manifest[]): never {
  const [experiment] = all.filter((run) => run.experiment !== undefined);
  if (!experiment) throw new InputError("no_runs", "runs: the workspace has none", "Run `defensible audit` first.");
  throw new InputError(
    "no_runs",
    `runs: the workspace has none but those of experiments (the newest, ${experiment.run_id}, is of ${experiment.experiment!.kind})`,
    "Run `defensible audit` first, or name a run with --run.",
  );
}

/** Rejects a run whose audits are all in arms, where a plain run is needed. */
export function refuseArmsOnly({ run_id, experiment }: Manifest): void {
  if (!experiment || !isArmsOnly(experiment)) return;
  throw new InputError(
    "experiment_run",
    `run ${run_id}: was made for experiment ${experiment.kind}, and all its audits are under its arms`,
    `\`defensible ${commandOf(experiment.kind)} --run ${run_id}\` shows it; here name an ordinary run.`,
  );
}
