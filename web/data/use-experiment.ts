import type { ExperimentResults } from "../../src/core/results/experiment.js";
import type { ReportPage } from "../../src/measures/report-page.js";
import { usePage } from "./page-context.ts";

/** A stored result and its JSON pointer. */
export interface Kept<Result> {
  result: Result;
  at: string;
}

/** The workspace's newest result of an experiment; null without one. */
export function keptResult<Kind extends keyof ExperimentResults>(
  { report: { stability, experiments } }: ReportPage,
  kind: Kind,
): Kept<ExperimentResults[Kind]> | null {
  const results: Partial<ExperimentResults> = { ...experiments, stability };
  const result = results[kind];
  if (!result) return null;
  return { result, at: kind === "stability" ? "/report/stability" : `/report/experiments/${kind}` };
}

export const useExperiment = <Kind extends keyof ExperimentResults>(kind: Kind) => keptResult(usePage(), kind);
