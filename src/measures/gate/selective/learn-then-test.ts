import type { Estimate } from "../../../core/estimate.js";
import { betaQuantile, binomialCdf } from "../../../stats/distributions/incomplete-beta.js";
import { firstWhere } from "../../../stats/ranks/sorted-order.js";
import {
  boundedUpperBound,
  groupUnits,
  hoeffdingBentkus,
  logBoundedEValue,
} from "../../../stats/tests/bounded-e-value.js";
import { countingThreads, LIMIT_SLACK } from "../gate-input.js";
import { allowedFailures, zeroFailureSize } from "../plan/certify-size.js";
import { coverageOf, type ScoreGroups } from "./score-groups.js";

/** A tested threshold. */
export interface SelectiveTest {
  threshold: number;
  /** Rows it would automate. */
  n: number;
  /** Their loss. */
  k: number;
  /** p-value of "the risk is above the target". */
  p: number;
  /** The level that p was compared with. */
  limit: number;
  passed: boolean;
}

/** Risk of the automated rows. */
export interface SelectiveRisk {
  k: number;
  n: number;
  estimate: number | null;
  /** Upper bound from the test of this threshold alone; after the choice, only the target is promised. */
  upper: number | null;
}

/** A threshold above which decisions can be automated, or none with the reason. */
export interface SelectiveResult {
  /** Automate rows whose score is at least this; null: no threshold exists. */
  threshold: number | null;
  /** Why there is no threshold; null if there is one. */
  reason: string | null;
  /** Risk that must not be exceeded. */
  target: number;
  /** Probability that it is exceeded. */
  delta: number;
  /** Automated rows among all rows, including unscored ones; weighted rows use their weights. */
  coverage: Estimate;
  risk: SelectiveRisk;
  scored: number;
  tested: SelectiveTest[];
}

export interface RiskLimits {
  /** Greatest risk, between 0 and 1. */
  risk: number;
  /** Probability of breaking the promise, between 0 and 1. */
  delta: number;
}

export function checkShare(name: string, value: number): void {
  if (!(value > 0 && value < 1))
    throw new RangeError(`${name}: outside its range; got ${value}, expected above 0 and below 1`);
}

/** The chosen group, with the bound of its test at level 1 − delta. */
export function certified(
  groups: ScoreGroups,
  limits: RiskLimits,
  chosen: SelectiveTest,
  tested: SelectiveTest[],
): SelectiveResult {
  // One-sided Clopper–Pearson. Losses between 0 and 1 have no closed-form bound, but their test shows that the target is one.
  const upper = groups.units
    ? boundedUpperBound(groups.units(chosen.n), chosen.limit)
    : groups.binary
      ? betaQuantile(1 - chosen.limit, chosen.k + 1, chosen.n - chosen.k)
      : limits.risk;
  return {
    threshold: chosen.threshold,
    reason: null,
    target: limits.risk,
    delta: limits.delta,
    coverage: coverageOf(groups, chosen.n),
    risk: { k: chosen.k, n: chosen.n, estimate: rateOf(groups, chosen), upper },
    scored: groups.scored,
    tested,
  };
}

function rateOf({ n: counts, weighted }: ScoreGroups, { k, n }: Candidate): number {
  if (!weighted) return k / n;
  const group = counts.indexOf(n);
  return weighted.k[group]! / weighted.n[group]!;
}

export function refused(
  groups: ScoreGroups,
  limits: RiskLimits,
  reason: string,
  tested: SelectiveTest[] = [],
): SelectiveResult {
  return {
    threshold: null,
    reason,
    target: limits.risk,
    delta: limits.delta,
    coverage: coverageOf(groups, 0),
    risk: { k: 0, n: 0, estimate: null, upper: null },
    scored: groups.scored,
    tested,
  };
}

/** Why there are too few rows for a threshold; null if there are enough. */
export function tooFewRows(groups: ScoreGroups, needed: number, promise: string): string | null {
  if (groups.rows === 0) return `no scored decisions; at least ${needed} are needed for ${promise}`;
  if (groups.scored === 0) return `none of the ${groups.rows} rows has a score; ${promise} needs at least ${needed}`;
  if (groups.scored < needed) {
    return `too few rows: ${groups.scored} of ${groups.rows} are scored; ${promise} needs at least ${needed}, all defensible`;
  }
  return null;
}

/** A share as text for reasons: 0.05 is "5%". */
export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))}%`;
}

/**
 * Steps of coverage in the grid of thresholds, and sequences, by the number of scored rows (`from`). A sequence starts at the fewest rows that can be
 * certified, where one bad row ends it; a second start further down costs δ/2 and fixes that. Measured mean coverage at r = δ = 5%: where the risk is
 * 1% down to a score that 90% reach, 1 / 2 / 4 starts give .34 / .80 / .88 at 300 rows and .66 / .95 / .95 at 1,000; where risk rises evenly, .11 /
 * .07 / .05 and .26 / .15 / .20.
 */
export const SEQUENCES = [
  { from: 0, grid: 20, starts: 1 },
  { from: 300, grid: 20, starts: 2 },
  { from: 3_000, grid: 100, starts: 4 },
] as const;

export interface LearnThenTestOptions extends RiskLimits {
  /** Steps of the grid of quantiles. Default: see `SEQUENCES`. */
  grid?: number | undefined;
  /** Sequences, each at δ / starts. Default: see `SEQUENCES`. */
  starts?: number | undefined;
  /** Thresholds fixed before the rows were seen, instead of quantiles of their scores. */
  thresholds?: readonly number[] | undefined;
}

interface Candidate {
  threshold: number;
  n: number;
  k: number;
}

/**
 * Lowest threshold whose automated rows have a risk of at most r, with probability 1 − δ: Learn-then-Test in a fixed sequence from strict to lenient,
 * which stops at the first threshold that fails and so needs no correction for several tests.
 *
 * Formula: thresholds τ at the quantiles j/m of the scores, falling, from the first with n(τ) ≥ ⌈ln δ / ln(1 − r)⌉ on; each is certified while
 * P(Bin(n(τ), r) ≤ k(τ)) ≤ δ (Hoeffding–Bentkus where losses lie between 0 and 1); the last certified one is chosen. With several starts each
 * sequence runs at δ / starts and the lowest certified threshold of all is chosen.
 * Rows with weights (labels drawn with unequal probabilities) or in threads: p = min(1, 1/E), E of `logBoundedEValue` over the units of
 * `groupScores`. With threads the first threshold is the first that would be certified if all its rows were defensible, and the observed rate must be
 * at most r as well.
 * Range: a score, or null with the reason. Rises as r or δ fall, on the whole.
 * Promise: P(risk above r) ≤ δ over the draw of the rows, if rows are independent and like future ones. With threads: if threads are independent, for
 * the risk when a thread counts as at most m of its decisions above the threshold, E[Σ_t u_t x_t]/E[Σ_t u_t]. `thresholds` fixed beforehand need no
 * further assumption; quantiles of the same rows assume that this risk does not fall as the threshold falls (better scores are no worse).
 * Undefined when: no row has a score, too few have, or even the best rows fail. RangeError for r, δ outside (0, 1), grid or starts below 1.
 * Differs from the paper: the paper automates S ≥ 0.90 without a guarantee.
 * @see Angelopoulos, Bates, Candès, Jordan and Lei (2025), Annals of Applied Statistics 19:1641-1662, algorithm 1
 * @example
 * learnThenTest({ rows: 30, scored: 30, binary: true, threshold: [0.9], n: [30], k: [0] }, { risk: 0.1, delta: 0.05 }).threshold // => 0.9
 */
export function learnThenTest(groups: ScoreGroups, options: LearnThenTestOptions): SelectiveResult {
  checkShare("risk", options.risk);
  checkShare("delta", options.delta);
  const usual = SEQUENCES.findLast(({ from }) => groups.scored >= from)!;
  const starts = checkSteps("starts", options.starts ?? usual.starts);
  const limit = options.delta / starts;
  const needed = zeroFailureSize(options.risk, limit);
  const promise = `a risk of at most ${percent(options.risk)} at ${percent(1 - options.delta)} confidence`;
  const short = tooFewRows(groups, needed, promise);
  if (short !== null) return refused(groups, options, short);
  const few = tooFewThreads(groups, options.risk, limit, promise);
  if (few !== null) return refused(groups, options, few);
  const grid =
    options.thresholds === undefined
      ? quantileGrid(groups, checkSteps("grid", options.grid ?? usual.grid))
      : fixedGrid(groups, options.thresholds);
  const provable = ({ n }: Candidate) =>
    n >= needed && (!groups.threads || provesIfGood(groups, n, options.risk, limit));
  const candidates = grid.slice(firstWhere(0, grid.length, (i) => provable(grid[i]!)));
  const tested: SelectiveTest[] = [];
  let lowest: SelectiveTest | null = null;
  let next = 0;
  for (let start = 0; start < starts; start += 1) {
    const from = Math.floor((start * candidates.length) / starts);
    // An earlier sequence that passed this start has tested it, and either certified it or stopped there.
    if (from < next) continue;
    for (next = from; next < candidates.length; ) {
      const candidate = candidates[next]!;
      next += 1;
      const { threshold, n, k } = candidate;
      const p = groups.units
        ? Math.min(1, Math.exp(-logBoundedEValue(groups.units(n), options.risk)))
        : riskPValue(k, n, options.risk, groups.binary);
      // Only a part of a large thread counts: proof about that part must not hide the observed rate of the whole.
      const seen = !groups.threads || rateOf(groups, candidate) <= options.risk + LIMIT_SLACK;
      const test = { threshold, n, k, p, limit, passed: p <= limit && seen };
      tested.push(test);
      if (!test.passed) break;
      lowest = test;
    }
  }
  if (lowest !== null) return certified(groups, options, lowest, tested);
  if (groups.units && tested[0]) return refused(groups, options, whyNotProven(groups, tested[0], promise), tested);
  return refused(groups, options, whyNot(groups, tested, needed, options.risk, promise), tested);
}

/** Whether the first n rows would prove the risk if all were defensible; if so, more rows would too. */
function provesIfGood({ units }: ScoreGroups, n: number, risk: number, limit: number): boolean {
  const good = units!(n).map((unit) => ({ ...unit, value: 0 }));
  return logBoundedEValue(good, risk) >= -Math.log(limit);
}

/** Why there are too few threads for a threshold; null if there are enough, or rows have no threads. */
function tooFewThreads(groups: ScoreGroups, risk: number, limit: number, promise: string): string | null {
  const { threads, units, scored } = groups;
  if (!threads || provesIfGood(groups, scored, risk, limit)) return null;
  const all = units!(scored);
  const good = groupUnits(all).map((unit) => ({ ...unit, value: 0 }));
  const proves = (n: number) =>
    logBoundedEValue(
      good.map((unit) => ({ ...unit, count: (unit.count * n) / all.length })),
      risk,
    ) >= -Math.log(limit);
  let enough = 2 * all.length;
  while (!proves(enough)) enough *= 2;
  const needed = firstWhere(all.length, enough, proves);
  return `too few threads: ${scored} scored rows in ${all.length}; ${promise}, ${countingThreads(threads.cap)}, needs at least ${needed} such threads, all defensible`;
}

/** Ends of the groups of equal scores nearest above each quantile. */
function quantileGrid(groups: ScoreGroups, steps: number): Candidate[] {
  const found: Candidate[] = [];
  let group = 0;
  for (let step = 1; step <= steps; step += 1) {
    const rank = Math.ceil((groups.scored * step) / steps);
    while (groups.n[group]! < rank) group += 1;
    if (found.at(-1)?.threshold === groups.threshold[group]) continue;
    found.push({ threshold: groups.threshold[group]!, n: groups.n[group]!, k: groups.k[group]! });
  }
  return found;
}

function fixedGrid(groups: ScoreGroups, thresholds: readonly number[]): Candidate[] {
  const falling = [...new Set(thresholds)].sort((a, b) => b - a);
  let group = -1;
  return falling.map((threshold) => {
    if (!Number.isFinite(threshold))
      throw new RangeError(`thresholds: not a score; got ${threshold}, expected a number`);
    while (group + 1 < groups.threshold.length && groups.threshold[group + 1]! >= threshold) group += 1;
    return { threshold, n: group < 0 ? 0 : groups.n[group]!, k: group < 0 ? 0 : groups.k[group]! };
  });
}

function whyNotProven({ weighted, threads }: ScoreGroups, { k, n }: SelectiveTest, promise: string): string {
  const how = [
    ...(weighted ? ["weighted as they were drawn"] : []),
    ...(threads ? [countingThreads(threads.cap)] : []),
  ];
  const rows = weighted ? "labels" : "rows";
  return `${k} of the ${n} ${rows} with the highest scores ${k === 1 ? "is" : "are"} indefensible; ${how.join(", ")}, they do not prove ${promise}`;
}

function whyNot(
  { threads }: ScoreGroups,
  tested: readonly SelectiveTest[],
  needed: number,
  risk: number,
  promise: string,
): string {
  const first = tested[0];
  if (first === undefined && threads) return `none of the given thresholds automates enough threads for ${promise}`;
  if (first === undefined) return `none of the given thresholds automates ${needed} rows, which ${promise} needs`;
  return `rate too high: ${first.k} of the ${first.n} rows with the highest scores ${first.k === 1 ? "is" : "are"} indefensible; ${promise} allows ${Math.max(0, allowedFailures(first.n, risk, first.limit))}`;
}

function checkSteps(name: string, value: number): number {
  if (!(Number.isSafeInteger(value) && value >= 1)) {
    throw new RangeError(`${name}: not a number of steps; got ${value}, expected an integer from 1 on`);
  }
  return value;
}

/** p-value of "the risk of these n rows is above `risk`": exact for losses of 0 and 1, Hoeffding–Bentkus for those between. */
function riskPValue(k: number, n: number, risk: number, binary: boolean): number {
  if (n === 0) return 1;
  return binary ? binomialCdf(k, n, risk) : hoeffdingBentkus(Math.min(k, n), n, risk);
}
