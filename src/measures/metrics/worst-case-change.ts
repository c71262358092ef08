import { armPatterns, type Counted, type Patterns } from "./arm-patterns.js";
import { AUDITED } from "./judge-counts.js";

interface Bounds {
  lower: number;
  upper: number;
}

/**
 * Bounds of a rate and of its change between two arms if every audit without a verdict had gone the worst way: what the pairs that had
 * to be left out could hide.
 *
 * Formula: x_a ∈ {0, 1} where there is a verdict, [0, 1] where there is none; rate: Σx_a / N; change: Σ(x_b − x_a) / N, over all N
 * decisions, each at its least and at its greatest.
 * Range: rates within [0, 1], the change within [−1, 1]; lower = upper where every decision has a verdict in both.
 * Undefined when: there is no decision: null.
 * Differs from the paper: the paper leaves decisions without a verdict out and gives no bounds.
 * @see `rate`, the same for one run
 * @example
 * worstCaseChange([{ cluster: 0, kinds: [0, -1], n: 4 }], 0, 1, () => true).change // => { lower: -1, upper: 0 }
 */
export function worstCaseChange(
  patterns: Patterns,
  a: number,
  b: number,
  counted: Counted,
): { a: Bounds; b: Bounds; change: Bounds } | null {
  const { distinct, totals } = armPatterns(patterns);
  const total = totals.reduce((sum, n) => sum + n, 0);
  if (total === 0) return null;
  const counts = AUDITED.map((verdict) => (counted(verdict) ? 1 : 0));
  const bounds = (arm: number): Bounds => {
    let [lower, upper] = [0, 0];
    distinct.forEach((kinds, i) => {
      const known = counts[kinds[arm]!];
      lower += totals[i]! * (known ?? 0);
      upper += totals[i]! * (known ?? 1);
    });
    return { lower, upper };
  };
  const [first, second] = [bounds(a), bounds(b)];
  const share = ({ lower, upper }: Bounds): Bounds => ({ lower: lower / total, upper: upper / total });
  return {
    a: share(first),
    b: share(second),
    change: share({ lower: second.lower - first.upper, upper: second.upper - first.lower }),
  };
}
