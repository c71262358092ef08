import { type JudgeErrorReport, LEAST_LABELS } from "../metrics/judge-error.js";
import type { LabelCounts } from "./certified-tests.js";

/** People's labels of a cohort's decisions. */
export interface CohortLabels extends LabelCounts {
  key: string;
}

/**
 * The labels that certified mode was given, of every cohort that has any; few enough to be kept with a gate. Labels whose design is not known, or that
 * were drawn from another population, certify nothing, and neither do labels of a cohort with a verdict that was never labelled.
 */
export function cohortLabels(judged: Pick<JudgeErrorReport, "communities" | "sample"> | null): CohortLabels[] {
  if (!judged || (judged.sample && judged.sample.flags.length > 0)) return [];
  return judged.communities
    .filter(({ labels, label_cells }) => labels > 0 && label_cells !== null)
    .map(({ key, labels, indefensible_labels, label_cells }) => ({
      key,
      labels,
      indefensible: indefensible_labels,
      ...(label_cells ? { cells: label_cells } : {}),
    }));
}

/** The labels of a cohort, for `certifiedGate`; none where they are too few. */
export function labelCountsOf(
  cohorts: readonly CohortLabels[],
  leastLabels = LEAST_LABELS,
): (key: string) => LabelCounts | null {
  const counts = new Map(
    cohorts.filter(({ labels }) => labels >= leastLabels).map(({ key, ...counts }) => [key, counts]),
  );
  return (key) => counts.get(key) ?? null;
}
