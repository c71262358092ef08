import type { Estimate } from "../../domain/estimate.js";
import type { Figure, FigureRow } from "../../domain/figure.js";
import type { Analysed } from "../../stability/analyse-cells.js";
import type { StabilityAnalysis } from "../../stability/analyse-stability.js";
import { caseFigures } from "./case-figures.js";

/** The pictures of the experiment, one for each of the paper's and some that it has not. */
export function stabilityFigures(analysed: Analysed, analysis: StabilityAnalysis): Figure[] {
  return [
    ...caseFigures(analysed, analysis),
    temperatureSweep(analysis),
    defensibility(analysis),
    signalCorrelations(analysis),
    thresholdMix(analysis),
    flipperStable(analysis),
    varianceShares(analysis),
  ].filter(({ rows }) => rows.length > 0);
}

function temperatureSweep({ temperatures, ratio_slope }: StabilityAnalysis): Figure {
  const rows = temperatures.flatMap(({ temperature, sd_pds, sd_p_defensible }) =>
    (["pds", "p_defensible"] as const).flatMap((score) => {
      const means = score === "pds" ? sd_pds : sd_p_defensible;
      return (["all", "stable", "flippers", "ratio"] as const).map((series) => ({
        temperature,
        series: `${score} ${series}`,
        ...point(means[series]),
      }));
    }),
  );
  const { reading } = ratio_slope.p_defensible;
  const told = {
    flat: "The ratio of Flippers to Stable stays as temperature rises",
    falls: "The ratio of Flippers to Stable falls as temperature rises",
    rises: "The ratio of Flippers to Stable rises with temperature",
    undecided: "Whether the ratio of Flippers to Stable changes with temperature is not decided",
    undefined: "Mean spread by temperature",
  };
  return {
    id: "stability-temperature-sweep",
    title: told[reading],
    mark: "line",
    x: { field: "temperature", label: "temperature" },
    y: { field: "value", label: "mean sd; ratio of means" },
    series: "series",
    paper: "tab:temp_sweep, fig:temp_sweep",
    rows: rows.filter(({ value }) => value !== null),
  };
}

function defensibility({ temperatures, defensibility_slope }: StabilityAnalysis): Figure {
  const { estimate } = defensibility_slope;
  const moves = estimate.estimate !== null && (estimate.lower > 0 || estimate.upper < 0);
  return {
    id: "stability-defensibility",
    title: moves ? "DI moves with temperature" : "No movement of DI with temperature is shown",
    mark: "line",
    x: { field: "temperature", label: "temperature" },
    y: { field: "value", label: "Defensibility Index" },
    paper: "tab:temp_sweep",
    rows: temperatures
      .map(({ temperature, defensibility_index }) => ({ temperature, ...point(defensibility_index) }))
      .filter(({ value }) => value !== null),
  };
}

function signalCorrelations({ correlations }: StabilityAnalysis): Figure {
  const rows = correlations.signals.flatMap(({ x, y, temperature, disjoint, coupled }) =>
    (["disjoint", "coupled"] as const).map((replicates) => ({
      signal: x,
      against: y,
      temperature,
      replicates,
      ...point(replicates === "disjoint" ? disjoint : coupled),
    })),
  );
  const best = correlations.signals
    .filter(({ y, disjoint }) => y === "sd_p_defensible" && disjoint.estimate !== null)
    .sort((a, b) => Math.abs(b.disjoint.estimate!) - Math.abs(a.disjoint.estimate!))[0];
  return {
    id: "stability-signal-correlations",
    title: best
      ? `${best.x} goes with instability most: |ρ| = ${Math.abs(best.disjoint.estimate!).toFixed(2)} on disjoint replicates`
      : "Signals against instability",
    mark: "bar",
    x: { field: "signal", label: "signal" },
    y: { field: "value", label: "Spearman's ρ" },
    series: "replicates",
    paper: "fig:signal_correlation, fig:monte_carlo A–C, E",
    rows: rows.filter(({ value }) => value !== null),
  };
}

function thresholdMix({ thresholds }: StabilityAnalysis): Figure {
  return {
    id: "stability-threshold-mix",
    title: "What a threshold on the score of one audit lets through, and how stable that is",
    mark: "line",
    x: { field: "threshold", label: "threshold" },
    y: { field: "value", label: "share of cases" },
    series: "series",
    paper: "fig:monte_carlo F",
    rows: thresholds.flatMap(({ score, temperature, threshold, coverage, mix }): FigureRow[] => [
      { score, temperature, threshold, series: "coverage", value: coverage },
      ...Object.entries(mix ?? {}).map(([series, value]) => ({ score, temperature, threshold, series, value })),
    ]),
  };
}

function flipperStable({ group_tests }: StabilityAnalysis): Figure {
  const sure = group_tests.filter(({ adjusted_p }) => adjusted_p !== null && adjusted_p < 0.05).length;
  return {
    id: "stability-flipper-stable",
    title: `${sure} of ${group_tests.length} comparisons of Flippers and Stable hold after correction`,
    mark: "point",
    x: { field: "metric", label: "case value" },
    y: { field: "value", label: "Cliff's δ" },
    series: "temperature",
    paper: "fig:flipper_stable",
    rows: group_tests
      .map(({ metric, temperature, effect, adjusted_p }) => ({ metric, temperature, ...point(effect), adjusted_p }))
      .filter(({ value }) => value !== null),
  };
}

function varianceShares({ decomposition }: StabilityAnalysis): Figure {
  const own = decomposition.find(({ of }) => of === "p_defensible");
  const ofCases = own?.components.find(({ source }) => source === "case")?.share.estimate;
  return {
    id: "stability-variance",
    title:
      ofCases == null
        ? "Sources of variance"
        : `${(100 * ofCases).toFixed(0)} % of the variance of p_defensible lies between cases`,
    mark: "bar",
    x: { field: "source", label: "source" },
    y: { field: "value", label: "share of variance" },
    series: "of",
    rows: decomposition
      .flatMap(({ of, components }) => components.map(({ source, share }) => ({ of, source, ...point(share) })))
      .filter(({ value }) => value !== null),
  };
}

/** A value with its interval as columns. */
function point(estimate: Estimate): { value: number | null; lower: number | null; upper: number | null } {
  if (estimate.estimate === null) return { value: null, lower: null, upper: null };
  return { value: estimate.estimate, lower: estimate.lower, upper: estimate.upper };
}
