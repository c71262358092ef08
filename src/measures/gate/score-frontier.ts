import { kneeIndex } from "./frontier.js";

/** Where the paper sees the knee of automation by S. @see paper §4.3, Figure "PDS calibration validation" */
export const PAPER_SCORE_KNEE = 0.9;

export interface ScoreFrontierPoint {
  threshold: number;
  /** Decisions with a score of at least the threshold, and the indefensible ones among them. */
  n: number;
  indefensible: number;
  coverage: number | null;
  indefensible_rate: number | null;
  /** Whether this is the paper's threshold of 0.90. */
  paper_knee: boolean;
  /** Whether this is the knee of the curve at hand. */
  knee: boolean;
}

export interface ScoreFrontier {
  points: ScoreFrontierPoint[];
  /** Decisions with a score; the others can never be automated by it. */
  scored: number;
  unscored: number;
  /** Indefensible of the scored. */
  indefensible: number;
}

/** 0.00, 0.01, … 1.00. */
const SCORE_THRESHOLDS: readonly number[] = Object.freeze(Array.from({ length: 101 }, (_, i) => i / 100));

/**
 * The decision-level frontier over a score (the paper's S): coverage and indefensible rate of automating every decision
 * with at least a threshold, whatever its community.
 *
 * Formula: coverage(τ) = #{s ≥ τ} / #{scored}; rate(τ) = #{s ≥ τ, L3} / #{s ≥ τ}. Equal scores are taken together, by
 * the inclusive comparison. The knee is that of `kneeIndex` over distinct coverages.
 * Range: one point for each threshold, ascending; the paper's 0.90 is added when missing.
 * Undefined when: no scores: coverage null; nothing at the threshold: rate null. NaN scores count as unscored.
 * Differs from the paper: nothing; the threshold of 0.90 is marked, and the knee of the data next to it.
 * @see paper §3.4, §4.3
 * @example
 * scoreFrontier(new Float64Array([0.95, 0.5]), new Uint8Array([0, 1]), [0.9]).indefensible // => 1
 */
export function scoreFrontier(
  score: Float64Array,
  indefensible: Uint8Array,
  thresholds: ArrayLike<number> = SCORE_THRESHOLDS,
): ScoreFrontier {
  if (score.length !== indefensible.length) {
    throw new RangeError(`score: ${score.length} of them; expected ${indefensible.length}, one for each decision`);
  }
  const steps = Float64Array.from(new Set([...Array.from(thresholds), PAPER_SCORE_KNEE])).sort();
  // Bucket b holds the decisions that meet exactly the first b thresholds.
  const n = new Float64Array(steps.length + 1);
  const bad = new Float64Array(steps.length + 1);
  let unscored = 0;
  for (let i = 0; i < score.length; i += 1) {
    const s = score[i]!;
    if (Number.isNaN(s)) {
      unscored += 1;
      continue;
    }
    let low = 0;
    let high = steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (steps[middle]! <= s) low = middle + 1;
      else high = middle;
    }
    n[low]! += 1;
    bad[low]! += indefensible[i]!;
  }
  const scored = score.length - unscored;
  const points: ScoreFrontierPoint[] = [];
  let above = 0;
  let badAbove = 0;
  for (let b = steps.length; b >= 1; b -= 1) {
    above += n[b]!;
    badAbove += bad[b]!;
    const threshold = steps[b - 1]!;
    points.push({
      threshold,
      n: above,
      indefensible: badAbove,
      coverage: scored === 0 ? null : above / scored,
      indefensible_rate: above === 0 ? null : badAbove / above,
      paper_knee: threshold === PAPER_SCORE_KNEE,
      knee: false,
    });
  }
  markKnee(points);
  return { points: points.reverse(), scored, unscored, indefensible: badAbove + bad[0]! };
}

/** Of thresholds that automate the same decisions the highest represents them. */
function markKnee(descending: ScoreFrontierPoint[]): void {
  const distinct = descending.filter((point, i) => point.n > 0 && point.n !== descending[i - 1]?.n);
  const knee = kneeIndex(distinct.map((point) => ({ coverage: point.coverage!, risk: point.indefensible_rate! })));
  if (knee !== null) distinct[knee]!.knee = true;
}
