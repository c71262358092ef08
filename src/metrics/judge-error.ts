import { CONFIDENCE_LEVEL, type Estimate } from "../domain/estimate.js";
import { type ConfusionCorrection, confusionCorrection } from "../stats/confusion-correction.js";
import { type CorrectedRate, type CorrectionOptions, correctRate, type LabelDesign } from "./correct-rate.js";
import { AUDITED, HUMAN, HUMAN_CELLS, type JudgeCounts } from "./judge-counts.js";
import { JUDGE_QUANTITIES, type JudgeQuantityName, quantityStrata } from "./judge-quantity.js";

/** With fewer labels a community's numbers are not corrected: 29 is the least with which a rate of 10 % could be certified at δ = 0.05. */
export const LEAST_LABELS = 30;

export interface JudgeErrorOptions extends CorrectionOptions {
  /** Labels a community needs. Default LEAST_LABELS. */
  leastLabels?: number;
}

export interface JudgeErrorRow extends Record<JudgeQuantityName, CorrectedRate> {
  verdicts: number;
  labels: number;
  /** 1 − indefensible_rate. */
  defensibility_index: { audited: Estimate; prediction_powered: Estimate; rogan_gladen: Estimate };
  /** Shares of the three levels, from the 3 × 3 confusion matrix; null where labels were not taken at random. */
  levels: ConfusionCorrection | null;
}

export interface JudgeErrorCommunity {
  key: string;
  verdicts: number;
  labels: number;
  /** Null with the reason: too few labels. */
  corrected: JudgeErrorRow | null;
  reason?: string;
}

export interface JudgeErrorReport {
  design: LabelDesign;
  level: number;
  delta: number;
  least_labels: number;
  fleet: JudgeErrorRow;
  communities: JudgeErrorCommunity[];
}

/**
 * What the auditor's verdicts would be worth in the eyes of people: DI, AI and the rate of indefensible decisions as audited and as
 * corrected by a labelled subsample, for the fleet and for each community with enough labels.
 *
 * Formula: see `predictionPoweredMean`, `roganGladen`, `confusionCorrection`, `clopperPearsonBound`, `stratifiedUpperBound`.
 * Range: all rates within [0, 1].
 * Undefined when: see there; a community with fewer than `leastLabels` labels has none of them.
 * Differs from the paper: the paper takes the auditor's verdicts for the truth.
 * @see `correctRate`
 */
export function judgeError(communities: readonly JudgeCounts[], options: JudgeErrorOptions = {}): JudgeErrorReport {
  const { design = "random", level = CONFIDENCE_LEVEL, delta = 0.05, leastLabels = LEAST_LABELS } = options;
  return {
    design,
    level,
    delta,
    least_labels: leastLabels,
    fleet: judgeRow(communities, { design, level, delta }),
    communities: communities.map((counts) => {
      const labels = sum(counts.labelled);
      const verdicts = labels + sum(counts.rest);
      if (labels < leastLabels) {
        const reason = `${labels} labels; at least ${leastLabels} are needed`;
        return { key: counts.key, verdicts, labels, corrected: null, reason };
      }
      // Within one community labels that were taken by community are a random sample.
      const inside = design === "by_community" ? "random" : design;
      return { key: counts.key, verdicts, labels, corrected: judgeRow([counts], { design: inside, level, delta }) };
    }),
  };
}

function judgeRow(communities: readonly JudgeCounts[], options: Required<CorrectionOptions>): JudgeErrorRow {
  const correct = (name: JudgeQuantityName) =>
    correctRate(quantityStrata(communities, JUDGE_QUANTITIES[name]), options);
  const indefensible = correct("indefensible_rate");
  const labels = communities.reduce((total, counts) => total + sum(counts.labelled), 0);
  return {
    verdicts: labels + communities.reduce((total, counts) => total + sum(counts.rest), 0),
    labels,
    indefensible_rate: indefensible,
    defensibility_index: {
      audited: complement(indefensible.audited),
      prediction_powered: complement(indefensible.prediction_powered),
      rogan_gladen: complement(indefensible.rogan_gladen),
    },
    ambiguity_index: correct("ambiguity_index"),
    ambiguity_pure: correct("ambiguity_pure"),
    levels: options.design === "random" ? correctedLevels(communities, options.level) : null,
  };
}

/** The three shares of levels. Rows of the table are people's, columns the auditor's. */
function correctedLevels(communities: readonly JudgeCounts[], level: number): ConfusionCorrection {
  const table = [1, 2, 3].map(() => [0, 0, 0]);
  const judged = [0, 0, 0];
  for (const counts of communities) {
    AUDITED.forEach((cell, index) => {
      judged[cell.level - 1]! += counts.rest[index]!;
      HUMAN.forEach((label, column) => {
        const count = counts.labelled[index * HUMAN_CELLS + column]!;
        table[label.level - 1]![cell.level - 1]! += count;
        judged[cell.level - 1]! += count;
      });
    });
  }
  return confusionCorrection(table, judged, level);
}

/** 1 − rate, with everything that goes with it. */
function complement(rate: Estimate): Estimate {
  if (rate.estimate === null) return { estimate: null, reason: rate.reason, n: rate.n };
  const { estimate, lower, upper, level, method, n, k, cluster, warnings } = rate;
  return {
    estimate: 1 - estimate,
    lower: 1 - upper,
    upper: 1 - lower,
    level,
    method,
    ...(k === undefined ? {} : { k: n - k }),
    n,
    ...(cluster ? { cluster: { ...cluster, lower: 1 - cluster.upper, upper: 1 - cluster.lower } } : {}),
    ...(warnings ? { warnings } : {}),
  };
}

function sum(counts: Float64Array): number {
  return counts.reduce((total, count) => total + count, 0);
}
