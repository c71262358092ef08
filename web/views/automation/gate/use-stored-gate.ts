import type { Gate } from "../../../../src/core/gate.js";
import type { GateEvaluation } from "../../../../src/measures/gate/gate-evaluation.js";
import type { GateFindings, GateReport } from "../../../../src/measures/gate/gate-report.js";
import type { GateSettings } from "../../../data/gate-settings.ts";
import { usePage } from "../../../data/page-context.ts";

/** Pointer to the active gate. */
export const STORED = "/report/gate";

/** Pointer to its findings beyond counts. */
export const FINDINGS = "/report/gate_findings";

export type StoredGate = Pick<
  Gate,
  "mode" | "thresholds" | "fleet" | "communities" | "created_at" | "selective" | "review_share" | "variable" | "delta"
> &
  Partial<Pick<GateReport, "closed">>;

/** The active gate, if it was computed from this run. */
export function useStoredGate(): StoredGate | null {
  return (usePage().report.gate as StoredGate | undefined) ?? null;
}

/** Whether these are the active gate's settings, and not a dry run. */
export function isActive({ thresholds, mode, variable = "ai" }: StoredGate, settings: GateSettings): boolean {
  const { di, ai, min_decisions } = thresholds;
  const same = { di, ai, min_decisions, mode, variable };
  return (Object.keys(same) as (keyof GateSettings)[]).every((name) => same[name] === settings[name]);
}

/**
 * What the active gate automates by score under these settings; null: another gate, a raw gate (which automates all decisions of passing
 * communities), or one from an older version.
 */
export function useScoreCounts({ thresholds, mode, variable }: GateEvaluation) {
  const gate = useStoredGate();
  const { di, ai, min_decisions } = thresholds;
  if (!gate || mode === "paper" || !isActive(gate, { di, ai, min_decisions, mode, variable })) return null;
  return gate.selective?.counts ?? null;
}

/** What the report's gate finds in this run beyond counts; null for a file or a cohort. */
export function useFindings(): GateFindings | null {
  return (usePage().report.gate_findings as object as GateFindings | undefined) ?? null;
}
