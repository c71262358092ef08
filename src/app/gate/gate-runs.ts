import type { Config } from "../../core/config.js";
import type { Gate } from "../../core/gate.js";
import type { Manifest } from "../../core/records/manifest.js";
import { noRuns, refuseArmsOnly } from "../../store/choose-run.js";
import type { Obstacle } from "./gate-words.js";

export interface ChosenRun {
  manifest: Manifest;
  /** What keeps a gate of this run from coming into force by itself. */
  obstacles: Obstacle[];
}

/**
 * The run a gate is computed from: the one that is named, or the newest that is no experiment's; for a watch the newest that was audited as the gate it guards.
 * `runs`: newest first.
 */
export function chooseRun(
  runs: readonly Manifest[],
  config: Config,
  guarded: Gate | null,
  named: string | undefined,
): ChosenRun {
  const ordinary = runs.filter((run) => run.experiment === undefined);
  const like = guarded?.evidence && ordinary.find((run) => auditedLike(run, guarded.evidence!));
  const manifest = named && named !== "newest" ? runs.find((run) => run.run_id === named) : (like ?? ordinary[0]);
  if (!manifest) return noRuns(runs);
  refuseArmsOnly(manifest);
  const own = ordinary.find((run) => otherThanConfigured(run, config).length === 0);
  const differences = guarded ? [] : otherThanConfigured(manifest, config);
  const expected = guarded ? like : own;
  return {
    manifest,
    obstacles: [
      ...(manifest.experiment ? [{ code: "experiment" as const, kind: manifest.experiment.kind }] : []),
      ...differences,
      ...(differences.length === 0 && expected && expected.run_id !== manifest.run_id
        ? [{ code: "not_newest" as const, run: manifest.run_id }]
        : []),
      ...(manifest.status === "sealed" ? [] : [{ code: "not_finished" as const }]),
      ...(guarded || Object.keys(manifest.selection).length === 0 ? [] : [{ code: "selection" as const }]),
    ],
  };
}

/** Whether a run was audited as the audits behind a gate. An experiment's never was: its decisions may be chosen, or made up. */
export function auditedLike(
  run: Manifest,
  { auditor, template, tier, signal }: NonNullable<Gate["evidence"]>,
): boolean {
  if (run.experiment) return false;
  return run.auditor === auditor && run.template === template && run.tier === tier && run.signal === signal;
}

/** In what a run is another than the configuration would make. */
function otherThanConfigured(run: Manifest, config: Config): Obstacle[] {
  return (["auditor", "tier", "template", "temperature"] as const)
    .filter((name) => run[name] !== config[name])
    .map((name) => ({ code: "audited_otherwise", setting: name, value: run[name], configured: config[name] }));
}
