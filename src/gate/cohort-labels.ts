import { type JudgeErrorReport, LEAST_LABELS } from "../metrics/judge-error.js";
import type { LabelCounts } from "./certified-tests.js";

/** People's labels of a cohort's decisions. */
export interface CohortLabels extends LabelCounts {
  key: string;
}

/** The labels that certified mode was given, of every cohort that has any; few enough to be kept with a gate. */
export function cohortLabels(judged: Pick<JudgeErrorReport, "communities"> | null): CohortLabels[] {
  return (judged?.communities ?? [])
    .filter(({ labels }) => labels > 0)
    .map(({ key, labels, indefensible_labels }) => ({ key, labels, indefensible: indefensible_labels }));
}

/** The labels of a cohort, for `certifiedGate`; none where they are too few. */
export function labelCountsOf(
  cohorts: readonly CohortLabels[],
  leastLabels = LEAST_LABELS,
): (key: string) => LabelCounts | null {
  const counts = new Map(
    cohorts
      .filter(({ labels }) => labels >= leastLabels)
      .map(({ key, labels, indefensible }) => [key, { labels, indefensible }]),
  );
  return (key) => counts.get(key) ?? null;
}
