/** Argument checks shared by all intervals. A wrong argument is a mistake of the caller, hence RangeError. */

export function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) {
    throw new RangeError(
      `level: not a confidence level; got ${level}, expected a number between 0 and 1, such as 0.95`,
    );
  }
}

/** k successes in n trials; both may be real numbers (effective sample sizes). */
export function checkTrials(k: number, n: number): void {
  checkNumber("trials", n);
  checkNumber("successes", k);
  if (!(n > 0 && n < Infinity)) throw new RangeError(`trials: not a sample size; got n = ${n}, expected n > 0`);
  if (!(k >= 0 && k <= n))
    throw new RangeError(`successes: outside 0 to n; got k = ${k} of n = ${n}, expected 0 ≤ k ≤ n`);
}

/** A number of rows: `n` of an Estimate must be an integer. */
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

/** Refuses anything but a number, including null and strings that arithmetic would convert. */
export function checkNumber(name: string, value: unknown): void {
  if (typeof value !== "number" || Number.isNaN(value)) {
    throw new RangeError(`${name}: not a number; got ${String(value)}, expected a number`);
  }
}

/** Refuses NaN and null (which arithmetic takes for 0) in a column of numbers. A Float64Array cannot hold null. */
export function checkNumbers(name: string, values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i += 1) {
    const value: unknown = values[i];
    if (typeof value !== "number" || Number.isNaN(value)) {
      throw new RangeError(`${name}: row ${i} is not a number; got ${String(value)}, expected a number`);
    }
  }
}

/** Scores in [0, 1] and outcomes of 0 or 1, one for each. */
export function checkScores(scores: ArrayLike<number>, outcomes: ArrayLike<number>): void {
  if (scores.length !== outcomes.length) {
    throw new RangeError(`columns: of different length; got ${scores.length} scores and ${outcomes.length} outcomes`);
  }
  for (let i = 0; i < scores.length; i += 1) {
    const [score, outcome]: [unknown, unknown] = [scores[i], outcomes[i]];
    if (typeof score !== "number" || !(score >= 0 && score <= 1)) {
      throw new RangeError(`score: row ${i} is not a probability; got ${String(score)}, expected 0 to 1`);
    }
    if (outcome !== 0 && outcome !== 1) {
      throw new RangeError(`outcome: row ${i} is not 0 or 1; got ${String(outcome)}`);
    }
  }
}
