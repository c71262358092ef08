/** By term: places and weights, all in flat lists, since they are walked for every word of every text. */
export interface Postings {
  /** Where the entries of a term begin; those of the next term follow. */
  readonly starts: Int32Array;
  readonly places: Int32Array;
  readonly weights: Float64Array;
}

/** Lists of place, weight, place, weight, … by term, with an offset for their places. */
export interface PostingSource {
  lists: readonly (readonly number[] | undefined)[];
  offset: number;
}

/** Lays several indexes over the same terms out as one. */
export function flatPostings(terms: number, sources: readonly PostingSource[]): Postings {
  const starts = new Int32Array(terms + 1);
  const places: number[] = [];
  const weights: number[] = [];
  for (let term = 0; term < terms; term++) {
    for (const { lists, offset } of sources) {
      const list = lists[term];
      if (list === undefined) continue;
      for (let i = 0; i < list.length; i += 2) {
        places.push(offset + list[i]!);
        weights.push(list[i + 1]!);
      }
    }
    starts[term + 1] = places.length;
  }
  return { starts, places: Int32Array.from(places), weights: Float64Array.from(weights) };
}

/** Adds `weight` times the weight of each entry of a term to its place. */
export function addPostings(
  { starts, places, weights }: Postings,
  term: number,
  weight: number,
  sums: Float64Array,
): void {
  const end = starts[term + 1]!;
  for (let i = starts[term]!; i < end; i++) sums[places[i]!]! += weights[i]! * weight;
}

/** The largest weight a term has in one of the places [first, first + count). */
export function largestWeight(
  { starts, places, weights }: Postings,
  term: number,
  first: number,
  count: number,
): number {
  let most = 0;
  const end = starts[term + 1]!;
  for (let i = starts[term]!; i < end; i++) {
    const place = places[i]!;
    if (place >= first && place < first + count && weights[i]! > most) most = weights[i]!;
  }
  return most;
}
