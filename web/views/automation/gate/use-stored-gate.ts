import type { Gate } from "../../../../src/core/gate.js";
import type { GateFindings, GateReport } from "../../../../src/measures/gate/gate-report.js";
import { usePage } from "../../../data/page-context.ts";

/** Where the active gate is in the page's data. */
export const STORED = "/report/gate";

/** Where its findings beyond counts are. */
export const FINDINGS = "/report/gate_findings";

export type StoredGate = Pick<
  Gate,
  "mode" | "thresholds" | "fleet" | "communities" | "created_at" | "selective" | "review_share" | "variable" | "delta"
> &
  Partial<Pick<GateReport, "closed">>;

/** The active gate, where it was computed from this run. */
export function useStoredGate(): StoredGate | null {
  return (usePage().report.gate as StoredGate | undefined) ?? null;
}

/** What the report's gate finds in this run beyond counts; null where the report is of a file or of a cohort. */
export function useFindings(): GateFindings | null {
  return (usePage().report.gate_findings as object as GateFindings | undefined) ?? null;
}
