import { CONFIDENCE_LEVEL, undefinedEstimate } from "../../core/estimate.js";
import { groupBy } from "../../core/text-checks.js";
import { checkLevel } from "../check-arguments.js";
import type { PredictionPoweredMean } from "./prediction-powered-mean.js";
import { wilsonInterval } from "./proportion.js";

/** Labels with the same answer, the same prediction and the same chance of being drawn. */
export interface DrawnLabels {
  /** Name of the part of the population they were drawn from, if the draw fixed its size; "": none. */
  cell: string;
  /** The chance that each was drawn: above 0, at most 1. */
  inclusion: number;
  yes: boolean;
  /** The prediction for these members; false without a prediction. */
  predicted: boolean;
  count: number;
}

export interface DrawnOptions {
  /**
   * `known`: the draw fixed how many labels each cell has (default). `estimated`: it did not, as in a part of the sample, and
   * Σ1/π is all that is known about sizes. Labels without a cell have no known size.
   */
  sizes?: "known" | "estimated";
  /** Whether the labels are part of the population that is estimated, and not of something larger. Default true. */
  finite?: boolean;
}

/** Labels of one part with similar chances and the same prediction. */
export interface DrawnClass {
  /** Σw of the class over Σw of all. */
  weight: number;
  /** Σ w² (1 − π) of the class over (Σw)² of all: what its labels add to a variance per unit of their spread. */
  spread: number;
  predicted: boolean;
  /** Share of Yes by w, and by w² (1 − π); each with half a label of either kind added. */
  share: number;
  spreadShare: number;
}

/** With fewer labels than this, labels of one chance are merged with those of the next: too few say nothing about their spread. */
const LEAST = 10;

/**
 * Labels as weighted parts, for variances that do not vanish if all labels of a part agree. A part is a cell of known size, or all labels together.
 * Within a part, labels are sorted by their chances, equal ones together, and grouped into classes of at least ten.
 */
export function drawnClasses(
  labels: readonly DrawnLabels[],
  { sizes = "known", finite = true }: DrawnOptions = {},
): DrawnClass[][] {
  for (const { inclusion, count } of labels) {
    if (!(inclusion > 0 && inclusion <= 1 && count >= 0)) {
      throw new RangeError(`labels: got ${count} with a chance of ${inclusion}, expected a chance above 0, at most 1`);
    }
  }
  const given = labels.filter(({ count }) => count > 0);
  const total = given.reduce((sum, { inclusion, count }) => sum + count / inclusion, 0);
  const known = sizes === "known" && given.every(({ cell }) => cell !== "");
  return [...groupBy(given, ({ cell }) => (known ? cell : "")).values()].map((part) =>
    likeChances(part).flatMap((like) =>
      [...groupBy(like, ({ predicted }) => predicted).values()].map((one) => classOf(one, total, finite)),
    ),
  );
}

function likeChances(part: readonly DrawnLabels[]): DrawnLabels[][] {
  const chances = [...groupBy(part, ({ inclusion }) => inclusion)].sort(([a], [b]) => a - b);
  const classes: { labels: DrawnLabels[]; n: number }[] = [];
  for (const [, labels] of chances) {
    const n = labels.reduce((sum, { count }) => sum + count, 0);
    const last = classes.at(-1);
    if (last && last.n < LEAST) {
      last.labels.push(...labels);
      last.n += n;
    } else classes.push({ labels: [...labels], n });
  }
  const [rest] = classes.slice(-1);
  if (rest && rest.n < LEAST && classes.length > 1) {
    classes.pop();
    classes.at(-1)!.labels.push(...rest.labels);
  }
  return classes.map(({ labels }) => labels);
}

function classOf(labels: readonly DrawnLabels[], total: number, finite: boolean): DrawnClass {
  const sum = (of: (one: DrawnLabels) => number) => labels.reduce((all, one) => all + one.count * of(one), 0);
  const n = sum(() => 1);
  const weight = ({ inclusion }: DrawnLabels) => 1 / inclusion;
  const spread = ({ inclusion }: DrawnLabels) => (finite ? 1 - inclusion : 1) / inclusion ** 2;
  const share = (by: (one: DrawnLabels) => number) => {
    const all = sum(by);
    return all === 0 ? 0.5 : (n * (sum((one) => (one.yes ? by(one) : 0)) / all) + 0.5) / (n + 1);
  };
  return {
    weight: sum(weight) / total,
    spread: sum(spread) / total ** 2,
    predicted: labels[0]!.predicted,
    share: share(weight),
    spreadShare: share(spread),
  };
}

export interface DrawnProportionOptions extends DrawnOptions {
  /** Size of the whole population, and the share of it predicted as Yes. Absent: predictions are not used. */
  predicted?: { n: number; mean: number };
  /**
   * `population`: the share is of these members (default). `process`: the share is of all members that could have arisen in the
   * same way, so the population's size counts as well.
   */
  of?: "population" | "process";
  level?: number;
  /** Error of the one-sided upper bound. Default 0.05. */
  delta?: number;
}

/** With this few labels, a larger cell's spread is hardly known. */
const FEW = 2;

/**
 * A share of a population from labels with known chances of being drawn, improved by predictions for all members where there are any (PPI++
 * with weights).
 *
 * Formula: w = 1/π; p̂ = λf̄ + Σw(y − λf)/Σw, f̄ the prediction's mean over the population. V(λ) = Σ_c s_c E_c(r − r̄)², r = y − λf, over classes c
 * of labels with similar chances and the same prediction, s_c = Σw²(1 − π)/(Σw)², y of the class with the share (nȳ + ½)/(n + 1), r̄ the mean of
 * its part (the cell where its size is known, else all labels). λ minimises V within [0, 1]; 0 without predictions. Wilson's interval at p̂ and
 * n* = p̃(1 − p̃)/V, p̃ the Σw-weighted mean of the classes' shares. For a process, V is larger by p̃(1 − p̃)/N.
 * Range: [0, 1]. Coverage: see docs/guarantees.md. For equal chances in cells of known size and no prediction: `stratifiedProportion`.
 * Undefined when: no labels. RangeError when a chance is not above 0 and at most 1. If every label was certain to be drawn, the
 * interval has no width.
 * Differs from the paper: not in the paper, whose cases are not a sample of a run.
 * @see Angelopoulos, Duchi and Zrnic (2023), PPI++, arXiv:2311.01453; Särndal, Swensson and Wretman (1992),
 *   Model Assisted Survey Sampling, 5.7 and 6.4
 * @example
 * drawnProportion([{ cell: "", inclusion: 0.5, yes: true, predicted: false, count: 10 }, { cell: "", inclusion: 0.1, yes: false, predicted: false, count: 10 }]).estimate // => 1/6
 */
export function drawnProportion(
  labels: readonly DrawnLabels[],
  options: DrawnProportionOptions = {},
): PredictionPoweredMean {
  const { predicted, level = CONFIDENCE_LEVEL, delta = 0.05 } = options;
  checkLevel(level);
  checkLevel(1 - delta);
  const used = predicted ? labels : labels.map((one) => ({ ...one, predicted: false }));
  const parts = drawnClasses(used, options);
  const sum = (of: (one: DrawnLabels) => number) => used.reduce((all, one) => all + one.count * of(one), 0);
  const n = sum(() => 1);
  if (n === 0) return undefinedEstimate("no labels", 0);
  const total = sum(({ inclusion }) => 1 / inclusion);
  const mean = (of: (one: DrawnLabels) => boolean) => sum((one) => (of(one) ? 1 / one.inclusion : 0)) / total;
  const moments = momentsOf(parts);
  const lambda = predicted && predicted.n > 0 ? bestLambda(moments) : 0;
  const smooth = moments.share * (1 - moments.share);
  const ofProcess = options.of === "process" && predicted && predicted.n > 0 ? smooth / predicted.n : 0;
  const variance = Math.max(0, moments.yy - 2 * lambda * moments.yf + lambda ** 2 * moments.ff) + ofProcess;
  const raw = mean(({ yes }) => yes) + lambda * ((predicted?.mean ?? 0) - mean((one) => one.predicted));
  const estimate = Math.min(1, Math.max(0, raw));
  const warnings = warningsOf(labels, options);
  const interval = (at: number) => {
    if (variance === 0) return { lower: estimate, upper: estimate };
    const effective = smooth / variance;
    return wilsonInterval(estimate * effective, effective, at);
  };
  return {
    estimate,
    ...interval(level),
    level,
    method: predicted ? "prediction-powered, weighted" : "weighted Wilson",
    k: sum(({ yes }) => (yes ? 1 : 0)),
    n,
    ...(warnings.length > 0 ? { warnings } : {}),
    lambda,
    standard_error: Math.sqrt(variance),
    upper_bound: interval(1 - 2 * delta).upper,
    delta,
    n_predicted: predicted?.n ?? 0,
  };
}

/** A covariance this small relative to the spreads is rounding, and its sign depends on the order of the rows. */
const ROUNDING = 1e-12;

function bestLambda({ yy, yf, ff }: ReturnType<typeof momentsOf>): number {
  return yf > ROUNDING * Math.sqrt(yy * ff) ? Math.min(1, yf / ff) : 0;
}

/** Variances and covariance of the weighted means of label and prediction, and the share of Yes on which they are based. */
function momentsOf(parts: ReturnType<typeof drawnClasses>) {
  const moments = { yy: 0, yf: 0, ff: 0, share: 0 };
  for (const part of parts) {
    const weight = part.reduce((sum, one) => sum + one.weight, 0);
    const y = part.reduce((sum, one) => sum + one.weight * one.share, 0) / weight;
    const f = part.reduce((sum, one) => sum + (one.predicted ? one.weight : 0), 0) / weight;
    moments.share += weight * y;
    for (const { spread, spreadShare: share, predicted } of part) {
      const ahead = (predicted ? 1 : 0) - f;
      moments.yy += spread * (share * (1 - y) ** 2 + (1 - share) * y ** 2);
      moments.yf += spread * (share - y) * ahead;
      moments.ff += spread * ahead ** 2;
    }
  }
  return moments;
}

function warningsOf(labels: readonly DrawnLabels[], { sizes = "known" }: DrawnOptions): string[] {
  if (labels.every(({ inclusion }) => inclusion === 1)) return ["all members were sampled: the share is known"];
  if (sizes === "estimated" || labels.some(({ cell }) => cell === "")) return [];
  const cells = new Map<string, { n: number; certain: boolean }>();
  for (const { cell, count, inclusion } of labels) {
    const before = cells.get(cell) ?? { n: 0, certain: true };
    cells.set(cell, { n: before.n + count, certain: before.certain && inclusion === 1 });
  }
  const thin = [...cells.values()].filter(({ n, certain }) => n > 0 && n <= FEW && !certain).length;
  return thin > 0 ? [`${thin} of ${cells.size} strata have one or two labels: the interval may be too narrow`] : [];
}

/** Assigns rows to strata for `stratifiedJackknife`: their cells if all have known sizes and one chance each, else one stratum per row. */
export function drawnStrata(
  rows: readonly Pick<DrawnLabels, "cell" | "inclusion">[],
  { sizes = "known" }: Pick<DrawnOptions, "sizes"> = {},
): { stratum: number[]; sizes: number[] } {
  const cells = new Map<string, { index: number; inclusion: number; n: number }>();
  let known = sizes === "known";
  for (const { cell, inclusion } of rows) {
    const found = cells.get(cell);
    known &&= cell !== "" && (found === undefined || found.inclusion === inclusion);
    if (found) found.n += 1;
    else cells.set(cell, { index: cells.size, inclusion, n: 1 });
  }
  if (!known) return { stratum: rows.map((_, i) => i), sizes: rows.map(({ inclusion }) => 1 / inclusion) };
  return {
    stratum: rows.map(({ cell }) => cells.get(cell)!.index),
    sizes: [...cells.values()].map(({ n, inclusion }) => n / inclusion),
  };
}
