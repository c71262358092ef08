import { basename } from "node:path";
import type { AuditInput } from "../analysis/audit-table.js";
import { InputError } from "../core/errors.js";
import type { Actions } from "../core/records/actions.js";
import type { Manifest } from "../core/records/manifest.js";
import { chosenRun } from "../store/choose-run.js";
import type { RecordsFile, RunStore } from "../store/ports.js";

/** Audits to look at. */
export interface AuditsPlace {
  source: AuditInput;
  actions?: Actions;
  /** "run X" or the name of a file. */
  label: string;
  /** Null for a file. */
  manifest: Manifest | null;
}

/** Audits that are named: a run (default: the newest) or a file. */
export interface NamedAudits {
  run?: string;
  file?: RecordsFile;
  actions?: Actions;
}

/** A run (default: the newest), or a file; `runs` null: there is only the file. */
export async function findAudits(runs: RunStore | null, { run, file, actions }: NamedAudits): Promise<AuditsPlace> {
  if (file) return { source: { ...file, own: false }, actions, label: basename(file.path), manifest: null };
  if (!runs) throw new InputError("no_workspace", "workspace: none", "Name a file of audits.");
  const manifest = await chosenRun(runs, run);
  return {
    source: await runs.snapshot(manifest.run_id),
    actions: manifest.actions,
    label: `run ${manifest.run_id}`,
    manifest,
  };
}
