import type { Interval } from "../intervals/interval.js";

/** A number and the interval it lies in. */
export interface Bounded extends Interval {
  estimate: number;
}

/**
 * Interval of a difference of two numbers that have intervals of their own, for where no variance can be had: rows that are all alike
 * have none, and are no certainty.
 *
 * Formula: with intervals [l, u] of each and d = θ1 − θ2: lower = d − √((θ1−l1)² + (u2−θ2)²), upper = d + √((u1−θ1)² + (θ2−l2)²), cut
 * to `bounds`. Of two Wilson intervals that is Newcombe's.
 * Range: within `bounds`, encloses d; mirrored when the two change places. Numbers that rise and fall together make it too wide, those
 * that go against each other too narrow.
 * Undefined when: a number is outside its interval, or not a number: RangeError.
 * Differs from the paper: the paper prints no intervals.
 * @see Zou and Donner (2008), Statistics in Medicine 27:1693-1702; Newcombe (1998), Statistics in Medicine 17:873-890
 * @example
 * squareAndAdd({ estimate: 0.5, lower: 0.2, upper: 0.9 }, { estimate: 0.25, lower: 0.25, upper: 0.65 }).lower // => -0.25
 */
export function squareAndAdd(first: Bounded, second: Bounded, bounds: readonly [number, number] = [-1, 1]): Interval {
  for (const { estimate, lower, upper } of [first, second]) {
    // What rounding does to the last digits of a bound is no mistake of the caller's.
    if (lower <= estimate + 1e-9 && estimate <= upper + 1e-9) continue;
    throw new RangeError(`interval: does not hold its number; got ${estimate}, expected ${lower} to ${upper}`);
  }
  const difference = first.estimate - second.estimate;
  const down = ({ estimate, lower }: Bounded) => Math.max(0, estimate - lower);
  const up = ({ estimate, upper }: Bounded) => Math.max(0, upper - estimate);
  const below = Math.hypot(down(first), up(second));
  const above = Math.hypot(up(first), down(second));
  return { lower: Math.max(bounds[0], difference - below), upper: Math.min(bounds[1], difference + above) };
}
