import { applyToColumns, type CalibrationModel } from "../calibration/calibration-model.js";
import type { CalibrationTarget, StoredCalibration } from "../domain/calibration.js";
import type { GateKey, Selective } from "../domain/gate.js";
import { cohortKey } from "../gate/cohort-key.js";
import { type ScoreFrontier, scoreFrontier } from "../gate/score-frontier.js";
import { areaUnderRiskCoverage } from "../gate/selective/aurc.js";
import { chooseThresholds, type ThresholdChoice } from "../gate/selective/choose-thresholds.js";
import { conformalRiskControl } from "../gate/selective/conformal-risk-control.js";
import { coverageAtRisk, REPORTED_RISKS } from "../gate/selective/coverage-at-risk.js";
import { riskCoverageCurve } from "../gate/selective/risk-coverage-curve.js";
import { groupScores } from "../gate/selective/score-groups.js";
import { selectGuaranteedRisk } from "../gate/selective/select-guaranteed-risk.js";
import { selectiveRecord } from "../gate/selective/selective-record.js";
import type { AuditTable } from "../ledger/audit-table.js";
import { readDecisionScores } from "../ledger/decision-scores.js";
import { readScoreColumns } from "../ledger/score-table.js";
import { TARGETS } from "../ledger/targets.js";
import type { GateSettings, SelectionReport } from "./gate-report.js";

export interface ScoreInputs {
  settings: GateSettings;
  passes: ReadonlySet<string>;
  /** Null: there is none that fits; the raw 1 − p(L3) is taken. */
  calibration: StoredCalibration | null;
  /** What table `targets` holds; null: nothing, the auditor's own level is taken. */
  target: CalibrationTarget | null;
  /** The run the gate is computed from. */
  runId: string | null;
}

export interface GateScores {
  selective: Selective;
  selection: SelectionReport;
  score_frontier: ScoreFrontier;
}

interface Rows {
  pds: Float64Array;
  score: Float64Array;
  /** The auditor's own verdict. */
  audited: Uint8Array;
  /** 1: level 3 by the labels; 255: no label. */
  indefensible: Uint8Array;
  positive: Uint8Array;
  community: Int32Array;
  communities: readonly string[];
}

const UNLABELLED = 255;

/** Automation inside the communities that pass, by score; and the paper's frontier over S. */
export async function buildGateScores(table: AuditTable, inputs: ScoreInputs): Promise<GateScores> {
  const { settings, calibration } = inputs;
  const rows = calibration ? await calibratedRows(table, calibration, inputs.target) : await rawRows(table);
  const passing = passingRows(rows, table.actions, settings.by, inputs.passes);
  const { risk, delta } = settings;
  const choice = chooseThresholds(passing, { risk, delta });
  const groups = groupScores(passing.score, passing.indefensible);
  const score = calibration ? "p_calibrated" : "p_defensible";
  const record = selectiveRecord(choice, score, calibration?.calibration_id ?? null);
  const target = calibration ? inputs.target : null;
  const labels = {
    kind: target?.kind ?? ("self" as const),
    source: target?.source ?? null,
    n: passing.score.length,
    circular: !target || target.kind === "self",
  };
  if (inputs.passes.size === 0) record.reason = "no community passes";
  return {
    selective: { ...record, labels },
    selection: {
      labels,
      rows: passing.score.length,
      automated: automatedBy(choice, passing),
      thresholds: { pooled: choice.pooled, by_community: choice.by_community },
      aurc: areaUnderRiskCoverage(groups),
      coverage_at_risk: REPORTED_RISKS.map((one) => coverageAtRisk(groups, { risk: one, delta })),
      curve: riskCoverageCurve(groups, 40),
      sgr: selectGuaranteedRisk(groups, { risk, delta }),
      conformal: conformalRiskControl(groups, { risk }),
      notes: notesOf(inputs, labels.circular),
    },
    score_frontier: scoreFrontier(rows.pds, rows.audited),
  };
}

async function calibratedRows(
  table: AuditTable,
  calibration: StoredCalibration,
  target: CalibrationTarget | null,
): Promise<Rows> {
  const columns = await readScoreColumns(table, target && target.kind !== "self" ? { targets: TARGETS } : {});
  const audited = columns.level.map((level) => (level === 3 ? 1 : 0));
  const { targetLevel, pds, positive, community, communities } = columns;
  const indefensible = targetLevel
    ? targetLevel.map((level) => (level === 0 ? UNLABELLED : level === 3 ? 1 : 0))
    : audited;
  const score = applyToColumns(calibration.model as CalibrationModel, columns);
  return { pds, score, audited, indefensible, positive, community, communities };
}

async function rawRows(table: AuditTable): Promise<Rows> {
  const { pds, pDefensible, indefensible, positive, cohort, cohorts } = await readDecisionScores(table, ["community"]);
  return {
    pds,
    score: pDefensible,
    audited: indefensible,
    indefensible,
    positive,
    community: cohort,
    communities: cohorts,
  };
}

/** Rows of the cohorts that pass and have a label. Cohorts by rule or language cannot be told from these columns: all rows are taken. */
function passingRows(
  rows: Rows,
  actions: AuditTable["actions"],
  by: readonly GateKey[],
  passes: ReadonlySet<string>,
): Omit<Rows, "pds" | "audited"> {
  const told = by.every((key) => key === "community" || key === "decision");
  const open = [actions.negative, actions.positive].map((decision) =>
    rows.communities.map(
      (community) => passes.size > 0 && (!told || passes.has(cohortKey(by, { community, decision }))),
    ),
  );
  const size = rows.score.length;
  const kept = {
    score: new Float64Array(size),
    indefensible: new Uint8Array(size),
    positive: new Uint8Array(size),
    community: new Int32Array(size),
  };
  let n = 0;
  for (let i = 0; i < size; i++) {
    const positive = rows.positive[i]!;
    const community = rows.community[i]!;
    const indefensible = rows.indefensible[i]!;
    if (!open[positive]![community] || indefensible === UNLABELLED) continue;
    kept.score[n] = rows.score[i]!;
    kept.indefensible[n] = indefensible;
    kept.positive[n] = positive;
    kept.community[n] = community;
    n++;
  }
  return {
    score: kept.score.subarray(0, n),
    indefensible: kept.indefensible.subarray(0, n),
    positive: kept.positive.subarray(0, n),
    community: kept.community.subarray(0, n),
    communities: rows.communities,
  };
}

/** Rows at or above the threshold of their community, or the pooled one. */
function automatedBy(choice: ThresholdChoice, rows: Omit<Rows, "pds" | "audited">): number {
  const thresholds = rows.communities.map((name) =>
    Object.hasOwn(choice.by_community, name) ? choice.by_community[name]!.threshold : choice.pooled.threshold,
  );
  let count = 0;
  for (let i = 0; i < rows.score.length; i++) {
    const threshold = thresholds[rows.community[i]!]!;
    if (threshold !== null && rows.score[i]! >= threshold) count++;
  }
  return count;
}

function notesOf({ calibration, runId, settings }: ScoreInputs, circular: boolean): string[] {
  const notes: string[] = [];
  if (!calibration) {
    notes.push(
      "There is no calibration for such audits, so the raw 1 − p(L3) is the score. `defensible route` automates nothing by it; `defensible calibrate` makes one.",
    );
  }
  if (circular) {
    notes.push(
      "The losses are the auditor's own level 3, which the same answer gave as the score: this is about the auditor's consistency, not about the truth. Labels by people make it mean something.",
    );
  } else if (calibration && calibration.evidence.run_id === runId) {
    notes.push("The calibration was fitted on the same run, so the risk on new decisions may be a little higher.");
  }
  if (settings.by.some((key) => key === "rule" || key === "language")) {
    notes.push("By rule or language, thresholds are set on all communities together.");
  }
  return notes;
}
