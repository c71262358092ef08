import type { Figure } from "../../core/figure.js";
import type { ReportPage } from "../../measures/report-page.js";
import { agreementTrapFigure } from "./agreement-trap.js";
import { coverageRiskFigure } from "./coverage-risk.js";
import { fleetStatesFigure } from "./fleet-states.js";
import { gateModesFigure, gateScenariosFigure } from "./gate-modes.js";
import { levelsFigure, rootCausesFigure } from "./levels.js";
import { isMissing, type MaybeFigure } from "./missing.js";
import { calibrationWeightsFigure, reliabilityFigure } from "./reliability.js";
import { ruleAmbiguityFigure } from "./rule-ambiguity.js";
import { scoreByLevelFigure, scoreFrontierFigure } from "./score-frontier.js";

/** The figures of a report, each from a file of this room, in the order of the views. */
const BUILDERS: readonly ((page: ReportPage) => MaybeFigure)[] = [
  agreementTrapFigure,
  levelsFigure,
  rootCausesFigure,
  fleetStatesFigure,
  ruleAmbiguityFigure,
  reliabilityFigure,
  scoreByLevelFigure,
  calibrationWeightsFigure,
  coverageRiskFigure,
  gateScenariosFigure,
  gateModesFigure,
  scoreFrontierFigure,
];

/** Every figure that this report's data allow: its own, and those of the workspace's experiments. */
export function reportFigures(page: ReportPage): Figure[] {
  const own = BUILDERS.map((build) => build(page)).filter((figure): figure is Figure => !isMissing(figure));
  const { stability, experiments = {} } = page.report;
  const experimental = [...(stability ? [stability] : []), ...Object.values(experiments)];
  return [...own, ...experimental.flatMap(({ figures }) => figures)];
}
