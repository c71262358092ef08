import type { Estimate } from "../domain/estimate.js";

export interface Bounds {
  lower: number;
  upper: number;
}

/**
 * The interval to show and to judge by: the wider of that for independent rows and that for rows that depend on each other within a
 * community. With few communities the second can come out too narrow by chance. Null: undefined.
 */
export function wideInterval(estimate: Estimate): Bounds | null {
  if (estimate.estimate === null) return null;
  const { cluster } = estimate;
  const { lower, upper } =
    cluster && cluster.upper - cluster.lower > estimate.upper - estimate.lower ? cluster : estimate;
  return { lower, upper };
}
