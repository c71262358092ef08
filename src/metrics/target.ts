import type { Estimate } from "../domain/estimate.js";
import type { ReportTarget } from "../domain/report.js";

/** Rates are ratios of counts: 27/30 must meet 0.90. */
const SLACK = 1e-9;

/**
 * Whether an index meets its target, judged by its interval and not by the point: `undecided` when the target lies inside it.
 * The clustered interval is used where there is one, since decisions of one community resemble each other.
 */
export function targetStatus(estimate: Estimate, target: number, direction: ReportTarget["direction"]): ReportTarget {
  if (estimate.estimate === null) return { target, direction, status: "undefined", interval: "none" };
  const { lower, upper } = estimate.cluster ?? estimate;
  const interval = estimate.cluster ? "cluster" : "independent";
  const met = direction === "at_least" ? lower >= target - SLACK : upper <= target + SLACK;
  const missed = direction === "at_least" ? upper < target - SLACK : lower > target + SLACK;
  return { target, direction, status: met ? "met" : missed ? "not_met" : "undecided", interval };
}
