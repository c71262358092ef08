import type { MoreColumn } from "../../analysis/audit-select.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import { PART_COLUMNS } from "../../analysis/score-parts.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { Report } from "../../core/results/report.js";
import type { ChangedPart } from "../../measures/report-page.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { AuditSource } from "../../store/ports.js";

/** Decisions that a page lists, unless somebody asks for another number. */
export const DEFAULT_DECISIONS = 2_000;

/** More do not fit into a file that can be mailed, however short they are. */
export const MOST_DECISIONS = 5_000;

/** What a page needs of the table of audits beside what a report does. */
export const PAGE_COLUMNS = ["thread_id", "decided_at", ...PART_COLUMNS] as const satisfies readonly MoreColumn[];

/** A report, and where what it was made from can be read. The table must have been opened with `PAGE_COLUMNS`. */
export interface PageSubject {
  report: Report;
  table: AuditTable;
  source: AuditSource;
  /** Null where the audits came from a file: contents, rules and labels are not known then. */
  workspace: Workspace | null;
  /** Of the run, where the audits are a run's: tells which precedents there were, and the weights of S. */
  manifest?: Pick<Manifest, "hashes" | "experiment" | "weights"> | null;
  /** What of the workspace is no longer as the run saw it; null where there is no run or no workspace. */
  changed: ChangedPart[] | null;
  /** Audits of the opposite decisions by the same auditor: where, and under which arm. */
  opposites: { source: AuditSource; arm: string } | null;
}
