/** The checks every interval makes on its arguments; a wrong one is a mistake of the caller, so RangeError. */

export function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) {
    throw new RangeError(
      `level: not a confidence level; got ${level}, expected a number between 0 and 1, such as 0.95`,
    );
  }
}

/** k successes in n trials; both may be real numbers (effective sample sizes). */
export function checkTrials(k: number, n: number): void {
  if (!(n > 0 && n < Infinity)) throw new RangeError(`trials: not a sample size; got n = ${n}, expected n > 0`);
  if (!(k >= 0 && k <= n))
    throw new RangeError(`successes: outside 0 to n; got k = ${k} of n = ${n}, expected 0 ≤ k ≤ n`);
}

/** A number of rows: `n` of an Estimate is an integer. */
export function checkCount(name: string, count: number): void {
  if (!(Number.isSafeInteger(count) && count >= 0)) {
    throw new RangeError(`${name}: not a count; got ${count}, expected an integer from 0 on`);
  }
}

/** A square table of counts, rows × columns in the same order of categories. */
export function checkSquareTable(table: readonly (readonly number[])[]): void {
  for (const row of table) {
    if (row.length !== table.length) {
      throw new RangeError(
        `table: not square; got a row of ${row.length}, expected ${table.length} columns as there are rows`,
      );
    }
    for (const count of row) checkCount("table", count);
  }
}
