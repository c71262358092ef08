/** Returns the value at x and writes the gradient at x into `gradient`. */
export type Objective = (x: Float64Array, gradient: Float64Array) => number;

export interface LbfgsOptions {
  /** Stop when no entry of the gradient exceeds this; default 1e-8. */
  tolerance?: number;
  /** Default 500. */
  maxIterations?: number;
  /** Steps remembered, default 10. */
  memory?: number;
}

export interface LbfgsResult {
  x: Float64Array;
  value: number;
  gradient: Float64Array;
  iterations: number;
  /** The gradient is within the tolerance, or the value cannot fall by more than its rounding error. */
  converged: boolean;
}

const SUFFICIENT_DECREASE = 1e-4;
const CURVATURE = 0.9;
const LINE_STEPS = 60;

/**
 * Minimum of a smooth function of several variables by limited-memory BFGS: fits of weights, logistic models and priors.
 *
 * Formula: x ← x − t H g, H the inverse Hessian approximated from the last `memory` steps (two-loop recursion), t by
 * bisection to the Wolfe conditions f(x + td) ≤ f + 10⁻⁴ t gᵀd and g(x + td)ᵀd ≥ 0.9 gᵀd. A value that is not finite
 * counts as too high, so that a step out of the domain is undone.
 * Range: the value never rises from one iteration to the next; a local minimum, the global one for a convex function.
 * Undefined when: the value at the start is not finite (RangeError). `converged` is false after `maxIterations`, or
 * when the line search finds no lower value although the gradient promises one (a wrong gradient, a kink).
 * Differs from the paper: nothing; the paper only names the method.
 * @see Nocedal and Wright (2006), Numerical Optimization, algorithms 7.4 and 7.5; Lewis and Overton (2013),
 *   Mathematical Programming 141:135-163, algorithm 2.6 (the line search)
 * @example
 * lbfgs(([x], gradient) => ((gradient[0] = 2 * (x - 3)), (x - 3) ** 2), [0]).x // => [3.000000]
 */
export function lbfgs(objective: Objective, start: ArrayLike<number>, options: LbfgsOptions = {}): LbfgsResult {
  const { tolerance = 1e-8, maxIterations = 500, memory = 10 } = options;
  let x: Float64Array = Float64Array.from(start);
  let gradient: Float64Array = new Float64Array(x.length);
  let value = objective(x, gradient);
  if (!Number.isFinite(value)) throw new RangeError(`start: no finite value there; got ${value}`);
  const steps: Step[] = [];
  let iterations = 0;
  for (; iterations < maxIterations; iterations += 1) {
    if (largest(gradient) <= tolerance) return { x, value, gradient, iterations, converged: true };
    let direction = descent(gradient, steps);
    let slope = dot(gradient, direction);
    if (!(slope < 0)) {
      // Rounding has spoilt the remembered steps: restart along the gradient.
      steps.length = 0;
      direction = descent(gradient, steps);
      slope = dot(gradient, direction);
    }
    const next = search(objective, x, value, direction, slope);
    if (next === undefined) {
      if (steps.length > 0) {
        steps.length = 0;
        continue;
      }
      const unreachable = -slope <= 16 * Number.EPSILON * Math.max(Math.abs(value), Number.MIN_VALUE);
      return { x, value, gradient, iterations, converged: unreachable };
    }
    remember(steps, memory, difference(next.x, x), difference(next.gradient, gradient));
    ({ x, value, gradient } = next);
  }
  return { x, value, gradient, iterations, converged: largest(gradient) <= tolerance };
}

interface Step {
  s: Float64Array;
  y: Float64Array;
  /** sᵀy */
  curvature: number;
}

/** −H g; without remembered steps, the negative gradient scaled to a length of at most 1. */
function descent(gradient: Float64Array, steps: readonly Step[]): Float64Array {
  const direction = gradient.map((entry) => -entry);
  if (steps.length === 0) {
    const length = Math.sqrt(dot(gradient, gradient));
    return length > 1 ? direction.map((entry) => entry / length) : direction;
  }
  const weights = new Float64Array(steps.length);
  for (let i = steps.length - 1; i >= 0; i -= 1) {
    const { s, y, curvature } = steps[i]!;
    weights[i] = dot(s, direction) / curvature;
    add(direction, y, -weights[i]!);
  }
  const last = steps.at(-1)!;
  const scale = last.curvature / dot(last.y, last.y);
  for (let j = 0; j < direction.length; j += 1) direction[j]! *= scale;
  for (const [i, { s, y, curvature }] of steps.entries())
    add(direction, s, weights[i]! - dot(y, direction) / curvature);
  return direction;
}

function remember(steps: Step[], memory: number, s: Float64Array, y: Float64Array): void {
  const curvature = dot(s, y);
  if (!(curvature > Number.EPSILON * dot(y, y))) return;
  steps.push({ s, y, curvature });
  if (steps.length > memory) steps.shift();
}

/** A point along the direction that meets both Wolfe conditions; otherwise the lowest point seen; undefined if none is lower. */
function search(objective: Objective, x: Float64Array, value: number, direction: Float64Array, slope: number) {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let t = 1;
  let best: { x: Float64Array; value: number; gradient: Float64Array } | undefined;
  for (let step = 0; step < LINE_STEPS; step += 1) {
    const point = x.map((entry, j) => entry + t * direction[j]!);
    const gradient = new Float64Array(x.length);
    const there = objective(point, gradient);
    if (there < value && there < (best?.value ?? value) && gradient.every(Number.isFinite)) {
      best = { x: point, value: there, gradient };
    }
    if (!(there <= value + SUFFICIENT_DECREASE * t * slope)) high = t;
    else if (!(dot(gradient, direction) >= CURVATURE * slope)) low = t;
    else return { x: point, value: there, gradient };
    t = high === Number.POSITIVE_INFINITY ? 2 * low : (low + high) / 2;
  }
  return best;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < a.length; j += 1) sum += a[j]! * b[j]!;
  return sum;
}

function add(to: Float64Array, what: Float64Array, factor: number): void {
  for (let j = 0; j < to.length; j += 1) to[j]! += factor * what[j]!;
}

function difference(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((entry, j) => entry - b[j]!);
}

function largest(gradient: Float64Array): number {
  let most = 0;
  for (const entry of gradient) most = Math.max(most, Math.abs(entry));
  return most;
}

export interface GoldenSection {
  x: number;
  value: number;
  /** Where the minimum was found; at an end, the true minimum may lie beyond it. */
  at: "inside" | "lower" | "upper";
}

const RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * Minimum of a function of one variable on an interval: first the best of `scan` evenly spaced points, then golden-section search
 * between its two neighbours. The scan is for functions with more than one valley.
 *
 * Formula: keep [a, b]; compare f at b − (b−a)/φ and a + (b−a)/φ, drop the end next to the higher one; φ = (1+√5)/2.
 * Range: x in [lower, upper], within `tolerance` of a local minimum, the global one if f has a single valley. Points whose values are
 * equal up to rounding cannot be told apart, so x is no more exact than about √ε of the scale on which f bends.
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
