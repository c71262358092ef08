import type { GateVariable } from "../../core/names.js";
import type { BoundedUnits } from "../../stats/tests/bounded-e-value.js";
import type { HarmCount, HarmLimit } from "./harm.js";

/** Counts of the verdicts of one cohort (a community, unless the gate uses another key): the only input of a gate. */
export interface GateCohort {
  /** Name of the community, or of the cohort. */
  key: string;
  n: number;
  /** Verdicts of level 3. */
  indefensible: number;
  /** Verdicts whose inverse check says Yes. */
  inverse_yes: number;
  /** Those of `inverse_yes` that are not level 3. */
  inverse_yes_pure: number;
  /** Audits without a verdict. */
  unscored: number;
  /** The same verdicts by community, for intervals. Absent: the cohort is a community. */
  communities?: readonly CommunityCounts[];
  /**
   * n / n*, n* = (Σn_t)² / Σn_t² over the sizes n_t of its threads: the cautious gate counts n verdicts as n* independent ones. Nothing is
   * estimated. Null or absent if the cohort has no threads.
   */
  design_effect?: number | null;
  /** Counts of harmful verdicts by amount of harm; absent: harm was not counted. */
  harm?: HarmCount[];
  /** Closed threads, the certified gate's units of evidence. Absent: no decision has a `thread_id`, so each is its own unit. */
  threads?: CohortThreads;
}

export type VerdictCounts = Pick<GateCohort, "n" | "indefensible" | "inverse_yes" | "inverse_yes_pure">;

/** Counts of the verdicts that a cohort has in one community. */
export interface CommunityCounts extends VerdictCounts {
  community: string;
}

/** Slack for comparing ratios of counts: 27 of 30 must meet 0.90, which as a double is slightly more than 27/30. */
export const LIMIT_SLACK = 1e-9;

export interface GateLimits {
  /** Smallest allowed Defensibility Index. */
  di: number;
  /** Largest allowed Ambiguity Index. */
  ai: number;
  min_decisions: number;
  variable: GateVariable;
  /** Largest allowed expected harm of a decision; absent: harm is not limited. */
  harm_limit?: HarmLimit | undefined;
}

/** The paper's Standard scenario. @see paper §9 */
export const STANDARD_LIMITS: GateLimits = Object.freeze({ di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" });

/** Verdicts that count against the gate's ambiguity limit. */
export function ambiguousCount(cohort: VerdictCounts, variable: GateVariable): number {
  return variable === "ai" ? cohort.inverse_yes : cohort.inverse_yes_pure;
}

/** The factor by which the cautious gate multiplies counts: 1 for independent verdicts, less if they come in threads. */
export function effectiveShare(cohort: Pick<GateCohort, "design_effect">): number {
  return 1 / Math.max(1, cohort.design_effect ?? 1);
}

/** A thread counts as at most this many decisions, unless the workspace's configuration sets another number. */
export const DEFAULT_THREAD_CAP = 5;

/** A thread closes this many days after its first decision. Later decisions are left out of it. */
export const THREAD_OPEN_DAYS = 7;

/** Threads of a cohort with the same counts. */
export interface ThreadGroup {
  threads: number;
  /** Verdicts in each thread. */
  n: number;
  indefensible: number;
  inverse_yes: number;
  inverse_yes_pure: number;
  /** Sum of the harm of its decisions, as shares of the greatest possible harm; absent: harm was not counted. */
  harm?: number;
}

/** The closed threads of a cohort, and the verdicts outside them. */
export interface CohortThreads {
  groups: readonly ThreadGroup[];
  /** Verdicts of threads that are still open. */
  open: number;
  /** Verdicts that arrived after their thread was closed. */
  late: number;
}

/** The evidence of the certified gate in one cohort. */
export interface ThreadEvidence {
  /** A thread counts as at most this many decisions. */
  cap: number;
  threads: number;
  /** Verdicts in these threads. */
  decisions: number;
  /** Share of these verdicts beyond the cap; null if there are no verdicts. */
  beyond_cap: number | null;
  open: number;
  late: number;
  /** No decision of the cohort has a `thread_id`: the guarantee rests on their independence. */
  independence_assumed: boolean;
}

type Counted = "indefensible" | GateVariable;

/**
 * The units of evidence of a cohort: threads, with the share of bad decisions as value and a capped size as weight.
 *
 * Formula: x_t = k_t / n_t, u_t = min(n_t, m) / m. They certify p_m = E[min(n, m) k/n] / E[min(n, m)], the rate over decisions when a thread counts
 * as at most m of them. m = 1 gives the mean over threads; m at or above the largest thread gives the plain rate over decisions.
 * Range: weights in (0, 1], values in [0, 1].
 * Undefined when: never; a cohort in which no decision has a `thread_id` gives one unit of weight 1 for each verdict.
 * Differs from the paper: the paper treats decisions as independent.
 * @see `logBoundedEValue`
 * @example
 * threadUnits({ key: "", n: 3, indefensible: 1, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0 }, "indefensible", 5)
 * // => [{ weight: 1, value: 1, count: 1 }, { weight: 1, value: 0, count: 2 }]
 */
export function threadUnits(cohort: GateCohort, counted: Counted, cap: number): BoundedUnits[] {
  const name = counted === "ai" ? "inverse_yes" : counted === "ai_pure" ? "inverse_yes_pure" : counted;
  if (!cohort.threads) {
    const k = cohort[name];
    return [
      { weight: 1, value: 1, count: k },
      { weight: 1, value: 0, count: cohort.n - k },
    ].filter(({ count }) => count > 0);
  }
  return cohort.threads.groups.map((group) => ({
    weight: Math.min(group.n, cap) / cap,
    value: group[name] / group.n,
    count: group.threads,
  }));
}

/** The same units with one cap for pooled cohorts: a verdict without a thread is a thread of one decision. */
export function pooledUnits(cohorts: readonly GateCohort[], counted: Counted, cap: number): BoundedUnits[] {
  const threaded = cohorts.some((cohort) => cohort.threads);
  return cohorts.flatMap((cohort) =>
    threadUnits(cohort, counted, cap).map((unit) =>
      threaded && !cohort.threads ? { ...unit, weight: 1 / cap } : unit,
    ),
  );
}

/** Counts printed with every certified result. */
export function threadEvidence({ n, threads }: Pick<GateCohort, "n" | "threads">, cap: number): ThreadEvidence {
  if (!threads) {
    const none = { open: 0, late: 0, independence_assumed: true };
    return { cap: 1, threads: n, decisions: n, beyond_cap: n === 0 ? null : 0, ...none };
  }
  let [count, decisions, beyond] = [0, 0, 0];
  for (const group of threads.groups) {
    count += group.threads;
    decisions += group.threads * group.n;
    beyond += group.threads * Math.max(0, group.n - cap);
  }
  return {
    cap,
    threads: count,
    decisions,
    beyond_cap: decisions === 0 ? null : beyond / decisions,
    open: threads.open,
    late: threads.late,
    independence_assumed: false,
  };
}

/** The claim that a certified pass makes about one rate, in words. */
export function certifiedClaim(options: { delta: number; limit: number; cap: number; what?: string }): string {
  const { delta, limit, cap, what = "indefensible" } = options;
  const percent = (value: number) => `${+(100 * value).toPrecision(6)}%`;
  return `With ${percent(1 - delta)} confidence fewer than ${percent(limit)} of decisions are ${what}, ${countingThreads(cap)}.`;
}

/** Of which rate a promise over threads is. */
export function countingThreads(cap: number): string {
  return `counting ${cap === 1 ? "one decision" : `at most ${cap} decisions`} of any one thread`;
}

export function checkThreadCap(cap: number): void {
  if (Number.isSafeInteger(cap) && cap >= 1) return;
  throw new RangeError(`thread cap: not a number of decisions; got ${cap}, expected an integer from 1 on`);
}
