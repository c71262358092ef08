import { type ClusterInterval, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { pooledProportion } from "../../stats/intervals/clustered-proportion.js";
import { f1Estimate } from "../../stats/ranks/detection.js";
import { cohenKappa } from "../../stats/ranks/raters.js";
import type { LookReason } from "../report-page.js";
import { rate } from "./indices.js";
import { type CellStatistic, smoothEstimate, withCluster } from "./smooth.js";
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
const TABLE = [TRUE_POSITIVE, FALSE_POSITIVE, FALSE_NEGATIVE, TRUE_NEGATIVE];
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

/** TP / (TP + FP). Undefined when no decision is positive. */
export function precision(tallies: readonly Tally[]): Estimate {
  return rate(tallies, DECIDED_POSITIVE, HUMAN_POSITIVE, { empty: "no labelled verdict has the positive action" });
}

/** TP / (TP + FN). Undefined when no human label is positive. */
export function recall(tallies: readonly Tally[]): Estimate {
  return rate(tallies, HUMAN_POSITIVE, DECIDED_POSITIVE, { empty: "no human label is the positive action" });
}

/**
 * Agreement of decisions with human labels, by the measure that the field reports.
 *
 * F1 = 2 TP / (2 TP + FP + FN).
 * Range 0 to 1. Undefined when TP + FP + FN = 0; 0 when there are only errors. Ignores true negatives.
 * Differs from the paper: nothing; an interval is added.
 * @see paper §5.2
 */
export function f1(tallies: readonly Tally[], table = confusion(tallies)): Estimate {
  const { tp, fp, fn } = table;
  const estimate = f1Estimate(tp, fp, fn);
  if (estimate.estimate === null) {
    return { ...estimate, reason: tallies.some((t) => countIn(t, LABELLED) > 0) ? estimate.reason : NO_LABELS };
  }
  if (tallies.length < 2) return estimate;
  const { cluster } = smoothEstimate(f1Statistic(table), tallies, estimate.n, [0, 1]);
  return withCluster(estimate, cluster, tallies, () => {
    const found = (tally: Tally) => countRate(tally, F1_ROWS, TRUE_POSITIVE);
    // F1 = 2J/(1 + J) increases with the rate J = TP/(TP + FP + FN), whose interval takes account of n.
    return mapped(pooledProportion(tallies.map(found)), (rate) => (2 * rate) / (1 + rate), "TP/(TP+FP+FN)");
  });
}

/** An interval over communities, mapped by an increasing function of its rate. */
function mapped(rate: ClusterInterval | null, map: (rate: number) => number, of: string): ClusterInterval | null {
  if (!rate) return null;
  const { lower, upper, method } = rate;
  return { ...rate, lower: map(lower), upper: map(upper), method: `${method} on ${of}`, design_effect: null };
}

/**
 * Agreement beyond chance: Cohen's κ of decision and human label, `cohenKappa`. The interval over communities is a jackknife; if all communities
 * are alike, it is the interval of the agreement p_o mapped through κ at the observed p_e.
 *
 * Undefined when: no verdict has a label, or both always take the same single action.
 */
export function kappa(tallies: readonly Tally[], table = confusion(tallies)): Estimate {
  const { tp, fp, fn, tn } = table;
  const n = tp + fp + fn + tn;
  const estimate = kappaOf(table);
  if (estimate.estimate === null) return n > 0 ? estimate : undefinedEstimate(NO_LABELS);
  if (tallies.length < 2) return estimate;
  const { cluster } = smoothEstimate(kappaStatistic(table, estimate.estimate), tallies, n, [-1, 1]);
  return withCluster(estimate, cluster, tallies, () => {
    const agreed = (tally: Tally) => countRate(tally, LABELLED, AGREES);
    const chance = chanceOf(table);
    return mapped(
      pooledProportion(tallies.map(agreed)),
      (agreement) => Math.max(-1, (agreement - chance) / (1 - chance)),
      "the agreement",
    );
  });
}

function kappaOf({ tp, fp, fn, tn }: Confusion): Estimate {
  return cohenKappa([
    [tp, fp],
    [fn, tn],
  ]);
}

/** p_e = Σ r_i c_i: the chance agreement for these shares of actions. */
function chanceOf({ tp, fp, fn, tn }: Confusion): number {
  return ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / (tp + fp + fn + tn) ** 2;
}

/**
 * κ; one verdict of row i and column j adds (1{i = j} − p_o − (1 − κ)(c_i + r_j − 2 p_e)) / (n (1 − p_e)), where r and c are the shares of rows and
 * columns.
 */
function kappaStatistic(table: Confusion, score: number): CellStatistic {
  const { tp, fp, fn, tn } = table;
  const n = tp + fp + fn + tn;
  const chance = chanceOf(table);
  const added = (agrees: number, marginals: number) =>
    (agrees - (tp + tn) / n - (1 - score) * (marginals - 2 * chance)) / (n * (1 - chance));
  const [row, column] = [(tp + fp) / n, (tp + fn) / n];
  const ofCell = [
    added(1, column + row),
    added(0, column + 1 - row),
    added(0, 1 - column + row),
    added(1, 2 - column - row),
  ];
  return {
    parts: TABLE,
    value: (counts) => kappaOf({ tp: counts[0]!, fp: counts[1]!, fn: counts[2]!, tn: counts[3]! }).estimate,
    influence: (j) => TABLE.reduce((sum, mask, cell) => sum + mask[j]! * ofCell[cell]!, 0),
    counted: [LABELLED],
  };
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

/** The share of `success` among `counted`; one verdict in cell j adds (success_j − share)/n if it is counted. */
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

/** Between these probabilities of being defensible, a verdict is too uncertain to rely on. */
export const UNSURE_BAND = [0.25, 0.75] as const;

/** The fields of an audit that determine whether its decision needs review. */
export interface LookedAt {
  outcome: string;
  decision: string;
  human_label: string | null;
  level: number | null;
  level_map: number | null;
  inverse: boolean | null;
  p_defensible: number | null;
  /** Whether the citation was found in rules or precedents; null if nothing was cited or it was not checked. */
  grounded: boolean | null;
  flags: readonly string[];
}

/**
 * Reasons to review a decision, the most urgent first; every decision has at least one.
 *
 * `injection_suspected`: the content seems to address the auditor, whatever the verdict. `disagreement_indefensible`, `agreed_but_indefensible`,
 * `indefensible`: level 3, where the moderator decided otherwise, decided the same (the agreement trap), or gave no label. `not_scored`: no
 * verdict. `ungrounded_citation`: its citation is found in no rule or precedent. `disagreement_defensible`: level 1 or 2, and the moderator decided
 * otherwise. `open_both_ways`: level 1 or 2, and the opposite is also derivable. `unsure`: the emitted level is not the most probable one, or
 * P(defensible) is within `UNSURE_BAND`. `settled`: a verdict to which nothing above applies.
 *
 * @example lookReasons({ outcome: "verdict", decision: "remove", human_label: "remove", level: 3, level_map: 3, inverse: false, p_defensible: 0.1, grounded: true, flags: [] }).join() // => "agreed_but_indefensible"
 */
export function lookReasons(audit: LookedAt): LookReason[] {
  const { level, human_label, p_defensible, level_map } = audit;
  const verdict = audit.outcome === "verdict" && level !== null;
  const disagrees = human_label !== null && human_label !== audit.decision;
  const [low, high] = UNSURE_BAND;
  const held: [LookReason, boolean][] = [
    ["injection_suspected", audit.flags.includes("injection_suspected")],
    ["disagreement_indefensible", verdict && level === 3 && disagrees],
    ["agreed_but_indefensible", verdict && level === 3 && human_label !== null && !disagrees],
    ["indefensible", verdict && level === 3 && human_label === null],
    ["not_scored", !verdict],
    ["ungrounded_citation", verdict && audit.grounded === false],
    ["disagreement_defensible", verdict && level < 3 && disagrees],
    ["open_both_ways", verdict && level < 3 && audit.inverse === true],
    [
      "unsure",
      verdict &&
        ((level_map !== null && level_map !== level) ||
          (p_defensible !== null && p_defensible >= low && p_defensible <= high)),
    ],
  ];
  const reasons = held.filter(([, holds]) => holds).map(([reason]) => reason);
  return reasons.length > 0 ? reasons : ["settled"];
}
