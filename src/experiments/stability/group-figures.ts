import type { Estimate } from "../../core/estimate.js";
import type { Figure, FigureAxis } from "../../core/figure.js";
import { STABILITY_GROUPS } from "../../core/names.js";
import type { StabilityAnalysis } from "../../measures/stability/analyse-stability.js";
import { byCount, plural } from "../../present/words/numbers.js";
import type { CaseRow } from "./result.js";

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

/** Flippers and Stable, case by case and as effects. */
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
  const value = (median: number) => (y.format === "percent" ? `${(100 * median).toFixed(1)} %` : median.toFixed(3));
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

/** A value with its interval as columns of a figure. */
export function estimateColumns(estimate: Estimate): {
  value: number | null;
  lower: number | null;
  upper: number | null;
} {
  if (estimate.estimate === null) return { value: null, lower: null, upper: null };
  return { value: estimate.estimate, lower: estimate.lower, upper: estimate.upper };
}
