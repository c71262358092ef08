/** The check every adjustment for several tests makes on its p-values; a wrong one is a mistake of the caller. */
export function checkPValues(pValues: ArrayLike<number>): void {
  for (let i = 0; i < pValues.length; i += 1) {
    const p = pValues[i]!;
    if (typeof p !== "number" || !(p >= 0 && p <= 1))
      throw new RangeError(`p-value: not a probability; got ${p}, expected 0 to 1`);
  }
}

/** Positions of the values from the smallest to the largest; equal values keep their order. */
export function ascendingOrder(values: ArrayLike<number>): Int32Array {
  const order = new Int32Array(values.length);
  for (let i = 0; i < order.length; i += 1) order[i] = i;
  return order.sort((first, second) => values[first]! - values[second]! || first - second);
}
