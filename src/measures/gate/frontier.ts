import { firstWhere } from "../../stats/ranks/sorted-order.js";
import { ambiguousCount, type GateCohort, type GateLimits } from "./gate-input.js";
import { meetsHarm } from "./harm.js";
import { isEligible, LIMIT_SLACK } from "./limits.js";

/** The paper's knee of automation by S. @see paper §4.3, Figure "PDS calibration validation" */
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
  /** Whether this is the knee of the curve computed here. */
  knee: boolean;
}

export interface ScoreFrontier {
  points: ScoreFrontierPoint[];
  /** Decisions with a score. The others can never be automated by it. */
  scored: number;
  unscored: number;
  /** Indefensible decisions with a score. */
  indefensible: number;
}

/** 0.00, 0.01, … 1.00. */
const SCORE_THRESHOLDS: readonly number[] = Object.freeze(Array.from({ length: 101 }, (_, i) => i / 100));

/**
 * The decision-level frontier over a score (the paper's S): coverage and indefensible rate if every decision at or above a threshold is automated,
 * whatever its community.
 *
 * Formula: coverage(τ) = #{s ≥ τ} / #{scored}; rate(τ) = #{s ≥ τ, L3} / #{s ≥ τ}. Equal scores are taken together, by the inclusive comparison. The
 * knee is that of `kneeIndex` over distinct coverages.
 * Range: one point for each threshold, ascending; the paper's 0.90 is added when missing.
 * Undefined when: no scores: coverage null; no decision at or above the threshold: rate null. NaN scores count as unscored.
 * Differs from the paper: nothing; both the threshold of 0.90 and the knee of the data are marked.
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
    const low = firstWhere(0, steps.length, (k) => steps[k]! > s);
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

/** Among thresholds that automate the same decisions, the highest represents them. */
function markKnee(descending: ScoreFrontierPoint[]): void {
  const distinct = descending.filter((point, i) => point.n > 0 && point.n !== descending[i - 1]?.n);
  const knee = kneeIndex(distinct.map((point) => ({ coverage: point.coverage!, risk: point.indefensible_rate! })));
  if (knee !== null) distinct[knee]!.knee = true;
}

export interface FrontierPoint {
  di: number;
  ai: number;
  passing: number;
  automated_decisions: number;
  automated_indefensible: number;
  /** Share of the eligible decisions that is automated. */
  coverage: number | null;
  /** Indefensible share of the automated decisions; null when nothing is automated. */
  risk: number | null;
  exposure_reduction: number | null;
  /** Whether no other limits have at least this coverage at no more risk, with one of the two strictly better. */
  pareto: boolean;
  /** Whether it is the knee of the Pareto points. */
  knee: boolean;
}

export interface CoverageRiskFrontier {
  points: FrontierPoint[];
  eligible_decisions: number;
  eligible_indefensible: number;
  knee: { di: number; ai: number; coverage: number; risk: number } | null;
  /** Why there is no knee. */
  reason: string | null;
}

/** di 0.70, 0.71, … 1.00 and ai 0.00, 0.01, … 0.40: about the paper's settings. */
export const FRONTIER_GRID = Object.freeze({
  di: Object.freeze(Array.from({ length: 31 }, (_, i) => (70 + i) / 100)),
  ai: Object.freeze(Array.from({ length: 41 }, (_, i) => i / 100)),
});

/** The grid, extended to include the limits in use. */
export function frontierGrid({ di, ai }: Pick<GateLimits, "di" | "ai">): {
  di: readonly number[];
  ai: readonly number[];
} {
  const from = Math.min(70, Math.max(0, Math.floor(100 * di + LIMIT_SLACK)));
  const to = Math.max(40, Math.min(100, Math.ceil(100 * ai - LIMIT_SLACK)));
  if (from === 70 && to === 40) return FRONTIER_GRID;
  return {
    di: Array.from({ length: 101 - from }, (_, i) => (from + i) / 100),
    ai: Array.from({ length: to + 1 }, (_, i) => i / 100),
  };
}

/**
 * Coverage against risk over a grid of limits, by the observed rates: what other limits would have automated, and at what indefensible rate. It
 * describes the given rows; for new rows the risk of the best of many limits is optimistic.
 *
 * Formula: for each (di, ai): coverage = Σn over cohorts that meet both / Σn eligible; risk = ΣL3 / Σn over the same.
 * Range: one point for each pair, di outer, ai inner.
 * Undefined when: nothing passes: risk null, not on the frontier. The knee is null with a reason: see `kneeIndex`. Among limits with the same
 * outcome the strictest (highest di, then lowest ai) is marked as the knee.
 * Differs from the paper: the paper shows four points.
 * @see paper §3.4, §9
 * @example
 * coverageRiskFrontier([], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }).knee // => null
 */
export function coverageRiskFrontier(
  cohorts: readonly GateCohort[],
  limits: GateLimits,
  grid: { di: readonly number[]; ai: readonly number[] } = frontierGrid(limits),
): CoverageRiskFrontier {
  const eligible = cohorts.filter((cohort) => isEligible(cohort, limits));
  const rates = eligible.map((cohort) => ({
    di: (cohort.n - cohort.indefensible) / cohort.n + LIMIT_SLACK,
    ai: ambiguousCount(cohort, limits.variable) / cohort.n - LIMIT_SLACK,
    n: cohort.n,
    indefensible: cohort.indefensible,
    harmless: meetsHarm(cohort, limits),
  }));
  const decisions = rates.reduce((sum, rate) => sum + rate.n, 0);
  const indefensible = rates.reduce((sum, rate) => sum + rate.indefensible, 0);
  const points: FrontierPoint[] = [];
  for (const di of grid.di) {
    const able = rates.filter((rate) => rate.harmless && rate.di >= di).sort((first, second) => first.ai - second.ai);
    for (const ai of grid.ai) {
      let passing = 0;
      let n = 0;
      let bad = 0;
      for (; passing < able.length && able[passing]!.ai <= ai; passing += 1) {
        n += able[passing]!.n;
        bad += able[passing]!.indefensible;
      }
      points.push({
        di,
        ai,
        passing,
        automated_decisions: n,
        automated_indefensible: bad,
        coverage: decisions === 0 ? null : n / decisions,
        risk: n === 0 ? null : bad / n,
        exposure_reduction: indefensible === 0 ? null : 1 - bad / indefensible,
        pareto: false,
        knee: false,
      });
    }
  }
  const knee = markPareto(points);
  const at = knee === null ? null : { di: knee.di, ai: knee.ai, coverage: knee.coverage!, risk: knee.risk! };
  const reason =
    at !== null ? null : eligible.length === 0 ? "no community has enough decisions" : "no bend to be found";
  return { points, eligible_decisions: decisions, eligible_indefensible: indefensible, knee: at, reason };
}

/** Marks the Pareto points and the knee among them, which it returns. */
function markPareto(points: FrontierPoint[]): FrontierPoint | null {
  const live = points.filter((point) => point.risk !== null);
  // Sorted by coverage, greatest first; then by risk, least first; then by limits, strictest first.
  live.sort(
    (first, second) =>
      second.automated_decisions - first.automated_decisions ||
      first.risk! - second.risk! ||
      second.di - first.di ||
      first.ai - second.ai,
  );
  const outcomes: FrontierPoint[] = [];
  let least = Infinity;
  for (const point of live) {
    const previous = outcomes[outcomes.length - 1];
    const same = previous?.automated_decisions === point.automated_decisions && previous.risk === point.risk;
    if (!same && point.risk! >= least) continue;
    point.pareto = true;
    least = point.risk!;
    if (!same) outcomes.push(point);
  }
  outcomes.reverse();
  const index = kneeIndex(outcomes.map((point) => ({ coverage: point.coverage!, risk: point.risk! })));
  if (index === null) return null;
  const knee = outcomes[index]!;
  knee.knee = true;
  return knee;
}

interface KneePoint {
  coverage: number;
  risk: number;
}

/**
 * The knee of a coverage–risk frontier: where more coverage starts to cost more risk than before.
 *
 * Formula: both axes scaled to [0, 1] between the ends of the frontier (least and greatest coverage); the point with the largest distance below the
 * chord between the ends. Ties go to the greater coverage.
 * Range: a position in the list, whose points must be in ascending order of coverage.
 * Undefined when: fewer than three points, ends of equal coverage or risk, or no point below the chord: null.
 * Differs from the paper: the paper calls its Standard setting the knee without a rule; this one is Kneedle's.
 * @see Satopää, Albrecht, Irwin and Raghavan (2011), ICDCS Workshops, 166-171
 * @example
 * kneeIndex([{ coverage: 0, risk: 0 }, { coverage: 0.8, risk: 0.1 }, { coverage: 1, risk: 1 }]) // => 1
 */
export function kneeIndex(points: readonly KneePoint[]): number | null {
  const first = points[0];
  const last = points[points.length - 1];
  if (points.length < 3 || !first || !last) return null;
  const width = last.coverage - first.coverage;
  const height = last.risk - first.risk;
  if (!(width > 0 && height > 0)) return null;
  let best: number | null = null;
  let greatest = 1e-12;
  points.forEach((point, index) => {
    const gain = (point.coverage - first.coverage) / width - (point.risk - first.risk) / height;
    if (gain > greatest - 1e-12 && gain > 1e-12) {
      best = index;
      greatest = Math.max(greatest, gain);
    }
  });
  return best;
}
