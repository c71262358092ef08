import type { GateReport } from "../../measures/gate/gate-report.js";
import { type Block, table } from "../document/document.js";
import { plural } from "../words/numbers.js";
import { cohortWord } from "./verdict.js";
import { count, share } from "./words.js";

/** The paper's four settings and one's own, with all three coverages and both reductions beside what chance would give. */
export function scenariosSection(report: GateReport): Block[] {
  if (report.fleet.counts.eligible_communities === 0) return [];
  const { many } = cohortWord(report);
  const own = (di: number, ai: number) => (di === report.thresholds.di && ai === report.thresholds.ai ? " *" : "");
  return [
    { kind: "heading", text: "Scenarios" },
    table(
      ["scenario", ">DI ≥", ">AI ≤", ">passing", ">of judged", ">decisions", ">of all"],
      report.scenarios.map((row) => [
        `${row.name}${own(row.di, row.ai)}`,
        share(row.di, 0),
        share(row.ai, 0),
        count(row.passing),
        share(row.community_coverage),
        share(row.decision_coverage_eligible),
        share(row.decision_coverage_all),
      ]),
    ),
    table(
      ["automated", ">DI", ">AI", ">indefensible", ">kept out", ">by chance", ">rate cut"],
      report.scenarios.map((row) => [
        `${row.name}${own(row.di, row.ai)}`,
        share(row.fleet_di),
        share(row.fleet_ai),
        `${count(row.counts.automated_indefensible)} of ${count(row.counts.automated_decisions)}`,
        share(row.exposure_reduction),
        share(row.random_gate_baseline),
        share(row.conditional_risk_reduction),
      ]),
    ),
    {
      kind: "text",
      text: `In mode ${report.mode}; * marks the limits used here. of judged, decisions, of all: share of the ${many} with enough decisions that passes, of the decisions of these, and of all decisions. Without a gate ${share(report.fleet.base_indefensible_rate, 2)} of the ${plural(report.fleet.counts.eligible_decisions, "decision")} judged are indefensible. kept out: share of the indefensible decisions that is not automated (the paper's risk reduction). by chance: what a gate that picks at random would keep out at the same coverage. rate cut: how much lower the indefensible rate is in the automated part than without a gate.`,
    },
  ];
}
