import { groupedFolds, stratifiedFolds } from "./grouped-folds.js";
import { rowKeys } from "./row-keys.js";
import type { ScoreColumns } from "./score-columns.js";

/** Rows of each class that every training part must keep. */
const TRAINING_MINIMUM = 3;

export interface Folds {
  fold: Int32Array;
  count: number;
  by: "community" | "row";
  warnings: string[];
}

/** Folds by community; by single rows, with a warning, where communities do not allow it. `label` is what every training part needs some of. */
export function makeFolds(
  columns: ScoreColumns,
  rows: Int32Array,
  label: Uint8Array,
  { folds, seed }: { folds: number; seed: number },
): Folds {
  const community = Int32Array.from(rows, (row) => columns.community[row]!);
  const grouped = groupedFolds(community, columns.communities, folds, seed);
  if (grouped.folds >= 2 && isTrainable(grouped.fold, grouped.folds, label)) {
    const fewer = grouped.folds < folds;
    return {
      fold: grouped.fold,
      count: grouped.folds,
      by: "community",
      warnings: fewer ? [`${grouped.folds} communities: ${grouped.folds} folds instead of ${folds}`] : [],
    };
  }
  const why =
    grouped.folds < 2 ? "one community" : "without one of the communities a class would have too few rows to fit on";
  return {
    fold: stratifiedFolds(label, rowKeys(columns, rows, seed), folds),
    count: folds,
    by: "row",
    warnings: [`${why}: folds are of single rows, so nothing is known of a community that was not fitted`],
  };
}

/** Whether every training part has some rows of each class there is. */
export function isTrainable(fold: Int32Array, folds: number, label: Uint8Array): boolean {
  const counts = new Float64Array(4 * folds);
  const total = new Float64Array(4);
  for (let i = 0; i < fold.length; i += 1) {
    counts[4 * fold[i]! + label[i]!]! += 1;
    total[label[i]!]! += 1;
  }
  for (let f = 0; f < folds; f += 1) {
    for (let k = 0; k < 4; k += 1) {
      if (total[k]! > 0 && total[k]! - counts[4 * f + k]! < TRAINING_MINIMUM) return false;
    }
  }
  return true;
}
