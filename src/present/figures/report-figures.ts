import type { Figure, FigureRow } from "../../core/figure.js";
import type { GateState } from "../../core/gate.js";
import type { CoverageRiskFrontier, FrontierPoint } from "../../measures/gate/frontier.js";
import type { CommunityEvaluation, GateEvaluation } from "../../measures/gate/gate-evaluation.js";
import type { ReportPage } from "../../measures/report-page.js";
import { byCount, percent, plural, whole } from "../words/numbers.js";
import { gateName, STATE_WORDS } from "../words/words.js";
import { agreementTrapFigure } from "./agreement-trap.js";
import { levelsFigure, rootCausesFigure } from "./community-figures.js";
import {
  gateModesFigure,
  gateScenariosFigure,
  gridText,
  limitsInWords,
  limitsText,
  nobodyEligible,
  pageGate,
} from "./gate-modes.js";
import { isMissing, type MaybeFigure } from "./missing.js";
import { calibrationWeightsFigure, reliabilityFigure } from "./reliability.js";
import { ruleAmbiguityFigure } from "./rule-ambiguity.js";
import { scoreByLevelFigure, scoreFrontierFigure } from "./score-frontier.js";

const OTHERS = "other limits";
const BEST = "best trade-offs";
const SCENARIOS = "named settings";
const KNEE = "knee";
const HERE = "this gate";

/** Coverage and risk of the report's own gate and of other limits. */
export function coverageRiskFigure(page: ReportPage): MaybeFigure {
  const gate = pageGate(page);
  return coverageRiskOf(gate, gate.frontier!);
}

/**
 * What limits would have automated, and how much of it is indefensible: every pair of limits on a grid by the observed rates, the best trade-offs
 * among them with their knee, and the gate and the named settings.
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

/** The curve uses observed rates in every mode; the gate's own point depends on its mode. */
function title({ fleet, mode, variable }: GateEvaluation, { knee }: CoverageRiskFrontier): string {
  const here =
    fleet.automated_indefensible_rate === null
      ? `the ${gateName(mode)} automates nothing`
      : `the ${gateName(mode)} covers ${percent(fleet.decision_coverage_eligible ?? 0)} at ${percent(fleet.automated_indefensible_rate)} indefensible`;
  if (!knee) return `${here[0]!.toUpperCase()}${here.slice(1)}; by the observed rates the curve has no knee`;
  return `By the observed rates the knee is at ${limitsInWords(knee, variable)}: beyond ${percent(knee.coverage)} coverage more costs more; ${here}`;
}

/** One point per outcome, by coverage; of limits with the same outcome, the knee or else the first. */
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

/** The figures of a report, each from a file in this folder, in the order of the views. */
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

/** Every figure that this report's data allow: its own and those of the workspace's experiments. */
export function reportFigures(page: ReportPage): Figure[] {
  const own = BUILDERS.map((build) => build(page)).filter((figure): figure is Figure => !isMissing(figure));
  const { stability, experiments = {} } = page.report;
  const experimental = [...(stability ? [stability] : []), ...Object.values(experiments)];
  return [...own, ...experimental.flatMap(({ figures }) => figures)];
}

/** The order in which states are listed and drawn, the last on top. */
const ORDER: readonly GateState[] = ["insufficient", "earned_autonomy", "policy_gaps", "normative_complexity"];

/** Most names before they overlap; beyond this only the communities at the edges are named. */
const MOST_NAMES = 15;

/** Most intervals before they hide each other; a page then shows only that of the point at the pointer. */
const MOST_INTERVALS = 40;

/** The fleet under the gate's own settings: every community by its Defensibility and Ambiguity Index. */
export function fleetStatesFigure(page: ReportPage): MaybeFigure {
  return fleetFigureOf(pageGate(page));
}

/** The fleet figure under any settings. */
export function fleetFigureOf(gate: GateEvaluation): MaybeFigure {
  const seen = gate.communities.filter(({ n }) => n > 0);
  if (seen.length === 0) {
    return { missing: "No community has a verdict yet, so there is no fleet to show.", command: "defensible audit" };
  }
  const { di, ai, min_decisions } = gate.thresholds;
  const pure = gate.variable === "ai_pure";
  // The axes cover every judged community; communities with too few decisions may lie beyond and are counted in a note.
  const judged = seen.some(({ state }) => state !== "insufficient")
    ? seen.filter(({ state }) => state !== "insufficient")
    : seen;
  const whiskers = seen.length <= MOST_INTERVALS;
  const few = seen.length <= MOST_NAMES;
  const named = few ? new Set<string>() : outermost(judged, pure ? "ai_pure" : "ai");
  const rows = seen
    .map((one) => ({
      community: one.community,
      state: one.state,
      n: one.n,
      di: one.di,
      di_lower: one.di_interval?.lower ?? null,
      di_upper: one.di_interval?.upper ?? null,
      ai: pure ? one.ai_pure : one.ai,
      ai_lower: one.ambiguity_interval?.lower ?? null,
      ai_upper: one.ambiguity_interval?.upper ?? null,
      passes: one.passes[gate.mode],
      ...(few ? {} : { named: named.has(one.community) ? one.community : null }),
    }))
    // Large points first, so that they do not hide small ones.
    .sort((first, second) => ORDER.indexOf(first.state) - ORDER.indexOf(second.state) || second.n - first.n);
  return {
    id: "fleet-states",
    title: fleetTitle(gate),
    mark: "point",
    x: {
      field: "di",
      label: "Defensibility Index (DI)",
      unit: "share of verdicts",
      format: "percent",
      domain: [down(Math.min(di, ...judged.map((one) => (whiskers ? one.di_interval!.lower : one.di!)))), 1],
    },
    y: {
      field: "ai",
      label: pure ? "Pure ambiguity (without contradictions)" : "Ambiguity Index",
      unit: "share of verdicts",
      format: "percent",
      domain: [
        0,
        up(
          Math.max(
            ai,
            ...judged.map((one) => (whiskers ? one.ambiguity_interval!.upper : one[pure ? "ai_pure" : "ai"]!)),
          ),
        ),
      ],
    },
    series: "state",
    series_order: [...ORDER.slice(1), "insufficient"],
    size: { field: "n", label: "verdicts" },
    name: "community",
    label: few ? "community" : "named",
    interval: whiskers ? "both" : "none",
    references: [
      { axis: "x", value: di, label: `Defensibility at least ${percent(di, digits(di))}` },
      { axis: "y", value: ai, label: `Ambiguity at most ${percent(ai, digits(ai))}` },
    ],
    zone: { x: [di, 1], y: [0, ai], label: "both limits met" },
    caption: `Each point is a community, its area the number of verdicts. States are by the observed rates; fewer than ${plural(min_decisions, "verdict")} are too few for one. Dashed: the gate's limits.`,
    paper: "fig:fleet",
    rows,
  } satisfies Figure;
}

/** The communities a reader asks about first: lowest and highest DI, most ambiguous, largest. */
function outermost(communities: readonly CommunityEvaluation[], ambiguity: "ai" | "ai_pure"): Set<string> {
  const by = (value: (one: CommunityEvaluation) => number, count: number) =>
    communities.toSorted((a, b) => value(b) - value(a)).slice(0, count);
  const found = [
    ...by((one) => -one.di!, 2),
    ...by((one) => one[ambiguity]!, 2),
    ...by((one) => one.di! - one[ambiguity]!, 1),
    ...by((one) => one.n, 1),
  ];
  return new Set(found.map(({ community }) => community));
}

function fleetTitle({ states, communities, mode, fleet }: GateEvaluation): string {
  const count = (state: GateState) => states.find((one) => one.state === state)?.communities ?? 0;
  const few = count("insufficient");
  const judged = communities.length - few;
  if (judged === 0) {
    return communities.length === 1
      ? "The one community has too few decisions to be judged"
      : `None of ${whole(communities.length)} communities has enough decisions to be judged`;
  }
  const earned = count("earned_autonomy");
  const others = [
    ...(count("policy_gaps") > 0 ? [`${whole(count("policy_gaps"))} with policy gaps`] : []),
    ...(count("normative_complexity") > 0 ? [`${whole(count("normative_complexity"))} with normative complexity`] : []),
  ];
  const passing = fleet.counts.passing_communities;
  const tooFew = few > 0 ? `; ${whole(few)} more ${byCount(few, "has", "have")} too few decisions` : "";
  if (judged === 1) {
    const state = ORDER.find((one) => one !== "insufficient" && count(one) === 1)!;
    const gate = passing === earned ? "" : `, but ${passing === 1 ? "passes" : "does not pass"} the ${gateName(mode)}`;
    const which = few > 0 ? "community with enough decisions" : "community";
    return `The one ${which} has ${STATE_WORDS[state].name.toLowerCase()} by the observed rates${gate}${tooFew}`;
  }
  const first = earned === 0 ? "None" : earned === judged ? "All" : whole(earned);
  const subject = `${first} of ${whole(judged)} communities ${earned > 1 ? "have" : "has"} earned autonomy by the observed rates`;
  const rest = others.length > 0 ? `, against ${others.join(" and ")}` : "";
  // The gate may require more than observed rates; then fewer communities pass than are in its zone.
  const gate =
    passing === earned
      ? ""
      : `; ${passing === 0 ? "none" : whole(passing)} ${passing > 1 ? "pass" : "passes"} the ${gateName(mode)}`;
  return `${subject}${rest}${gate}${tooFew}`;
}

/** A limit of 12.5% must not be printed as 13%. */
function digits(share: number): number {
  return Math.abs(100 * share - Math.round(100 * share)) < 1e-9 ? 0 : 1;
}

/** Ends of an axis at the next multiple of 0.05, with a little room. */
function down(value: number): number {
  return Math.max(0, Math.floor(20 * (value - 0.01)) / 20);
}

function up(value: number): number {
  return Math.min(1, Math.ceil(20 * (value + 0.01)) / 20);
}
