import type { Figure, FigureRow } from "../../core/figure.js";
import { STABILITY_CLASSES } from "../../core/names.js";
import type { Analysed } from "../../measures/stability/analyse-cells.js";
import type { StabilityAnalysis } from "../../measures/stability/analyse-stability.js";
import { decimal } from "../../present/words/numbers.js";
import { sign } from "../../present/words/vocabulary.js";
import { caseFigures, casesOnLine } from "./case-figures.js";
import { estimateColumns, groupFigures, singlePassFigures } from "./group-figures.js";
import type { StabilityCorrelation } from "./result.js";

/** The pictures of the experiment: one for each of the paper's, and some that the paper does not have. */
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
  const rowsOf = (series: "all" | "stable" | "flippers" | "ratio") =>
    (["p_defensible", "pds"] as const).flatMap((score) =>
      temperatures.map(({ temperature, sd_pds, sd_p_defensible }) => ({
        temperature,
        series: `${score} ${series}`,
        score,
        quantity: series === "ratio" ? "ratio of means" : "mean sd",
        group: series === "ratio" ? "Flippers / Stable" : series,
        ...estimateColumns((score === "pds" ? sd_pds : sd_p_defensible)[series]),
      })),
    );
  // The ratio for p_defensible comes first: the title reports it and a static picture shows it.
  const rows = (["ratio", "all", "stable", "flippers"] as const).flatMap(rowsOf);
  const { reading } = ratio_slope.p_defensible;
  const titles = {
    flat: "The ratio of Flippers to Stable stays as temperature rises",
    falls: "The ratio of Flippers to Stable falls as temperature rises",
    rises: "The ratio of Flippers to Stable rises with temperature",
    undecided: "Whether the ratio of Flippers to Stable changes with temperature is not decided",
    undefined: "Mean spread by temperature",
  };
  return {
    id: "stability-temperature-sweep",
    title: titles[reading],
    mark: "line",
    x: { field: "temperature", label: "temperature" },
    y: { field: "value", label: "sd over replicates: mean, or ratio of means", format: "decimal" },
    series: "group",
    choose: ["quantity", "score"],
    caption: "The title reads the ratio of means for P(defensible). 95% intervals over cases.",
    paper: "tab:temp_sweep, fig:temp_sweep",
    rows: rows.filter(({ value }) => value !== null),
  };
}

function defensibility({ temperatures, defensibility_slope }: StabilityAnalysis): Figure {
  const { estimate } = defensibility_slope;
  const moves = estimate.estimate !== null && (estimate.lower > 0 || estimate.upper < 0);
  const [first, last] = [temperatures[0], temperatures.at(-1)];
  const from = first?.defensibility_index.estimate ?? null;
  const to = last?.defensibility_index.estimate ?? null;
  const at = (value: number, temperature: number | null) =>
    `${(100 * value).toFixed(1)}% at T\u00a0=\u00a0${temperature ?? "?"}`;
  const one = temperatures.length === 1 && from !== null;
  const ends =
    from === null || to === null ? "" : ` from ${at(from, first!.temperature)} to ${at(to, last!.temperature)}`;
  return {
    id: "stability-defensibility",
    title: one
      ? `Defensibility is ${at(from, first!.temperature)}, the only temperature tried`
      : moves
        ? `Defensibility moves with temperature:${ends}`
        : `No movement of DI with temperature is shown${ends && `:${ends}`}`,
    mark: "line",
    x: { field: "temperature", label: "temperature" },
    y: { field: "value", label: "Defensibility Index", format: "percent", domain: [0, 1] },
    caption: `DI of the ${first?.cases ?? 0} cases of this experiment, not of the whole run. 95% intervals over cases.`,
    paper: "tab:temp_sweep",
    rows: temperatures
      .map(({ temperature, defensibility_index }) => ({ temperature, ...estimateColumns(defensibility_index) }))
      .filter(({ value }) => value !== null),
  };
}

/** Spread of p_defensible comes first: a static picture shows it. */
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
  const own = (x: string) => sorted.find((row) => row.x === x && row.y === TARGETS[0] && row.temperature === first);
  const strength = (x: string) => Math.abs(own(x)?.disjoint.estimate ?? 0);
  const order = [...new Set(sorted.map(({ x }) => x))].sort((a, b) => strength(b) - strength(a));
  return {
    id: "stability-signal-correlations",
    title: order[0] && strength(order[0]) > 0 ? strongest(own(order[0])!) : "Signals against instability",
    mark: "bar",
    x: { field: "value", label: "Spearman's ρ", format: "decimal", domain: [-1, 1] },
    y: { field: "signal", label: "signal", order },
    series: "replicates",
    choose: ["against", "temperature"],
    caption:
      "Disjoint: the signal from the even replicates, the instability from the odd ones. Coupled: both from all, as the paper does; part of that is noise correlated with itself. The title counts what is left after Holm's correction for the number of signals.",
    paper: "fig:signal_correlation",
    rows: rows.filter(({ value }) => value !== null),
  };
}

/** The signal with the strongest correlation with the spread, and whether chance alone could explain it. */
function strongest({ x, temperature, disjoint, adjusted_p }: StabilityCorrelation): string {
  if (disjoint.estimate === null) return "Signals against instability";
  const { estimate, lower, upper } = disjoint;
  const at = temperature === null ? "" : ` at T\u00a0=\u00a0${temperature}`;
  const found = `ρ = ${decimal(estimate)} (${decimal(lower)} to ${decimal(upper)})`;
  return adjusted_p !== null && adjusted_p < 0.05
    ? `${capital(sign(x))} predicts the spread of P(defensible) best${at}: ${found} on disjoint replicates`
    : `No signal predicts the spread of P(defensible) beyond chance${at}; nearest comes ${sign(x)}: ${found} on disjoint replicates`;
}

/** "mean S" -> "Mean S"; Greek letters stay lowercase. */
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
  const percent = (value: number | undefined) => `${(100 * (value ?? 0)).toFixed(0)}%`;
  return {
    id: "stability-threshold-mix",
    title: at
      ? `S ≥ ${KNEE} in one audit${at.temperature === null ? "" : ` at T\u00a0=\u00a0${at.temperature}`} lets ${percent(at.coverage)} of the cases through${at.mix ? `, ${percent(at.mix.rock_solid)} of them rock solid` : ""}`
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
        : `${(100 * ofCases).toFixed(0)}% of the variance of P(defensible) lies between cases`,
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
