import { hashSeed } from "../../stats/random/hash-seed.js";

/**
 * Folds for cross-validation that keep each group whole, so that a method is tested on communities it has not seen.
 *
 * Formula: groups by size, the largest first, each into the fold with the fewest rows so far. Equal sizes come in the order of a hash of seed
 * and name, so neither the order of rows nor the numbering of groups matters.
 * Range: a fold 0 … folds−1 for every row; with fewer groups than folds there are as many folds as groups.
 * Undefined when: never; no rows have no folds.
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
 * Folds of single rows, every class spread evenly: for when there are no groups to hold out.
 *
 * Formula: rows of a class in the order of their key, dealt to the folds in turn; the next class goes on where the last one stopped.
 * Range: a fold 0 … folds−1 for every row; fold sizes differ by one at most, and so do they within a class.
 * Undefined when: never; no rows have no folds.
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
