import { InputError } from "../../core/errors.js";
import type { Manifest } from "../../core/records/manifest.js";
import { EXPERIMENT_COMMANDS } from "../../core/results/experiment.js";

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
