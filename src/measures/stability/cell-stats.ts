import { flipRate } from "./flips.js";
import type { Replicates } from "./replicates.js";
import { samplingLaw } from "./sampling-law.js";
import { Spread } from "./spread.js";

/** Which replicates of a cell: all, those with an even number (0, 2, …), or those with an odd one. */
export type Half = "all" | "even" | "odd";

/** What the replicates of one case under one condition say. */
export interface CellStats {
  /** Replicates with a verdict, and asked for. */
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
  /** Probability of a level ≤ 2 at the temperature of the draws; empty where the law of the draws is not known. */
  drawn: Spread;
  /** Sums of the probabilities of the levels over the same replicates. */
  soft: [number, number, number];
  /** Mean of p(1 − p) over them: the part of a verdict's variance that its last token alone makes. */
  token: number | null;
  /** Neighbouring replicates with different levels, and neighbours. */
  changes: number;
  neighbours: number;
  /** Of the first replicate with a verdict: what a single audit would have shown. */
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
 * Counts, means and spreads of one cell in a single pass over its rows, for the replicates of one half: what is measured on
 * one half may be held against what is seen on the other, never on the same draws.
 *
 * Formula: k verdicts; counts by level; mean and Σ(x − m)² of each signal over the verdicts that have it.
 * Range: counts from 0 on.
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

/** The law from which a row's level was drawn; null where it is not known. */
export function lawOf(
  { p1, p2, p3, unitSpace }: Replicates,
  row: number,
  temperature: number | null,
): [number, number, number] | null {
  if (unitSpace[row] === 0 || temperature === null) return null;
  return samplingLaw(p1[row]!, p2[row]!, p3[row]!, temperature);
}

/** Share of replicates with another level than their neighbour's. */
export function consecutiveFlipRate({ changes, neighbours }: CellStats): number | null {
  return neighbours === 0 ? null : changes / neighbours;
}

/** Share of pairs of replicates on different sides of the line between level 2 and level 3. */
export function boundaryFlipRate({ counts }: CellStats): number | null {
  return flipRate([counts[0] + counts[1], counts[2]]);
}

/** Share of the commonest level. */
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
