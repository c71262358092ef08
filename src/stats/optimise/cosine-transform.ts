import type { Interval } from "../intervals/proportion.js";

/** A number and the interval it lies in. */
export interface Bounded extends Interval {
  estimate: number;
}

/**
 * Interval of a difference of two numbers that have their own intervals, for use where no variance is available: rows that are all alike
 * have none, but are no certainty.
 *
 * Formula: with intervals [l, u] of each and d = θ1 − θ2: lower = d − √((θ1−l1)² + (u2−θ2)²), upper = d + √((u1−θ1)² + (θ2−l2)²), cut
 * to `bounds`. For two Wilson intervals this is Newcombe's.
 * Range: within `bounds`, encloses d; mirrored when the two are exchanged. It is too wide for positively correlated numbers and too narrow
 * for negatively correlated ones.
 * Undefined when: a number is outside its interval, or not a number: RangeError.
 * Differs from the paper: the paper prints no intervals.
 * @see Zou and Donner (2008), Statistics in Medicine 27:1693-1702; Newcombe (1998), Statistics in Medicine 17:873-890
 * @example
 * squareAndAdd({ estimate: 0.5, lower: 0.2, upper: 0.9 }, { estimate: 0.25, lower: 0.25, upper: 0.65 }).lower // => -0.25
 */
export function squareAndAdd(first: Bounded, second: Bounded, bounds: readonly [number, number] = [-1, 1]): Interval {
  for (const { estimate, lower, upper } of [first, second]) {
    // Rounding in the last digits of a bound is not the caller's mistake.
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

/** Both directions for one size; the work arrays are kept, so a transform allocates nothing. */
export interface CosineTransform {
  /** out_k = Σ_j values_j cos(πk(j + ½)/m). */
  forward(values: Float64Array, out: Float64Array): void;
  /** out_j = c_0 + 2 Σ_{k≥1} c_k cos(πk(j + ½)/m): m times the inverse of `forward`. */
  backward(coefficients: Float64Array, out: Float64Array): void;
}

/**
 * Cosine transform of m values at the midpoints of m equal cells; diffusion between two reflecting walls multiplies its coefficients.
 *
 * Formula: type II and its inverse, by one complex Fourier transform of m points: even places ascending, odd places
 * descending, turned by e^{−iπk/2m}.
 * Range: real; relative error about 10⁻¹⁵ log₂ m.
 * Undefined when: m is not a power of two (RangeError).
 * Differs from the paper: not in the paper.
 * @see Makhoul (1980), IEEE Transactions on Acoustics, Speech, and Signal Processing 28:27-34
 */
export function cosineTransform(m: number): CosineTransform {
  if (!(Number.isInteger(m) && m >= 2 && (m & (m - 1)) === 0)) {
    throw new RangeError(`size: not a power of two; got ${m}, expected 2, 4, 8, …`);
  }
  const re = new Float64Array(m);
  const im = new Float64Array(m);
  const fourier = fourierTransform(m);
  const cos = Float64Array.from({ length: m }, (_, k) => Math.cos((Math.PI * k) / (2 * m)));
  const sin = Float64Array.from({ length: m }, (_, k) => Math.sin((Math.PI * k) / (2 * m)));
  const place = Uint32Array.from({ length: m }, (_, j) => (j % 2 === 0 ? j / 2 : m - (j + 1) / 2));
  return {
    forward(values, out) {
      im.fill(0);
      for (let j = 0; j < m; j += 1) re[place[j]!] = values[j]!;
      fourier(re, im);
      for (let k = 0; k < m; k += 1) out[k] = cos[k]! * re[k]! + sin[k]! * im[k]!;
    },
    backward(coefficients, out) {
      // The conjugate of m times the inverse transform of V_k = e^{iπk/2m} (c_k − i c_{m−k}); enough for real values.
      re[0] = coefficients[0]!;
      im[0] = 0;
      for (let k = 1; k < m; k += 1) {
        const c = coefficients[k]!;
        const mirrored = coefficients[m - k]!;
        re[k] = cos[k]! * c + sin[k]! * mirrored;
        im[k] = cos[k]! * mirrored - sin[k]! * c;
      }
      fourier(re, im);
      for (let j = 0; j < m; j += 1) out[j] = re[place[j]!]!;
    },
  };
}

/** X_k = Σ x_j e^{−2πijk/m} in place, radix 2. */
function fourierTransform(m: number): (re: Float64Array, im: Float64Array) => void {
  const bits = Math.log2(m);
  const reversed = Uint32Array.from({ length: m }, (_, j) => {
    let turned = 0;
    for (let b = 0; b < bits; b += 1) turned |= ((j >>> b) & 1) << (bits - 1 - b);
    return turned;
  });
  const cos = Float64Array.from({ length: m / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / m));
  const sin = Float64Array.from({ length: m / 2 }, (_, k) => -Math.sin((2 * Math.PI * k) / m));
  return (re, im) => {
    for (let j = 0; j < m; j += 1) {
      const other = reversed[j]!;
      if (other <= j) continue;
      const a = re[j]!;
      const b = im[j]!;
      re[j] = re[other]!;
      im[j] = im[other]!;
      re[other] = a;
      im[other] = b;
    }
    for (let half = 1, stride = m / 2; half < m; half *= 2, stride /= 2) {
      // The outer loop is over twiddle factors: the first stages have few of them and many blocks.
      for (let k = 0; k < half; k += 1) {
        const c = cos[k * stride]!;
        const s = sin[k * stride]!;
        for (let at = k; at < m; at += 2 * half) {
          const other = at + half;
          const x = re[other]!;
          const y = im[other]!;
          const a = x * c - y * s;
          const b = x * s + y * c;
          const p = re[at]!;
          const q = im[at]!;
          re[other] = p - a;
          im[other] = q - b;
          re[at] = p + a;
          im[at] = q + b;
        }
      }
    }
  };
}
