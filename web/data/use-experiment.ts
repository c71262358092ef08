import type { ExperimentResults } from "../../src/core/results/experiment-results.js";
import { usePage } from "./page-context.ts";

/** A kept result, and the JSON pointer to it. */
export interface Kept<Result> {
  result: Result;
  at: string;
}

/** The workspace's newest result of an experiment; null without one. */
export function useExperiment<Kind extends keyof ExperimentResults>(kind: Kind): Kept<ExperimentResults[Kind]> | null {
  const { stability, experiments } = usePage().report;
  const results: Partial<ExperimentResults> = { ...experiments, stability };
  const result = results[kind];
  if (!result) return null;
  return { result, at: kind === "stability" ? "/report/stability" : `/report/experiments/${kind}` };
}
