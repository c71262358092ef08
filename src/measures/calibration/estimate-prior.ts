export interface EstimatedPrior {
  /** Shares of the classes where the scores come from. */
  prior: number[];
  n: number;
  iterations: number;
  converged: boolean;
}

const TOLERANCE = 1e-10;

/**
 * Shares of the classes in unlabelled rows, from a model's probabilities for them: how many level 3 there are where nobody has looked.
 *
 * Formula: EM for the shares π under fixed likelihoods: r_ik ∝ (π_k / π_fitted(k)) P(k | x_i), π_k ← mean_i r_ik, from π = π_fitted until no
 * share moves by more than 10⁻¹⁰. The likelihood is concave in π, so the start does not matter.
 * Range: sums to 1; never below ½/(n + (K−1)/2), K classes, because n rows cannot show that a class does not occur.
 * Undefined when: no row has probabilities (null).
 * Differs from the paper: not in the paper.
 * Trust it only as far as P(k | x) is calibrated on the fitted mix and only the mix has changed; it cannot see a changed auditor.
 * @see Saerens, Latinne and Decaestecker (2002), Neural Computation 14:21-41, equation 2.9
 * @example
 * estimatePrior(Float64Array.of(0.9, 0.1, 0.9, 0.1, 0.1, 0.9), [0.5, 0.5]).prior // => [0.70833333, 0.29166667]
 */
export function estimatePrior(
  probs: Float64Array,
  fitted: readonly number[],
  { maxIterations = 10_000 }: { maxIterations?: number } = {},
): EstimatedPrior | null {
  const classes = fitted.length;
  if (classes < 2 || fitted.some((share) => !(share > 0))) {
    throw new RangeError(`fitted: got ${fitted.join(", ")}, expected two or more positive shares`);
  }
  const rows = completeRows(probs, classes);
  const n = rows.length / classes;
  if (n === 0) return null;
  const total = fitted.reduce((sum, share) => sum + share, 0);
  const start = fitted.map((share) => share / total);
  let prior = start;
  for (let iteration = 1; iteration <= maxIterations; iteration += 1) {
    const next = step(rows, prior, start, n);
    const moved = Math.max(...next.map((share, k) => Math.abs(share - prior[k]!)));
    prior = next;
    if (moved <= TOLERANCE) return { prior, n, iterations: iteration, converged: true };
  }
  return { prior, n, iterations: maxIterations, converged: false };
}

function step(rows: Float64Array, prior: readonly number[], fitted: readonly number[], n: number): number[] {
  const classes = prior.length;
  const factor = prior.map((share, k) => share / fitted[k]!);
  const sums = new Float64Array(classes);
  for (let at = 0; at < rows.length; at += classes) {
    let mass = 0;
    for (let k = 0; k < classes; k += 1) mass += factor[k]! * rows[at + k]!;
    for (let k = 0; k < classes; k += 1) sums[k]! += (factor[k]! * rows[at + k]!) / mass;
  }
  const bounded = Array.from(sums, (sum) => Math.max(sum / n, 0.5 / n));
  const total = bounded.reduce((sum, share) => sum + share, 0);
  return bounded.map((share) => share / total);
}

function completeRows(probs: Float64Array, classes: number): Float64Array {
  const rows = new Float64Array(probs.length);
  let kept = 0;
  for (let at = 0; at + classes <= probs.length; at += classes) {
    let sum = 0;
    for (let k = 0; k < classes; k += 1) sum += probs[at + k]!;
    if (!(sum > 0)) continue;
    for (let k = 0; k < classes; k += 1) rows[kept++] = probs[at + k]!;
  }
  return rows.slice(0, kept);
}
