export interface EstimatedPrior {
  /** Estimated shares of the classes in the given rows. */
  prior: number[];
  n: number;
  iterations: number;
  converged: boolean;
}

const TOLERANCE = 1e-10;

/**
 * Shares of the classes in unlabelled rows, estimated from a model's probabilities: for example, how many level 3 there are.
 *
 * Formula: EM for the shares π under fixed likelihoods: r_ik ∝ (π_k / π_fitted(k)) P(k | x_i), π_k ← mean_i r_ik, from π = π_fitted until no share
 * moves by more than 10⁻¹⁰. The likelihood is concave in π, so the start does not matter.
 * Range: sums to 1; never below ½/(n + (K−1)/2), K classes, because n rows cannot show that a class never occurs.
 * Undefined when: no row has probabilities (null).
 * Differs from the paper: not in the paper. It is only as reliable as the calibration of P(k | x) on the fitted mix, and assumes that only the mix
 * has changed; it cannot detect a changed auditor.
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

/**
 * Factors of the odds that adapt a probability from one class mix to another.
 *
 * Formula: r_k = π_deployed(k) / π_fitted(k); P'(k | x) = r_k P(k | x) / Σ_j r_j P(j | x). Three shares are the levels, two are defensible and
 * indefensible. With three classes, two shares give levels 1 and 2 the same factor; with two classes, the three shares are summed to two.
 * Range: positive; all 1 if nothing changed. Shares need not sum to 1, since only their proportions count.
 * Undefined when: a share is not positive (RangeError): a class without rows has no factor.
 * Differs from the paper: not in the paper, which fits at 12.7% level 3 and tests at 7.7%.
 * @see Saerens, Latinne and Decaestecker (2002), Neural Computation 14:21-41, equation 2.4
 * @example
 * priorFactors({ fitted: [0.5, 0.5], deployed: [0.8, 0.2] }, 2) // => [1.6, 0.4]
 */
export function priorFactors(
  prior: { fitted: readonly number[]; deployed: readonly number[] },
  classes: 2 | 3,
): Float64Array {
  const { fitted, deployed } = prior;
  if (fitted.length !== deployed.length || (fitted.length !== 2 && fitted.length !== 3)) {
    throw new RangeError(
      `prior: of another length; got ${fitted.length} and ${deployed.length}, expected 2 or 3 shares`,
    );
  }
  for (const share of [...fitted, ...deployed]) {
    if (!(share > 0 && share < Number.POSITIVE_INFINITY))
      throw new RangeError(`prior: not a share; got ${share}, expected a positive number`);
  }
  const from = normalised(classes === 2 ? binary(fitted) : fitted);
  const to = normalised(classes === 2 ? binary(deployed) : deployed);
  const factors = from.map((share, k) => to[k]! / share);
  return Float64Array.from(classes === 3 && factors.length === 2 ? [factors[0]!, ...factors] : factors);
}

function binary(shares: readonly number[]): number[] {
  return shares.length === 3 ? [shares[0]! + shares[1]!, shares[2]!] : [...shares];
}

function normalised(shares: readonly number[]): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

/**
 * Shares of the levels from their counts, kept above 0: a class that did not occur among n rows is rare, not impossible.
 *
 * Formula: (k + ½) / (n + K/2), K classes (the posterior mean under Jeffreys' prior).
 * Range: (0, 1), sums to 1.
 * Undefined when: a count is negative or not finite (RangeError).
 * Differs from the paper: not in the paper.
 * @see Jeffreys (1946), Proceedings of the Royal Society A 186:453-461
 * @example
 * classShares([6, 3, 0]) // => [0.61904762, 0.33333333, 0.04761905]
 */
export function classShares(counts: readonly number[]): number[] {
  const n = counts.reduce((sum, count) => sum + count, 0);
  if (!(counts.every((count) => count >= 0) && n < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`counts: not counts; got ${counts.join(", ")}, expected numbers from 0`);
  }
  return counts.map((count) => (count + 0.5) / (n + counts.length / 2));
}

/**
 * A binary probability adapted to another class mix.
 *
 * Formula: p' = r₁p / (r₁p + r₂(1−p)): the odds times r₁/r₂.
 * Range: [0, 1]; 0 and 1 are unchanged.
 * Undefined when: p is NaN (NaN).
 * Differs from the paper: not in the paper.
 * @see Saerens, Latinne and Decaestecker (2002), Neural Computation 14:21-41
 * @example
 * reweightOdds(0.5, [1.6, 0.4]) // => 0.8
 */
export function reweightOdds(p: number, factors: ArrayLike<number>): number {
  const yes = factors[0]! * p;
  return yes / (yes + factors[1]! * (1 - p));
}
