import type { Figure, FigureRow } from "../../domain/figure.js";
import { STABILITY_CLASSES } from "../../domain/stability-names.js";
import { sign } from "../../figures/signs.js";
import type { Analysed } from "../../stability/analyse-cells.js";
import type { StabilityAnalysis } from "../../stability/analyse-stability.js";
import { caseFigures, casesOnLine } from "./case-figures.js";
import { estimateColumns } from "./estimate-columns.js";
import { groupFigures } from "./group-figures.js";
import { singlePassFigures } from "./single-pass-figures.js";

/** The pictures of the experiment, one for each of the paper's and some that it has not. */
export function stabilityFigures(analysed: Analysed, analysis: StabilityAnalysis): Figure[] {
  return [
    ...caseFigures(analysed, analysis),
    temperatureSweep(analysis),
    defensibility(analysis),
    signalCorrelations(analysis),
    ...singlePassFigures(analysed, analysis),
    thresholdMix(analysis),
    ...groupFigures(casesOnLine(analysed, analysis), analysis),
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
        score,
        quantity: series === "ratio" ? "ratio of means" : "mean sd",
        group: series === "ratio" ? "Flippers / Stable" : series,
        ...estimateColumns(means[series]),
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
    y: { field: "value", label: "sd over replicates: mean, or ratio of means", format: "decimal" },
    series: "group",
    choose: ["quantity", "score"],
    caption: "The title reads the ratio for p_defensible. Bars: 95 % intervals over cases.",
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
    y: { field: "value", label: "Defensibility Index", format: "percent" },
    paper: "tab:temp_sweep",
    rows: temperatures
      .map(({ temperature, defensibility_index }) => ({ temperature, ...estimateColumns(defensibility_index) }))
      .filter(({ value }) => value !== null),
  };
}

/** Spread of p_defensible first: it is what a still picture shows. */
const TARGETS = ["sd_p_defensible", "sd_pds", "dominant_share"];

function signalCorrelations({ correlations, temperatures }: StabilityAnalysis): Figure {
  const first = temperatures[0]?.temperature ?? null;
  const sorted = TARGETS.flatMap((target) => correlations.signals.filter(({ y }) => y === target));
  const rows = sorted.flatMap(({ x, y, temperature, disjoint, coupled }) =>
    (["disjoint", "coupled"] as const).map((replicates) => ({
      signal: x,
      against: y,
      temperature,
      replicates,
      ...estimateColumns(replicates === "disjoint" ? disjoint : coupled),
    })),
  );
  const strength = (x: string) =>
    Math.abs(
      sorted.find((row) => row.x === x && row.y === TARGETS[0] && row.temperature === first)?.disjoint.estimate ?? 0,
    );
  const order = [...new Set(sorted.map(({ x }) => x))].sort((a, b) => strength(b) - strength(a));
  return {
    id: "stability-signal-correlations",
    title:
      order[0] && strength(order[0]) > 0
        ? `${capital(sign(order[0]))} goes with the spread of p_defensible most${first === null ? "" : ` at T\u00a0=\u00a0${first}`}: |ρ| = ${strength(order[0]).toFixed(2)} on disjoint replicates`
        : "Signals against instability",
    mark: "bar",
    x: { field: "value", label: "Spearman's ρ", format: "decimal", domain: [-1, 1] },
    y: { field: "signal", label: "signal", order },
    series: "replicates",
    choose: ["against", "temperature"],
    caption:
      "Disjoint: the signal from the even replicates, the instability from the odd ones. Coupled: both from all, as the paper does; part of that is noise correlated with itself.",
    paper: "fig:signal_correlation",
    rows: rows.filter(({ value }) => value !== null),
  };
}

/** "mean S" -> "Mean S"; Greek letters stay small. */
function capital(text: string): string {
  return /^[a-z]{2}/.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
}

/** The knee of the paper's frontier. */
const KNEE = 0.9;

function thresholdMix({ thresholds, temperatures }: StabilityAnalysis): Figure {
  const at = thresholds.find(
    ({ score, temperature, threshold }) =>
      score === "pds" && temperature === (temperatures[0]?.temperature ?? null) && Math.abs(threshold - KNEE) < 1e-9,
  );
  const percent = (value: number | undefined) => `${(100 * (value ?? 0)).toFixed(0)} %`;
  return {
    id: "stability-threshold-mix",
    title: at
      ? `S ≥ ${KNEE} in one audit lets ${percent(at.coverage)} of the cases through${at.mix ? `, ${percent(at.mix.rock_solid)} of them rock solid` : ""}`
      : "What a threshold on the score of one audit lets through, and how stable that is",
    mark: "line",
    x: { field: "threshold", label: "threshold on the score of one audit", format: "decimal" },
    y: { field: "value", label: "share of cases", format: "percent", domain: [0, 1] },
    series: "series",
    series_order: ["coverage", ...STABILITY_CLASSES],
    choose: ["score", "temperature"],
    references: [{ axis: "x", value: KNEE, label: "the paper's knee" }],
    caption: "Coverage: of all cases. The classes: of the cases that pass.",
    paper: "fig:monte_carlo F",
    rows: thresholds.flatMap(({ score, temperature, threshold, coverage, mix }): FigureRow[] => [
      { score, temperature, threshold, series: "coverage", value: coverage },
      ...Object.entries(mix ?? {}).map(([series, value]) => ({ score, temperature, threshold, series, value })),
    ]),
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
    x: { field: "value", label: "share of variance", format: "percent", domain: [0, 1] },
    y: { field: "of", label: "variance of" },
    series: "source",
    stack: true,
    interval: "none",
    caption:
      "Case: what it is, and what its rules say. Trace: the same question asked again at the same settings. Token: the draw of the last word.",
    rows: decomposition
      .flatMap(({ of, components }) =>
        components.map(({ source, share }) => ({ of, source, ...estimateColumns(share) })),
      )
      .filter(({ value }) => value !== null),
  };
}
