import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { RatioSlope, Slope, StabilityCorrelation } from "../../experiments/stability/result.js";
import { type RankCorrelation, spearman } from "../../stats/ranks/spearman.js";
import { bootstrapEstimate } from "../../stats/resampling/stratified-bootstrap.js";
import { holm } from "../../stats/tests/multiple-testing.js";
import type { Analysed, CellAnalysis } from "./analyse-cells.js";
import { type CellStats, dominantShare, thirdShare } from "./cell-stats.js";
import { slope } from "./group-means.js";
import { type Answer, bothKnown, type CaseBootstrap, caseColumn, type Statistic } from "./tallies.js";

/** Temperatures in ascending order if all are known and there are several; otherwise null. */
export function ascendingTemperatures(temperatures: readonly (number | null)[]): number[] | null {
  const known = temperatures.filter((t) => t !== null);
  return known.length === temperatures.length && known.length > 1 && new Set(known).size === known.length
    ? known
    : null;
}

const ONE = "one temperature has no slope";

/**
 * Slope of a statistic over temperature, tested by a bootstrap over cases.
 *
 * Formula: least squares through (T, statistic at T), for the sample and for each bootstrap draw of cases.
 * Range: real, per unit of temperature.
 * Undefined when: fewer than two temperatures, or the statistic is undefined at one of them.
 * Differs from the paper: the paper calls 71.1 to 73.0% invariant by inspection.
 * @see paper §7.2
 */
export function askSlope(
  bootstrap: CaseBootstrap,
  temperatures: readonly number[] | null,
  values: readonly Statistic[],
): (n: number, reason?: string) => Slope {
  if (!temperatures) return (n) => ({ estimate: undefinedEstimate(ONE, n), p_value: null });
  const answer = bootstrap.ask((weights) =>
    slope(
      temperatures,
      values.map((value) => value(weights)),
    ),
  );
  return (n, reason = "undefined at one of the temperatures") => slopeOf(answer, n, reason);
}

function slopeOf(answer: Answer, n: number, reason: string): Slope {
  return { estimate: bootstrapEstimate(answer(), n, reason), p_value: answer().p_zero };
}

/**
 * Slope of the ratio of Flippers to Stable, and whether it may be called flat: if the spread were sampling noise, the ratio would fall to 1 as
 * temperature rises.
 *
 * Formula: b = slope of the ratio; c = (1 − ratio at the lowest T) / (highest T − lowest T) is the slope that reaches 1. The ratio falls or rises
 * if the interval of b excludes 0; it is flat only if that interval contains 0 and the one of b − c is above 0; otherwise undecided.
 * Range: see `RatioSlope`.
 * Undefined when: fewer than two temperatures, a group without cases, or no ratio at one of them.
 * Differs from the paper: the paper reads 1.63, 1.64, 1.57, 1.52 as flat without a test.
 * @see paper §7.2, appendix A.4
 */
export function askRatioSlope(
  bootstrap: CaseBootstrap,
  temperatures: readonly number[] | null,
  ratios: readonly Statistic[],
): (n: number, reason: string) => RatioSlope {
  const own = askSlope(bootstrap, temperatures, ratios);
  const above = temperatures
    ? bootstrap.ask((weights) => {
        const values = ratios.map((value) => value(weights));
        const rise = slope(temperatures, values);
        return rise === null ? null : rise - (1 - values[0]!) / (temperatures.at(-1)! - temperatures[0]!);
      })
    : null;
  return (n, reason) => {
    const slopeItself = own(n, reason);
    const above_convergence = above ? bootstrapEstimate(above(), n, reason) : undefinedEstimate(ONE, n);
    return { ...slopeItself, above_convergence, reading: reading(slopeItself.estimate, above_convergence) };
  };
}

function reading(own: Estimate, above: Estimate): RatioSlope["reading"] {
  if (own.estimate === null || above.estimate === null) return "undefined";
  if (own.upper < 0) return "falls";
  if (own.lower > 0) return "rises";
  return above.lower > 0 ? "flat" : "undecided";
}

/** Measures of the instability of a case, on one set of replicates. */
const STABILITY_TARGETS = {
  sd_pds: (half: CellStats) => half.pds.sd,
  sd_p_defensible: (half: CellStats) => half.pDefensible.sd,
  dominant_share: dominantShare,
} as const;

type StabilityTarget = keyof typeof STABILITY_TARGETS;

/** Values compared with the spread, apart from signals: the paper's scatter plots. */
const SPREAD_PARTNERS = {
  dominant_share: dominantShare,
  level_3_share: thirdShare,
  mean_inverse_yes_prob: (half: CellStats) => half.inverseYesProb.mean,
} as const;

type SpreadPartner = keyof typeof SPREAD_PARTNERS;

const first = (name: keyof NonNullable<CellStats["first"]>) => (half: CellStats) => half.first?.[name] ?? null;

/** Signals that might predict instability: of a single audit, and their means over replicates. */
const SIGNALS = {
  pds: first("pds"),
  pds_mean: (half: CellStats) => half.pds.mean,
  inverse_yes_prob: first("inverseYesProb"),
  inverse_yes_prob_mean: (half: CellStats) => half.inverseYesProb.mean,
  lambda_nats: first("lambdaNats"),
  lambda_nats_mean: (half: CellStats) => half.lambdaNats.mean,
  h_weight_bits: first("weightBits"),
  h_weight_bits_mean: (half: CellStats) => half.weightBits.mean,
  h_citation_bits: first("citationBits"),
  h_citation_bits_mean: (half: CellStats) => half.citationBits.mean,
  p_defensible: first("pDefensible"),
} as const;

type Signal = keyof typeof SIGNALS;

type Pick = (half: CellStats) => number | null;

/**
 * Whether a signal of a case predicts its instability, on disjoint replicates, and the paper's version on the same ones.
 *
 * Formula: Spearman's ρ over cases; disjoint: x from replicates 0, 2, 4, …, y from 1, 3, 5, …; coupled: both from all. A signal of a single audit
 * is that of the first replicate with a verdict. Halves are noisier than the whole, which moves ρ towards 0.
 * Range: [−1, 1].
 * Undefined when: fewer than three cases have both, or one of them is constant.
 * Differs from the paper: the paper correlates values of the same draws, which are coupled mechanically.
 * @see paper §4.3, figure 2; §7.2, figure 7; appendix A.2, figure 8
 */
export function stabilityCorrelations(analysed: Analysed, of: "signals" | "spread"): StabilityCorrelation[] {
  const partners: [string, Pick][] = Object.entries(of === "signals" ? SIGNALS : SPREAD_PARTNERS);
  const targets = (Object.keys(STABILITY_TARGETS) as StabilityTarget[]).filter(
    (target) => of === "signals" || target !== "dominant_share",
  );
  return analysed.line.flatMap((condition) =>
    targets.flatMap((target) => {
      const rows = partners.map(([x, pick]): StabilityCorrelation => {
        const y = STABILITY_TARGETS[target];
        return {
          x: x as Signal | SpreadPartner,
          y: target,
          temperature: analysed.replicates.conditions[condition]!.temperature,
          disjoint: correlate(
            analysed,
            condition,
            ({ even }) => pick(even),
            ({ odd }) => y(odd),
          ),
          adjusted_p: null,
          coupled: correlate(
            analysed,
            condition,
            ({ all }) => pick(all),
            ({ all }) => y(all),
          ),
        };
      });
      return adjust(rows);
    }),
  );
}

function correlate(
  analysed: Analysed,
  condition: number,
  x: (cell: CellAnalysis) => number | null,
  y: (cell: CellAnalysis) => number | null,
): RankCorrelation {
  const xs = caseColumn(analysed, condition, x);
  const ys = caseColumn(analysed, condition, y);
  const both = bothKnown(xs, ys);
  return spearman(
    both.map((i) => xs[i]!),
    both.map((i) => ys[i]!),
  );
}

function adjust(rows: StabilityCorrelation[]): StabilityCorrelation[] {
  const tested = rows.filter(({ disjoint }) => disjoint.p_value !== null);
  const adjusted = holm(tested.map(({ disjoint }) => disjoint.p_value!));
  tested.forEach((row, i) => {
    row.adjusted_p = adjusted[i]!;
  });
  return rows;
}
