import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { countGapCells } from "../../analysis/gap-cells.js";
import { loadCohorts } from "../../analysis/load-cohorts.js";
import { loadTrueVerdicts, TRUTH_COLUMNS, type TruthSource } from "../../analysis/true-verdicts.js";
import type { AuditsPlace } from "../../app/calibrate/load-scores.js";
import { InputError } from "../../core/errors.js";
import type { GapColumn, GapExperiment } from "../../core/results/gap-experiment.js";
import { type Duck, withDuckDB } from "../../store/files/duckdb.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import { referencePlaces } from "../truth-places.js";
import { gapColumn } from "./gap-column.js";
import { gapExperiment } from "./gap-experiment.js";

export interface GapRequest {
  /** Runs or files, each with columns of its own. */
  places: readonly AuditsPlace[];
  /** Null: files only, without cohorts or truth. */
  workspace: Workspace | null;
  /** Columns of the table. Default: all decisions, then the cohorts of the workspace that are a part of them. */
  cohorts?: readonly string[];
  /** What a run's decisions are called where no cohort is; default "all decisions", which a run of a part must not be called. */
  wholeOf?: (place: AuditsPlace) => string;
}

/** Cohorts shown unasked. */
const SHOWN_COHORTS = 5;

/** The gap table, read from audits. */
export async function runGap(request: GapRequest): Promise<GapExperiment> {
  const columns: GapColumn[] = [];
  for (const place of request.places) {
    const more = await withDuckDB((db) => columnsOf(db, place, request), { ordered: false });
    columns.push(...more);
  }
  return gapExperiment(columns);
}

async function columnsOf(
  db: Duck,
  place: AuditsPlace,
  { workspace, cohorts: asked, places, wholeOf = () => "all decisions" }: GapRequest,
): Promise<GapColumn[]> {
  const table = await openAuditTable(db, place.source, { actions: place.actions, also: TRUTH_COLUMNS });
  const truth = workspace ? await loadTrueVerdicts(table, referencePlaces(workspace)) : null;
  const cohorts = workspace ? await loadCohorts(db, fileStores(workspace).cohorts) : [];
  refuseUnknown(cohorts, asked);
  const column = (cohort: string | null) =>
    readColumn(table, truth, place, cohort, places.length > 1 ? null : wholeOf(place));
  const columns: GapColumn[] = [];
  if (asked) {
    for (const cohort of asked) columns.push(await column(cohort));
    return columns;
  }
  const all = await column(null);
  for (const cohort of cohorts) {
    if (columns.length === SHOWN_COHORTS) break;
    const one = await column(cohort);
    // A cohort that is all of the run, or none of it, adds nothing.
    if (one.counts.attempted > 0 && one.counts.attempted < all.counts.attempted) columns.push(one);
  }
  return [all, ...columns];
}

async function readColumn(
  table: AuditTable,
  truth: TruthSource | null,
  { label, manifest }: AuditsPlace,
  cohort: string | null,
  /** Name of a run's decisions; null: there are several runs, and each is called by its label. */
  whole: string | null,
): Promise<GapColumn> {
  const parts = [whole === null ? label : null, cohort ?? whole];
  const name = parts.filter((part) => part !== null).join(", ");
  const cells = await countGapCells(table, { ...(cohort !== null && { cohort }), truth: truth !== null });
  const source = { name, run_id: manifest?.run_id ?? null, auditor: manifest?.auditor ?? null, cohort };
  return gapColumn(source, cells, truth);
}

function refuseUnknown(cohorts: readonly string[], asked: readonly string[] | undefined): void {
  const unknown = asked?.find((name) => !cohorts.includes(name));
  if (unknown === undefined) return;
  throw new InputError(
    "unknown_cohort",
    `cohort: there is no "${unknown}"; there ${cohorts.length === 1 ? "is" : "are"} ${cohorts.join(", ") || "none"}`,
    "`defensible cohort create` makes one.",
  );
}
