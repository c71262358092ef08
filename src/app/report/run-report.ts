import type { MoreColumn } from "../../analysis/audit-select.js";
import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { loadCohorts } from "../../analysis/gate/cohorts.js";
import {
  judgedPairs,
  keepCohort,
  loadGold,
  loadHumanLabels,
  loadRunJudgements,
  verdictCells,
} from "../../analysis/labels/judgements.js";
import { hashList, OPPOSITE_ARM } from "../../audit/arms.js";
import { auditSettings } from "../../core/names.js";
import type { Precedent } from "../../core/records/decision.js";
import type { LabelSample } from "../../core/records/label.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { Report } from "../../core/results/report.js";
import { runOfLabels } from "../../measures/metrics/label-sample.js";
import { CHANGED_PARTS, type ChangedPart } from "../../measures/report-page.js";
import { newestToShow } from "../../store/calibrations.js";
import { chosenRun, refuseArmsOnly } from "../../store/choose-run.js";
import type { Context, Stores } from "../../store/context.js";
import type { Duck } from "../../store/files/duckdb.js";
import type { AuditSource, RecordStore, RunStore } from "../../store/ports.js";
import { REASON_COLUMNS, statedReasons } from "../evidence/stated-reasons.js";
import { gateFindings } from "../gate/build-gate-findings.js";
import { type GateWords, Refusal } from "../notices.js";
import { realisedRisk } from "../outcomes/realised-risk.js";
import { buildReport, knownRules, type ReportInputs, type ReportSubject } from "./build-report.js";

export interface RunReportOptions {
  run?: string;
  cohort?: string;
  against?: string;
  /** Without `against`: measure the auditor against human labels, if there are any of a known design. */
  labelled?: boolean;
  /** Extra columns to read. */
  also?: readonly MoreColumn[];
  /** Wording for the gate's findings beyond counts; absent: they are not computed. `also` must include `FINDING_COLUMNS`. */
  findings?: GateWords | undefined;
}

/** Columns of the audit table that the gate's findings need. */
export const FINDING_COLUMNS = ["thread_id", "decided_at"] as const satisfies readonly MoreColumn[];

export type ReportRefusal =
  | { code: "unknown_cohort"; cohort: string; known: string[] }
  | { code: "no_design"; sample: LabelSample }
  /** `labelled`: another run whose verdicts have labels. */
  | { code: "no_judgements"; against: "gold" | "human"; run: string; labelled: string | null };

function refuse(why: ReportRefusal): never {
  throw new Refusal(why);
}

export async function runReport(db: Duck, context: Context, options: RunReportOptions): Promise<ReportSubject> {
  const { runs } = context;
  const manifest = await chosenRun(runs, options.run);
  refuseArmsOnly(manifest);
  const source = await runs.snapshot(manifest.run_id);
  // The engine reads while the rules are parsed.
  const [table, rules] = await both(
    openAuditTable(db, source, {
      actions: manifest.actions,
      also: [...REASON_COLUMNS, ...(options.also ?? [])],
    }),
    knownRules(context.records),
  );
  const cohorts = await loadCohorts(db, context.cohorts);
  if (options.cohort) {
    if (!cohorts.includes(options.cohort)) {
      refuse({ code: "unknown_cohort", cohort: options.cohort, known: cohorts });
    }
    await keepCohort(table, options.cohort);
  }
  const against = options.against
    ? await judgements(table, context, manifest.run_id, options.against)
    : options.labelled
      ? await labelsIfAny(table, context, manifest.run_id)
      : undefined;
  const { run_id, status, created_at } = manifest;
  const run = { run_id, status, created_at, ...auditSettings(manifest) };
  // These apply to whole runs only.
  const governed = options.cohort ? {} : { ...(await governance(context, manifest)), ...(await experiments(context)) };
  // Reasons are compared on their own connection while the engine counts: appending on a connection ends the queries in progress on it.
  const comparing = db.alongside((other) => statedReasons({ ...table, db: other }, context));
  const building = buildReport(table, {
    run: {
      ...run,
      ...(manifest.samples === undefined ? {} : { samples: manifest.samples }),
      planned: manifest.counts.planned,
      selection: manifest.selection,
      actions: manifest.actions,
      ...(options.cohort ? { cohort: options.cohort } : {}),
    },
    rules,
    hasCohorts: cohorts.length > 0,
    reasons: comparing,
    against,
    governance: governed,
  });
  const [, report] = await both(comparing, building);
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

/** Waits for both, even if one fails: nothing may use the engine once it is closed. */
async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === "rejected") throw a.reason;
  if (b.status === "rejected") throw b.reason;
  return [a.value, b.value];
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

/** undefined: there are no labels, or no labels of a known design. */
async function labelsIfAny(
  table: AuditTable,
  stores: Stores,
  runId: string,
): Promise<NonNullable<ReportInputs["against"]> | undefined> {
  try {
    return await judgements(table, stores, runId, "human");
  } catch (cause) {
    if (cause instanceof Refusal && /^no_(judgements|design)$/.test((cause.why as ReportRefusal).code))
      return undefined;
    throw cause;
  }
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
    const { run_id } = await chosenRun(runs, target);
    await loadRunJudgements(table, await runs.snapshot(run_id));
  }
  const pairs = await judgedPairs(table);
  if (design?.weighted === null && design.designs.some(({ labels }) => labels > 0)) {
    refuse({ code: "no_design", sample: design });
  }
  if (pairs.length === 0 && (target === "gold" || target === "human")) {
    const known = new Set((await runs.list()).map(({ run_id }) => run_id));
    const labelled = design && runOfLabels(design, (id) => id !== runId && known.has(id));
    refuse({ code: "no_judgements", against: target, run: runId, labelled: labelled ?? null });
  }
  return { target, pairs, ...(design ? { sample: { design, population: await verdictCells(table) } } : {}) };
}

/** The newest run that audited the opposites of a run's decisions, if it has the same auditor. */
export async function findOpposites(
  runs: RunStore,
  manifest: Manifest,
): Promise<{ source: AuditSource; arm: string } | null> {
  const same = ["auditor", "auditor_version", "prompt_version", "tier", "template"] as const;
  const run = (await runs.list()).find(
    (one) => one.experiment?.kind === "dual" && same.every((name) => one[name] === manifest[name]),
  );
  return run ? { source: await runs.snapshot(run.run_id), arm: OPPOSITE_ARM.name } : null;
}

/**
 * What has changed since the run. Decisions count as changed if any was added, except for a live run: there they keep arriving, and stored
 * decisions never change. For audits of another tool it is unknown what they were made under, so the list is empty.
 */
export async function changedSince(
  records: RecordStore,
  { hashes, selection }: Pick<Manifest, "hashes" | "selection">,
): Promise<ChangedPart[]> {
  if (selection.sent_by !== undefined) return [];
  const now = await hashesNow(records);
  const arrives = selection.live !== undefined;
  return CHANGED_PARTS.filter((name) => now[name] !== hashes[name] && !(arrives && name === "decisions"));
}

/** The hashes that the manifest of a run made now would have. */
export async function hashesNow(records: RecordStore): Promise<Manifest["hashes"]> {
  const rules = (await records.rules()).map(({ set }) => set);
  const precedents: Precedent[] = [];
  for await (const batch of records.precedents()) precedents.push(...batch);
  return { rules: hashList(rules), precedents: hashList(precedents), decisions: await records.hash() };
}
