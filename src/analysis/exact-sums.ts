/**
 * How numbers are added as whole numbers. Sums of floating-point numbers depend on the order of addition in their last digits, and threads
 * add in another order each time (`fsum` too); sums of whole numbers do not.
 */
export interface Grain {
  /** Parts of one into which each number is cut. */
  parts: number;
  /** Bits by which these are coarser where squares are added, which must fit into 127 bits. */
  coarser: number;
}

/** From 0 to 1. 2⁶² parts are the most that a BIGINT holds: nothing is lost of a number above a thousandth. 2³¹ squares of 2⁻⁴⁸ fit. */
export const PROBABILITY: Grain = { parts: 2 ** 62, coarser: 14 };

/** Whole numbers as they are. */
export const COUNT: Grain = { parts: 1, coarser: 0 };

/** SQL: a number as a whole number of parts. */
export function inParts(column: string, { parts }: Grain): string {
  return `(${column}::DOUBLE * ${parts}::DOUBLE)::BIGINT`;
}

/** SQL: sums of a column of such numbers, of coarser ones, and of the squares of these. */
export function exactSums(column: string, name: string, { coarser }: Grain): string[] {
  const coarse = `(${column} >> ${coarser})`;
  return [
    `coalesce(sum(${column}), 0)::HUGEINT AS "${name}_sum"`,
    `coalesce(sum(${coarse}), 0)::HUGEINT AS "${name}_coarse"`,
    `coalesce(sum(${coarse}::HUGEINT * ${coarse}), 0)::HUGEINT AS "${name}_squares"`,
  ];
}

/** What `exactSums` gives, of n numbers. */
export interface ExactSums {
  n: number;
  sum: bigint;
  coarse: bigint;
  squares: bigint;
}

/** Mean, and squared deviations from it. Exact up to the last step, so that equal numbers are their mean and deviate by 0. */
export function meanOfParts(
  { n, sum, coarse, squares }: ExactSums,
  { parts, coarser }: Grain,
): { mean: number; squaredDeviations: number } {
  if (n === 0) return { mean: 0, squaredDeviations: 0 };
  const deviations = BigInt(n) * squares - coarse * coarse;
  return {
    mean: Number((sum << 64n) / BigInt(n)) / 2 ** 64 / parts,
    squaredDeviations: Number(deviations) / n / (parts / 2 ** coarser) ** 2,
  };
}
