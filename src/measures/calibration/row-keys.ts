import { hashSeed } from "../../stats/random/hash-seed.js";
import { INPUTS, loadColumns } from "./inputs.js";
import type { ScoreColumns } from "./score-columns.js";

/**
 * A hash of what each row holds, of its community and of the seed: the same row has the same key wherever it stands. Of rows that are alike in
 * everything each has a key of its own (the first, the second, …), or a sample would take all of them or none.
 */
export function rowKeys(columns: ScoreColumns, rows: Int32Array, seed: number): Uint32Array {
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

/** At most `most` of the rows, drawn by their keys: the same rows whatever their order. */
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
