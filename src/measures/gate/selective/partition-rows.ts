export interface SelectiveRows {
  /** NaN: unscored, never automated. */
  score: Float64Array;
  /** 1: level 3. */
  indefensible: Uint8Array;
  /** Index into `communities`. */
  community: Int32Array;
  communities: readonly string[];
  /** 1: the decision restricts. Needed for thresholds by decision. */
  positive?: Uint8Array | undefined;
  /** How many decisions each label stands for, where they were drawn with unequal chances. */
  weight?: Float64Array | undefined;
}

/** Rows of the communities with a threshold of their own, and of the rest together. */
export interface Partition {
  own: Map<string, Int32Array>;
  rest: Int32Array;
  /** Rows of the rest without a score. */
  unscored: number;
  /** Thresholds that come of it. */
  size: number;
}

/** Parts the rows, of one kind of decision or of all. */
export function partitionRows(rows: SelectiveRows, ownFrom: number, positive: number | null): Partition {
  const belongs = (i: number): boolean => positive === null || rows.positive![i] === positive;
  const scored = new Int32Array(rows.communities.length);
  const all = new Int32Array(rows.communities.length);
  for (let i = 0; i < rows.score.length; i += 1) {
    if (!belongs(i)) continue;
    const community = rows.community[i]!;
    if (!(community >= 0 && community < all.length)) {
      throw new RangeError(`community: no such index; got ${community}, expected 0 to ${all.length - 1}`);
    }
    all[community]! += 1;
    if (!Number.isNaN(rows.score[i])) scored[community]! += 1;
  }
  const lists = Array.from(scored, (n, c) => (n >= ownFrom ? new Int32Array(all[c]!) : null));
  const rest = new Int32Array(all.reduce((sum, n, c) => sum + (lists[c] ? 0 : n), 0));
  const filled = new Int32Array(lists.length);
  let used = 0;
  let unscored = 0;
  for (let i = 0; i < rows.score.length; i += 1) {
    if (!belongs(i)) continue;
    const community = rows.community[i]!;
    const list = lists[community];
    if (list) list[filled[community]!++] = i;
    else {
      rest[used++] = i;
      if (Number.isNaN(rows.score[i])) unscored += 1;
    }
  }
  const own = new Map<string, Int32Array>();
  for (const [c, list] of lists.entries()) if (list) own.set(rows.communities[c]!, list);
  return { own, rest, unscored, size: own.size + (rest.length > unscored || own.size === 0 ? 1 : 0) };
}

/** Scores, losses and, where there are any, weights of some rows. */
export function pickRows(
  rows: SelectiveRows,
  indices: Int32Array,
): [Float64Array, Uint8Array, Float64Array | undefined] {
  const score = new Float64Array(indices.length);
  const loss = new Uint8Array(indices.length);
  for (let i = 0; i < indices.length; i += 1) {
    score[i] = rows.score[indices[i]!]!;
    loss[i] = rows.indefensible[indices[i]!]!;
  }
  const { weight } = rows;
  return [score, loss, weight && Float64Array.from(indices, (i) => weight[i]!)];
}
