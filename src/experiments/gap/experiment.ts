import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { loadCohorts } from "../../analysis/gate/cohorts.js";
import {
  countGapCells,
  loadTrueVerdicts,
  TRUTH_COLUMNS,
  type TruthSource,
} from "../../analysis/labels/true-verdicts.js";
import type { AuditsPlace } from "../../app/find-audits.js";
import { InputError } from "../../core/errors.js";
import type { Estimate } from "../../core/estimate.js";
import type { Figure, FigureRow } from "../../core/figure.js";
import type { RootCause } from "../../measures/metrics/disagreements.js";
import { leadingCause } from "../../present/figures/community-figures.js";
import { selectionText } from "../../present/report/report-document.js";
import { withinChance } from "../../present/words/experiment-words.js";
import { boundsRow, percent, points } from "../../present/words/numbers.js";
import { refuseArmsOnly } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { type Duck, withDuckDB } from "../../store/files/duckdb.js";
import { auditorNotes, keepResult, referencePlaces } from "../audits.js";
import type { Analysis } from "../slice.js";
import { type Step, type StepContext, withRun } from "../study/run/step.js";
import { gapDocument } from "./document.js";
import { gapColumn } from "./gap-column.js";
import type { GapColumn, GapExperiment } from "./result.js";

export const gap: Analysis<GapExperiment, { cohort?: string[] }> = {
  audits: "there",
  options: {
    "--cohort <name>": [
      "a cohort as a column of the table; may be given several times (default: all decisions, then the cohorts)",
      "several",
    ],
  },
  examples: [
    "defensible experiment gap",
    "defensible experiment gap --cohort random --cohort balanced --md=gap.md",
    "defensible experiment gap --audits a.parquet --audits b.csv --json",
  ],
  async run({ context, places, say }, { cohort }) {
    if (!context && cohort) {
      throw new InputError("needs_workspace", "--cohort: needs a workspace; got --audits", "Leave out --cohort.");
    }
    const cohorts = cohort && [...new Set(cohort)];
    const result = await runGap({ places, context, ...(cohorts && { cohorts }) });
    // An empty table must not replace a good one.
    const empty = result.columns.every(({ counts }) => counts.verdicts === 0);
    if (empty) say("There is no verdict to show; nothing was kept.");
    return keepResult(empty ? null : context, result);
  },
  document: gapDocument,
};

export const gapStep: Step = {
  name: "gap",
  title: "agreement against defensibility",
  needs: () => ["balanced", "random"],
  async run(context) {
    const [random, balanced] = [await columnOf(context, "random"), await columnOf(context, "balanced")];
    return { experiment: gapExperiment([random, balanced]), random, balanced };
  },
};

async function columnOf({ runs }: StepContext, name: "random" | "balanced"): Promise<GapColumn> {
  const place = await runs.get(name);
  const read = async (table: AuditTable) => {
    const truth = await loadTrueVerdicts(table, await referencePlaces(runs.context, place));
    const { run_id, auditor } = place.manifest!;
    const cells = await countGapCells(table, { truth: truth !== null });
    return gapColumn({ name, run_id, auditor, cohort: runs.cohorts[name] }, cells, truth);
  };
  return withRun(place, read, { also: TRUTH_COLUMNS });
}

export function gapFigures(columns: readonly GapColumn[]): Figure[] {
  return [gapBars(columns), causeBars(columns)];
}

function gapBars(columns: readonly GapColumn[]): Figure {
  const gaps = columns.flatMap(({ gap }) => (gap.di_minus_f1.estimate === null ? [] : [gap.di_minus_f1.estimate]));
  const against = columns.flatMap(({ gap: { di_minus_accuracy: gap } }) =>
    gap.estimate === null ? [] : [gap.estimate],
  );
  return {
    id: "gap",
    title:
      gaps.length === 0
        ? "No decision has a human label, so there is no gap to show"
        : `Defensibility − F1 is ${range(gaps)} and defensibility − accuracy ${range(against)}${columns.every(({ gap }) => withinChance(gap)) ? ", not statistically significant" : ""}`,
    mark: "bar",
    x: { field: "measure", label: "measure" },
    y: { field: "value", label: "share of decisions", format: "percent", domain: [0, 1] },
    // With several cohorts, colours distinguish them; with one, the measures.
    series: columns.length > 1 ? "cohort" : "measure",
    caption:
      "F1 at an agreement of DI: what F1 would be if decider and people agreed as often as decisions are defensible. Its distance to DI is arithmetic of rare actions, and not disagreement.",
    paper: "fig:agreement_gap",
    rows: columns.flatMap((column) => [
      bar(column.name, "F1", column.agreement.f1),
      bar(column.name, "accuracy", column.agreement.accuracy),
      bar(column.name, "Defensibility Index", column.defensibility_index),
      {
        cohort: column.name,
        measure: "F1 at an agreement of DI",
        value: column.imbalance.f1_at_di,
        lower: null,
        upper: null,
      },
    ]),
  };
}

/** "+33.0 pp", or "+33.0 pp to +46.6 pp". */
function range(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return points(low) === points(high) ? points(low) : `${points(low)} to ${points(high)}`;
}

function causeBars(columns: readonly GapColumn[]): Figure {
  const [first] = columns;
  return {
    id: "gap-causes",
    title: first ? causeTitle(first) : NO_DISAGREEMENTS,
    mark: "bar",
    x: { field: "cause", label: "cause of the disagreement" },
    y: { field: "value", label: "share of disagreements", format: "percent", domain: [0, 1] },
    // With several cohorts, colours distinguish them; with one, the causes.
    series: columns.length > 1 ? "cohort" : "cause",
    rows: columns.flatMap(({ name, root_causes: causes }) =>
      (["model_error", "policy_ambiguity", "implicit_norm"] as const).map((cause) => {
        const { cohort, value, lower, upper } = bar(name, "", causes[cause]);
        return { cohort: cohort!, cause, value: value!, lower: lower!, upper: upper! };
      }),
    ),
  };
}

const NO_DISAGREEMENTS = "There are no disagreements to explain";

const CAUSED: Readonly<Record<RootCause, string>> = {
  model_error: "are the decider's error",
  policy_ambiguity: "come from ambiguous rules",
  implicit_norm: "come from unwritten norms",
};

/** Names the most frequent cause, unless two are equally frequent. */
function causeTitle(column: GapColumn): string {
  const { root_causes: causes, name } = column;
  if (causes.model_error.estimate === null) return NO_DISAGREEMENTS;
  const leading = leadingCause(column);
  return leading
    ? `By the auditor's verdicts ${percent(causes[leading].estimate!)} of the disagreements in ${name} ${CAUSED[leading]}`
    : `By the auditor's verdicts no cause accounts for more of the disagreements in ${name} than the others`;
}

function bar(cohort: string, measure: string, estimate: Estimate): FigureRow {
  return { cohort, measure, value: estimate.estimate, ...boundsRow(estimate) };
}

/** The gap table of several cohorts, runs or files as one result. */
export function gapExperiment(columns: GapColumn[]): GapExperiment {
  const runs = [...new Set(columns.flatMap(({ run_id }) => (run_id === null ? [] : [run_id])))].sort();
  return {
    format: 1,
    experiment: "gap",
    runs,
    columns,
    figures: gapFigures(columns),
    warnings: [...auditorNotes(columns.map(({ auditor }) => auditor)), ...columns.flatMap(columnWarnings)],
  };
}

function columnWarnings({ name, counts, agreement, imbalance }: GapColumn): string[] {
  const warnings: string[] = [];
  if (counts.verdicts === 0) warnings.push(`${name}: no verdicts`);
  else if (agreement.n_labelled === 0) {
    warnings.push(`${name}: no decision has a human label, so that nothing can be said of agreement`);
  } else if (agreement.n_labelled < counts.verdicts) {
    warnings.push(
      `${name}: ${agreement.n_labelled} of ${counts.verdicts} verdicts have a human label; agreement is of these, the indices are of all`,
    );
  }
  if (imbalance.explains) warnings.push(`${name}: most of the gap to F1 is class imbalance`);
  return warnings;
}

export interface GapRequest {
  /** Runs or files, each with its own columns. */
  places: readonly AuditsPlace[];
  /** null: files only, without cohorts or truth. */
  context: Context | null;
  /** Columns of the table. Default: all decisions, then the workspace's cohorts that are a proper part of them. */
  cohorts?: readonly string[];
}

/** Cohorts shown by default. */
const SHOWN_COHORTS = 5;

export async function runGap(request: GapRequest): Promise<GapExperiment> {
  for (const { manifest } of request.places) if (manifest) refuseArmsOnly(manifest);
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
  { context, cohorts: asked, places }: GapRequest,
): Promise<GapColumn[]> {
  const table = await openAuditTable(db, place.source, { actions: place.actions, also: TRUTH_COLUMNS });
  const truth = context ? await loadTrueVerdicts(table, await referencePlaces(context, place)) : null;
  const cohorts = context ? await loadCohorts(db, context.cohorts) : [];
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
    // A cohort that includes all of the run, or none of it, adds nothing.
    if (one.counts.attempted > 0 && one.counts.attempted < all.counts.attempted) columns.push(one);
  }
  return [all, ...columns];
}

/** The name of a run's decisions: how they were selected, if they are only a part. */
function wholeOf({ manifest }: AuditsPlace): string {
  const selection = manifest?.selection ?? {};
  return Object.keys(selection).length === 0 ? "all decisions" : selectionText(selection);
}

async function readColumn(
  table: AuditTable,
  truth: TruthSource | null,
  { label, manifest }: AuditsPlace,
  cohort: string | null,
  /** Name of a run's decisions; null: there are several runs, each named by its label. */
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
