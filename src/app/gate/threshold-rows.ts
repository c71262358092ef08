import type { AuditTable } from "../../analysis/audit-table.js";
import type { GateKey } from "../../core/gate.js";
import { cohortKey } from "../../measures/gate/cohort-key.js";
import type { ThresholdChoice, ThresholdSet } from "../../measures/gate/selective/choose-thresholds.js";
import type { SelectiveRows } from "../../measures/gate/selective/partition-rows.js";
import { type ScoreRows, UNLABELLED } from "./score-rows.js";

/** Whether decisions of a community belong to it: by action (0: the other one, 1: the restricting one), then by community. */
export type Open = readonly (readonly boolean[])[];

/** Cohorts by rule or language cannot be told from the columns. */
export function toldApart(by: readonly GateKey[]): boolean {
  return by.every((key) => key === "community" || key === "decision");
}

export function openCohorts(
  { communities }: ScoreRows,
  { negative, positive }: AuditTable["actions"],
  by: readonly GateKey[],
  keys: ReadonlySet<string>,
): Open {
  return [negative, positive].map((decision) =>
    communities.map((community) => (toldApart(by) ? keys.has(cohortKey(by, { community, decision })) : keys.size > 0)),
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
