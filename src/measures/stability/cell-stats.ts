import type { Replicates } from "./replicates.js";

/** Differences below this share of 1, or of the largest value, count as rounding. */
const DUST = 1e-12;

/**
 * Mean and standard deviation of values that arrive one at a time; NaN is skipped.
 *
 * Formula: Welford's recurrence: m += (x − m)/n, D += (x − m_before)(x − m_after); sd = √(D/(n−1)). D is exactly 0 for values that are all equal,
 * whatever the rounding, and for values that differ only by rounding (D ≤ n (10⁻¹² max(1, |x|))²), which would otherwise rank above equal ones.
 * Range: sd ≥ 0.
 * Undefined when: n = 0 (mean is null), n < 2 (sd is null).
 * Differs from the paper: nothing; the denominator is its K − 1.
 * @see paper §7.1, eq. 6; Welford (1962), Technometrics 4:419-420
 */
export class Spread {
  n = 0;
  #mean = 0;
  #squares = 0;
  /** Scale for rounding errors; at least 1 because probabilities near 0 are computed as 1 − p. */
  #scale = 1;

  add(x: number): void {
    if (Number.isNaN(x)) return;
    this.n += 1;
    this.#scale = Math.max(this.#scale, Math.abs(x));
    const before = x - this.#mean;
    this.#mean += before / this.n;
    this.#squares += before * (x - this.#mean);
  }

  get mean(): number | null {
    return this.n === 0 ? null : this.#mean;
  }

  get sd(): number | null {
    const { variance } = this;
    return variance === null ? null : Math.sqrt(variance);
  }

  get variance(): number | null {
    if (this.n < 2) return null;
    return this.#squares <= this.n * (DUST * this.#scale) ** 2 ? 0 : this.#squares / (this.n - 1);
  }
}

/** A selection of the replicates of a cell: all, those with an even number (0, 2, …), or those with an odd one. */
export type Half = "all" | "even" | "odd";

/** Statistics of the replicates of one case under one condition. */
export interface CellStats {
  /** Replicates with a verdict, and replicates attempted. */
  k: number;
  attempted: number;
  counts: [number, number, number];
  inverseYes: number;
  pds: Spread;
  pDefensible: Spread;
  inverseYesProb: Spread;
  lambdaNats: Spread;
  weightBits: Spread;
  citationBits: Spread;
  /** Probability of a level ≤ 2 at the temperature of the draws; empty if the distribution of the draws is unknown. */
  drawn: Spread;
  /** Sums of the probabilities of the levels over the same replicates. */
  soft: [number, number, number];
  /** Mean of p(1 − p) over them: the part of a verdict's variance due to its last token alone. */
  token: number | null;
  /** Neighbouring pairs of replicates with different levels, and all neighbouring pairs. */
  changes: number;
  neighbours: number;
  /** Values of the first replicate with a verdict: what a single audit would have shown. */
  first: {
    pds: number;
    pDefensible: number;
    inverseYesProb: number;
    lambdaNats: number;
    weightBits: number;
    citationBits: number;
  } | null;
}

/**
 * Counts, means and spreads of one cell in a single pass over its rows, for one half of the replicates. A measure on one half may be compared with
 * stability on the other half, never on the same draws.
 *
 * Formula: k verdicts; counts by level; mean and Σ(x − m)² of each signal over the verdicts that have it.
 * Range: counts ≥ 0.
 * Undefined when: never; a cell without rows has k = 0.
 * Differs from the paper: the paper correlates signals and stability of the same replicates.
 * @see paper §7.1, eq. 6
 */
export function cellStats(replicates: Replicates, cell: number, half: Half = "all"): CellStats {
  const { start, replicate, level, conditions } = replicates;
  const temperature = conditions[cell % conditions.length]!.temperature;
  const stats = empty();
  let [token, last] = [0, 0];
  for (let row = start[cell]!; row < start[cell + 1]!; row += 1) {
    if (half !== "all" && (replicate[row]! % 2 === 0) !== (half === "even")) continue;
    stats.attempted += 1;
    const own = level[row]!;
    if (own === 0) continue;
    stats.k += 1;
    stats.counts[own - 1]! += 1;
    stats.inverseYes += replicates.inverse[row]!;
    if (last !== 0) {
      stats.neighbours += 1;
      if (own !== last) stats.changes += 1;
    }
    last = own;
    stats.pds.add(replicates.pds[row]!);
    stats.pDefensible.add(replicates.pDefensible[row]!);
    stats.inverseYesProb.add(replicates.inverseYesProb[row]!);
    stats.lambdaNats.add(replicates.lambdaNats[row]!);
    stats.weightBits.add(replicates.weightBits[row]!);
    stats.citationBits.add(replicates.citationBits[row]!);
    if (stats.first === null) stats.first = firstOf(replicates, row);
    const law = lawOf(replicates, row, temperature);
    if (!law) continue;
    for (let i = 0; i < 3; i += 1) stats.soft[i]! += law[i]!;
    stats.drawn.add(1 - law[2]);
    token += law[2] * (1 - law[2]);
  }
  if (stats.drawn.n > 0) stats.token = token / stats.drawn.n;
  return stats;
}

/** The distribution from which a row's level was drawn; null if unknown. */
export function lawOf(
  { p1, p2, p3, unitSpace }: Replicates,
  row: number,
  temperature: number | null,
): [number, number, number] | null {
  if (unitSpace[row] === 0 || temperature === null) return null;
  return samplingLaw(p1[row]!, p2[row]!, p3[row]!, temperature);
}

/** Share of neighbouring pairs of replicates with different levels. */
export function consecutiveFlipRate({ changes, neighbours }: CellStats): number | null {
  return neighbours === 0 ? null : changes / neighbours;
}

/** Share of pairs of replicates on different sides of the boundary between level 2 and level 3. */
export function boundaryFlipRate({ counts }: CellStats): number | null {
  return flipRate([counts[0] + counts[1], counts[2]]);
}

/** Share of the most frequent level. */
export function dominantShare({ counts, k }: CellStats): number | null {
  return k === 0 ? null : Math.max(...counts) / k;
}

/** Share of level 3. */
export function thirdShare({ counts, k }: CellStats): number | null {
  return k === 0 ? null : counts[2] / k;
}

function firstOf(replicates: Replicates, row: number): CellStats["first"] {
  return {
    pds: replicates.pds[row]!,
    pDefensible: replicates.pDefensible[row]!,
    inverseYesProb: replicates.inverseYesProb[row]!,
    lambdaNats: replicates.lambdaNats[row]!,
    weightBits: replicates.weightBits[row]!,
    citationBits: replicates.citationBits[row]!,
  };
}

function empty(): CellStats {
  return {
    k: 0,
    attempted: 0,
    counts: [0, 0, 0],
    inverseYes: 0,
    pds: new Spread(),
    pDefensible: new Spread(),
    inverseYesProb: new Spread(),
    lambdaNats: new Spread(),
    weightBits: new Spread(),
    citationBits: new Spread(),
    drawn: new Spread(),
    soft: [0, 0, 0],
    token: null,
    changes: 0,
    neighbours: 0,
    first: null,
  };
}

/**
 * Probabilities with which a level is drawn at temperature T, from those at temperature 1. Their mean over replicates estimates the share of each
 * level with less noise than counting draws does (Rao–Blackwell).
 *
 * Formula: p_T(l) = p(l)^{1/T} / Σ p^{1/T}; T = 0 takes the most probable level, with ties shared.
 * Range: [0, 1], sum 1.
 * Undefined when: a probability is NaN or negative, or all are 0: null.
 * Differs from the paper: the paper does not say whether its probabilities are before or after temperature. Here they are those of whole labels; if
 * a label has several spellings, a model draws among these, and the two differ slightly.
 * @see paper §7.2
 * @example
 * samplingLaw(0.8, 0.2, 0, 0.5) // => [0.9411765, 0.0588235, 0]
 */
export function samplingLaw(p1: number, p2: number, p3: number, temperature: number): [number, number, number] | null {
  const largest = Math.max(p1, p2, p3);
  if (!(largest > 0 && Math.min(p1, p2, p3) >= 0 && temperature >= 0)) return null;
  // Relative to the largest, because a low temperature would underflow all three.
  const power = (p: number) => (temperature === 0 ? (p === largest ? 1 : 0) : (p / largest) ** (1 / temperature));
  const [a, b, c] = [power(p1), power(p2), power(p3)];
  const sum = a + b + c;
  return [a / sum, b / sum, c / sum];
}

/**
 * How often two audits of the same case disagree: the probability that another audit gives another level.
 *
 * Formula: 1 − Σ n_l (n_l − 1) / (K (K − 1)), the share of pairs of replicates with different levels. With two classes, level 3 against the rest,
 * it is the rate of flips across the boundary.
 * Range: [0, 2/3 · K/(K−1)] for three levels; 0 when all are equal.
 * Undefined when: K < 2: null.
 * Differs from the paper: the paper calls the share of boundary-unstable cases a flip rate; this one is per case.
 * @see Simpson (1949), Nature 163:688
 * @example
 * flipRate([2, 2, 0]) // => 0.6666667
 */
export function flipRate(counts: readonly number[]): number | null {
  const k = counts.reduce((sum, count) => sum + count, 0);
  if (k < 2) return null;
  return 1 - counts.reduce((sum, count) => sum + count * (count - 1), 0) / (k * (k - 1));
}
