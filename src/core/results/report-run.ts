import type { Manifest } from "../records/manifest.js";

type OfManifest =
  | "status"
  | "created_at"
  | "auditor"
  | "auditor_version"
  | "prompt_version"
  | "template"
  | "tier"
  | "temperature"
  | "signal"
  | "samples"
  | "selection"
  | "actions";

/** What a report was made from: a run of a workspace, or a file of audits, of which little is known. */
export interface ReportRun extends Partial<Pick<Manifest, OfManifest>> {
  /** Null: a file. */
  run_id: string | null;
  /** Name of the file. */
  source?: string;
  /** Decisions that the run was to audit. */
  planned?: number;
  /** The only cohort that the report is about. */
  cohort?: string;
}
