import type { TruthPlaces } from "../analysis/true-verdicts.js";
import type { Workspace } from "../store/files/workspace.js";

/** Where a workspace says what is true of its decisions, and what people said of them. */
export interface ReferencePlaces extends TruthPlaces {
  /** `labels.jsonl` of a workspace. */
  labels: string;
}

export function referencePlaces({ paths }: Workspace): ReferencePlaces {
  return {
    truth: paths.truth,
    decisions: { jsonl: paths.decisions, parquet: paths.decisionsParquet },
    labels: paths.labels,
  };
}
