import type { Selective } from "../../domain/gate.js";
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

function thresholdsOf(set: ThresholdSet): Pick<Selective, "threshold" | "reason" | "by_community"> {
  return {
    threshold: set.pooled.threshold,
    reason: set.pooled.reason,
    by_community: Object.fromEntries(
      Object.entries(set.by_community).map(([name, { threshold }]) => [name, threshold]),
    ),
  };
}
