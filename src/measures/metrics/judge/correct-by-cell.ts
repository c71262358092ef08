import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import {
  type DrawnLabels,
  type DrawnOptions,
  drawnClasses,
  drawnProportion,
} from "../../../stats/intervals/drawn-proportion.js";
import { type CountOf, roganGladen } from "../../../stats/intervals/judge-correction.js";
import type { PredictionPoweredMean } from "../../../stats/intervals/prediction-powered-mean.js";
import { proportion, weightedProportion } from "../../../stats/intervals/proportion.js";
import { stratifiedJackknife } from "../../../stats/intervals/stratified-jackknife.js";
import {
  type SampledStratum,
  stratifiedProportion,
  stratifiedUpperBound,
} from "../../../stats/intervals/stratified-proportion.js";
import { boundedUpperBound } from "../../../stats/tests/bounded-e-value.js";
import type { CorrectedRate, CorrectionOptions } from "./correct-rate.js";
import { AUDITED, HUMAN, HUMAN_CELLS, type JudgeCounts, type JudgeQuantity } from "./counts.js";

/** Decisions with one verdict: how many there are, how many have a label with an answer, and how many of these answers are yes. */
interface VerdictCell extends Required<SampledStratum> {
  audited: boolean;
}

/** The six cells of audited level and inverse. A label without an answer counts as no label. */
export function verdictCells(communities: readonly JudgeCounts[], quantity: JudgeQuantity): VerdictCell[] {
  return AUDITED.map((cell, index) => {
    const name = `level ${cell.level}, inverse ${cell.inverse ? "Yes" : "No"}`;
    const counts = { name, audited: quantity.audited(cell), k: 0, n: 0, size: 0 };
    for (const { labelled, rest } of communities) {
      counts.size += rest[index]!;
      HUMAN.forEach((label, column) => {
        const count = labelled[index * HUMAN_CELLS + column]!;
        const said = quantity.human(label);
        counts.size += count;
        if (said === null) return;
        counts.n += count;
        if (said) counts.k += count;
      });
    }
    return counts;
  }).filter(({ size }) => size > 0);
}

/**
 * A rate according to human labels that were drawn by verdict: each cell's share of Yes, weighted by the number of decisions with that verdict.
 * Since the verdicts define the cells, the estimate already uses them as predictions.
 *
 * Formula: see `stratifiedProportion`, `stratifiedUpperBound`. Sensitivity and specificity are for the whole run, by `stratifiedJackknife`.
 * Undefined when: a verdict that occurs in the run was never labelled (`stratum_unlabelled`).
 */
export function correctByVerdict(
  communities: readonly JudgeCounts[],
  quantity: JudgeQuantity,
  { level = CONFIDENCE_LEVEL, delta = 0.05 }: CorrectionOptions = {},
): CorrectedRate {
  const cells = verdictCells(communities, quantity);
  const labels = cells.reduce((sum, { n }) => sum + n, 0);
  const rows = cells.reduce((sum, { size }) => sum + size, 0);
  const said = cells.reduce((sum, { audited, size }) => sum + (audited ? size : 0), 0);
  const powered = poweredBy(cells, level, delta);
  const parts = cells.map(({ k, n, size }) => ({ n: size, labelled: n, k }));
  return {
    labels,
    audited: proportion(said, rows, level),
    prediction_powered: powered,
    rogan_gladen: undefinedEstimate(FROM_HERE, labels),
    sensitivity: errorRate(cells, true, level),
    specificity: errorRate(cells, false, level),
    upper_bound: {
      delta,
      exact: labels === 0 ? null : stratifiedUpperBound(parts, delta, "known"),
      prediction_powered: powered.estimate === null ? null : powered.upper_bound,
      rogan_gladen: null,
    },
    warnings: [],
  };
}

/** Why there is no Rogan–Gladen correction. */
export const FROM_HERE =
  "the labels were drawn from this run and are weighted as they were drawn; Rogan–Gladen is for labels from elsewhere";

function poweredBy(cells: readonly SampledStratum[], level: number, delta: number): PredictionPoweredMean {
  const whole = stratifiedProportion(cells, level);
  if (whole.estimate === null) return whole;
  const one = stratifiedProportion(cells, 1 - 2 * delta);
  const rows = cells.reduce((sum, { size }) => sum + size, 0);
  const variance = cells.reduce((sum, { k, n, size }) => {
    const share = (k + 0.5) / (n + 1);
    return sum + ((size / rows) ** 2 * (1 - n / size) * share * (1 - share)) / n;
  }, 0);
  return {
    ...whole,
    lambda: 1,
    standard_error: Math.sqrt(variance),
    upper_bound: one.estimate === null ? 1 : one.upper,
    delta,
    n_predicted: rows,
  };
}

/** Share of the human Yes labels that the auditor found, or of the human No labels. */
function errorRate(cells: readonly VerdictCell[], yes: boolean, level: number): Estimate {
  const rows = cells.flatMap(({ k, n, audited }, cell) =>
    Array.from({ length: n }, (_, i) => ({ cell, audited, said: i < k })),
  );
  const estimate = stratifiedJackknife(
    rows.map(({ cell }) => cell),
    cells.map(({ size }) => size),
    (weights) => {
      let [found, all] = [0, 0];
      rows.forEach(({ audited, said }, i) => {
        if (said !== yes) return;
        all += weights[i]!;
        if (audited === yes) found += weights[i]!;
      });
      return all === 0 ? null : found / all;
    },
    { level, bounds: [0, 1] },
  );
  return estimate.estimate === null && /statistic is undefined/.test(estimate.reason)
    ? undefinedEstimate(`no label says ${yes ? "Yes" : "No"}`, rows.length)
    : estimate;
}

/** Labels with their inclusion probabilities, by human answer and audited answer. A label without an answer counts as no label. */
function drawnLabels(communities: readonly JudgeCounts[], quantity: JudgeQuantity): DrawnLabels[] {
  return communities
    .flatMap(({ drawn = [] }) => drawn)
    .flatMap(({ cell, inclusion, labelled }) => {
      const labels: DrawnLabels[] = [];
      labelled.forEach((count, index) => {
        const yes = quantity.human(HUMAN[index % HUMAN_CELLS]!);
        if (count === 0 || yes === null) return;
        const predicted = quantity.audited(AUDITED[Math.floor(index / HUMAN_CELLS)]!);
        labels.push({ cell, inclusion, yes, predicted, count });
      });
      return labels;
    });
}

/** Share of the auditor's labelled Yes verdicts that human labels confirm, for labels with unequal probabilities. */
export function confirmedByDraw(communities: readonly JudgeCounts[], quantity: JudgeQuantity, level: number): Estimate {
  const labels = drawnLabels(communities, quantity).filter(({ predicted }) => predicted);
  const share = drawnProportion(labels, { sizes: "estimated", level });
  if (share.estimate === null) return share;
  const { estimate, lower, upper, method, k, n, warnings } = share;
  return { estimate, lower, upper, level, method, k, n, ...(warnings ? { warnings } : {}) };
}

/**
 * A rate according to human labels that were drawn with unequal probabilities, each weighted by the inverse of its own.
 *
 * Formula: for labels of this run, `drawnProportion` with the auditor's verdicts on all decisions as predictions (PPI++ with Σw means); the exact
 * bound is that of `boundedUpperBound` with u = π_min/π. For labels from elsewhere, `roganGladen` with weighted sensitivity and specificity.
 * Undefined when: no label has an answer for the rate; see the functions named.
 */
export function correctByStratum(
  communities: readonly JudgeCounts[],
  quantity: JudgeQuantity,
  options: Omit<CorrectionOptions, "design"> & { elsewhere: boolean; sizes: NonNullable<DrawnOptions["sizes"]> },
): CorrectedRate {
  const { elsewhere, level = CONFIDENCE_LEVEL, delta = 0.05 } = options;
  const drawn = drawnLabels(communities, quantity);
  const labels = drawn.reduce((sum, { count }) => sum + count, 0);
  const given = communities.reduce((sum, one) => sum + one.labelled.reduce((all, count) => all + count, 0), 0);
  // Labels without an answer are missing from their strata, so the others only estimate the sizes of the strata.
  const sizes = labels === given ? options.sizes : "estimated";
  const verdicts = verdictCells(communities, quantity);
  const rows = verdicts.reduce((sum, { size }) => sum + size, 0);
  const said = verdicts.reduce((sum, { audited, size }) => sum + (audited ? size : 0), 0);
  const [sensitivity, specificity] = [true, false].map((yes) =>
    drawnErrorRate(drawn, yes, { sizes, finite: !elsewhere }),
  );
  const shown = ({ share, count, labels: n }: ErrorRate): Estimate =>
    share === null ? undefinedEstimate("no label of that kind", n) : weightedProportion(share, count.n, n, level);
  const common = {
    labels,
    audited: proportion(said, rows, level),
    sensitivity: shown(sensitivity!),
    specificity: shown(specificity!),
    warnings: [],
  };
  if (elsewhere) {
    const corrected = (at: number) => roganGladen({ k: said, n: rows }, sensitivity!.count, specificity!.count, at);
    const bound = corrected(1 - 2 * delta);
    return {
      ...common,
      prediction_powered: undefinedEstimate(ELSEWHERE, labels),
      rogan_gladen: corrected(level),
      upper_bound: {
        delta,
        exact: null,
        prediction_powered: null,
        rogan_gladen: bound.estimate === null ? null : bound.upper,
      },
    };
  }
  const predicted = { n: rows, mean: rows === 0 ? 0 : said / rows };
  const powered =
    labels < 2
      ? undefinedEstimate("fewer than two labels", labels)
      : drawnProportion(drawn, { sizes, predicted, level, delta });
  return {
    ...common,
    prediction_powered: powered,
    rogan_gladen: undefinedEstimate(FROM_HERE, labels),
    upper_bound: {
      delta,
      exact: labels === 0 ? null : boundedUpperBound(labelUnits(drawn, leastInclusion(communities)), delta),
      prediction_powered: powered.estimate === null ? null : powered.upper_bound,
      rogan_gladen: null,
    },
  };
}

/** Why labels of another population cannot directly estimate anything about this run. */
export const ELSEWHERE = "the labels were drawn from another population than this run";

/** Labels by the weight that each has in a test of the true rate: the smallest probability divided by its own. */
function labelUnits(drawn: readonly DrawnLabels[], least: number) {
  return drawn.map(({ inclusion, yes, count }) => ({ weight: least / inclusion, value: yes ? 1 : 0, count }));
}

export function leastInclusion(communities: readonly JudgeCounts[]): number {
  let least = Infinity;
  for (const { drawn = [] } of communities) for (const { inclusion } of drawn) least = Math.min(least, inclusion);
  return least;
}

interface ErrorRate {
  /** Null: no label is in that class. */
  share: number | null;
  /** The share as k of n, with the effective number of labels. */
  count: CountOf;
  labels: number;
}

/**
 * Share of one class of the human labels that the auditor found.
 *
 * Formula: s = A/(A + B), A = Σw of those found, B = Σw of those missed. Effective number s̃(1 − s̃)/V, V = Σ_c s_c E_c(z − z̄)²/(Ã + B̃)²:
 * linearised, z = 1 − s̃ for one found, −s̃ for one missed, 0 for the other class; classes, s_c and smoothed shares as in `drawnProportion`.
 */
function drawnErrorRate(drawn: readonly DrawnLabels[], yes: boolean, options: DrawnOptions): ErrorRate {
  const labels = drawn.map((one) => ({ ...one, yes: one.yes === yes, predicted: one.predicted === yes }));
  const sum = (of: (one: DrawnLabels) => number) => labels.reduce((all, one) => all + one.count * of(one), 0);
  const n = sum((one) => (one.yes ? 1 : 0));
  if (n === 0) return { share: null, count: { k: 0, n: 0 }, labels: n };
  const weight = (one: DrawnLabels) => (one.yes ? 1 / one.inclusion : 0);
  const share = Math.min(1, sum((one) => (one.predicted ? weight(one) : 0)) / sum(weight));
  const parts = drawnClasses(labels, options);
  const all = parts.flat();
  const class_ = all.reduce((total, one) => total + one.weight * one.share, 0);
  const s = all.reduce((total, one) => total + (one.predicted ? one.weight * one.share : 0), 0) / class_;
  let variance = 0;
  for (const part of parts) {
    const z = (predicted: boolean) => (predicted ? 1 - s : -s);
    const size = part.reduce((total, one) => total + one.weight, 0);
    const mean = part.reduce((total, one) => total + one.weight * one.share * z(one.predicted), 0) / size;
    for (const { spread, spreadShare, predicted } of part) {
      variance += spread * (spreadShare * (z(predicted) - mean) ** 2 + (1 - spreadShare) * mean ** 2);
    }
  }
  // If the auditor's answer is the same for all labels, the variance cannot be estimated.
  const effective = variance > 0 && s > 0 && s < 1 ? (s * (1 - s) * class_ ** 2) / variance : n;
  return { share, count: { k: share * effective, n: effective }, labels: n };
}
