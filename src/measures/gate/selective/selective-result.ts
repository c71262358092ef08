import type { Estimate } from "../../../core/estimate.js";
import { betaQuantile } from "../../../stats/distributions/incomplete-beta.js";
import { boundedUpperBound } from "../../../stats/tests/bounded-e-value.js";
import { coverageOf, type ScoreGroups } from "./score-groups.js";

/** One threshold that was tested. */
export interface SelectiveTest {
  threshold: number;
  /** Rows it would automate. */
  n: number;
  /** Their loss. */
  k: number;
  /** p-value of "the risk is above the target". */
  p: number;
  /** What p was held against. */
  limit: number;
  passed: boolean;
}

/** Risk of the automated rows. */
export interface SelectiveRisk {
  k: number;
  n: number;
  estimate: number | null;
  /** Upper bound from the test of this threshold alone; what is promised after the choice is the target. */
  upper: number | null;
}

/** A threshold above which decisions can be automated, or none with the reason. */
export interface SelectiveResult {
  /** Automate rows whose score is at least this; null: no threshold exists. */
  threshold: number | null;
  /** Why nothing is there; null where there is one. */
  reason: string | null;
  /** Risk that is not to be exceeded. */
  target: number;
  /** Probability that it is exceeded. */
  delta: number;
  /** Automated rows among all rows, unscored ones included; of weighted rows by their weight. */
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
  // One-sided Clopper–Pearson. Losses between 0 and 1 have no closed bound; their test says that the target is one.
  const upper = groups.weighted
    ? boundedUpperBound(groups.weighted.units(chosen.n), chosen.limit)
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

function rateOf({ n: counts, weighted }: ScoreGroups, { k, n }: SelectiveTest): number {
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

/** Reason for no threshold that the number of rows gives; null where the rows suffice. */
export function tooFewRows(groups: ScoreGroups, needed: number, promise: string): string | null {
  if (groups.rows === 0) return `no rows; ${promise} needs at least ${needed} scored ones`;
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
