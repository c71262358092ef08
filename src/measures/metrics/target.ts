import type { Estimate } from "../../core/estimate.js";
import type { ReportTarget } from "../../core/results/report.js";
import { judgedInterval } from "./judged-interval.js";

/** Rates are ratios of counts: 27/30 must meet 0.90. */
const SLACK = 1e-9;

/**
 * Whether an index meets its target, judged by its interval and not by the point: `undecided` when the target lies inside it.
 * It is the interval that is shown: with enough communities the wider of both, since decisions of one community resemble each other.
 */
export function targetStatus(estimate: Estimate, target: number, direction: ReportTarget["direction"]): ReportTarget {
  if (estimate.estimate === null) return { target, direction, status: "undefined", interval: "none" };
  const interval = judgedInterval(estimate);
  const { lower, upper } = interval === "cluster" ? estimate.cluster! : estimate;
  const met = direction === "at_least" ? lower >= target - SLACK : upper <= target + SLACK;
  const missed = direction === "at_least" ? upper < target - SLACK : lower > target + SLACK;
  return { target, direction, status: met ? "met" : missed ? "not_met" : "undecided", interval };
}
