/** Bins of the paper's calibration error. @see paper Appendix A.3 */
export const PAPER_BINS = 10;

/**
 * Edges of bins with equally many rows: bin b has the sorted rows edges[b] to edges[b + 1] − 1. As numpy's `array_split`: the first
 * n mod bins have one row more; with fewer rows than bins each row is one.
 * @example
 * equalFrequencyEdges(11, 3) // => [0, 4, 8, 11]
 */
export function equalFrequencyEdges(n: number, bins: number = PAPER_BINS): Uint32Array {
  const used = Math.min(n, bins);
  const edges = new Uint32Array(used + 1);
  const size = Math.floor(n / Math.max(1, used));
  const larger = n - size * used;
  for (let b = 1; b <= used; b += 1) edges[b] = b * size + Math.min(b, larger);
  return edges;
}

/** Edges of bins of equal weight: a row belongs to the bin that holds the middle of its weight. Without weights `equalFrequencyEdges`. */
export function equalWeightEdges(n: number, bins: number, weights: Float64Array | null): Uint32Array {
  if (!weights) return equalFrequencyEdges(n, bins);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const edges = [0];
  let before = 0;
  for (let i = 0; i < n; i += 1) {
    const bin = Math.floor((bins * (before + weights[i]! / 2)) / total);
    if (i > 0 && bin >= edges.length) {
      while (edges.length <= bin) edges.push(i);
    }
    before += weights[i]!;
  }
  return Uint32Array.from([...new Set([...edges, n])]);
}

/**
 * The same edges moved up to the end of a run of equal scores they would split, so that no bin depends on the order of equal rows.
 * There may be fewer bins; a constant score has one.
 * @example
 * unsplitEdges([0.1, 0.2, 0.2, 0.2, 0.3, 0.4], [0, 2, 4, 6]) // => [0, 4, 6]
 */
export function unsplitEdges(sorted: Float64Array, edges: Uint32Array): Uint32Array {
  const moved: number[] = [];
  for (const edge of edges) {
    const end = edge === 0 ? 0 : runEnd(sorted, edge);
    if (end !== moved.at(-1)) moved.push(end);
  }
  return Uint32Array.from(moved);
}

/** Where the run of equal scores that reaches across `edge` ends; `edge` itself if none does. */
export function runEnd(sorted: Float64Array, edge: number): number {
  if (edge === 0 || edge >= sorted.length || sorted[edge - 1] !== sorted[edge]) return edge;
  return firstAbove(sorted, sorted[edge]!);
}

/** Where the run of equal scores that reaches across `edge` begins; `edge` itself if none does. */
export function runStart(sorted: Float64Array, edge: number): number {
  if (edge === 0 || edge >= sorted.length || sorted[edge - 1] !== sorted[edge]) return edge;
  let low = 0;
  let high = edge;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < sorted[edge]!) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Edges of bins of equal width, closed above: (0, 1/bins], …, (1 − 1/bins, 1], a score of 0 in the first. Some may be empty.
 * @example
 * equalWidthEdges([0, 0.1, 0.15, 0.9], 10) // => [0, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4]
 */
export function equalWidthEdges(sorted: Float64Array, bins: number = PAPER_BINS): Uint32Array {
  const edges = new Uint32Array(bins + 1);
  for (let b = 1; b < bins; b += 1) edges[b] = firstAbove(sorted, b / bins);
  edges[bins] = sorted.length;
  return edges;
}

/** How many scores are at most `limit`. */
function firstAbove(sorted: Float64Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
