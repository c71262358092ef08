import type { ReplicateColumns } from "../../ledger/replicate-columns.js";

/**
 * p(L3) of each row under the law that levels are drawn from at a temperature: p_l^{1/T}, renormalised. At T = 0 the most probable level has
 * all of it, equal ones share. NaN where a row has no probabilities of all three levels.
 */
export function temperedLevel3(
  { p1, p2, p3 }: Pick<ReplicateColumns, "p1" | "p2" | "p3">,
  temperature: number,
): Float64Array {
  if (temperature === 1) return Float64Array.from(p3);
  return p3.map((third, i) => {
    const [a, b, c] = [p1[i]!, p2[i]!, third];
    const most = Math.max(a, b, c);
    if (!(most > 0)) return Number.NaN;
    // Divided by the largest first: 0.01^{1/0.1} would underflow beside it otherwise.
    const power = (p: number) => (temperature === 0 ? (p === most ? 1 : 0) : (p / most) ** (1 / temperature));
    return power(c) / (power(a) + power(b) + power(c));
  });
}
