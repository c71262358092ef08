import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import type { PredictionPoweredMean } from "../../../stats/intervals/prediction-powered-mean.js";
import { proportion } from "../../../stats/intervals/proportion.js";
import { stratifiedJackknife } from "../../../stats/intervals/stratified-jackknife.js";
import {
  type SampledStratum,
  stratifiedProportion,
  stratifiedUpperBound,
} from "../../../stats/intervals/stratified-proportion.js";
import type { CorrectedRate, CorrectionOptions } from "./correct-rate.js";
import { AUDITED, HUMAN, HUMAN_CELLS, type JudgeCounts, type JudgeQuantity } from "./counts.js";

/** Decisions with one verdict: how many there are, how many have a label that says something, and how many of these say yes. */
export interface VerdictCell extends Required<SampledStratum> {
  audited: boolean;
}

/** The six cells of audited level and inverse. A label that does not say counts as none. */
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
 * A rate in people's eyes from labels that were drawn by verdict: each cell's share of Yes, weighted by how many decisions have that verdict. The
 * verdicts enter as the cells, so the estimate is prediction-powered as it is.
 *
 * Formula: see `stratifiedProportion`, `stratifiedUpperBound`. Sensitivity and specificity are those of the whole run, by `stratifiedJackknife`.
 * Undefined when: a verdict that the run has was never labelled (`stratum_unlabelled`).
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

/** Why Rogan and Gladen's correction is not given. */
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

/** Share of the people's Yes that the auditor found, or of their No. */
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
