/** ½ ln 2π. */
export const HALF_LN_TWO_PI = 0.9189385332046728;

/** B_{2j} / (2j(2j−1)) for j = 1 … 7: from z = 10 on the first term left out is below 3e-17. */
const COEFFICIENTS = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];

/**
 * What Stirling's formula leaves out of ln Γ. Differences of it stay exact where differences of ln Γ would lose all
 * digits, which is why beta functions of large counts are built from it.
 *
 * Formula: Δ(z) = ln Γ(z) − [(z−½) ln z − z + ½ ln 2π] ≈ Σ_j B_{2j} / (2j(2j−1) z^{2j−1}); below z = 10 it is lifted by
 * Δ(z) = Δ(z+1) + (z+½) ln(1+1/z) − 1.
 * Range: Δ > 0, falling to 0 as z grows.
 * Undefined when: never for z > 0, the only arguments it is given.
 * Differs from the paper: not in the paper.
 * @see NIST Digital Library of Mathematical Functions, 5.11.1
 * @example
 * stirlingRemainder(100) // => 0.0008333305556349147
 */
export function stirlingRemainder(z: number): number {
  let lifted = z;
  let below = 0;
  while (lifted < 10) {
    below += (lifted + 0.5) * Math.log1p(1 / lifted) - 1;
    lifted += 1;
  }
  const w = 1 / (lifted * lifted);
  let sum = 0;
  for (let j = COEFFICIENTS.length - 1; j >= 0; j -= 1) sum = sum * w + COEFFICIENTS[j]!;
  return sum / lifted + below;
}
