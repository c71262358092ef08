import { join } from "node:path";
import type { TruthPlaces } from "../ledger/true-verdicts.js";
import type { Workspace } from "../workspace/workspace.js";

/** Where a workspace says what is true of its decisions, and what people said of them. */
export interface ReferencePlaces extends TruthPlaces {
  /** `labels.jsonl` of a workspace. */
  labels: string;
}

export function referencePlaces({ root, paths }: Workspace): ReferencePlaces {
  return {
    truth: join(root, "truth", "truth.jsonl"),
    decisions: { jsonl: paths.decisions, parquet: paths.decisionsParquet },
    labels: paths.labels,
  };
}
