import type { MoreColumn } from "../../analysis/audit-select.js";
import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { judgedPairs, loadGold, loadHumanLabels, loadRunJudgements, verdictCells } from "../../analysis/judgements.js";
import { loadCohorts } from "../../analysis/load-cohorts.js";
import { keepCohort } from "../../analysis/verdict-rows.js";
import { hashList } from "../../audit/identity.js";
import { InputError } from "../../core/errors.js";
import { auditSettings } from "../../core/names.js";
import type { Precedent } from "../../core/records/decision.js";
import type { LabelSample } from "../../core/records/label.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { Report } from "../../core/results/report.js";
import { FIRST_LABELS, labelNotes, runOfLabels } from "../../measures/metrics/label-sample.js";
import { CHANGED_PARTS, type ChangedPart } from "../../measures/report-page.js";
import { newestToShow } from "../../store/calibrations.js";
import { chosenRun, refuseArmsOnly } from "../../store/choose-run.js";
import type { Context, Stores } from "../../store/context.js";
import type { Duck } from "../../store/files/duckdb.js";
import type { AuditSource, RecordStore } from "../../store/ports.js";
import { gateFindings } from "../gate/build-gate-findings.js";
import type { GateWords } from "../gate/gate-words.js";
import { realisedRisk } from "../outcomes/realised-risk.js";
import { buildReport, knownRules, type ReportInputs } from "./build-report.js";

export interface RunReportOptions {
  run?: string;
  cohort?: string;
  against?: string;
  /** Columns that are read beside those of a report. */
  also?: readonly MoreColumn[];
  /** Words for what the gate finds beyond counts; absent: that is not computed. `also` must have `FINDING_COLUMNS`. */
  findings?: GateWords | undefined;
}

/** What the gate's findings need of the table of audits. */
export const FINDING_COLUMNS = ["thread_id", "decided_at"] as const satisfies readonly MoreColumn[];

/** A report, and the audits it was made from. */
export interface ReportSubject {
  report: Report;
  table: AuditTable;
  source: AuditSource;
  /** Null where the audits came from a file. */
  manifest: Manifest | null;
  /** Null where the audits came from a file. */
  context: Context | null;
}

/** The report on a run. */
export async function runReport(db: Duck, context: Context, options: RunReportOptions): Promise<ReportSubject> {
  const { runs } = context;
  const manifest = await chosenRun(runs, options.run);
  refuseArmsOnly(manifest);
  const source = await runs.snapshot(manifest.run_id);
  const table = await openAuditTable(db, source, { actions: manifest.actions, also: options.also });
  const cohorts = await loadCohorts(db, context.cohorts);
  if (options.cohort) {
    if (!cohorts.includes(options.cohort)) {
      throw new InputError(
        "unknown_cohort",
        `cohort: there is no "${options.cohort}"; there ${cohorts.length === 1 ? "is" : "are"} ${cohorts.join(", ") || "none"}`,
        "`defensible cohort create` makes one.",
      );
    }
    await keepCohort(table, options.cohort);
  }
  const against = options.against ? await judgements(table, context, manifest.run_id, options.against) : undefined;
  const { run_id, status, created_at } = manifest;
  const run = { run_id, status, created_at, ...auditSettings(manifest) };
  const report = await buildReport(table, {
    run: {
      ...run,
      ...(manifest.samples === undefined ? {} : { samples: manifest.samples }),
      planned: manifest.counts.planned,
      selection: manifest.selection,
      actions: manifest.actions,
      ...(options.cohort ? { cohort: options.cohort } : {}),
    },
    rules: await knownRules(context.records),
    hasCohorts: cohorts.length > 0,
    against,
    // All of these are about whole runs.
    governance: options.cohort ? {} : { ...(await governance(context, manifest)), ...(await experiments(context)) },
  });
  if (options.findings && !options.cohort) {
    const findings = await gateFindings(table, context, {
      runId: manifest.run_id,
      gate: report.gate,
      words: options.findings,
    });
    report.gate_findings = findings as object as NonNullable<Report["gate_findings"]>;
  }
  const realised = options.cohort ? null : await realisedRisk(context);
  if (realised) report.realised_risk = realised;
  return { report, table, source, manifest, context };
}

async function experiments({ experiments: kept }: Stores): Promise<Pick<Report, "stability" | "experiments">> {
  const { stability, ...others } = await kept.all();
  return {
    ...(stability ? { stability } : {}),
    ...(Object.keys(others).length > 0 ? { experiments: others } : {}),
  };
}

async function governance(stores: Stores, manifest: Manifest): Promise<Pick<Report, "calibration" | "gate">> {
  const calibration = newestToShow(await stores.calibrations.list(), manifest);
  const gate = (await stores.gate.active())?.gate;
  const closed = await stores.gate.closure();
  return {
    ...(calibration ? { calibration } : {}),
    ...(gate && !gate.span && gate.evidence?.run_id === manifest.run_id
      ? { gate: { ...gate, ...(closed ? { closed } : {}) } }
      : {}),
  };
}

async function judgements(
  table: AuditTable,
  { runs, records, labels }: Stores,
  runId: string,
  target: string,
): Promise<NonNullable<ReportInputs["against"]>> {
  let design: LabelSample | null = null;
  if (target === "gold") {
    await loadGold(table, await records.snapshot());
  } else if (target === "human") design = await loadHumanLabels(table, await labels.snapshot(), runId);
  else {
    await runs.manifest(target);
    await loadRunJudgements(table, await runs.snapshot(target));
  }
  const pairs = await judgedPairs(table);
  if (design?.weighted === null && design.designs.some(({ labels }) => labels > 0)) {
    throw new InputError(
      "no_design",
      `--against human: ${labelNotes(design).join("; ")}`,
      "`defensible humans sample` draws cases of this run to rate.",
    );
  }
  if (pairs.length === 0 && (target === "gold" || target === "human")) {
    const known = new Set((await runs.list()).map(({ run_id }) => run_id));
    const labelled = design && runOfLabels(design, (id) => id !== runId && known.has(id));
    if (labelled) {
      throw new InputError(
        "no_judgements",
        `--against human: no verdict of run ${runId} has a label; run ${labelled} has them`,
        `\`defensible report --against human --run ${labelled}\` reports on that run. \`defensible humans sample --random 60 --out sheet\` draws decisions of this one to rate.`,
      );
    }
    throw new InputError(
      "no_judgements",
      `--against ${target}: no verdict of this run has ${target === "gold" ? "a gold annotation" : "a label of defensibility by a rater"}`,
      target === "gold"
        ? "Gold annotations are the `gold` field of decisions (docs/formats.md). For people's labels of defensibility (`defensible import labels.jsonl --as labels`) there is `--against human`."
        : `${FIRST_LABELS} For the \`gold\` field of decisions there is \`--against gold\`. A decision's human_label is the moderator's action, not a label of defensibility.`,
    );
  }
  return { target, pairs, ...(design ? { sample: { design, population: await verdictCells(table) } } : {}) };
}

/** What is no longer as the run saw it. Decisions count as changed when any was added. */
export async function changedSince(records: RecordStore, { hashes }: Pick<Manifest, "hashes">): Promise<ChangedPart[]> {
  const now = await hashesNow(records);
  return CHANGED_PARTS.filter((name) => now[name] !== hashes[name]);
}

/** Hashes of what a run is made with, as the manifest of one that is made now would have them. */
export async function hashesNow(records: RecordStore): Promise<Manifest["hashes"]> {
  const rules = (await records.rules()).map(({ set }) => set);
  const precedents: Precedent[] = [];
  for await (const batch of records.precedents()) precedents.push(...batch);
  return { rules: hashList(rules), precedents: hashList(precedents), decisions: await records.hash() };
}
