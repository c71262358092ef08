import type { Rng } from "./create-rng.js";
import { drawNormal } from "./draw-normal.js";

/**
 * A random probability by a beta law: the rate of one community around its kind's mean.
 *
 * Formula: X/(X + Y), X ~ Gamma(a), Y ~ Gamma(b), by Marsaglia and Tsang's squeeze; shapes below 1 are drawn at shape + 1 and multiplied by U^(1/shape).
 * Range: [0, 1]; mean a/(a + b), variance ab/((a + b)²(a + b + 1)).
 * Undefined when: a or b is negative or not finite: RangeError. a = 0 gives 0, b = 0 gives 1: the law's limits.
 * Differs from the paper: not in the paper.
 * @see Marsaglia and Tsang (2000), ACM Transactions on Mathematical Software 26:363-372
 * @example
 * drawBeta(0, 2, { next: () => 0.5 }) // => 0
 */
export function drawBeta(a: number, b: number, rng: Pick<Rng, "next">): number {
  if (!(a >= 0 && b >= 0 && a + b > 0 && Number.isFinite(a + b))) {
    throw new RangeError(`beta law: no such shapes; got ${a} and ${b}, expected two numbers of at least 0, not both 0`);
  }
  if (a === 0) return 0;
  if (b === 0) return 1;
  for (;;) {
    const x = drawGamma(a, rng);
    const y = drawGamma(b, rng);
    // Both underflow only for tiny shapes.
    if (x + y > 0) return x / (x + y);
  }
}

function drawGamma(shape: number, rng: Pick<Rng, "next">): number {
  if (shape < 1) return drawGamma(shape + 1, rng) * (1 - rng.next()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(rng);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    if (Math.log(1 - rng.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}
