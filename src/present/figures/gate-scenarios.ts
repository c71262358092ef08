import type { Figure } from "../../core/figure.js";
import type { GateEvaluation } from "../../measures/gate/gate-evaluation.js";
import type { ReportPage } from "../../measures/report-page.js";
import { percent } from "../words/numbers.js";
import { wideInterval } from "../words/wide-interval.js";
import type { MaybeFigure } from "./missing.js";
import { limitsInWords, limitsText, nobodyEligible, pageGate } from "./page-gate.js";

/** The named settings beside the report's own gate. */
export function gateScenariosFigure(page: ReportPage): MaybeFigure {
  return gateScenariosOf(pageGate(page));
}

/** How much of what each named setting would automate is indefensible, with intervals. */
export function gateScenariosOf(gate: GateEvaluation): MaybeFigure {
  if (gate.fleet.counts.eligible_communities === 0) return { missing: nobodyEligible(gate) };
  const { scenarios, thresholds, variable, mode } = gate;
  const rows = scenarios.flatMap((scenario) => {
    const estimate = scenario.estimates.automated_indefensible_rate;
    const interval = wideInterval(estimate);
    if (estimate.estimate === null || !interval) return [];
    return [
      {
        scenario: scenario.name === "Own" ? "these settings" : scenario.name,
        limits: limitsText(scenario, variable),
        rate: estimate.estimate,
        ...interval,
        indefensible: estimate.k ?? null,
        automated: estimate.n,
        coverage: scenario.decision_coverage_eligible,
      },
    ];
  });
  const own = gate.fleet;
  const edge = Math.min(
    1,
    Math.ceil(105 * Math.max(own.base_indefensible_rate ?? 0, ...rows.map((row) => row.upper))) / 100,
  );
  if (rows.length === 0) return { missing: `None of the named settings lets anybody pass in mode ${mode}.` };
  return {
    id: "gate-scenarios",
    title:
      own.automated_indefensible_rate === null
        ? `With ${limitsInWords(thresholds, variable)} nothing is automated in mode ${mode}`
        : `With ${limitsInWords(thresholds, variable)}, ${percent(own.decision_coverage_eligible ?? 0)} is automated and ${percent(own.automated_indefensible_rate)} of that is indefensible, against ${percent(own.base_indefensible_rate ?? 0)} without a gate`,
    mark: "point",
    x: { field: "rate", label: "indefensible among the automated decisions", format: "percent", domain: [0, edge] },
    y: { field: "scenario", label: "setting", order: rows.map(({ scenario }) => scenario) },
    name: "limits",
    interval: "x",
    references: [
      ...(own.base_indefensible_rate === null
        ? []
        : [{ axis: "x" as const, value: own.base_indefensible_rate, label: "without a gate" }]),
    ],
    caption: `In mode ${mode}. Intervals (95 %) are the wider of two: decisions taken one by one, and decisions of one community taken as depending on each other.`,
    paper: "Table gate",
    rows,
  } satisfies Figure;
}
