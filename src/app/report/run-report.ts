import type { MoreColumn } from "../../analysis/audit-select.js";
import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { judgedPairs, loadGold, loadHumanLabels, loadRunJudgements, verdictCells } from "../../analysis/judgements.js";
import { loadCohorts } from "../../analysis/load-cohorts.js";
import { keepCohort } from "../../analysis/verdict-rows.js";
import { hashFiles, hashList } from "../../audit/identity.js";
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
import { listCalibrations } from "../../store/files/calibration-store.js";
import type { Duck } from "../../store/files/duckdb.js";
import { readExperiments } from "../../store/files/experiment-store.js";
import { readGateInForce } from "../../store/files/gate-store.js";
import { readClosure } from "../../store/files/gate-switch.js";
import { loadRuleSets } from "../../store/files/rule-files.js";
import { fileContext, fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { AuditSource, RunStore } from "../../store/ports.js";
import { gateFindings } from "../gate/build-gate-findings.js";
import type { GateWords } from "../gate/gate-words.js";
import { realisedRisk } from "../outcomes/realised-risk.js";
import { buildReport, newestRules, type ReportInputs } from "./build-report.js";

export interface RunReportOptions {
  run?: string;
  cohort?: string;
  against?: string;
  /** Columns that are read beside those of a report. */
  also?: readonly MoreColumn[];
  /** Words for what the gate finds beyond counts; absent: that is not computed. `also` must have `FINDING_COLUMNS`. */
  findings?: GateWords | undefined;
  /** Default: the clock. */
  now?: () => Date;
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
  workspace: Workspace | null;
}

/** The report on a run of a workspace. */
export async function runReport(db: Duck, workspace: Workspace, options: RunReportOptions): Promise<ReportSubject> {
  const ledger = fileStores(workspace).runs;
  const manifest = await chosenRun(ledger, options.run);
  refuseArmsOnly(manifest);
  const source = await ledger.snapshot(manifest.run_id);
  const table = await openAuditTable(db, source, { actions: manifest.actions, also: options.also });
  const cohorts = await loadCohorts(db, fileStores(workspace).cohorts);
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
  const against = options.against
    ? await judgements(table, workspace, ledger, manifest.run_id, options.against)
    : undefined;
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
    rules: newestRules(loadRuleSets(workspace).map(({ set }) => set)),
    hasCohorts: cohorts.length > 0,
    against,
    // All of these are about whole runs.
    governance: options.cohort ? {} : { ...governance(workspace, manifest), ...(await experiments(workspace)) },
  });
  if (options.findings && !options.cohort) {
    const findings = await gateFindings(table, {
      workspace,
      runId: manifest.run_id,
      gate: report.gate,
      words: options.findings,
    });
    report.gate_findings = findings as object as NonNullable<Report["gate_findings"]>;
  }
  const realised = options.cohort ? null : await realisedRisk(fileContext(workspace, options.now));
  if (realised) report.realised_risk = realised;
  return { report, table, source, manifest, workspace };
}

async function experiments(workspace: Workspace): Promise<Pick<Report, "stability" | "experiments">> {
  const { stability, ...others } = await readExperiments(workspace);
  return {
    ...(stability ? { stability } : {}),
    ...(Object.keys(others).length > 0 ? { experiments: others } : {}),
  };
}

function governance(workspace: Workspace, manifest: Manifest): Pick<Report, "calibration" | "gate"> {
  const calibration = newestToShow(listCalibrations(workspace), manifest);
  const gate = readGateInForce(workspace)?.gate;
  const closed = readClosure(workspace);
  return {
    ...(calibration ? { calibration } : {}),
    ...(gate && !gate.span && gate.evidence?.run_id === manifest.run_id
      ? { gate: { ...gate, ...(closed ? { closed } : {}) } }
      : {}),
  };
}

async function judgements(
  table: AuditTable,
  workspace: Workspace,
  ledger: RunStore,
  runId: string,
  target: string,
): Promise<NonNullable<ReportInputs["against"]>> {
  let design: LabelSample | null = null;
  if (target === "gold") {
    await loadGold(table, { jsonl: workspace.paths.decisions, parquet: workspace.paths.decisionsParquet });
  } else if (target === "human") design = await loadHumanLabels(table, workspace.paths.labels, runId);
  else {
    await ledger.manifest(target);
    await loadRunJudgements(table, await ledger.snapshot(target));
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
    const runs = new Set((await ledger.list()).map(({ run_id }) => run_id));
    const labelled = design && runOfLabels(design, (id) => id !== runId && runs.has(id));
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

/** What of the workspace is no longer as the run saw it. Decisions count as changed when any was added. */
export async function changedSince(workspace: Workspace, { hashes }: Pick<Manifest, "hashes">): Promise<ChangedPart[]> {
  const now = await hashesNow(workspace);
  return CHANGED_PARTS.filter((name) => now[name] !== hashes[name]);
}

/** Hashes of what a run is made with, as the manifest of one that is made now would have them. */
export async function hashesNow(workspace: Workspace): Promise<Manifest["hashes"]> {
  const rules = loadRuleSets(workspace).map(({ set }) => set);
  const precedents: Precedent[] = [];
  for await (const batch of fileStores(workspace).records.precedents()) precedents.push(...batch);
  return {
    rules: hashList(rules),
    precedents: hashList(precedents),
    decisions: await hashFiles([workspace.paths.decisions, workspace.paths.decisionsParquet]),
  };
}
