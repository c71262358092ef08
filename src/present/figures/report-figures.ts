import type { Figure, FigureRow } from "../../core/figure.js";
import type { CoverageRiskFrontier, FrontierPoint } from "../../measures/gate/frontier.js";
import type { GateEvaluation } from "../../measures/gate/gate-evaluation.js";
import type { ReportPage } from "../../measures/report-page.js";
import { gateName } from "../words/gate-change.js";
import { percent } from "../words/numbers.js";
import { agreementTrapFigure } from "./agreement-trap.js";
import { fleetStatesFigure } from "./fleet-states.js";
import {
  gateModesFigure,
  gateScenariosFigure,
  gridText,
  limitsInWords,
  limitsText,
  nobodyEligible,
  pageGate,
} from "./gate-modes.js";
import { levelsFigure, rootCausesFigure } from "./levels.js";
import { isMissing, type MaybeFigure } from "./missing.js";
import { calibrationWeightsFigure, reliabilityFigure } from "./reliability.js";
import { ruleAmbiguityFigure } from "./rule-ambiguity.js";
import { scoreByLevelFigure, scoreFrontierFigure } from "./score-frontier.js";

const OTHERS = "other limits";
const BEST = "best trade-offs";
const SCENARIOS = "named settings";
const KNEE = "knee";
const HERE = "this gate";

/** Coverage against risk of the report's own gate and of other limits. */
export function coverageRiskFigure(page: ReportPage): MaybeFigure {
  const gate = pageGate(page);
  return coverageRiskOf(gate, gate.frontier!);
}

/**
 * What limits would have automated, and how much of that is indefensible: every pair of limits on a grid by the observed rates, the best
 * trade-offs among them with their knee, and the gate and the named settings.
 */
export function coverageRiskOf(gate: GateEvaluation, frontier: CoverageRiskFrontier): MaybeFigure {
  if (gate.fleet.counts.eligible_communities === 0) return { missing: nobodyEligible(gate) };
  const outcomes = distinct(frontier.points);
  const best = outcomes.filter((point) => point.pareto);
  if (best.length < 2) {
    const only = best[0];
    return {
      missing: only
        ? `Every pair of limits that any community passes has the same best outcome, ${percent(only.coverage!)} of the decisions at ${percent(only.risk!)} indefensible, so there is no trade-off to draw.`
        : `By the observed rates no community passes any pair of limits on the grid (${gridText(gate.thresholds, gate.variable)}), so there is no trade-off to draw. Limits beyond it widen the grid.`,
    };
  }
  const { knee } = frontier;
  const others = outcomes.filter((point) => !point.pareto).map((point) => pointRow(OTHERS, gate, point));
  const line = best.map((point) => pointRow(BEST, gate, point));
  return {
    id: "coverage-risk",
    title: title(gate, frontier),
    mark: "point",
    x: { field: "coverage", label: "decisions automated", unit: "of those judged", format: "percent", domain: [0, 1] },
    y: { field: "risk", label: "indefensible among the automated", format: "percent" },
    series: "what",
    series_order: [OTHERS, BEST, SCENARIOS, KNEE, HERE],
    faint: [OTHERS],
    label: "mark",
    name: "limits",
    interval: "none",
    references: [
      ...(gate.fleet.base_indefensible_rate === null
        ? []
        : [{ axis: "y" as const, value: gate.fleet.base_indefensible_rate, label: "without a gate" }]),
    ],
    curve: { label: BEST, rows: line },
    caption: `Each point is a pair of limits (${gridText(gate.thresholds, gate.variable)}) by the observed rates; named settings and this gate are by the ${gateName(gate.mode)}. All of it is observed on the same decisions that it is chosen by, so it flatters.`,
    paper: "fig:pds_validation C, Table gate",
    rows: [
      ...others,
      ...line,
      ...gate.scenarios.flatMap((scenario) => scenarioRow(gate, scenario)),
      ...(knee ? [{ ...limitsRow(KNEE, gate, knee), coverage: knee.coverage, risk: knee.risk, mark: "knee" }] : []),
    ],
  } satisfies Figure;
}

/** The curve is by the observed rates whatever the mode; what the gate itself does is of its mode. */
function title({ fleet, mode, variable }: GateEvaluation, { knee, reason }: CoverageRiskFrontier): string {
  const here =
    fleet.automated_indefensible_rate === null
      ? `the ${gateName(mode)} automates nothing`
      : `the ${gateName(mode)} covers ${percent(fleet.decision_coverage_eligible ?? 0)} at ${percent(fleet.automated_indefensible_rate)} indefensible`;
  if (!knee) return `${here[0]!.toUpperCase()}${here.slice(1)}; by the observed rates the curve has no knee: ${reason}`;
  return `By the observed rates the knee is at ${limitsInWords(knee, variable)}: beyond ${percent(knee.coverage)} coverage more costs more; ${here}`;
}

/** One point for each outcome, by coverage; of the limits with the same outcome the knee, or the first. */
function distinct(points: readonly FrontierPoint[]): FrontierPoint[] {
  const seen = new Map<string, FrontierPoint>();
  for (const point of points) {
    if (point.risk === null || point.coverage === null) continue;
    const key = `${point.automated_decisions}/${point.automated_indefensible}`;
    if (!seen.has(key) || point.knee) seen.set(key, point);
  }
  return [...seen.values()].sort((a, b) => a.coverage! - b.coverage! || a.risk! - b.risk!);
}

function pointRow(what: string, gate: GateEvaluation, point: FrontierPoint): FigureRow {
  const { coverage, risk, passing } = point;
  return { ...limitsRow(what, gate, point), coverage, risk, passing, mark: null };
}

function limitsRow(what: string, { variable }: GateEvaluation, { di, ai }: { di: number; ai: number }): FigureRow {
  return { what, limits: limitsText({ di, ai }, variable), di, ai };
}

function scenarioRow(gate: GateEvaluation, scenario: GateEvaluation["scenarios"][number]): FigureRow[] {
  const { name, di, ai, decision_coverage_eligible: coverage, automated_indefensible_rate: risk, passing } = scenario;
  if (coverage === null || risk === null) return [];
  const here = di === gate.thresholds.di && ai === gate.thresholds.ai;
  const mark = here ? (name === "Own" ? HERE : `${name}, ${HERE}`) : name;
  return [{ ...limitsRow(here ? HERE : SCENARIOS, gate, scenario), coverage, risk, passing, mark }];
}

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
