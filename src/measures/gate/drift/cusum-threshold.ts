import { type CusumChart, cusumSteps } from "./bernoulli-cusum.js";
import { cusumAverageRunLength } from "./cusum-arl.js";

/** A lattice so fine or a run length so long that the answer would take minutes is refused. */
const MOST_STATES = 200_000;

export interface DesignedCusum extends CusumChart {
  /** Run length at p0: at least the one asked for. */
  arl: number;
  /** Mean delay if the rate is p1 from the start. */
  delay: number;
}

/**
 * The CUSUM with the lowest threshold that still has a wanted run length at p0. Exact for independent observations of 0 and 1; at rates below p0
 * the run is longer.
 *
 * Formula: smallest whole h with ARL(h; p0) ≥ target, by doubling and bisection; ARL rises with h.
 * Range: h from 1 on.
 * Undefined when: the target is not finite or below 1, not 0 < p0 < p1 < 1, or h would exceed 200,000: RangeError. p0 must be a limit: with an
 * estimate of the usual rate instead, the run length is not the one promised.
 * Differs from the paper: not in the paper.
 * @see `cusumAverageRunLength`
 * @example
 * cusumThreshold(0.1, 0.2, 1000).threshold // => 31
 */
export function cusumThreshold(p0: number, p1: number, target: number): DesignedCusum {
  if (!(target >= 1 && target < Infinity)) {
    throw new RangeError(`run length: not reachable; got ${target}, expected a finite number from 1 on`);
  }
  const steps = cusumSteps(p0, p1);
  const arl = (h: number): number => cusumAverageRunLength(steps, h, p0);
  let low = 0;
  let high = 1;
  while (arl(high) < target) {
    low = high;
    high *= 2;
    if (high > MOST_STATES) {
      throw new RangeError(
        `run length: not reachable; got ${target} at p0 = ${p0}, p1 = ${p1}, expected one that takes fewer than ${MOST_STATES} states`,
      );
    }
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (arl(middle) < target) low = middle;
    else high = middle;
  }
  return { ...steps, threshold: high, arl: arl(high), delay: cusumAverageRunLength(steps, high, steps.p1) };
}
