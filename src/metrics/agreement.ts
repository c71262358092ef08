import type { ClusterInterval, Estimate } from "../domain/estimate.js";
import { clusteredProportion } from "../stats/clustered-proportion.js";
import { cohenKappa } from "../stats/cohen-kappa.js";
import { f1Estimate } from "../stats/f1-estimate.js";
import { hasWidth } from "../stats/interval.js";
import { rate } from "./rate.js";
import { smoothEstimate } from "./smooth.js";
import { cellMask, countIn, countRate, LABELLED, type Tally } from "./tally.js";

export interface Confusion {
  tp: number;
  fp: number;
  fn: number;
  tn: number;
}

const TRUE_POSITIVE = cellMask((cell) => cell.positive && cell.humanPositive === true);
const FALSE_POSITIVE = cellMask((cell) => cell.positive && cell.humanPositive === false);
const FALSE_NEGATIVE = cellMask((cell) => !cell.positive && cell.humanPositive === true);
const TRUE_NEGATIVE = cellMask((cell) => !cell.positive && cell.humanPositive === false);
const AGREES = cellMask((cell) => cell.humanPositive === cell.positive);
const DECIDED_POSITIVE = cellMask((cell) => cell.positive && cell.humanPositive !== null);
const HUMAN_POSITIVE = cellMask((cell) => cell.humanPositive === true);
const NO_LABELS = "no verdict has a human label";

/** Decisions against human labels; positive is the action that restricts. Rows without a label are left out. */
export function confusion(tallies: readonly Tally[]): Confusion {
  const total = (mask: Float64Array) => tallies.reduce((sum, tally) => sum + countIn(tally, mask), 0);
  return {
    tp: total(TRUE_POSITIVE),
    fp: total(FALSE_POSITIVE),
    fn: total(FALSE_NEGATIVE),
    tn: total(TRUE_NEGATIVE),
  };
}

/** (TP + TN) / labelled. Undefined without labels. */
export function accuracy(tallies: readonly Tally[]): Estimate {
  return rate(tallies, LABELLED, AGREES, { empty: NO_LABELS });
}

/** TP / (TP + FP). Undefined when nothing was decided positive. */
export function precision(tallies: readonly Tally[]): Estimate {
  return rate(tallies, DECIDED_POSITIVE, HUMAN_POSITIVE, { empty: "no labelled verdict has the positive action" });
}

/** TP / (TP + FN). Undefined when no human label is positive. */
export function recall(tallies: readonly Tally[]): Estimate {
  return rate(tallies, HUMAN_POSITIVE, DECIDED_POSITIVE, { empty: "no human label is the positive action" });
}

/**
 * Agreement of decisions with human labels as the field reports it.
 *
 * F1 = 2 TP / (2 TP + FP + FN).
 * Range 0 to 1. Undefined when TP + FP + FN = 0; 0 when there are only errors. Ignores true negatives.
 * Differs from the paper: nothing; an interval is added.
 * @see paper §5.2
 */
export function f1(tallies: readonly Tally[]): Estimate {
  const { tp, fp, fn } = confusion(tallies);
  const estimate = f1Estimate(tp, fp, fn);
  if (estimate.estimate === null) {
    return { ...estimate, reason: tallies.some((t) => countIn(t, LABELLED) > 0) ? estimate.reason : NO_LABELS };
  }
  const { cluster } = smoothEstimate(estimate.estimate, tallies, f1Influence(tallies), estimate.n, [0, 1]);
  const spread = cluster && !hasWidth(cluster) ? alikeClusters(tallies) : cluster;
  return spread ? { ...estimate, cluster: spread } : estimate;
}

/** Communities without any difference have no spread. F1 = 2J / (1 + J) rises with the rate J = TP / (TP + FP + FN), whose interval knows how many there were. */
function alikeClusters(tallies: readonly Tally[]): ClusterInterval | null {
  const interval = clusteredProportion(
    tallies.map((tally) => {
      const { tp, fp, fn } = confusion([tally]);
      return { k: tp, n: tp + fp + fn };
    }),
  );
  const map = (rate: number) => (2 * rate) / (1 + rate);
  return (
    interval && {
      ...interval,
      lower: map(interval.lower),
      upper: map(interval.upper),
      method: `${interval.method} on TP/(TP+FP+FN)`,
      design_effect: null,
    }
  );
}

/** Agreement beyond chance: Cohen's κ of decision and human label. Undefined when both always take the same single action. */
export function kappa(tallies: readonly Tally[]): Estimate {
  const { tp, fp, fn, tn } = confusion(tallies);
  if (tp + fp + fn + tn === 0) return { estimate: null, reason: NO_LABELS, n: 0 };
  return cohenKappa([
    [tp, fp],
    [fn, tn],
  ]);
}

/** What one verdict in each cell adds to F1: (2·TP_j − F1·(2·TP_j + FP_j + FN_j)) / (2 TP + FP + FN). */
export function f1Influence(tallies: readonly Tally[]): Float64Array {
  const { tp, fp, fn } = confusion(tallies);
  const whole = 2 * tp + fp + fn;
  const value = whole > 0 ? (2 * tp) / whole : 0;
  return TRUE_POSITIVE.map((isTp, j) => {
    const part = 2 * isTp + FALSE_POSITIVE[j]! + FALSE_NEGATIVE[j]!;
    return whole > 0 ? (2 * isTp - value * part) / whole : 0;
  });
}

/** What one verdict in each cell adds to the share of `success` among `counted`. */
export function rateInfluence(tallies: readonly Tally[], counted: Float64Array, success: Float64Array): Float64Array {
  let n = 0;
  let k = 0;
  for (const tally of tallies) {
    const part = countRate(tally, counted, success);
    n += part.n;
    k += part.k;
  }
  return counted.map((isCounted, j) => (n > 0 ? (isCounted * (success[j]! - k / n)) / n : 0));
}

export const AGREEMENT_MASKS = { AGREES, TRUE_POSITIVE, FALSE_POSITIVE, FALSE_NEGATIVE, TRUE_NEGATIVE };
