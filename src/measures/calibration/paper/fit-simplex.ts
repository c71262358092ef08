import type { PaperRows } from "./design.js";
import { paperLoss } from "./loss.js";

export interface SimplexFit {
  weights: Float64Array;
  loss: number;
  /** ∂L/∂w at the optimum: equal on the free weights, no smaller on the others. */
  gradient: Float64Array;
  /** Indices of weights that are exactly 0. */
  active: number[];
  /** False if other weights have the same loss (collinear or empty parts); the returned ones are then those nearest to the start of the search. */
  unique: boolean;
  iterations: number;
  converged: boolean;
}

const MAX_ITERATIONS = 200;
/** With at least twice as many indefensible rows, the search starts on a sample of about this many. */
const SAMPLE_ROWS = 10_000;
/** A Newton step with a smaller predicted gain is the last on its face: the next step would gain only its square. */
const LAST_DECREMENT = 1e-14;
/** How much, relative to the gradient, the multiplier of a fixed weight must favour freeing it. */
const MULTIPLIER = 1e-10;
/** Relative changes of the loss below this are hidden by rounding. */
const ROUNDING = 1e-13;
/** A direction with less curvature, relative to the trace, counts as flat. */
const FLAT = 1e-10;

/**
 * Weights (α, β, γ) of S with the smallest loss on the closed simplex: the global optimum, including the boundary.
 *
 * Formula: min L(w) over w ≥ 0, Σw = 1, by Newton steps on the current face (the weights that may move), stopping at a bound that is hit and
 * leaving it when its multiplier g_j − Σ w g turns negative. L is convex in w, so a point that meets these conditions is the minimum; no other
 * start needs to be tried.
 * Range: weights ≥ 0 that sum to 1. `gradient` is equal on the free weights and no smaller on those at 0.
 * Undefined when: no rows (RangeError). One class, tiny n: a vertex or any point, see `unique`.
 * Differs from the paper: the paper optimises over softmax(u), where a weight of 0 is never reached and the printed weight depends on when the
 * search stopped. If the optimum is in the interior, the two agree.
 * @see paper §4.3; Nocedal and Wright (2006), Numerical Optimization, §16.5 (active sets)
 * @example
 * fitSimplex({ n: 1, ones: 1, sumOfOnes: [0.1, 0.3, 0.2], zeros: [] }).weights // => [1, 0, 0]
 */
export function fitSimplex(rows: PaperRows, allowed: readonly number[] = [0, 1, 2]): SimplexFit {
  const start = new Float64Array(3);
  for (const j of allowed) start[j] = 1 / allowed.length;
  const stride = Math.floor(rows.zeros.length / 3 / SAMPLE_ROWS);
  if (stride < 2) return search(rows, allowed, start);
  return search(rows, allowed, search(everyNth(rows, stride), allowed, start).weights);
}

/** Every nth indefensible row and an equal share of the others: the minimum of this sample is a good starting point. */
function everyNth(rows: PaperRows, stride: number): PaperRows {
  const kept = Math.floor(rows.zeros.length / 3 / stride);
  const zeros = new Float64Array(3 * kept);
  for (let i = 0; i < kept; i += 1) {
    const from = 3 * i * stride;
    for (let j = 0; j < 3; j += 1) zeros[3 * i + j] = rows.zeros[from + j]!;
  }
  const zeroWeights = rows.zeroWeights?.filter((_, i) => i % stride === 0 && i / stride < kept);
  const share = (3 * kept) / rows.zeros.length;
  const sumOfOnes = rows.sumOfOnes.map((sum) => sum * share);
  return { n: rows.n * share, ones: rows.ones * share, sumOfOnes, zeros, zeroWeights };
}

interface Point {
  weights: Float64Array;
  loss: number;
  gradient: Float64Array;
  hessian: Float64Array;
}

function search(rows: PaperRows, allowed: readonly number[], start: Float64Array): SimplexFit {
  let free = allowed.filter((j) => start[j]! > 0);
  let here = at(rows, start);
  let converged = false;
  let settled = false;
  let iterations = 0;
  for (; iterations < MAX_ITERATIONS; iterations += 1) {
    const direction = newton(here, free);
    const decrement = -dot(here.gradient, direction);
    const scale = Math.max(1, here.loss);
    if (settled || !(decrement > 0)) {
      const entering = mostNegativeMultiplier(here, allowed, free);
      if (entering === undefined) {
        converged = true;
        break;
      }
      free = [...free, entering].sort();
      settled = false;
      continue;
    }
    const { step, hit } = longestStep(here.weights, direction);
    if (step < 1 && step * decrement <= Number.EPSILON * scale) {
      // The gain still possible on this face before a bound is smaller than the loss can resolve.
      settled = true;
      continue;
    }
    const next = descend(rows, here, direction, decrement, step, hit);
    settled = next === undefined || (decrement <= LAST_DECREMENT * scale && next.bound === undefined);
    if (next === undefined) continue;
    here = next.point;
    if (next.bound !== undefined) free = free.filter((j) => j !== next.bound);
  }
  return {
    weights: here.weights,
    loss: here.loss,
    gradient: here.gradient,
    active: allowed.filter((j) => here.weights[j] === 0),
    unique: isUnique(here, allowed, free),
    iterations,
    converged,
  };
}

function at(rows: PaperRows, weights: Float64Array): Point {
  const gradient = new Float64Array(3);
  const hessian = new Float64Array(6);
  return { weights, loss: paperLoss(rows, weights, { gradient, hessian }), gradient, hessian };
}

/** The largest step in [0, 1] that stays inside, and the weight that limits it. */
function longestStep(weights: Float64Array, direction: Float64Array): { step: number; hit: number | undefined } {
  let step = 1;
  let hit: number | undefined;
  for (let j = 0; j < 3; j += 1) {
    if (direction[j]! < 0 && weights[j]! <= -direction[j]! * step) {
      step = weights[j]! / -direction[j]!;
      hit = j;
    }
  }
  return { step, hit };
}

/** Halves the step until the loss falls enough; undefined if it never does. */
function descend(
  rows: PaperRows,
  here: Point,
  direction: Float64Array,
  decrement: number,
  longest: number,
  hit: number | undefined,
): { point: Point; bound: number | undefined } | undefined {
  // This close to the minimum the loss itself no longer resolves the step, and its rounding must not reject the last digits of w.
  const slack = decrement <= 1e-12 ? ROUNDING * Math.max(1, here.loss) : 0;
  let step = longest;
  for (let tries = 0; tries < 60; tries += 1) {
    const bound = step === longest ? hit : undefined;
    const weights = here.weights.map((weight, j) => (j === bound ? 0 : Math.max(0, weight + step * direction[j]!)));
    const sum = weights[0]! + weights[1]! + weights[2]!;
    const point = at(
      rows,
      weights.map((weight) => weight / sum),
    );
    if (point.loss <= here.loss - 1e-4 * step * decrement + slack) return { point, bound };
    step /= 2;
  }
  return undefined;
}

/** Newton's direction within the face: −B (BᵀHB + τI)⁻¹ Bᵀg for an orthonormal basis B of its tangent space. */
function newton({ gradient, hessian }: Point, free: readonly number[]): Float64Array {
  const direction = new Float64Array(3);
  const basis = tangent(free);
  if (basis.length === 0) return direction;
  // The ridge prevents steps along a flat direction due to rounding errors, yet with a linear loss the step still reaches the bound.
  const ridge = 1e-12 * (trace(hessian) + Math.max(...gradient.map(Math.abs))) + Number.MIN_VALUE;
  const [first, second] = basis as [Float64Array, Float64Array | undefined];
  const a = quadratic(hessian, first, first) + ridge;
  const p = dot(first, gradient);
  if (second === undefined) return first.map((entry) => (-p / a) * entry);
  const b = quadratic(hessian, first, second);
  const c = quadratic(hessian, second, second) + ridge;
  const q = dot(second, gradient);
  const determinant = a * c - b * b;
  const u = (b * q - c * p) / determinant;
  const v = (b * p - a * q) / determinant;
  return direction.map((_, j) => u * first[j]! + v * second[j]!);
}

function tangent(free: readonly number[]): Float64Array[] {
  if (free.length < 2) return [];
  if (free.length === 3) {
    const [root2, root6] = [Math.SQRT1_2, 1 / Math.sqrt(6)];
    return [new Float64Array([root2, -root2, 0]), new Float64Array([root6, root6, -2 * root6])];
  }
  const edge = new Float64Array(3);
  edge[free[0]!] = Math.SQRT1_2;
  edge[free[1]!] = -Math.SQRT1_2;
  return [edge];
}

function mostNegativeMultiplier(
  { weights, gradient, loss }: Point,
  allowed: readonly number[],
  free: readonly number[],
): number | undefined {
  const level = dot(weights, gradient);
  // The loss is convex, so it falls by no more than the multiplier, which must exceed its own rounding.
  const slack = Math.max(MULTIPLIER * Math.max(...gradient.map(Math.abs)), ROUNDING * Math.max(1, loss));
  let least = -slack;
  let entering: number | undefined;
  for (const j of allowed) {
    if (!free.includes(j) && gradient[j]! - level < least) {
      least = gradient[j]! - level;
      entering = j;
    }
  }
  return entering;
}

/** Whether there is no direction along which the loss stays the same. Weights at a bound with a zero multiplier count as free. */
function isUnique(point: Point, allowed: readonly number[], free: readonly number[]): boolean {
  const { weights, gradient, hessian } = point;
  const level = dot(weights, gradient);
  const slack = 1e-9 * Math.max(...gradient.map(Math.abs));
  const loose = allowed.filter((j) => free.includes(j) || gradient[j]! - level <= slack);
  const [first, second] = tangent(loose);
  if (first === undefined) return true;
  const a = quadratic(hessian, first, first);
  if (second === undefined) return a > FLAT * trace(hessian);
  const b = quadratic(hessian, first, second);
  const c = quadratic(hessian, second, second);
  const smallest = (a + c - Math.hypot(a - c, 2 * b)) / 2;
  return smallest > FLAT * trace(hessian);
}

function quadratic(hessian: Float64Array, u: Float64Array, v: Float64Array): number {
  const [aa, ab, ac, bb, bc, cc] = hessian as unknown as [number, number, number, number, number, number];
  return (
    u[0]! * (aa * v[0]! + ab * v[1]! + ac * v[2]!) +
    u[1]! * (ab * v[0]! + bb * v[1]! + bc * v[2]!) +
    u[2]! * (ac * v[0]! + bc * v[1]! + cc * v[2]!)
  );
}

function trace(hessian: Float64Array): number {
  return hessian[0]! + hessian[3]! + hessian[5]!;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}
