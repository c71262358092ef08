import { checkCount } from "../check-arguments.js";
import { incompleteGamma } from "../distributions/incomplete-gamma.js";

export interface ChiSquareTest {
  /** Null when the table has fewer than two rows or columns that are not empty. */
  statistic: number | null;
  degrees_of_freedom: number;
  p: number | null;
  /** The smallest expected count; below 5 the p-value is not to be trusted. */
  least_expected: number | null;
  n: number;
  reason?: string;
}

/**
 * Pearson's test of independence in a table of counts: does the outcome depend on the group?
 *
 * Formula: X² = Σ (observed − expected)²/expected, expected = row sum · column sum / n; p = Q(df/2, X²/2), df = (rows − 1)
 * (columns − 1). Empty rows and columns are taken out first.
 * Range: X² ≥ 0, p in [0, 1]; small p speaks against independence. Approximate: expected counts should be 5 or more, else
 * use `exactTableTest`.
 * Undefined when: fewer than two rows or columns have counts: null with a reason. RangeError for what is no table of
 * counts.
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
