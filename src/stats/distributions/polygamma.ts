/** From here on eight terms of the asymptotic series are exact to the last digit. */
const SERIES_FROM = 10;

/**
 * Digamma function ψ(x): the derivative of ln Γ(x); mean logarithms under a Dirichlet distribution are differences of it.
 *
 * Formula: ψ(x) = ψ(x + 1) − 1/x up to x ≥ 10, then ln x − 1/(2x) − Σ B_2k / (2k x^2k).
 * Range: all real numbers; relative error below 1e-13 away from its root at 1.4616.
 * Undefined when: x ≤ 0 or not finite: RangeError.
 * Differs from the paper: not in the paper.
 * @see Abramowitz and Stegun (1964), 6.3.5 and 6.3.18
 * @example
 * digamma(2) - digamma(1) // => 1
 */
export function digamma(x: number): number {
  if (!(x > 0 && x < Infinity)) throw new RangeError(`digamma: not defined; got x = ${x}, expected a number above 0`);
  let shift = 0;
  let y = x;
  while (y < SERIES_FROM) shift -= 1 / y++;
  const r = 1 / (y * y);
  const tail =
    r *
    (1 / 12 -
      r *
        (1 / 120 -
          r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * (691 / 32760 - r * (1 / 12 - r * (3617 / 8160))))))));
  return shift + Math.log(y) - 0.5 / y - tail;
}

/** From here on eight terms of the asymptotic series are exact to the last digit. */
const TRIGAMMA_SERIES_FROM = 10;

/**
 * Trigamma function ψ₁(x): the second derivative of ln Γ(x); variances of logarithms under a Dirichlet distribution are made of it.
 *
 * Formula: ψ₁(x) = ψ₁(x + 1) + 1/x² up to x ≥ 10, then 1/x + 1/(2x²) + Σ B_2k / x^(2k+1).
 * Range: above 0, falling; relative error below 1e-13.
 * Undefined when: x ≤ 0 or not finite: RangeError.
 * Differs from the paper: not in the paper.
 * @see Abramowitz and Stegun (1964), 6.4.6 and 6.4.12
 * @example
 * trigamma(1) // => 1.644934
 */
export function trigamma(x: number): number {
  if (!(x > 0 && x < Infinity)) throw new RangeError(`trigamma: not defined; got x = ${x}, expected a number above 0`);
  let shift = 0;
  let y = x;
  while (y < TRIGAMMA_SERIES_FROM) {
    shift += 1 / (y * y);
    y++;
  }
  const r = 1 / (y * y);
  const tail =
    r *
    (1 / 6 -
      r * (1 / 30 - r * (1 / 42 - r * (1 / 30 - r * (5 / 66 - r * (691 / 2730 - r * (7 / 6 - r * (3617 / 510))))))));
  return shift + (1 + 0.5 / y + tail) / y;
}
