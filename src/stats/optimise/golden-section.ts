export interface GoldenSection {
  x: number;
  value: number;
  /** Where the minimum was found; at an end it may lie beyond it. */
  at: "inside" | "lower" | "upper";
}

const RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * Minimum of a function of one variable on an interval: first the best of `scan` evenly spaced points, then golden-section search
 * between its two neighbours. The scan is there for functions with more than one valley.
 *
 * Formula: keep [a, b]; compare f at b − (b−a)/φ and a + (b−a)/φ, drop the end next to the higher one; φ = (1+√5)/2.
 * Range: x in [lower, upper], within `tolerance` of a local minimum, the global one where f has a single valley. Two points of
 * equal value in rounding cannot be told apart, so x is no more exact than about √ε of the scale on which f bends.
 * Undefined when: lower is not below upper, or f is NaN somewhere (RangeError).
 * Differs from the paper: not in the paper.
 * @see Kiefer (1953), Proceedings of the American Mathematical Society 4:502-506
 * @example
 * goldenSection((x) => (x - 2) ** 2, 0, 5).x // => 2.000000
 */
export function goldenSection(
  f: (x: number) => number,
  lower: number,
  upper: number,
  { tolerance = 1e-9, scan = 17 }: { tolerance?: number; scan?: number } = {},
): GoldenSection {
  if (!(lower < upper)) throw new RangeError(`interval: empty; got [${lower}, ${upper}], expected lower < upper`);
  const checked = (x: number): number => {
    const value = f(x);
    if (Number.isNaN(value)) throw new RangeError(`function: not defined at ${x}; got NaN, expected a number`);
    return value;
  };
  const point = (i: number): number => (i === scan - 1 ? upper : lower + ((upper - lower) * i) / (scan - 1));
  let start = 0;
  let least = checked(point(0));
  for (let i = 1; i < scan; i += 1) {
    const value = checked(point(i));
    if (value < least) {
      least = value;
      start = i;
    }
  }
  let a = point(Math.max(0, start - 1));
  let b = point(Math.min(scan - 1, start + 1));
  let c = b - RATIO * (b - a);
  let d = a + RATIO * (b - a);
  let atC = checked(c);
  let atD = checked(d);
  while (b - a > tolerance && c < d) {
    if (atC <= atD) {
      b = d;
      d = c;
      atD = atC;
      c = b - RATIO * (b - a);
      atC = checked(c);
    } else {
      a = c;
      c = d;
      atC = atD;
      d = a + RATIO * (b - a);
      atD = checked(d);
    }
  }
  return best([
    { x: (a + b) / 2, value: checked((a + b) / 2), at: "inside" },
    { x: lower, value: checked(lower), at: "lower" },
    { x: upper, value: checked(upper), at: "upper" },
  ]);
}

function best(points: readonly GoldenSection[]): GoldenSection {
  return points.reduce((least, point) => (point.value < least.value ? point : least));
}
