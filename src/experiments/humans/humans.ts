import { openAuditTable } from "../../analysis/audit-table.js";
import { verdictRows } from "../../analysis/labels/judgements.js";
import { Refusal } from "../../app/notices.js";
import { changedSince } from "../../app/report/run-report.js";
import type { Label } from "../../core/records/label.js";
import type { Tier } from "../../core/records/rule-set.js";
import type { ChangedPart } from "../../measures/report-page.js";
import { chosenRun, refuseArmsOnly } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import type { Added, SheetStore } from "../../store/ports.js";
import { canonicalRecord } from "../../store/records/normalise.js";
import { RECORD_KINDS } from "../../store/records/record-kinds.js";
import type { Scrub } from "../../text/scrub/scrub.js";
import { buildHumans } from "./build-humans.js";
import { RaterNames, RatingKeys, type ReadRatings, readRatings } from "./read-ratings.js";
import type { Humans, RatingKey } from "./result.js";
import { type Candidate, chooseCases } from "./run-sample.js";
import { contentCell, contentMark, type SheetCase, sheetCases } from "./sheet.js";

/** Why no sheet was drawn, or no rating imported or compared. `drawn`: the existing sheets. */
export type HumansRefusal =
  | { code: "changed_since_run"; run: string; texts: ChangedPart[] }
  | { code: "no_verdicts"; run: string }
  | { code: "nothing_rated"; files: readonly string[]; unrated: number }
  | { code: "two_sheets"; key: string; asked: string }
  | { code: "no_sheet" }
  | { code: "unknown_sheet"; sheet: string; drawn: string[]; wanted: "key" | "ratings" };

function refuse(why: HumansRefusal): never {
  throw new Refusal(why);
}

export interface DrawRequest {
  /** Default: the newest. */
  run?: string;
  /** Most cases to draw. */
  size: number;
  drawn: NonNullable<RatingKey["drawn"]>;
  /** Default: the workspace's. */
  seed?: number;
  /** Draw even if rules or precedents differ from those of the run. */
  anyway: boolean;
  /** Hides what raters must not see; null: nothing. */
  scrub: Scrub | null;
}

export interface DrawnSheet {
  /** Maps cases to decisions; not for raters. */
  key: RatingKey;
  cases: SheetCase[];
  /** How much of each rule they see: as much as the auditor of the run did. */
  tier: Tier;
  /** What has changed since the run. Raters see its present form. */
  changed: ChangedPart[];
}

/** Draws cases of a run for people to rate. Nothing is stored. */
export async function drawSheet(context: Context, request: DrawRequest): Promise<DrawnSheet> {
  const { runs, records, config } = context;
  const manifest = await chosenRun(runs, request.run);
  refuseArmsOnly(manifest);
  const { run_id, actions, tier } = manifest;
  const changed = await changedSince(records, manifest);
  const texts = changed.filter((part) => part !== "decisions");
  // Ratings under rules other than the auditor's say nothing about the auditor.
  if (texts.length > 0 && !request.anyway) refuse({ code: "changed_since_run", run: run_id, texts });
  const seed = request.seed ?? config.seed;
  const candidates = await withDuckDB(async (db) =>
    verdictRows<Candidate>(await openAuditTable(db, await runs.snapshot(run_id), { actions })),
  );
  const chosen = chooseCases(candidates, request.size, seed, request.drawn);
  if (chosen.cases.length === 0) refuse({ code: "no_verdicts", run: run_id });
  const now = context.now();
  const identity = { sheet_id: context.newId(now), run_id, seed, created_at: now.toISOString() };
  const drawn: RatingKey = { format: 1, ...identity, ...chosen };
  const cases = await sheetCases(records, drawn, { actions, tier, scrub: request.scrub });
  const marked = drawn.cases.map((one, i) => {
    const shown = cases[i]!;
    return { ...one, decision: shown.decision, content_mark: contentMark(contentCell(shown)) };
  });
  return { key: { ...drawn, cases: marked }, cases, tier, changed };
}

export interface ImportRequest {
  /** Ratings of this sheet only. */
  sheet?: string;
  /** The key of a sheet that was drawn elsewhere. */
  key?: RatingKey;
  /** The rater of rows that name none. */
  rater?: string;
  dryRun: boolean;
}

export interface ImportedRatings extends Pick<ReadRatings, "faults"> {
  imported: number;
  duplicate: number;
  /** The same rater rated the case differently before. */
  conflicting: number;
  unrated: number;
  raters: number;
  read: number;
}

/** Imports ratings as raters sent them back, and keeps them as labels. */
export async function importRatings(
  context: Pick<Context, "sheets" | "labels" | "imports" | "config">,
  files: readonly string[],
  { dryRun, ...request }: ImportRequest,
): Promise<ImportedRatings> {
  const names = new RaterNames();
  const keys = await chosenKeys(context.sheets, request);
  for await (const batch of context.labels.labels()) for (const { rater } of batch) if (rater) names.spelling(rater);
  const { rater } = request;
  const { labels, faults, empty } = await readRatings(files, keys, {
    ...(rater === undefined ? {} : { rater }),
    names,
  });
  if (labels.length === 0 && faults.length === 0) refuse({ code: "nothing_rated", files, unrated: empty });
  const { accepted, duplicate, conflict } = await addLabels(context, labels, dryRun);
  return {
    imported: accepted,
    duplicate,
    conflicting: conflict,
    unrated: empty,
    faults,
    raters: new Set(labels.map((label) => label.rater)).size,
    read: labels.length,
  };
}

async function addLabels(
  { imports, config }: Pick<Context, "imports" | "config">,
  labels: readonly Label[],
  dryRun: boolean,
): Promise<Added> {
  const counts: Added = { accepted: 0, duplicate: 0, conflict: 0 };
  const add = async () => {
    const store = await imports.open("labels", dryRun);
    for (const label of labels) {
      counts[store.add(canonicalRecord(RECORD_KINDS.labels.fields, label, config.actions))] += 1;
    }
    await store.close();
  };
  if (labels.length > 0) await (dryRun ? add() : imports.withImportLock(add));
  return counts;
}

async function chosenKeys(
  sheets: SheetStore,
  { key, sheet }: Pick<ImportRequest, "key" | "sheet">,
): Promise<RatingKeys> {
  if (key !== undefined) {
    if (sheet === undefined || sheet === key.sheet_id) return RatingKeys.of(key);
    refuse({ code: "two_sheets", key: key.sheet_id, asked: sheet });
  }
  const drawn = await sheets.list();
  const ids = drawn.filter((id) => sheet === undefined || id === sheet);
  if (ids.length > 0) return new RatingKeys(ids, (id) => sheets.key(id));
  if (drawn.length === 0) refuse({ code: "no_sheet" });
  refuse({ code: "unknown_sheet", sheet: sheet!, drawn, wanted: "key" });
}

export interface HumansRequest {
  /** Default: the sheet's own, else the newest. */
  run?: string;
  /** Ratings of this sheet only. */
  sheet?: string;
  /** Default: the workspace's. */
  seed?: number;
  draws: number;
}

/** Compares the existing ratings with the verdicts of a run. */
export async function compareHumans(context: Context, request: HumansRequest): Promise<Humans> {
  const { runs, sheets, config } = context;
  const drawn = await sheets.list();
  const { sheet, draws, seed = config.seed } = request;
  if (sheet !== undefined && !drawn.includes(sheet)) refuse({ code: "unknown_sheet", sheet, drawn, wanted: "ratings" });
  const labels: Label[] = [];
  for await (const batch of context.labels.labels()) {
    labels.push(...batch.filter((label) => sheet === undefined || label.sheet_id === sheet));
  }
  // Cases of several sheets are not a sample of one design.
  const rated = new Set(labels.flatMap(({ sheet_id }) => (typeof sheet_id === "string" ? [sheet_id] : [])));
  const [only] = rated.size === 1 ? rated : [];
  const key = only !== undefined && drawn.includes(only) ? await sheets.key(only) : null;
  const manifest = await chosenRun(runs, request.run ?? key?.run_id);
  const { run_id: runId, auditor, actions, weights } = manifest;
  // The sheet's weights apply to the run it was drawn from.
  const own = key?.run_id === runId ? key : null;
  return withDuckDB(async (db) => {
    const table = await openAuditTable(db, await runs.snapshot(runId), { actions });
    return buildHumans(table, { runId, auditor, weights, labels, key: own, seed, draws });
  });
}
