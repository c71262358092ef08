import type { Gate } from "../../../src/domain/gate.js";
import type { GateReport } from "../../../src/gate/gate-report.js";
import { usePage } from "../../data/page-context.ts";

/** Where the gate in force stands in the page's data. */
export const STORED = "/report/gate";

/** What a gate may hold beside what routing needs. Which of it there is depends on who wrote it. */
type Parts = Pick<
  GateReport,
  | "selection"
  | "score_frontier"
  | "slices"
  | "judge_error"
  | "holdout"
  | "watch"
  | "in_force"
  | "closed"
  | "notes"
  | "look_reason"
>;

export type StoredGate = Pick<
  Gate,
  | "mode"
  | "thresholds"
  | "fleet"
  | "communities"
  | "created_at"
  | "selective"
  | "review_share"
  | "variable"
  | "delta"
  | "checks"
> &
  Partial<Parts>;

/** The gate in force, where it was computed from this run. */
export function useStoredGate(): StoredGate | null {
  return (usePage().report.gate as StoredGate | undefined) ?? null;
}
