import { evaluateGate } from "../gate/evaluate-gate.js";
import type { GateEvaluation } from "../gate/gate-evaluation.js";
import type { ReportPage } from "./report-page.js";

const known = new WeakMap<ReportPage, GateEvaluation>();

/** The gate by the report's own settings, with the frontier; several pictures are of it, so it is made once. */
export function pageGate(page: ReportPage): GateEvaluation {
  let gate = known.get(page);
  if (!gate) {
    const { cohorts, limits, mode, q, delta, adjust, look } = page.gate_input;
    gate = evaluateGate(cohorts, { limits, mode, q, delta, adjust, look });
    known.set(page, gate);
  }
  return gate;
}

/** Limits as written on the gate: "DI ≥ 90 %, AI ≤ 15 %". */
export function limitsText({ di, ai }: { di: number; ai: number }, variable: GateEvaluation["variable"]): string {
  const short = (value: number) => `${+(100 * value).toPrecision(4)} %`;
  return `DI ≥ ${short(di)}, ${variable === "ai_pure" ? "pure AI" : "AI"} ≤ ${short(ai)}`;
}

/** Why there is nothing to draw of a gate: no community has enough decisions. */
export function nobodyEligible({ fleet, thresholds }: Pick<GateEvaluation, "fleet" | "thresholds">): string {
  const { communities } = fleet.counts;
  if (communities === 0) return "There is no audit to judge by.";
  return `No community has the ${thresholds.min_decisions.toLocaleString("en")} audited decisions that the gate asks for.`;
}
