import { hashSeed } from "../../stats/random/create-rng.js";
import { INPUTS, loadColumns } from "./features.js";
import type { ScoreColumns } from "./score-columns.js";

/** Rows of each class that every training part must keep. */
const TRAINING_MINIMUM = 3;

interface Folds {
  fold: Int32Array;
  count: number;
  by: "community" | "row";
  warnings: string[];
}

/** Folds by community; by single rows, with a warning, if communities do not allow it. Every training part needs some rows of each `label`. */
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

/** Whether every training part has some rows of each class that occurs. */
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

export interface HeldOut {
  fit: Int32Array;
  held: Int32Array;
  by: "community" | "row";
}

/**
 * Rows held out to evaluate what was fitted on the others. Whole communities are held out, so the evaluation is on communities that were not
 * fitted.
 *
 * Formula: communities in the order of a hash of seed and name are held out until their rows reach the share; at least one stays on each side. With
 * only one community, single rows in the order of a hash of seed and position.
 * Range: shares above 0 and below 1; the held-out part is the share or slightly more.
 * Undefined when: the share is not between 0 and 1 (RangeError).
 * Differs from the paper: not in the paper, which holds out another sample of the same communities.
 * @see docs/calibration.md
 */
export function holdOut(columns: ScoreColumns, share: number, seed: number): HeldOut {
  if (!(share > 0 && share < 1)) throw new RangeError(`share: got ${share}, expected a number between 0 and 1`);
  const { n, community, communities } = columns;
  const sizes = new Map<number, number>();
  for (const c of community) sizes.set(c, (sizes.get(c) ?? 0) + 1);
  const byCommunity = sizes.size > 1;
  const held = new Uint8Array(n);
  if (byCommunity) {
    const order = [...sizes.keys()]
      .map((c) => ({ c, key: hashSeed(`${seed} ${communities[c]}`), name: communities[c] ?? "" }))
      .sort((a, b) => a.key - b.key || (a.name < b.name ? -1 : 1));
    const chosen = new Set<number>();
    let rows = 0;
    for (const { c } of order.slice(0, -1)) {
      if (rows >= share * n) break;
      chosen.add(c);
      rows += sizes.get(c)!;
    }
    for (let i = 0; i < n; i += 1) if (chosen.has(community[i]!)) held[i] = 1;
  } else {
    const order = Array.from({ length: n }, (_, i) => ({ i, key: hashSeed(`${seed} ${i}`) }));
    order.sort((a, b) => a.key - b.key || a.i - b.i);
    for (const { i } of order.slice(0, Math.ceil(share * n))) held[i] = 1;
  }
  const all = Int32Array.from({ length: n }, (_, i) => i);
  return {
    fit: all.filter((i) => held[i] === 0),
    held: all.filter((i) => held[i] === 1),
    by: byCommunity ? "community" : "row",
  };
}

/**
 * A hash of each row's values, its community and the seed: the same row has the same key at any position. Identical rows are numbered (first,
 * second, …) so that their keys differ; otherwise a sample would take all of them or none.
 */
function rowKeys(columns: ScoreColumns, rows: Int32Array, seed: number): Uint32Array {
  const input = new Float64Array(INPUTS);
  const words = new Uint32Array(input.buffer);
  const names = columns.communities.map((name) => hashSeed(`${seed} ${name}`));
  const seen = new Map<number, number>();
  return Uint32Array.from(rows, (row) => {
    loadColumns(columns, row, input);
    let hash = mix(seed | 0, names[columns.community[row]!] ?? 0);
    hash = mix(hash, columns.targetLevel?.[row] ?? 0);
    for (const word of words) hash = mix(hash, word);
    const alike = seen.get(hash) ?? 0;
    seen.set(hash, alike + 1);
    return mix(mix(hash, alike), 0x27d4eb2f) >>> 0;
  });
}

/** At most `most` of the rows, selected by their keys: the same rows in any order. */
export function sampleRows(columns: ScoreColumns, rows: Int32Array, most: number, seed: number): Int32Array {
  if (rows.length <= most) return rows;
  const keys = rowKeys(columns, rows, seed);
  const limit = keys.slice().sort()[most]!;
  return rows.filter((_, r) => keys[r]! < limit);
}

function mix(hash: number, word: number): number {
  let h = Math.imul(hash ^ word, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  return h ^ (h >>> 13);
}

/**
 * Folds for cross-validation that keep each group whole, so that a method is tested on communities it was not fitted on.
 *
 * Formula: groups by size, the largest first, each into the fold with the fewest rows so far. Groups of equal size are ordered by a hash of seed
 * and name, so neither the order of rows nor the numbering of groups matters.
 * Range: a fold 0 … folds−1 for every row; with fewer groups than folds there are as many folds as groups.
 * Undefined when: never; with no rows the result is empty.
 * Differs from the paper: not in the paper.
 * @see Graham (1969), SIAM Journal on Applied Mathematics 17:416-429 (the greedy rule)
 * @example
 * groupedFolds(Int32Array.of(0, 0, 0, 1, 1, 2), ["a", "b", "c"], 2, 1).fold // => [0, 0, 0, 1, 1, 1]
 */
export function groupedFolds(
  group: Int32Array,
  names: readonly string[],
  folds: number,
  seed: number,
): { fold: Int32Array; folds: number } {
  const size = new Map<number, number>();
  for (const g of group) size.set(g, (size.get(g) ?? 0) + 1);
  const ordered = [...size.keys()]
    .map((g) => ({ g, rows: size.get(g)!, name: names[g] ?? String(g) }))
    .map((entry) => ({ ...entry, key: hashSeed(`${seed} ${entry.name}`) }))
    .sort((a, b) => b.rows - a.rows || a.key - b.key || (a.name < b.name ? -1 : 1));
  const used = Math.min(folds, ordered.length);
  const load = new Float64Array(used);
  const foldOf = new Map<number, number>();
  for (const { g, rows } of ordered) {
    let least = 0;
    for (let f = 1; f < used; f += 1) if (load[f]! < load[least]!) least = f;
    load[least]! += rows;
    foldOf.set(g, least);
  }
  return { fold: group.map((g) => foldOf.get(g)!), folds: used };
}

/**
 * Folds of single rows with every class spread evenly, for data without groups to hold out.
 *
 * Formula: rows of a class in the order of their key, dealt to the folds in turn; the next class continues where the last one stopped.
 * Range: a fold 0 … folds−1 for every row; fold sizes differ by at most one, also within a class.
 * Undefined when: never; with no rows the result is empty.
 * Differs from the paper: not in the paper.
 * @see Kohavi (1995), IJCAI, 1137-1143
 * @example
 * stratifiedFolds(Uint8Array.of(1, 1, 3, 3), Uint32Array.of(5, 2, 9, 1), 2) // => [1, 0, 1, 0]
 */
export function stratifiedFolds(label: Uint8Array, key: Uint32Array, folds: number): Int32Array {
  const order = Uint32Array.from(label, (_, i) => i).sort(
    (a, b) => label[a]! - label[b]! || key[a]! - key[b]! || a - b,
  );
  const fold = new Int32Array(label.length);
  for (const [place, row] of order.entries()) fold[row] = place % folds;
  return fold;
}
