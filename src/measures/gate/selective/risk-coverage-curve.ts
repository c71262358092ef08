import type { ScoreGroups } from "./score-groups.js";

/** Points of a curve that is shown or stored. */
export const CURVE_POINTS = 200;

export interface RiskCoveragePoint {
  threshold: number;
  /** Automated rows, and the loss among them, each row counted once. */
  n: number;
  k: number;
  /** Share of all rows, unscored ones included; coverage and risk of weighted rows are by their weight. */
  coverage: number;
  risk: number;
}

/**
 * Risk among the automated rows against the share that is automated, as the threshold falls: what any threshold would have given on these
 * rows. Each point is exact; equal scores make one point, because no threshold can part them.
 *
 * Formula: (n(τ) / rows, k(τ) / n(τ)) for the distinct scores τ, falling; of more than `points` of them the last one in each of `points`
 * equal steps of coverage, with both ends. Rows with weights: sums of weights for n, k and rows.
 * Range: coverage rises within (0, 1], risk lies within [0, 1].
 * Undefined when: no row has a score: no points. RangeError for fewer than 2 points.
 * Differs from the paper: the paper draws its decision-level frontier over S; this is the same curve for any score.
 * @see El-Yaniv and Wiener (2010), Journal of Machine Learning Research 11:1605-1641
 * @example
 * riskCoverageCurve({ rows: 4, scored: 3, binary: true, threshold: [0.9, 0.5], n: [1, 3], k: [0, 1] }).length // => 2
 */
export function riskCoverageCurve(groups: ScoreGroups, points = CURVE_POINTS): RiskCoveragePoint[] {
  if (!(Number.isSafeInteger(points) && points >= 2)) {
    throw new RangeError(`points: not a number of points; got ${points}, expected an integer from 2 on`);
  }
  const by = groups.weighted ?? groups;
  const size = groups.threshold.length;
  const curve: RiskCoveragePoint[] = [];
  const add = (i: number): void => {
    const [threshold, n, k] = [groups.threshold[i]!, groups.n[i]!, groups.k[i]!];
    curve.push({ threshold, n, k, coverage: by.n[i]! / by.rows, risk: by.k[i]! / by.n[i]! });
  };
  if (size <= points) {
    for (let i = 0; i < size; i += 1) add(i);
    return curve;
  }
  add(0);
  // One division of whole numbers: all scored rows are in step points − 1, and never, by rounding, in one more.
  const all = by.n[size - 1]!;
  const step = (i: number): number => Math.min(points - 1, Math.ceil((by.n[i]! * (points - 1)) / all));
  for (let i = 1; i < size; i += 1) {
    const last = i === size - 1;
    if (last || step(i + 1) > step(i)) add(i);
  }
  return curve;
}
