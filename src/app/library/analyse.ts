import { fromRows, openAuditTable } from "../../analysis/audit-table.js";
import { oneAuditor } from "../../analysis/gate/evidence.js";
import type { NewCalibration, TargetKind } from "../../core/calibration.js";
import type { Config, GateConfig } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import type { Audit } from "../../core/records/audit.js";
import type { Label } from "../../core/records/label.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { Report } from "../../core/results/report.js";
import type { GateLook } from "../../measures/gate/adjustment.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import type { Context } from "../../store/context.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { explainIssue } from "../../store/records/fits.js";
import { sealed } from "../../store/records/suspensions.js";
import { buildCalibration, type CalibrationRequest } from "../calibrate/build-calibration.js";
import { fileGate } from "../gate/gate-run.js";
import { gateSettings } from "../gate/gate-settings.js";
import { buildReport, newestRules } from "../report/build-report.js";
import { loadScores } from "../report/choose-target.js";
import { bad, type LibraryWords, libraryGateSchema } from "./options.js";

/** What analyses need in addition to the audits. */
export interface AnalysisSubject {
  actions: Actions;
  ruleSets: readonly RuleSet[];
  gate: GateConfig | undefined;
  harm: Config["harm"];
  words: LibraryWords;
  seed: number;
  now: Context["now"];
  newId: Context["newId"];
}

/** An audit, or another tool's row with the first five fields of an audit. */
export type AuditRow = Audit | (Pick<Audit, "decision_id" | "community" | "decision" | "level" | "inverse"> & object);

/** Settings of a gate over several runs; they do not apply to a list of audits. */
type OverRuns = "window_days" | "since";

export interface GateOptions extends Omit<GateConfig, OverRuns> {
  /** Share of the decisions that certifies what the rest chose. Default: no holdout. */
  holdout?: number;
  /** In mode `certified`: one declared look (default), or any number. */
  look?: GateLook;
}

export interface CalibrateOptions {
  /** Default `auto`: the best of all methods by cross-validation. */
  method?: CalibrationRequest["method"];
  component?: CalibrationRequest["component"];
  /** Which labels. Default: the first of human, gold and auditor with enough of them. */
  target?: "auto" | Exclude<TargetKind, "auditor"> | "auditor";
  /** Share of the rows to measure on instead of fitting. */
  holdout?: number;
  seed?: number;
  draws?: number;
  name?: string;
}

/** Every number of `defensible report` that audits alone determine. */
export async function reportOf(audits: readonly AuditRow[], subject: AnalysisSubject): Promise<Report> {
  const { actions, ruleSets } = subject;
  return withDuckDB(
    async (db) => {
      const table = await openAuditTable(db, fromRows(audits), { actions, also: ["auditor"] });
      const auditor = await oneAuditor(table);
      return buildReport(table, {
        run: { run_id: runOf(audits), ...(auditor === null ? {} : { auditor }) },
        rules: newestRules(ruleSets),
        hasCohorts: false,
      });
    },
    { ordered: false },
  );
}

/** The result of `defensible gate --audits` for these audits. Activates nothing. */
export async function gateOf(
  audits: readonly AuditRow[],
  { holdout, look, ...choices }: GateOptions,
  subject: AnalysisSubject,
): Promise<GateReport> {
  const parsed = libraryGateSchema.safeParse(choices);
  if (!parsed.success) {
    const { path, reason } = explainIssue(parsed.error.issues[0]!, choices);
    throw bad(`gate${path.length > 0 ? `.${path.join(".")}` : ""}: ${reason}`, "docs/gate.md explains the settings.");
  }
  const { actions, ruleSets, seed, now, newId } = subject;
  const request = {
    settings: gateSettings({}, { ...subject.gate, ...parsed.data, window_days: undefined, since: undefined }),
    ...(look ? { look } : {}),
    holdout: holdout === undefined ? null : { share: holdout, seed },
    slices: [],
    words: subject.words.gate,
    watch: false,
    now: now().toISOString(),
    newId,
  };
  const about = {
    run: { run_id: runOf(audits), source: null, status: null },
    rules: newestRules(ruleSets),
    harmActions: subject.harm?.actions,
  };
  return sealed(await fileGate(fromRows(audits), actions, request, about));
}

/** The result of `defensible calibrate` for these audits and labels. Throws if nothing can be fitted. */
export async function calibrationOf(
  audits: readonly AuditRow[],
  labels: readonly LabelRow[],
  options: CalibrateOptions,
  { actions, now, words }: AnalysisSubject,
): Promise<NewCalibration> {
  const { method = "auto", component = "h_w", target = "auto", seed = 1, draws = 200, holdout, name = null } = options;
  const runId = runOf(audits);
  const label = runId === null ? "the list" : `run ${runId}`;
  const place = { source: fromRows(audits), actions, label, manifest: null };
  const file = { path: "the list", format: "jsonl" as const, rows: labels };
  const loaded = await loadScores(place, { kind: target }, { stores: null, labels: file, runId });
  if (!loaded || loaded.target.n === 0) {
    throw new InputError(
      "no_target",
      `calibrate: no verdict of these audits has a label${target === "auto" ? "" : ` of kind ${target}`}`,
      "A label has the decision_id of an audit, a level and a source (human, gold or auditor).",
    );
  }
  const outcome = buildCalibration(loaded, null, {
    words: words.calibration,
    method,
    component,
    seed,
    draws,
    holdout: holdout ?? null,
    name,
    createdAt: now().toISOString(),
  });
  if (outcome.refused) {
    throw new InputError(
      "cannot_calibrate",
      `calibrate: ${outcome.reason}`,
      "More labels of both classes, or another target, would help.",
    );
  }
  return outcome.calibration;
}

/** A judgement of a decision's defensibility. Default source: human. */
export type LabelRow = Pick<Label, "decision_id" | "level"> &
  Partial<Pick<Label, "inverse" | "rater" | "source" | "rated_at" | "drawn" | "inclusion" | "stratum" | "frame">>;

/** The run that all audits belong to; null: no run, or several. */
function runOf(audits: readonly AuditRow[]): string | null {
  const run = (audits[0] as Partial<Audit> | undefined)?.run_id;
  return run && audits.every((audit) => (audit as Partial<Audit>).run_id === run) ? run : null;
}
