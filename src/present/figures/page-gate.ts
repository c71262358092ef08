import { type CohortLabels, labelCountsOf } from "../../measures/gate/certified-gate.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import { frontierGrid } from "../../measures/gate/frontier.js";
import type { GateEvaluation, GateOptions } from "../../measures/gate/gate-evaluation.js";
import { communityInKey } from "../../measures/gate/route/reasons.js";
import type { ReportPage } from "../../measures/report-page.js";
import { whole } from "../words/numbers.js";

const known = new WeakMap<ReportPage, GateEvaluation>();

/** The gate by the report's own settings, with the frontier; several pictures are of it, so it is made once. */
export function pageGate(page: ReportPage): GateEvaluation {
  let gate = known.get(page);
  if (!gate) {
    const { cohorts, limits, mode } = page.gate_input;
    gate = evaluateGate(cohorts, { ...gateOptions(page), limits, mode });
    known.set(page, gate);
  }
  return gate;
}

/** What of a page's gate a reader does not change: error rates, adjustment, looks, and people's labels where the gate asks for them. */
export function gateOptions(
  { gate_input: { q, delta, adjust, look, thread_cap, label_counts } }: ReportPage,
  labels = label_counts,
): Pick<GateOptions, "q" | "delta" | "adjust" | "look" | "threadCap" | "labelCounts"> {
  return { q, delta, adjust, look, threadCap: thread_cap, ...(labels ? { labelCounts: labelCountsOf(labels) } : {}) };
}

/** People's labels by whole communities, where the gate asks for labels and divides otherwise; none where it does not divide by community. */
export function communityLabels({ gate_input: { by, label_counts } }: ReportPage): CohortLabels[] | undefined {
  if (!label_counts) return undefined;
  const sums = new Map<string, CohortLabels>();
  for (const { key, labels, indefensible, cells } of label_counts) {
    const community = communityInKey(by, key);
    if (community === null) continue;
    const sum = sums.get(community) ?? { key: community, labels: 0, indefensible: 0 };
    sums.set(community, {
      ...sum,
      labels: sum.labels + labels,
      indefensible: sum.indefensible + indefensible,
      ...(cells ? { cells: [...(sum.cells ?? []), ...cells] } : {}),
    });
  }
  return [...sums.values()];
}

/** Limits as written on the gate, with symbols. */
export function limitsText(
  { di, ai, harm }: { di: number; ai: number; harm?: number | undefined },
  variable: GateEvaluation["variable"],
): string {
  const short = (value: number) => `${+(100 * value).toPrecision(4)}%`;
  return `DI ≥ ${short(di)}, ${variable === "ai_pure" ? "pure ambiguity" : "ambiguity"} ≤ ${short(ai)}${harm === undefined ? "" : `, harm ≤ ${+harm.toPrecision(4)}`}`;
}

/** The same in words, for sentences: "defensibility at least …, ambiguity at most …". */
export function limitsInWords({ di, ai }: { di: number; ai: number }, variable: GateEvaluation["variable"]): string {
  const short = (value: number) => `${+(100 * value).toPrecision(4)}%`;
  return `defensibility at least ${short(di)}, ${variable === "ai_pure" ? "pure ambiguity" : "ambiguity"} at most ${short(ai)}`;
}

/** The grid of limits that a frontier is drawn over: the range of DI and of AI. */
export function gridText(limits: { di: number; ai: number }, variable: GateEvaluation["variable"]): string {
  const { di, ai } = frontierGrid(limits);
  const short = (value: number) => Math.round(100 * value);
  return `DI ${short(di[0]!)} to 100%, ${variable === "ai_pure" ? "pure ambiguity" : "ambiguity"} 0 to ${short(ai.at(-1)!)}%`;
}

/** Why there is nothing to draw of a gate: no community has enough decisions. */
export function nobodyEligible({ fleet, thresholds }: Pick<GateEvaluation, "fleet" | "thresholds">): string {
  const { communities } = fleet.counts;
  if (communities === 0) return "There is no audit to judge by.";
  return `No community has the ${whole(thresholds.min_decisions)} audited decisions that the gate asks for.`;
}
