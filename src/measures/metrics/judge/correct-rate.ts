import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import {
  type ClusterSpread,
  clusterSpread,
  effectiveClusters,
  intervalOf,
} from "../../../stats/intervals/cluster-jackknife.js";
import { type DrawnLabels, drawnProportion } from "../../../stats/intervals/drawn-proportion.js";
import { roganGladen } from "../../../stats/intervals/judge-correction.js";
import type { PredictionPoweredMean } from "../../../stats/intervals/prediction-powered-mean.js";
import { clopperPearsonBound, proportion } from "../../../stats/intervals/proportion.js";
import { type LabelledStratum, stratifiedUpperBound } from "../../../stats/intervals/stratified-proportion.js";
import { newcombeInterval } from "../../../stats/intervals/two-proportions.js";
import { auditedYes, labelsIn, type QuantityStratum, rowsIn } from "./counts.js";

/**
 * How the labelled decisions were chosen: at random among all; at random among those of each audited level (level 3 more often, say); at random
 * within each community; at random among those of each verdict, like a rating sheet (`correctByVerdict`); with unequal probabilities recorded on
 * each label (`correctByStratum`); or from another population. Unequal sampling rates are weighted back.
 */
export const LABEL_DESIGNS = ["random", "by_level", "by_community", "by_verdict", "by_stratum", "elsewhere"] as const;
export type LabelDesign = (typeof LABEL_DESIGNS)[number];

export interface CorrectionOptions {
  /** Default random. */
  design?: LabelDesign;
  level?: number;
  /** Error probability of the one-sided upper bounds. Default 0.05. */
  delta?: number;
}

/** A rate as audited, and as corrected by human labels. */
export interface CorrectedRate {
  /** Labels with an answer for this rate. */
  labels: number;
  audited: Estimate;
  prediction_powered: PredictionPoweredMean;
  rogan_gladen: Estimate;
  /** Share of the human Yes labels that the auditor found, and of the human No labels. */
  sensitivity: Estimate;
  specificity: Estimate;
  /** Upper bounds of the true rate with confidence 1 − delta. `exact` holds for any number of labels; the others are approximate. */
  upper_bound: { delta: number; exact: number | null; prediction_powered: number | null; rogan_gladen: number | null };
  warnings: string[];
}

/** Confidence level at which labelled and other rows must differ for the sample to be called unrepresentative. */
const SUSPICION = 0.99;

/** One rate as audited, prediction-powered and by Rogan–Gladen, with upper bounds of the true rate for a certificate. */
export function correctRate(all: readonly QuantityStratum[], options: CorrectionOptions = {}): CorrectedRate {
  const { design = "random", level = CONFIDENCE_LEVEL, delta = 0.05 } = options;
  const warnings: string[] = [];
  const strata = design === "by_community" ? labelledCommunities(all, warnings) : all;
  const total = (count: (stratum: QuantityStratum) => number) => strata.reduce((sum, one) => sum + count(one), 0);
  const labels = total(labelsIn);
  const hits = total((one) => one.bothYes);
  const rejections = total((one) => one.bothNo);
  const sensitivity = { k: hits, n: hits + total((one) => one.humanOnly) };
  const specificity = { k: rejections, n: rejections + total((one) => one.auditorOnly) };
  const apparent = {
    k: all.reduce((sum, one) => sum + auditedYes(one), 0),
    n: all.reduce((sum, s) => sum + rowsIn(s), 0),
  };
  const powered = predictionPowered(strata, design, level, delta);
  if (design === "random" && labels > 0) warnings.push(...representativeness(strata));
  const atRandom = design === "random";
  const unweighted = (rate: () => Estimate): Estimate =>
    atRandom
      ? rate()
      : undefinedEstimate("labels were not taken at random, so the sample's error rates are not the auditor's", labels);
  const corrected = (at: number) => unweighted(() => roganGladen(apparent, sensitivity, specificity, at));
  const bound = corrected(1 - 2 * delta);
  return {
    labels,
    audited: proportion(apparent.k, apparent.n, level),
    prediction_powered: powered,
    rogan_gladen: corrected(level),
    sensitivity: unweighted(() => proportion(sensitivity.k, sensitivity.n, level)),
    specificity: unweighted(() => proportion(specificity.k, specificity.n, level)),
    upper_bound: {
      delta,
      exact: exactBound(strata, design, delta),
      prediction_powered: powered.estimate === null ? null : powered.upper_bound,
      rogan_gladen: bound.estimate === null ? null : bound.upper,
    },
    warnings,
  };
}

function predictionPowered(
  strata: readonly QuantityStratum[],
  design: LabelDesign,
  level: number,
  delta: number,
): PredictionPoweredMean {
  const weights = weightsOf(strata, design);
  const labels = strata.reduce((sum, one) => sum + labelsIn(one), 0);
  if (typeof weights === "string") return undefinedEstimate(weights, labels);
  if (labels < 2) return undefinedEstimate("fewer than two labels", labels);
  const rows = strata.reduce((sum, one) => sum + rowsIn(one), 0);
  const predicted = { n: rows, mean: strata.reduce((sum, one) => sum + auditedYes(one), 0) / rows };
  const drawn = strata.flatMap((one, index) => drawnLabels(one, `${keyOf(one, design)}`, weights[index]!));
  const result = drawnProportion(drawn, { predicted, of: "process", level, delta });
  if (result.estimate === null) return result;
  const spread = communitySpread(strata, weights, result.lambda, predicted, level);
  return spread ? { ...result, cluster: intervalOf(result.estimate, spread, [0, 1]) } : result;
}

/** Identifies the rows that were labelled at the same rate. */
function keyOf({ level, community }: QuantityStratum, design: LabelDesign): number {
  return design === "by_level" ? level : design === "by_community" ? community : 0;
}

function drawnLabels(one: QuantityStratum, cell: string, weight: number): DrawnLabels[] {
  const labels = (yes: boolean, predicted: boolean, count: number) => {
    return { cell, inclusion: Math.min(1, 1 / weight), yes, predicted, count };
  };
  return [
    labels(true, true, one.bothYes),
    labels(true, false, one.humanOnly),
    labels(false, true, one.auditorOnly),
    labels(false, false, one.bothNo),
  ];
}

/** How many rows a label of each stratum represents, or why that is unknown. */
function weightsOf(strata: readonly QuantityStratum[], design: LabelDesign): number[] | string {
  const rows = new Map<number, { rows: number; labels: number }>();
  for (const one of strata) {
    const sum = rows.get(keyOf(one, design)) ?? { rows: 0, labels: 0 };
    rows.set(keyOf(one, design), { rows: sum.rows + rowsIn(one), labels: sum.labels + labelsIn(one) });
  }
  for (const [key, sum] of rows) {
    if (sum.rows > 0 && sum.labels === 0 && design === "by_level")
      return `no decision of audited level ${key} is labelled`;
  }
  return strata.map((one) => {
    const sum = rows.get(keyOf(one, design))!;
    return sum.labels === 0 ? 1 : sum.rows / sum.labels;
  });
}

/**
 * Leaves out one community at a time, with λ and the label weights held fixed. Null if there is no second community, or one has all labels (or,
 * with λ > 0, all audited rows).
 */
function communitySpread(
  strata: readonly QuantityStratum[],
  weights: readonly number[],
  lambda: number,
  predicted: { n: number; mean: number },
  level: number,
): ClusterSpread | null {
  const communities = new Map<number, { residuals: number; labels: number; yes: number; rows: number }>();
  strata.forEach((one, i) => {
    const sums = communities.get(one.community) ?? { residuals: 0, labels: 0, yes: 0, rows: 0 };
    sums.residuals += weights[i]! * (one.bothYes * (1 - lambda) + one.humanOnly - lambda * one.auditorOnly);
    sums.labels += weights[i]! * labelsIn(one);
    sums.yes += auditedYes(one);
    sums.rows += rowsIn(one);
    communities.set(one.community, sums);
  });
  const parts = [...communities.values()].filter(({ labels, rows }) => labels > 0 || rows > 0);
  const labels = parts.reduce((sum, part) => sum + part.labels, 0);
  const mean = parts.reduce((sum, part) => sum + part.residuals, 0) / labels;
  const usesRows = lambda !== 0 && predicted.n > 0;
  if (parts.some((part) => part.labels === labels || (usesRows && part.rows === predicted.n))) return null;
  const changes = parts.map((part) => {
    const ofLabels = (mean * part.labels - part.residuals) / (labels - part.labels);
    const ofRows = usesRows ? (predicted.mean * part.rows - part.yes) / (predicted.n - part.rows) : 0;
    return ofLabels + lambda * ofRows;
  });
  // The part with the fewest communities limits how well the variance is known.
  const sizes = [parts.map((part) => part.labels), ...(usesRows ? [parts.map((part) => part.rows)] : [])];
  return clusterSpread(changes, Math.min(...sizes.map((part) => effectiveClusters(part) ?? 0)), level);
}

/**
 * A bound that needs no approximation. With labels drawn at random it uses only the labels, since the cost of two strata and their sizes exceeds
 * the benefit of the auditor's verdicts. With labels drawn by level it bounds each kind of verdict and combines them in their audited shares.
 */
function exactBound(strata: readonly QuantityStratum[], design: LabelDesign, delta: number): number | null {
  if (design === "by_community") return null;
  const levels = design === "by_level" ? [1, 2, 3] : [null];
  const kinds = design === "by_level" ? [false, true] : [null];
  // The part that the auditor finds defensible has the lower rate and comes first.
  const parts = kinds.flatMap((audited) => levels.map((level) => partOf(strata, audited, level)));
  if (parts.every((part) => part.labelled === 0)) return null;
  if (design === "by_level") return stratifiedUpperBound(parts, delta);
  return clopperPearsonBound(parts[0]!.k, parts[0]!.labelled, delta);
}

/** Rows of one audited level (null: any) with or without the audited property (null: either). */
function partOf(strata: readonly QuantityStratum[], audited: boolean | null, level: number | null): LabelledStratum {
  const part = { n: 0, labelled: 0, k: 0 };
  for (const one of strata) {
    if (level !== null && one.level !== level) continue;
    const yes = (audited !== false ? one.bothYes : 0) + (audited !== true ? one.humanOnly : 0);
    const no = (audited !== false ? one.auditorOnly : 0) + (audited !== true ? one.bothNo : 0);
    part.k += yes;
    part.labelled += yes + no;
    part.n += yes + no + (audited !== false ? one.restYes : 0) + (audited !== true ? one.restNo : 0);
  }
  return part;
}

function labelledCommunities(strata: readonly QuantityStratum[], warnings: string[]): QuantityStratum[] {
  const labels = new Map<number, number>();
  for (const one of strata) labels.set(one.community, (labels.get(one.community) ?? 0) + labelsIn(one));
  const without = [...labels.values()].filter((count) => count === 0).length;
  if (without > 0)
    warnings.push(`${without} of ${labels.size} communities have no label and are left out of the correction`);
  return strata.filter((one) => labels.get(one.community)! > 0);
}

/** Signs that a sample called random is not random. */
function representativeness(strata: readonly QuantityStratum[]): string[] {
  const total = (count: (stratum: QuantityStratum) => number) => strata.reduce((sum, one) => sum + count(one), 0);
  const labels = total(labelsIn);
  const rest = total((one) => one.restYes + one.restNo);
  if (rest === 0) return [];
  const k = total((one) => one.bothYes + one.auditorOnly);
  const others = total((one) => one.restYes);
  const { lower, upper } = newcombeInterval(k, labels, others, rest, SUSPICION);
  if (lower <= 0 && upper >= 0) return [];
  const share = (value: number) => `${(100 * value).toFixed(1)}%`;
  return [
    `the auditor says so of ${share(k / labels)} of the labelled decisions and of ${share(others / rest)} of the others: the labels are not a random sample`,
  ];
}
