import type { HeldOut } from "../../analysis/audit-cells.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import { readDecisionScores } from "../../analysis/decision-scores.js";
import { TARGETS } from "../../analysis/labels/targets.js";
import { readScoreColumns } from "../../analysis/score-table.js";
import type { CalibrationTarget, StoredCalibration } from "../../core/calibration.js";
import type { GateKey } from "../../core/gate.js";
import { applyToColumns, type CalibrationModel } from "../../measures/calibration/calibration-model.js";
import { cohortKey } from "../../measures/gate/route/reasons.js";
import type { SelectiveRows, ThresholdChoice, ThresholdSet } from "../../measures/gate/selective/choose-thresholds.js";

/** The scored verdicts that thresholds are about. */
interface ScoreRows {
  pds: Float64Array;
  score: Float64Array;
  /** The auditor's own verdict. */
  audited: Uint8Array;
  /** 1: level 3 by the labels; `UNLABELLED`: no label. */
  indefensible: Uint8Array;
  positive: Uint8Array;
  /** Of labels that were drawn with unequal chances. */
  weight?: Float64Array | undefined;
  /** 1: had no part in choosing communities. */
  heldOut: Uint8Array;
  community: Int32Array;
  communities: readonly string[];
}

const UNLABELLED = 255;

/** With the calibrated score, and losses by what the calibration was fitted against. */
export async function calibratedRows(
  table: AuditTable,
  heldOut: HeldOut,
  calibration: StoredCalibration,
  target: CalibrationTarget | null,
): Promise<ScoreRows> {
  const targets = target && target.kind !== "self" ? { targets: TARGETS } : {};
  const columns = await readScoreColumns(table, { ...targets, heldOut });
  const audited = columns.level.map((level) => (level === 3 ? 1 : 0));
  const { targetLevel, targetWeight: weight, pds, positive, community, communities } = columns;
  const indefensible = targetLevel
    ? targetLevel.map((level) => (level === 0 ? UNLABELLED : level === 3 ? 1 : 0))
    : audited;
  const score = applyToColumns(calibration.model as CalibrationModel, columns);
  const held = columns.heldOut ?? new Uint8Array(columns.n);
  return { pds, score, audited, indefensible, positive, weight, heldOut: held, community, communities };
}

/** With the raw 1 − p(L3), and losses by the auditor's own level. */
export async function rawRows(table: AuditTable, heldOut: HeldOut): Promise<ScoreRows> {
  const scores = await readDecisionScores(table, ["community"], heldOut);
  const { pds, pDefensible: score, indefensible, positive, cohort: community, cohorts: communities } = scores;
  return {
    pds,
    score,
    audited: indefensible,
    indefensible,
    positive,
    heldOut: scores.heldOut,
    community,
    communities,
  };
}

/** Whether decisions of a community belong to it: by action (0: the other one, 1: the restricting one), then by community. */
export type Open = readonly (readonly boolean[])[];

/** Cohorts by rule or language are not in the columns, and neither are more than two actions. */
export function toldApart(by: readonly GateKey[], actions: AuditTable["actions"]): boolean {
  return by.every((key) => key === "community" || (key === "decision" && !actions.all));
}

export function openCohorts(
  { communities }: ScoreRows,
  actions: AuditTable["actions"],
  by: readonly GateKey[],
  keys: ReadonlySet<string>,
): Open {
  return [actions.negative, actions.positive].map((decision) =>
    communities.map((community) =>
      toldApart(by, actions) ? keys.has(cohortKey(by, { community, decision })) : keys.size > 0,
    ),
  );
}

/** Communities that pass and were not chosen. */
export function withheldFrom(rows: ScoreRows, passing: Open, chosen: Open) {
  const names = (action: number) => rows.communities.filter((_, i) => passing[action]![i] && !chosen[action]![i]);
  return { other: names(0), restricting: names(1) };
}

type CertifyingRows = Required<Omit<SelectiveRows, "weight">> & Pick<SelectiveRows, "weight">;

/** Labelled rows of the chosen, of the part that did not choose them or of all. */
export function certifyingRows(rows: ScoreRows, chosen: Open, heldOutOnly: boolean): CertifyingRows {
  const size = rows.score.length;
  const score = new Float64Array(size);
  const indefensible = new Uint8Array(size);
  const positive = new Uint8Array(size);
  const community = new Int32Array(size);
  const weight = new Float64Array(rows.weight ? size : 0);
  let n = 0;
  for (let i = 0; i < size; i++) {
    const of = rows.community[i]!;
    if (heldOutOnly && rows.heldOut[i] === 0) continue;
    if (rows.indefensible[i] === UNLABELLED || !chosen[rows.positive[i]!]![of]) continue;
    score[n] = rows.score[i]!;
    indefensible[n] = rows.indefensible[i]!;
    positive[n] = rows.positive[i]!;
    community[n] = of;
    if (rows.weight) weight[n] = rows.weight[i]!;
    n++;
  }
  return {
    score: score.subarray(0, n),
    indefensible: indefensible.subarray(0, n),
    positive: positive.subarray(0, n),
    community: community.subarray(0, n),
    communities: rows.communities,
    ...(rows.weight ? { weight: weight.subarray(0, n) } : {}),
  };
}

/** Of the rows of passing cohorts, those that `route` would automate by their score: at or above the threshold of community and action. */
export function automatedBy(
  choice: ThresholdChoice,
  rows: ScoreRows,
  passing: Open,
): { rows: number; automated: number } {
  const { other, restricting } = choice.by_decision ?? { other: choice, restricting: choice };
  const thresholds = [other, restricting].map((set) => thresholdsOf(set, rows.communities));
  let n = 0;
  let automated = 0;
  for (let i = 0; i < rows.score.length; i++) {
    const action = rows.positive[i]!;
    const community = rows.community[i]!;
    if (!passing[action]![community]) continue;
    n++;
    const threshold = thresholds[action]![community]!;
    if (threshold !== null && rows.score[i]! >= threshold) automated++;
  }
  return { rows: n, automated };
}

function thresholdsOf(set: ThresholdSet, communities: readonly string[]): (number | null)[] {
  const withheld = new Set(set.withheld);
  return communities.map((name) => {
    if (withheld.has(name)) return null;
    return Object.hasOwn(set.by_community, name) ? set.by_community[name]!.threshold : set.pooled.threshold;
  });
}
