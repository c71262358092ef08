import type { GateReport } from "../../measures/gate/gate-report.js";
import { printable } from "../../text/printable.js";
import type { Document } from "../document/document.js";
import { limitsText } from "../figures/page-gate.js";
import { realisedSection } from "../report/realised.js";
import { plural } from "../words/numbers.js";
import { bindingSection, communitiesSection } from "./communities.js";
import { frontierSection, scenariosSection, scoreFrontierSection } from "./frontier.js";
import { holdoutSection } from "./holdout.js";
import { judgeSection } from "./judge.js";
import { selectiveSection } from "./selective.js";
import { slicesSection } from "./slices.js";
import { cohortWord, statesSection, verdictSection } from "./verdict.js";
import { watchSection } from "./watch.js";

/** The gate in words: what it says, then who passes and why, then what other limits would do. */
export function gateDocument(report: GateReport, options: { rows?: number } = {}): Document {
  const rows = options.rows ?? 15;
  return {
    title: "Governance gate",
    subtitle: subtitle(report),
    blocks: [
      ...verdictSection(report),
      ...watchSection(report, rows),
      ...realisedSection(report.realised_risk, rows),
      ...statesSection(report),
      ...communitiesSection(report, rows),
      ...scenariosSection(report),
      ...frontierSection(report),
      ...bindingSection(report),
      ...holdoutSection(report),
      ...selectiveSection(report, rows),
      ...scoreFrontierSection(report),
      ...judgeSection(report, rows),
      ...slicesSection(report, rows),
    ],
  };
}

function subtitle(report: GateReport): string {
  const { run, evidence, fleet } = report;
  const { one, many } = cohortWord(report);
  const parts = [run.run_id ? `run ${run.run_id}` : printable(run.source ?? "audits file")];
  if (run.status === "open") parts.push("not finished");
  if (evidence.auditor) parts.push(`auditor ${printable(evidence.auditor, 60)}`);
  if (evidence.tier) parts.push(`tier ${printable(evidence.tier, 20)}`);
  if (report.by.length > 1 || report.by[0] !== "community") parts.push(`by ${report.by.join(" × ")}`);
  parts.push(`mode ${report.mode}`, limitsText(report.thresholds, report.variable));
  parts.push(`${plural(fleet.counts.decisions, "verdict")} in ${plural(fleet.counts.communities, one, many)}`);
  return parts.join(" · ");
}
