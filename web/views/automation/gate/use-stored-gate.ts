import type { Gate } from "../../../../src/core/gate.js";
import type { GateEvaluation } from "../../../../src/measures/gate/gate-evaluation.js";
import type { GateFindings, GateReport } from "../../../../src/measures/gate/gate-report.js";
import type { GateSettings } from "../../../data/gate-settings.ts";
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

/** Whether these are the settings of the active gate, and not a dry run of others. */
export function isActive({ thresholds, mode, variable = "ai" }: StoredGate, settings: GateSettings): boolean {
  const { di, ai, min_decisions } = thresholds;
  const same = { di, ai, min_decisions, mode, variable };
  return (Object.keys(same) as (keyof GateSettings)[]).every((name) => same[name] === settings[name]);
}

/**
 * What the active gate automates by score, under these settings; null: it is another gate, or every decision of a community that passes is
 * automated (raw gates), or an older build made it.
 */
export function useScoreCounts({ thresholds, mode, variable }: GateEvaluation) {
  const gate = useStoredGate();
  const { di, ai, min_decisions } = thresholds;
  if (!gate || mode === "paper" || !isActive(gate, { di, ai, min_decisions, mode, variable })) return null;
  return gate.selective?.counts ?? null;
}

/** What the report's gate finds in this run beyond counts; null where the report is of a file or of a cohort. */
export function useFindings(): GateFindings | null {
  return (usePage().report.gate_findings as object as GateFindings | undefined) ?? null;
}
