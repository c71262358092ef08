import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { MoreColumn } from "../../analysis/audit-select.js";
import { type AuditInput, type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { GATE_EVIDENCE, gateEvidence, rulesetVersions } from "../../analysis/gate/evidence.js";
import { firstDecisions } from "../../analysis/gate/stream.js";
import { loadLabelSample } from "../../analysis/labels/label-sample.js";
import { SCORE_COLUMNS } from "../../analysis/score-table.js";
import { newRunId } from "../../audit/arms.js";
import type { CalibrationTarget, StoredCalibration } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import type { Evidence } from "../../core/gate.js";
import type { Actions } from "../../core/records/actions.js";
import type { LabelSample } from "../../core/records/label.js";
import type { Manifest } from "../../core/records/manifest.js";
import { calibrationFits } from "../../measures/calibration/calibration-model.js";
import type { GateLook as Look } from "../../measures/gate/adjustment.js";
import type { GateReport, GateSettings } from "../../measures/gate/gate-report.js";
import { newestFitting } from "../../store/calibrations.js";
import type { Context } from "../../store/context.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import type { CalibrationStore, GateStore, RecordsFile } from "../../store/ports.js";
import { otherLooks, readLooks } from "../../store/records/gate-event.js";
import { type GateNote, type GateWords, refuse } from "../notices.js";
import { knownRules } from "../report/build-report.js";
import { chooseTarget, type TargetPlaces } from "../report/choose-target.js";
import { buildGate, type GateInputs } from "./build-gate.js";
import { gateSpan } from "./gate-runs.js";

/** Options of a gate in addition to its settings. */
export interface GateRequest {
  settings: GateSettings;
  words: Pick<GateWords, "note">;
  look?: Look;
  /** Labels to use instead of the workspace's. */
  labels?: RecordsFile;
  holdout: { share: number; seed: number } | null;
  slices: readonly string[];
  calibration?: string;
  /** A watch follows and may suspend communities. */
  watch: boolean;
  now: string;
  /** The context's id generator, if there is a context. */
  newId?: Context["newId"];
}

/** The gate of an audits file or a list of audits; no workspace is read or written. */
export async function fileGate(
  source: AuditInput,
  actions: Actions | undefined,
  request: GateRequest,
  about: Pick<GateInputs, "run" | "rules" | "harmActions"> = {
    run: { run_id: null, source: basename(source.path), status: null },
    rules: [],
  },
): Promise<GateReport> {
  refuseDecisionSlices(request.slices);
  return withDuckDB(
    async (db) => {
      const table = await openAuditTable(db, source, {
        actions,
        also: ["thread_id", "decided_at", "ruleset_version", ...GATE_EVIDENCE],
      });
      const report = await buildGate(table, {
        ...common(request),
        ...about,
        evidence: { ...(await gateEvidence(table)), run_id: about.run.run_id },
        look: () => chosenLook(request, null),
        calibration: null,
        target: null,
        labels: await labelSample(table, request.labels ?? null, request, null),
        slices: { names: request.slices, decisions: null },
      });
      await nameRules(table, report);
      return report;
    },
    { ordered: false },
  );
}

/** Used in place of a run id: no label was drawn from it, so labels are weighted by their own sampling probabilities. */
const NO_SINGLE_RUN = "";

export interface RunGate {
  report: GateReport;
  /** Time of the earliest decision per community; loaded only if some may be suspended. */
  first: ReadonlyMap<string, string>;
  /** There were earlier looks at other data of this auditor and prompt. */
  lookedBefore: boolean;
}

export async function runGate(context: Context, manifest: Manifest, request: GateRequest): Promise<RunGate> {
  const evidence = evidenceOf(manifest);
  const calibration = await findCalibration(context.calibrations, evidence, request.calibration);
  const looks = await readLooks(context.gate.history());
  const asked = request.labels ?? null;
  const labels = asked ?? (await context.labels.snapshot());
  const joined = await gateSpan(context, manifest, request.settings);
  const source = joined?.source ?? (await context.runs.snapshot(manifest.run_id));
  // Labels drawn from one run are not a sample of the decisions of several.
  const frame = joined && joined.span.runs.length > 1 ? NO_SINGLE_RUN : manifest.run_id;
  const suspended = request.watch || (await mayBeSuspended(context.gate));
  const also: MoreColumn[] = ["thread_id", "decided_at", "ruleset_version", ...(calibration ? SCORE_COLUMNS : [])];
  if (suspended) also.push("created_at");
  let earlier = 0;
  return withDuckDB(
    async (db) => {
      const table = await openAuditTable(db, source, { actions: manifest.actions, also });
      const report = await buildGate(table, {
        ...common({ ...request, newId: context.newId }),
        run: { run_id: manifest.run_id, source: null, status: manifest.status },
        ...(joined ? { span: joined.span } : {}),
        evidence,
        rules: await knownRules(context.records),
        harmActions: context.config.harm?.actions,
        look: (data) => {
          earlier = otherLooks(looks, evidence, data);
          return chosenLook(request, earlier);
        },
        calibration,
        target: calibration
          ? await loadTarget(table, calibration, { stores: context, labels: asked, runId: frame })
          : null,
        labels: await labelSample(table, labels, request, frame),
        slices: { names: request.slices, decisions: await context.records.snapshot() },
      });
      await nameRules(table, report);
      const first = suspended ? await firstDecisions(table, request.settings.by) : new Map();
      return { report, first, lookedBefore: earlier > 0 };
    },
    { ordered: false },
  );
}

/** Adds to each community the rule versions it was audited under: there is no evidence for routing under other rules. */
async function nameRules(table: AuditTable, report: GateReport): Promise<void> {
  const versions = await rulesetVersions(table, report.by);
  for (const one of report.communities) one.ruleset_versions = versions.get(one.community) ?? [];
}

/** Whether anything is suspended, or may be (the gate cannot be read). */
async function mayBeSuspended(store: GateStore): Promise<boolean> {
  try {
    const gate = (await store.active())?.gate;
    const suspended = (await store.standing())?.suspended.size ?? 0;
    return suspended > 0 || (gate?.communities.some((one) => one.suspended) ?? false);
  } catch (cause) {
    if (cause instanceof InputError) return true;
    throw cause;
  }
}

function common({
  settings,
  words,
  holdout,
  now,
  newId = newRunId,
}: GateRequest): Pick<GateInputs, "settings" | "words" | "holdout" | "gateId" | "createdAt" | "hashOf"> {
  return {
    settings,
    words,
    holdout,
    gateId: newId(new Date(now)),
    createdAt: now,
    hashOf: (text) => createHash("sha256").update(text).digest("hex").slice(0, 16),
  };
}

function evidenceOf(manifest: Manifest): Evidence {
  const { run_id, auditor, auditor_version, prompt_version, template, signal, missing, tier } = manifest;
  const asked = { auditor, auditor_version, prompt_version, template, signal, ...(missing ? { missing } : {}) };
  return { run_id, ...asked, tier };
}

/**
 * A workspace's gate is recomputed as decisions arrive. The e-values are the same for one look and for many; the kind of look only decides
 * whether a fixed sequence is allowed.
 * `earlier`: looks at other data of the same auditor and prompt; null: no history to count them in.
 */
function chosenLook({ look }: GateRequest, earlier: number | null): { look: Look; why: GateNote } {
  if (look) return { look, why: { code: "look_asked_for" } };
  if (earlier === null) return { look: "once", why: { code: "look_at_a_file" } };
  return { look: "anytime", why: earlier === 0 ? { code: "look_first" } : { code: "look_again", earlier } };
}

async function findCalibration(
  calibrations: CalibrationStore,
  evidence: Evidence,
  asked: string | undefined,
): Promise<StoredCalibration | null> {
  if (asked === undefined) return newestFitting(await calibrations.list(), evidence);
  const calibration = await calibrations.read(asked);
  const mismatches = calibrationFits(calibration, evidence);
  if (!calibration.model || mismatches.length > 0) {
    const { calibration_id, model } = calibration;
    refuse({ code: "foreign_calibration", calibration_id, mismatches: model ? mismatches : null });
  }
  return calibration;
}

/** Loads the calibration's target, as far as this run has it. */
async function loadTarget(
  table: AuditTable,
  { target: { kind, source } }: StoredCalibration,
  places: TargetPlaces,
): Promise<CalibrationTarget | null> {
  const run = kind === "auditor" ? /^run (\S+)$/.exec(source ?? "")?.[1] : undefined;
  const chosen = await chooseTarget(table, kind === "auditor" ? { kind, run } : { kind }, places).catch(() => null);
  return chosen && chosen.target.kind !== "self" && chosen.target.n > 0 ? chosen.target : null;
}

/** How the human labels of these audits were drawn; null: no labels. */
async function labelSample(
  table: AuditTable,
  labels: RecordsFile | null,
  { settings, labels: asked }: GateRequest,
  runId: string | null,
): Promise<LabelSample | null> {
  const found = labels ? await loadLabelSample(table, labels, { source: "human", runId }) : null;
  const drawn = found?.sample.designs.some((one) => one.labels > 0) ?? false;
  if (drawn && (found!.n > 0 || !settings.judge_error)) return found!.sample;
  if (!settings.judge_error && asked === undefined) return null;
  refuse({ code: "no_labels", file: asked?.path ?? null, sample: drawn ? found!.sample : null });
}

function refuseDecisionSlices(names: readonly string[]): void {
  const [wrong] = names.filter((name) => name !== "language");
  if (wrong !== undefined) refuse({ code: "no_decisions", slice: wrong });
}
