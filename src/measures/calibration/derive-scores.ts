import type { ScoreColumns } from "./score-columns.js";

/** How far probabilities of the levels may be from summing to 1 by printed rounding. */
const SUM_TOLERANCE = 5e-3;

/**
 * Puts columns read from a file in order: what cannot be (an entropy below 0, probabilities that do not sum to 1) becomes absent, and what
 * is absent is derived where other columns determine it.
 */
export function deriveScores(columns: ScoreColumns): void {
  const { n, p1, p2, p3, levelMap, lambdaNats, weightBits, citationBits, pDefensible, temperature, pds } = columns;
  const { inverseLogOdds: odds, inverseYesProb: yes } = columns;
  for (let i = 0; i < n; i++) {
    const [a, b, c] = [p1[i]!, p2[i]!, p3[i]!];
    const sound = a >= 0 && b >= 0 && c >= 0 && Math.abs(a + b + c - 1) <= SUM_TOLERANCE;
    if (!sound) p1[i] = p2[i] = p3[i] = Number.NaN;
    if (sound) {
      if (!(pDefensible[i]! >= 0)) pDefensible[i] = Math.min(1, a + b);
      const best = c >= a && c >= b ? 3 : b >= a ? 2 : 1;
      if (levelMap[i] === 0) levelMap[i] = best;
      if (!(lambdaNats[i]! <= 0)) lambdaNats[i] = Math.log(Math.max(a, b, c));
    } else if (pDefensible[i]! >= 0) p3[i] = 1 - pDefensible[i]!;
    if (!(lambdaNats[i]! <= 0 && lambdaNats[i]! > Number.NEGATIVE_INFINITY)) lambdaNats[i] = Number.NaN;
    if (!(weightBits[i]! >= 0 && weightBits[i]! < Number.POSITIVE_INFINITY)) weightBits[i] = Number.NaN;
    if (!(citationBits[i]! >= 0 && citationBits[i]! < Number.POSITIVE_INFINITY)) citationBits[i] = Number.NaN;
    if (!(temperature[i]! >= 0)) temperature[i] = Number.NaN;
    if (!(pds[i]! > 0)) pds[i] = Number.NaN;
    if (!(yes[i]! >= 0)) yes[i] = 1 / (1 + Math.exp(-odds[i]!));
    else if (Number.isNaN(odds[i]!)) odds[i] = Math.log(yes[i]!) - Math.log1p(-yes[i]!);
  }
}
