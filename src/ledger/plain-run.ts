import type { Manifest } from "../domain/manifest.js";
import { InputError } from "../errors.js";

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

/** The command that shows the result of an experiment's run again. */
const COMMANDS: Record<string, string> = {
  tiers: "rules tiers",
  scopes: "rules scopes",
  diff: "rules diff",
  dual: "experiment dual",
  stability: "stability",
  attack: "attack run FILE",
};

/** Refuses a run whose audits are all under arms, where the run as it stands is asked about. */
export function refuseArmsOnly({ run_id, experiment }: Manifest): void {
  if (!experiment || experiment.arms.some(({ name }) => name === "")) return;
  const command = COMMANDS[experiment.kind] ?? experiment.kind;
  throw new InputError(
    "experiment_run",
    `run ${run_id}: was made for experiment ${experiment.kind}, and all its audits are under its arms`,
    `\`defensible ${command} --run ${run_id}\` shows it; here name an ordinary run.`,
  );
}
