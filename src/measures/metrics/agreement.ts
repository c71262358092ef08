import type { ClusterInterval, Estimate } from "../../core/estimate.js";
import { f1Estimate } from "../../stats/intervals/f1-estimate.js";
import { hasWidth } from "../../stats/intervals/interval.js";
import { pooledProportion } from "../../stats/intervals/pooled-proportion.js";
import { cohenKappa } from "../../stats/ranks/cohen-kappa.js";
import { rate } from "./rate.js";
import { type CellStatistic, smoothEstimate } from "./smooth.js";
import { type CellMask, cellMask, countIn, countRate, inBoth, LABELLED, type Tally } from "./tally.js";

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
  const table = confusion(tallies);
  const { tp, fp, fn } = table;
  const estimate = f1Estimate(tp, fp, fn);
  if (estimate.estimate === null) {
    return { ...estimate, reason: tallies.some((t) => countIn(t, LABELLED) > 0) ? estimate.reason : NO_LABELS };
  }
  if (tallies.length < 2) return estimate;
  const { cluster } = smoothEstimate(f1Statistic(table), tallies, estimate.n, [0, 1]);
  const spread = cluster && !hasWidth(cluster) ? alikeClusters(tallies) : cluster;
  return spread ? { ...estimate, cluster: spread } : estimate;
}

/** Communities without any difference have no spread. F1 = 2J / (1 + J) rises with the rate J = TP / (TP + FP + FN), whose interval knows how many there were. */
function alikeClusters(tallies: readonly Tally[]): ClusterInterval | null {
  const interval = pooledProportion(
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

const F1_ROWS = cellMask((cell) => cell.humanPositive !== null && (cell.positive || cell.humanPositive));

/** F1 = 2 TP/(2 TP + FP + FN); one verdict in cell j adds (2·TP_j − F1·(2·TP_j + FP_j + FN_j)) / (2 TP + FP + FN). */
export function f1Statistic({ tp, fp, fn }: Confusion): CellStatistic {
  const whole = 2 * tp + fp + fn;
  const score = whole > 0 ? (2 * tp) / whole : 0;
  return {
    parts: [TRUE_POSITIVE, F1_ROWS],
    value: ([found, rows]) => (rows! > 0 ? (2 * found!) / (rows! + found!) : null),
    influence: (j) => (whole > 0 ? (2 * TRUE_POSITIVE[j]! - score * (F1_ROWS[j]! + TRUE_POSITIVE[j]!)) / whole : 0),
    counted: [F1_ROWS],
  };
}

/** The share of `success` among `counted`; one verdict in cell j adds (success_j − share)/n where it is counted. */
export function rateStatistic(tallies: readonly Tally[], counted: CellMask, success: CellMask): CellStatistic {
  let [k, n] = [0, 0];
  for (const tally of tallies) {
    const found = countRate(tally, counted, success);
    k += found.k;
    n += found.n;
  }
  const share = n > 0 ? k / n : 0;
  return {
    parts: [counted, inBoth(counted, success)],
    value: ([rows, found]) => (rows! > 0 ? found! / rows! : null),
    influence: (j) => (n > 0 ? (counted[j]! * (success[j]! - share)) / n : 0),
    counted: [counted],
  };
}

export const AGREEMENT_MASKS = { AGREES, TRUE_POSITIVE, FALSE_POSITIVE, FALSE_NEGATIVE, TRUE_NEGATIVE };
