import type { AuditsPlace } from "../../app/calibrate/load-scores.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { ExperimentKind } from "../../core/results/experiment.js";
import type { ExperimentResults } from "../../core/results/experiment-results.js";
import { readExperiment } from "../../store/files/experiment-store.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";

/** A kept result and the run it is of, or why it says nothing of the run asked about; both null: it was never made. */
export interface KeptEvidence<T> {
  found: { result: T; run: AuditsPlace & { manifest: Manifest } } | null;
  because: string | null;
}

/**
 * A kept result of the auditor that is asked about. Another auditor's shows nothing of this one, however good it is. `sameTier`: the text must be
 * the same too.
 */
export async function keptEvidence<Kind extends ExperimentKind>(
  workspace: Workspace | null,
  kind: Kind,
  { manifest }: Pick<AuditsPlace, "manifest">,
  { sameTier = false } = {},
): Promise<KeptEvidence<ExperimentResults[Kind]>> {
  const result = workspace && readExperiment(workspace, kind);
  if (!workspace || !result || !manifest) return { found: null, because: null };
  const ledger = fileStores(workspace).runs;
  const runs = (await ledger.list()).filter(({ run_id }) => result.runs.includes(run_id));
  // The newest first.
  runs.sort((a, b) => (a.run_id < b.run_id ? 1 : -1));
  const own = runs.find((run) => isOf(run, manifest, sameTier));
  if (own) {
    const { run_id, actions } = own;
    const run = { source: await ledger.snapshot(run_id), actions, label: `run ${run_id}`, manifest: own };
    return { found: { result, run }, because: null };
  }
  return { found: null, because: reason(kind, runs[0], manifest, sameTier) };
}

function isOf(run: Manifest, asked: Manifest, sameTier: boolean): boolean {
  return (
    run.auditor === asked.auditor &&
    run.auditor_version === asked.auditor_version &&
    (!sameTier || run.tier === asked.tier)
  );
}

function reason(kind: ExperimentKind, run: Manifest | undefined, asked: Manifest, sameTier: boolean): string {
  const kept = `the kept result of experiment ${kind}`;
  if (!run) return `${kept} is of files, or of runs that are gone, so that it is not known whose audits it is of`;
  const name = ({ auditor, auditor_version: version, tier }: Manifest) =>
    [
      `auditor ${auditor}`,
      ...(run.auditor === asked.auditor && run.auditor_version !== asked.auditor_version ? [`version ${version}`] : []),
      ...(sameTier && run.tier !== asked.tier ? [`under tier ${tier}`] : []),
    ].join(" ");
  return `${kept} is of run ${run.run_id} by ${name(run)}, and this run is by ${name(asked)}`;
}
