import { checkCount } from "../check-arguments.js";
import { incompleteGamma, logGamma } from "../distributions/special-functions.js";

export interface ChiSquareTest {
  /** null if the table has fewer than two non-empty rows or columns. */
  statistic: number | null;
  degrees_of_freedom: number;
  p: number | null;
  /** The smallest expected count; below 5, do not trust the p-value. */
  least_expected: number | null;
  n: number;
  reason?: string;
}

/**
 * Pearson's test of independence in a table of counts: does the outcome depend on the group?
 *
 * Formula: X² = Σ (observed − expected)²/expected, expected = row sum · column sum / n; p = Q(df/2, X²/2), df = (rows − 1)
 * (columns − 1). Empty rows and columns are removed first.
 * Range: X² ≥ 0, p in [0, 1]; a small p is evidence against independence. Approximate: expected counts should be 5 or more, else
 * use `exactTableTest`.
 * Undefined when: fewer than two rows or columns have counts: null with a reason. RangeError when the argument is not a table of counts.
 * Differs from the paper: not in the paper, which states independence of skips and level without a test.
 * @see Pearson (1900), Philosophical Magazine 50:157-175
 * @example
 * chiSquareTest([[10, 20], [20, 10]]) // => { statistic: 6.666666666666667, degrees_of_freedom: 1, n: 60 }
 */
export function chiSquareTest(table: readonly (readonly number[])[]): ChiSquareTest {
  const columns = table[0]?.length ?? 0;
  for (const row of table) {
    if (row.length !== columns) throw new RangeError(`table: rows of unequal length; got ${row.length} and ${columns}`);
    for (const count of row) checkCount("table", count);
  }
  const columnSums = Array.from({ length: columns }, (_, j) => table.reduce((sum, row) => sum + row[j]!, 0));
  const rows = table.map((counts) => ({ counts, sum: counts.reduce((sum, count) => sum + count, 0) }));
  const usedRows = rows.filter((row) => row.sum > 0);
  const usedColumns = columnSums.flatMap((sum, j) => (sum > 0 ? [{ sum, j }] : []));
  const n = usedRows.reduce((sum, row) => sum + row.sum, 0);
  const degrees = (usedRows.length - 1) * (usedColumns.length - 1);
  if (n === 0 || degrees === 0) {
    const reason = n === 0 ? "no rows" : usedRows.length < 2 ? "one group only" : "one outcome only";
    return { statistic: null, degrees_of_freedom: 0, p: null, least_expected: null, n, reason };
  }
  let statistic = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const row of usedRows) {
    for (const column of usedColumns) {
      const expected = (row.sum * column.sum) / n;
      least = Math.min(least, expected);
      statistic += (row.counts[column.j]! - expected) ** 2 / expected;
    }
  }
  const p = incompleteGamma(degrees / 2, statistic / 2);
  return { statistic, degrees_of_freedom: degrees, p, least_expected: least, n };
}

/** Probabilities whose relative difference is below this count as equal. */
const SLACK = 1e-7;

/**
 * Exact test of independence in a 2 × 3 table with all margins fixed (Fisher, Freeman and Halton), for tables too sparse for chi-square.
 *
 * Formula: p = Σ P(table) over the tables with the same margins that are no more likely than the observed one, P(a) =
 * Π_j C(c_j, a_j) / C(n, r), (a_j) the first row, r its sum. Tables equally likely up to rounding (10⁻⁷ relative, as in R) count.
 * Range: [0, 1]; 1 if the margins allow only one table, 0 if p is below 10⁻³⁰⁸.
 * Undefined when: a count is not a count: RangeError.
 * Differs from the paper: not in the paper.
 * @see Freeman and Halton (1951), Biometrika 38:141-149
 * @example
 * exactTableTest([3, 0, 0], [0, 1, 2]) // => 0.1
 */
export function exactTableTest(
  first: readonly [number, number, number],
  second: readonly [number, number, number],
): number {
  for (const count of [...first, ...second]) checkCount("table", count);
  // The smallest column is the outer loop; inside, probabilities are computed from their neighbours, outwards from the largest.
  const columns = [0, 1, 2]
    .map((j) => ({ a: first[j]!, size: first[j]! + second[j]! }))
    .sort((x, y) => x.size - y.size);
  const [outer, middle, last] = columns as [Column, Column, Column];
  const rowSum = outer.a + middle.a + last.a;
  const logAll = logWeight(outer.size + middle.size + last.size, rowSum);
  const observed = Math.exp(
    logWeight(outer.size, outer.a) + logWeight(middle.size, middle.a) + logWeight(last.size, last.a) - logAll,
  );
  const limit = observed * (1 + SLACK);
  // 1 up to rounding; dividing by it removes the rounding error of the logarithms.
  let total = 0;
  let asRare = 0;
  for (let a = 0; a <= Math.min(outer.size, rowSum); a += 1) {
    const rest = rowSum - a;
    const from = Math.max(0, rest - last.size);
    const to = Math.min(middle.size, rest);
    if (from > to) continue;
    const start = logWeight(outer.size, a) - logAll;
    const mode = Math.min(
      to,
      Math.max(from, Math.floor(((middle.size + 1) * (rest + 1)) / (middle.size + last.size + 2))),
    );
    const peak = Math.exp(start + logWeight(middle.size, mode) + logWeight(last.size, rest - mode));
    let weight = peak;
    for (let b = mode; b <= to && weight > 0; b += 1) {
      total += weight;
      if (weight <= limit) asRare += weight;
      weight *= ((middle.size - b) * (rest - b)) / ((b + 1) * (last.size - rest + b + 1));
    }
    weight = peak;
    for (let b = mode; b > from && weight > 0; b -= 1) {
      weight *= (b * (last.size - rest + b)) / ((middle.size - b + 1) * (rest - b + 1));
      total += weight;
      if (weight <= limit) asRare += weight;
    }
  }
  return Math.min(1, asRare / total);
}

interface Column {
  a: number;
  size: number;
}

/** ln C(size, a). */
function logWeight(size: number, a: number): number {
  return logGamma(size + 1) - logGamma(a + 1) - logGamma(size - a + 1);
}
