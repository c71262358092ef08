import { hashSeed } from "../../stats/random/hash-seed.js";
import type { ScoreColumns } from "./score-columns.js";

export interface HeldOut {
  fit: Int32Array;
  held: Int32Array;
  by: "community" | "row";
}

/**
 * Rows set aside for measuring what was fitted on the others; whole communities, so that the measure is of communities nobody fitted.
 *
 * Formula: communities in the order of a hash of seed and name, set aside until their rows make the share; at least one stays on each side.
 * With one community single rows, in the order of a hash of seed and place.
 * Range: shares above 0 and below 1; what is set aside is the share or a little more.
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
