import type { Figure, FigureRow } from "../../core/figure.js";
import { fleetState } from "../../measures/gate/limits.js";
import { REFERENCE_WORDS } from "../../present/words/experiment-words.js";
import { boundsRow, wideInterval } from "../../present/words/numbers.js";
import type { MeasuredSignal, RegimeRow, SamplingComparison } from "./result.js";
import { UNKNOWN_SPACE } from "./sampling.js";
import type { MeasuredColumns } from "./signals.js";

const BINS = 40;
/** Most communities drawn. */
const POINTS = 2000;
const LIMITS = { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" } as const;

export interface FigureParts {
  columns: MeasuredColumns;
  signals: readonly MeasuredSignal[];
  agreement: readonly RegimeRow[];
  sampling: readonly SamplingComparison[];
  /** The weights of S were fitted. */
  calibrated: boolean;
}

export function signalFigures(parts: FigureParts): Figure[] {
  return [
    levelHistogram(parts.columns, parts.calibrated),
    communityPoints(parts.columns),
    regimeBars(parts.agreement),
    detectionBars(parts.signals),
    ...(parts.sampling.length > 0 ? [sampleLines(parts.sampling)] : []),
  ];
}

function levelHistogram({ n, level, pds }: MeasuredColumns, calibrated: boolean): Figure {
  const counts = [1, 2, 3].map(() => new Float64Array(BINS));
  const sums = [0, 0, 0];
  const sizes = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const value = pds[i]!;
    if (Number.isNaN(value)) continue;
    counts[level[i]! - 1]![Math.min(BINS - 1, Math.floor(value * BINS))]!++;
    sums[level[i]! - 1]! += value;
    sizes[level[i]! - 1]!++;
  }
  const mean = (l: number) => (sizes[l]! > 0 ? (sums[l]! / sizes[l]!).toFixed(3) : "none");
  const name = calibrated ? "Calibrated S" : "S with uncalibrated weights";
  return {
    id: "pds-by-level",
    title:
      sizes.reduce((a, b) => a + b) === 0
        ? "No verdict has S"
        : `${name} has mean ${mean(0)} at level 1, ${mean(1)} at level 2, ${mean(2)} at level 3`,
    mark: "bar",
    x: { field: "pds", label: name, format: "decimal", domain: [0, 1] },
    y: { field: "share", label: "share of the level's verdicts", format: "percent" },
    series: "level",
    facet: "level",
    interval: "none",
    paper: "fig:pds_validation A",
    rows: counts.flatMap((bins, l) =>
      [...bins].flatMap((count, bin): FigureRow[] =>
        sizes[l] === 0 ? [] : [{ level: l + 1, pds: (bin + 0.5) / BINS, share: count / sizes[l]!, n: count }],
      ),
    ),
  };
}

/** Communities by mean S and σ(ρ), without those too small for a state. */
function communityPoints(columns: MeasuredColumns): Figure {
  const groups = columns.communities.map((community) => ({
    community,
    n: 0,
    l3: 0,
    yes: 0,
    s: 0,
    sN: 0,
    sigma: 0,
    sigmaN: 0,
  }));
  for (let i = 0; i < columns.n; i++) {
    const group = groups[columns.community[i]!]!;
    group.n++;
    if (columns.level[i] === 3) group.l3++;
    group.yes += columns.inverse[i]!;
    if (!Number.isNaN(columns.pds[i]!)) {
      group.s += columns.pds[i]!;
      group.sN++;
    }
    if (!Number.isNaN(columns.inverseYesProb[i]!)) {
      group.sigma += columns.inverseYesProb[i]!;
      group.sigmaN++;
    }
  }
  const rows = groups.flatMap(({ community, n, l3, yes, s, sN, sigma, sigmaN }) => {
    if (sN === 0 || sigmaN === 0) return [];
    const counts = { key: community, n, indefensible: l3, inverse_yes: yes, inverse_yes_pure: yes, unscored: 0 };
    const state = fleetState(counts, LIMITS);
    return state === "insufficient" ? [] : [{ community, n, state, inverse_yes_prob: sigma / sigmaN, pds: s / sN }];
  });
  rows.sort((a, b) => b.n - a.n || (a.community < b.community ? -1 : 1));
  const open = rows.filter(({ state }) => state === "earned_autonomy").length;
  return {
    id: "pds-sigma-states",
    title: `Mean S against mean σ(ρ) of ${rows.length} communities of ${LIMITS.min_decisions} or more verdicts, ${open} of them with earned autonomy`,
    mark: "point",
    x: { field: "inverse_yes_prob", label: "mean σ(ρ)", format: "decimal" },
    y: { field: "pds", label: "mean S", format: "decimal" },
    series: "state",
    size: { field: "n", label: "verdicts" },
    name: "community",
    caption: "A point is a community with its state by observed rates: DI at least 90%, ambiguity at most 15%.",
    paper: "fig:pds_validation D",
    rows: rows.slice(0, POINTS),
    of: rows.length,
  };
}

function regimeBars(agreement: readonly RegimeRow[]): Figure {
  const sigma = agreement.find(({ signal, statistic }) => signal === "inverse_yes_prob" && statistic === "value");
  const change = sigma?.ratio.estimate;
  return {
    id: "signals-by-agreement",
    title:
      change === null || change === undefined
        ? "No labelled decision has signals"
        : `Mean σ(ρ) in disagreements is ${change.toFixed(2)} times that in agreements${isOne(sigma!.ratio) ? ", not statistically significant" : ""}`,
    mark: "bar",
    x: { field: "mean", label: "mean, in the signal's own unit", format: "decimal" },
    y: { field: "signal", label: "signal" },
    series: "regime",
    series_order: ["agree", "disagree"],
    caption: "Agree: decider and person decided alike. Entropies are in bits, all others are probabilities.",
    paper: "fig:pds_validation B",
    rows: agreement.flatMap(({ signal, statistic, ...row }) =>
      (["agree", "disagree"] as const).map((regime) => {
        const mean = row[regime];
        const name = statistic === "sd" ? `sd of ${signal}` : signal;
        return { signal: name, regime, mean: mean.estimate, ...boundsRow(mean) };
      }),
    ),
  };
}

function isOne(ratio: RegimeRow["ratio"]): boolean {
  const interval = wideInterval(ratio);
  return interval !== null && interval.lower <= 1 && interval.upper >= 1;
}

function detectionBars(signals: readonly MeasuredSignal[]): Figure {
  const rows = signals.flatMap(({ signal, auroc }) =>
    Object.entries({ "auditor's own level": auroc.own_level, ...auroc.references }).map(([target, estimate]) => ({
      signal,
      target,
      auroc: estimate.estimate,
      ...boundsRow(estimate),
    })),
  );
  return {
    id: "signal-auroc",
    title: detectionTitle(signals),
    mark: "point",
    x: { field: "auroc", label: "AUROC for level 3", format: "decimal", domain: [0, 1] },
    y: { field: "signal", label: "signal" },
    series: "target",
    references: [{ axis: "x", value: 0.5, label: "chance" }],
    caption: "By the auditor's own level it is circular: level and signal come from the same answer.",
    rows,
  };
}

/** The best signal by an independent reference, if there is one. */
function detectionTitle(signals: readonly MeasuredSignal[]): string {
  const [target] = Object.keys(signals[0]?.auroc.references ?? {});
  const area = ({ auroc }: MeasuredSignal) => (target === undefined ? auroc.own_level : auroc.references[target]);
  const best = signals.reduce<MeasuredSignal | null>(
    (top, one) => ((area(one)?.estimate ?? -1) > (top === null ? -1 : (area(top)?.estimate ?? -1)) ? one : top),
    null,
  );
  const found = best && area(best);
  if (!best || !found || found.estimate === null) return "How well each signal finds level 3";
  const { lower, upper } = wideInterval(found)!;
  const text = `AUROC ${found.estimate.toFixed(2)} (${lower.toFixed(2)} to ${upper.toFixed(2)})`;
  return target === undefined
    ? "How well each signal finds the auditor's own level 3; the same answer gave both, so that this is circular"
    : `By ${REFERENCE_WORDS[target] ?? target}, ${best.label} finds level 3 best: ${text}`;
}

function sampleLines(sampling: readonly SamplingComparison[]): Figure {
  const [first] = sampling;
  return {
    id: "samples-that-match",
    title:
      first?.logprob.tempered_mse.estimate === null && first.logprob.tempered_mse.reason === UNKNOWN_SPACE
        ? `How well samples estimate how often level 3 is drawn; one pass cannot be held against them: ${UNKNOWN_SPACE}`
        : first?.samples_that_match
          ? `${first.samples_that_match} samples estimate how often level 3 is drawn as well as one pass with probabilities`
          : "No number of samples that could be tried is as good as one pass with probabilities",
    mark: "line",
    x: { field: "samples", label: "samples", format: "whole" },
    y: { field: "mse", label: "mean squared error of P(L3)" },
    series: "estimate",
    ...(sampling.length > 1 ? { choose: ["run"] } : {}),
    rows: sampling.flatMap(({ name, frequency, logprob }) =>
      frequency.flatMap(({ samples, mse }) => [
        { run: name, samples, estimate: "frequency", mse: mse.estimate },
        { run: name, samples, estimate: "one pass", mse: onePass(logprob) },
      ]),
    ),
  };
}

/** The error at the temperature of the draws, or as read if the rows do not agree on a temperature. */
function onePass({ tempered_mse: tempered, raw_mse: raw }: SamplingComparison["logprob"]): number | null {
  return tempered.estimate === null && tempered.reason !== UNKNOWN_SPACE ? raw.estimate : tempered.estimate;
}
