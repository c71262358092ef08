import type { Estimate } from "../../core/estimate.js";
import type { Figure, FigureAxis, FigureRow } from "../../core/figure.js";
import { STABILITY_GROUPS } from "../../core/names.js";
import { type Analysed, cellOf } from "../../measures/stability/analyse-cells.js";
import type { StabilityAnalysis } from "../../measures/stability/analyse-stability.js";
import { dominantShare } from "../../measures/stability/cell-stats.js";
import { BOUNDARY_THRESHOLDS } from "../../measures/stability/level-sequence.js";
import { byCount, decimal, plural } from "../../present/words/numbers.js";
import type { CaseRow, StabilityCorrelation } from "./result.js";

type Field = "sd_pds" | "dominant_share" | "mean_inverse_yes_prob";

const PANELS: readonly { id: string; paper: string; metric: string; y: FigureAxis & { field: Field } }[] = [
  {
    id: "stability-flipper-spread",
    paper: "fig:flipper_stable A",
    metric: "sd_pds",
    y: { field: "sd_pds", label: "sd of S", format: "decimal" },
  },
  {
    id: "stability-flipper-consistency",
    paper: "fig:flipper_stable B",
    metric: "dominant_share",
    y: { field: "dominant_share", label: "share of the commonest level", format: "percent" },
  },
  {
    id: "stability-flipper-inverse",
    paper: "fig:flipper_stable C",
    metric: "inverse_yes_prob",
    y: { field: "mean_inverse_yes_prob", label: "mean σ(ρ)", format: "percent", domain: [0, 1] },
  },
];

/** Flippers and Stable, by case and as effects. */
export function groupFigures(cases: readonly CaseRow[], analysis: StabilityAnalysis): Figure[] {
  return [...PANELS.map((panel) => distribution(cases, panel, analysis)), effects(analysis)];
}

function distribution(
  cases: readonly CaseRow[],
  { id, paper, metric, y }: (typeof PANELS)[number],
  { group_tests, temperatures }: StabilityAnalysis,
): Figure {
  const first = temperatures[0]?.temperature ?? null;
  const test = group_tests.find((row) => row.metric === metric && row.temperature === first);
  const value = (median: number) => (y.format === "percent" ? `${(100 * median).toFixed(1)}%` : median.toFixed(3));
  const { flippers, stable } = test?.median ?? { flippers: null, stable: null };
  const apart = test?.adjusted_p != null && test.adjusted_p < 0.05 ? "" : ", no difference that holds after correction";
  return {
    id,
    title:
      flippers === null || stable === null
        ? `Nothing to compare in the ${y.label}: there are no ${flippers === null ? "Flippers" : "Stable cases"} that have it`
        : `Median of the ${y.label}${first === null ? "" : ` at T\u00a0=\u00a0${first}`}: Flippers ${value(flippers)}, Stable ${value(stable)}${apart}`,
    mark: "point",
    x: { field: "group", label: "group by the pilot", order: [...STABILITY_GROUPS] },
    y,
    choose: ["temperature"],
    name: "decision_id",
    paper,
    rows: cases
      .filter((row) => row.group !== null && row[y.field] !== null)
      .map((row) => ({
        decision_id: row.decision_id,
        temperature: row.temperature,
        group: row.group,
        [y.field]: row[y.field],
      })),
  };
}

function effects({ group_tests }: StabilityAnalysis): Figure {
  const tested = group_tests.filter(({ adjusted_p }) => adjusted_p !== null);
  const sure = tested.filter(({ adjusted_p }) => adjusted_p! < 0.05).length;
  return {
    id: "stability-flipper-stable",
    title: `${sure} of ${plural(tested.length, "comparison")} of Flippers and Stable ${byCount(sure, "holds", "hold")} after correction`,
    mark: "point",
    x: {
      field: "value",
      label: "Cliff's δ: 1 where every Flipper has the larger value",
      format: "decimal",
      domain: [-1, 1],
    },
    y: { field: "metric", label: "case value" },
    series: "temperature",
    references: [{ axis: "x", value: 0, label: "no difference" }],
    caption: `Values of each case over its replicates. Mann and Whitney's test of each, corrected after Holm for all ${tested.length}.`,
    paper: "fig:flipper_stable D",
    rows: group_tests
      .map(({ metric, temperature, effect, adjusted_p }) => ({
        metric,
        temperature,
        ...estimateColumns(effect),
        adjusted_p,
      }))
      .filter(({ value }) => value !== null),
  };
}

export function estimateColumns(estimate: Estimate): {
  value: number | null;
  lower: number | null;
  upper: number | null;
} {
  if (estimate.estimate === null) return { value: null, lower: null, upper: null };
  return { value: estimate.estimate, lower: estimate.lower, upper: estimate.upper };
}

/** The distribution of each case over the levels, sorted by the share of level 3. */
export function levelDistribution(cases: readonly CaseRow[]): Figure {
  const sorted = cases
    .filter(({ p_level_3 }) => p_level_3 !== null)
    .sort((a, b) => a.p_level_3! - b.p_level_3! || b.levels["1"] / b.k - a.levels["1"] / a.k);
  const zone = (name: CaseRow["boundary"]) => sorted.filter(({ boundary }) => boundary === name).length;
  const open = zone("undetermined");
  return {
    id: "stability-levels",
    title: `Of ${plural(sorted.length, "case")}, ${zone("stably_defensible")} ${byCount(zone("stably_defensible"), "is", "are")} stably defensible, ${zone("boundary_unstable")} boundary-unstable and ${zone("stably_indefensible")} stably indefensible${open > 0 ? `; ${open} undetermined` : ""}`,
    mark: "bar",
    x: { field: "case", label: "case, by share of level 3", format: "whole" },
    y: { field: "share", label: "share of replicates", format: "percent", domain: [0, 1] },
    series: "level",
    series_order: ["1", "2", "3"],
    stack: true,
    name: "decision_id",
    interval: "none",
    references: zoneLines(sorted),
    caption:
      "A bar is a case; dashed lines mark where the share of level 3 passes 10 and 90%. Left of the first a verdict is stably defensible, from the second on stably indefensible, between them a matter of luck; undetermined where too few audits settle it.",
    paper: "fig:level_distribution",
    rows: sorted.flatMap(({ decision_id, levels, k, boundary, temperature }, index) =>
      (["1", "2", "3"] as const).map((level) => ({
        case: index + 1,
        decision_id,
        temperature,
        level,
        share: levels[level] / k,
        boundary,
      })),
    ),
  };
}

/** Lines between two bars, where one zone ends and the next begins. */
function zoneLines(sorted: readonly CaseRow[]): NonNullable<Figure["references"]> {
  const [low, high] = BOUNDARY_THRESHOLDS;
  const defensible = sorted.filter(({ p_level_3 }) => p_level_3! <= low + 1e-12).length;
  const unstable = sorted.filter(({ p_level_3 }) => p_level_3! < high - 1e-12).length;
  const line = (value: number, label: string) =>
    value === 0 || value === sorted.length ? [] : [{ axis: "x" as const, value: value + 0.5, label }];
  return [...line(defensible, "10% level 3"), ...(unstable > defensible ? line(unstable, "90%") : [])];
}

interface Panel {
  id: string;
  paper: string;
  /** The correlation in the title. */
  of: { x: "pds" | "pds_mean"; y: "sd_pds" | "dominant_share" };
  x: FigureAxis;
  y: FigureAxis;
}

const SINGLE: FigureAxis = { field: "pds", label: "S of one audit", format: "decimal" };
const SPREAD: FigureAxis = { field: "sd_pds", label: "sd of S", format: "decimal" };

const SINGLE_PANELS: readonly Panel[] = [
  {
    id: "stability-single-spread",
    paper: "fig:monte_carlo A",
    of: { x: "pds", y: "sd_pds" },
    x: SINGLE,
    y: SPREAD,
  },
  {
    id: "stability-mean-spread",
    paper: "fig:monte_carlo B",
    of: { x: "pds_mean", y: "sd_pds" },
    x: { field: "mean_pds", label: "mean S of a case", format: "decimal" },
    y: SPREAD,
  },
  {
    id: "stability-single-consistency",
    paper: "fig:monte_carlo C",
    of: { x: "pds", y: "dominant_share" },
    x: SINGLE,
    y: { field: "dominant_share", label: "share of the commonest level", format: "percent" },
  },
];

/** Whether the score of a single audit, or its mean, predicts how stable the case is. */
export function singlePassFigures(analysed: Analysed, { correlations, temperatures }: StabilityAnalysis): Figure[] {
  const rows = pointsOf(analysed);
  const first = temperatures[0]?.temperature ?? null;
  return SINGLE_PANELS.map(({ id, paper, of, x, y }) => ({
    id,
    title: correlationTitle(
      correlations.signals.find((row) => row.x === of.x && row.y === of.y && row.temperature === first),
      { x: x.label, y: `The ${y.label}` },
    ),
    mark: "point",
    x,
    y,
    ...(rows.some(({ group }) => group !== null) ? { series: "group" } : {}),
    choose: ["temperature"],
    name: "decision_id",
    caption: `One audit: the first with a verdict. ${DISJOINT}`,
    paper,
    rows: rows.flatMap(({ decision_id, temperature, group, ...row }): FigureRow[] =>
      row[x.field] == null || row[y.field] == null
        ? []
        : [
            {
              decision_id: decision_id!,
              temperature: temperature!,
              group: group!,
              [x.field]: row[x.field]!,
              [y.field]: row[y.field]!,
            },
          ],
    ),
  }));
}

function pointsOf(analysed: Analysed): FigureRow[] {
  const { replicates, groups, line } = analysed;
  return line.flatMap((condition) =>
    replicates.decisions.map((decision_id, i) => {
      const { all } = cellOf(analysed, i, condition);
      const single = all.first?.pds;
      return {
        decision_id,
        temperature: replicates.conditions[condition]!.temperature,
        group: groups[i] ?? null,
        pds: single === undefined || Number.isNaN(single) ? null : single,
        mean_pds: all.pds.mean,
        sd_pds: all.pds.sd,
        dominant_share: dominantShare(all),
      };
    }),
  );
}

interface Named {
  /** Labels of the axes. */
  x: string;
  y: string;
}

/** A correlation as the title of a picture: whether y falls or rises with x, on disjoint replicates. */
export function correlationTitle(row: StabilityCorrelation | undefined, { x, y }: Named): string {
  if (!row || row.disjoint.estimate === null) return `${y} against ${x}`;
  const { estimate, lower, upper } = row.disjoint;
  const how = upper < 0 ? "falls with" : lower > 0 ? "rises with" : "is not correlated with";
  const chance = lower <= 0 && upper >= 0 ? " beyond chance" : "";
  const at = row.temperature === null ? "" : ` at T\u00a0=\u00a0${row.temperature}`;
  return `${y} ${how} ${x}${chance}${at}: ρ = ${decimal(estimate)} (${decimal(lower)} to ${decimal(upper)})`;
}

/** How correlations in titles were computed, for captions. */
export const DISJOINT =
  "ρ is Spearman's, of values from the even replicates against values from the odd ones, so that no draw is in both; the points show all replicates.";
