import type { Selective, Thresholds } from "../../../core/gate.js";
import type { ThresholdChoice, ThresholdSet } from "./choose-thresholds.js";

/** What Gate JSON keeps of a choice. */
export function selectiveRecord(
  choice: ThresholdChoice,
  score: Selective["score"],
  calibrationId: string | null,
): Selective {
  return {
    score,
    calibration_id: calibrationId,
    method: choice.method,
    risk: choice.risk,
    delta: choice.delta,
    n: choice.n,
    ...thresholdsOf(choice),
    delta_each: choice.delta_each,
    promise: choice.promise,
    by_decision: choice.by_decision && {
      restricting: thresholdsOf(choice.by_decision.restricting),
      other: thresholdsOf(choice.by_decision.other),
    },
  };
}

function thresholdsOf(set: ThresholdSet): Thresholds {
  const own = Object.entries(set.by_community).map(([name, { threshold }]): [string, number | null] => [
    name,
    threshold,
  ]);
  return {
    threshold: set.pooled.threshold,
    reason: set.pooled.reason,
    by_community: Object.fromEntries([...own, ...set.withheld.map((name): [string, null] => [name, null])]),
    withheld: set.withheld,
  };
}
