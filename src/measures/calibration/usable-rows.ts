import { FEATURES, type FeatureName, writeFeatures } from "./features.js";
import { INPUT, INPUTS, loadColumns } from "./inputs.js";
import type { ScoreColumns } from "./score-columns.js";

/** A feature that fewer of the rows have is left out; one that more have costs the rows without it. */
export const FEATURE_PRESENCE = 0.95;

export interface UsableRows {
  /** Rows with a target, probabilities and every kept feature: all methods are fitted and compared on these. */
  rows: Int32Array;
  features: FeatureName[];
  dropped: { feature: FeatureName; reason: string }[];
  skipped: { no_target: number; no_probabilities: number; missing_feature: number };
}

/** The rows a calibration can be fitted on, and what kept out the others. */
export function usableRows(columns: ScoreColumns): UsableRows {
  const target = columns.targetLevel;
  const skipped = { no_target: 0, no_probabilities: 0, missing_feature: 0 };
  const width = FEATURES.length;
  const input = new Float64Array(INPUTS);
  const values = new Float64Array(width);
  const present = new Float64Array(width);
  const candidates = new Int32Array(columns.n);
  const lacking = new Uint8Array(columns.n);
  let count = 0;
  for (let i = 0; i < columns.n; i += 1) {
    if (!target || target[i]! < 1 || target[i]! > 3) {
      skipped.no_target += 1;
      continue;
    }
    loadColumns(columns, i, input);
    if (Number.isNaN(input[INPUT.p1]!)) {
      skipped.no_probabilities += 1;
      continue;
    }
    writeFeatures(input, values);
    let lacks = 0;
    for (let j = 0; j < width; j += 1) {
      if (Number.isNaN(values[j]!)) lacks |= 1 << j;
      else present[j]! += 1;
    }
    lacking[count] = lacks;
    candidates[count++] = i;
  }
  const keeps = FEATURES.map((_, j) => count > 0 && present[j]! >= FEATURE_PRESENCE * count);
  const needed = keeps.reduce((mask, keep, j) => (keep ? mask | (1 << j) : mask), 0);
  let kept = 0;
  for (let r = 0; r < count; r += 1) {
    if ((lacking[r]! & needed) !== 0) skipped.missing_feature += 1;
    else candidates[kept++] = candidates[r]!;
  }
  return {
    rows: candidates.slice(0, kept),
    features: FEATURES.filter((_, j) => keeps[j]),
    dropped: FEATURES.flatMap((feature, j) =>
      keeps[j] ? [] : [{ feature, reason: `on ${present[j]} of ${count} rows only` }],
    ),
    skipped,
  };
}
