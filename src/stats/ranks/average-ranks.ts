import { sortedOrder } from "./sorted-order.js";

/**
 * Ranks from 1, equal values sharing the mean of the ranks they cover: the first step of every rank statistic.
 *
 * Formula: rank_i = #{x < x_i} + (#{x = x_i} + 1) / 2.
 * Range: [1, n]; ranks sum to n(n+1)/2.
 * Undefined when: never; no values give no ranks. RangeError when a value is NaN.
 * Differs from the paper: nothing.
 * @see Kendall and Gibbons (1990), Rank Correlation Methods, chapter 3
 * @example
 * averageRanks([10, 30, 20, 20]) // => [ 1, 4, 2.5, 2.5 ]
 */
export function averageRanks(x: ArrayLike<number>): number[] {
  for (let i = 0; i < x.length; i += 1) {
    if (Number.isNaN(x[i]!)) throw new RangeError(`values: not comparable; got NaN at index ${i}, expected numbers`);
  }
  const order = sortedOrder(Float64Array.from(x));
  const ranks = new Array<number>(x.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && x[order[end]!]! === x[order[start]!]!) end += 1;
    for (let position = start; position < end; position += 1) ranks[order[position]!] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}
