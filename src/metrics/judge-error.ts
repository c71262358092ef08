import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../domain/estimate.js";
import { type ConfusionCorrection, confusionCorrection } from "../stats/confusion-correction.js";
import { proportion } from "../stats/proportion.js";
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
  /** Share of the labelled level-3 verdicts that people call indefensible too. */
  confirmed: Estimate;
  /** 1 − indefensible_rate. */
  defensibility_index: { audited: Estimate; prediction_powered: Estimate; rogan_gladen: Estimate };
  /** Shares of the three levels, from the 3 × 3 confusion matrix; null where labels were not taken at random. */
  levels: ConfusionCorrection | null;
}

export interface JudgeErrorCommunity {
  key: string;
  verdicts: number;
  labels: number;
  /** Labels of level 3: what a test of the true rate counts. */
  indefensible_labels: number;
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
 * Undefined when: see there; a community with fewer than `leastLabels` labels has none of them. AI and AI_pure need as many labels
 * that answer the inverse check.
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
    fleet: judgeRow(communities, { design, level, delta }, leastLabels),
    communities: communities.map((counts) => {
      const labels = sum(counts.labelled);
      const indefensible_labels = indefensibleLabels(counts);
      const verdicts = labels + sum(counts.rest);
      if (labels < leastLabels) {
        const reason = `${labels} labels; at least ${leastLabels} are needed`;
        return { key: counts.key, verdicts, labels, indefensible_labels, corrected: null, reason };
      }
      // Within one community labels that were taken by community are a random sample.
      const inside = design === "by_community" ? "random" : design;
      return {
        key: counts.key,
        verdicts,
        labels,
        indefensible_labels,
        corrected: judgeRow([counts], { design: inside, level, delta }, leastLabels),
      };
    }),
  };
}

function indefensibleLabels({ labelled }: JudgeCounts): number {
  return labelled.reduce((total, count, index) => total + (HUMAN[index % HUMAN_CELLS]!.level === 3 ? count : 0), 0);
}

function judgeRow(
  communities: readonly JudgeCounts[],
  options: Required<CorrectionOptions>,
  leastLabels: number,
): JudgeErrorRow {
  const correct = (name: JudgeQuantityName) =>
    correctRate(quantityStrata(communities, JUDGE_QUANTITIES[name]), options);
  const indefensible = correct("indefensible_rate");
  const labels = communities.reduce((total, counts) => total + sum(counts.labelled), 0);
  return {
    verdicts: labels + communities.reduce((total, counts) => total + sum(counts.rest), 0),
    labels,
    confirmed: confirmedShare(communities, options.level),
    indefensible_rate: indefensible,
    defensibility_index: {
      audited: complement(indefensible.audited),
      prediction_powered: complement(indefensible.prediction_powered),
      rogan_gladen: complement(indefensible.rogan_gladen),
    },
    ambiguity_index: answered(correct("ambiguity_index"), labels, leastLabels),
    ambiguity_pure: answered(correct("ambiguity_pure"), labels, leastLabels),
    levels: options.design === "random" ? correctedLevels(communities, options.level) : null,
  };
}

function confirmedShare(communities: readonly JudgeCounts[], level: number): Estimate {
  const strata = quantityStrata(communities, JUDGE_QUANTITIES.indefensible_rate);
  const confirmed = strata.reduce((sum, one) => sum + one.bothYes, 0);
  const labelled = confirmed + strata.reduce((sum, one) => sum + one.auditorOnly, 0);
  return labelled === 0 ? undefinedEstimate("no level-3 verdict is labelled") : proportion(confirmed, labelled, level);
}

/** Labels may leave the inverse check out. Those that answer it are few, and seldom a fair sample of the others: too few correct nothing. */
function answered(rate: CorrectedRate, labels: number, leastLabels: number): CorrectedRate {
  if (rate.labels >= leastLabels || labels === 0) return rate;
  const none = undefinedEstimate(
    `${rate.labels} of ${labels} labels answer the inverse check; at least ${leastLabels} are needed`,
    rate.labels,
  );
  return {
    ...rate,
    prediction_powered: none,
    rogan_gladen: none,
    sensitivity: none,
    specificity: none,
    upper_bound: { delta: rate.upper_bound.delta, exact: null, prediction_powered: null, rogan_gladen: null },
    warnings: [],
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
