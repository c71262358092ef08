import type { SimulatedCohort } from "../../core/results/simulation.js";
import type { VerdictNumber } from "../world/tier-coupling.js";
import { type Contested, type Part, writtenOf, writtenRates } from "./paper-noise.js";
import { solveShares } from "./solve-equations.js";

type Tiers = NonNullable<SimulatedCohort["tiers"]>;
type VerdictShares = Tiers["remove"]["title"];

/** What the paper's auditor writes of decisions of one kind: level 1, AI and DI, or AI and DI. */
interface Wanted {
  level1?: number;
  ai: number;
  di: number;
}

/**
 * Planted shares of the verdicts of removals or of approvals at one tier, such that wanted rates are what the paper's auditor writes.
 *
 * Formula: (2, No), (2, Yes) and level 3 at which level 1, AI and DI are written as wanted; without a level 1, levels 2 and 3 with P(inverse | level 2)
 * as published. `solveShares` on `tierParts`.
 * Range: five shares that sum to 1.
 * Undefined when: no planted shares give the wanted rates: RangeError.
 * Differs from the paper: derived, not printed there.
 * @see docs/simulation.md
 * @param wiki the planted shares of the whole text; null where this tier is it
 */
export function fittedTier(
  wanted: Wanted,
  [, a2, a3]: readonly [number, number, number],
  wiki: VerdictShares | null,
): VerdictShares {
  const { level1, ai, di } = wanted;
  const planted = ([no2, yes2, l3]: readonly number[]): VerdictShares => [
    ...([1 - no2! - yes2! - l3!, no2!, yes2!, a3 * l3!, (1 - a3) * l3!] as const),
  ];
  const ofLevels = ([l2, l3]: readonly number[]) => planted([(1 - a2) * l2!, a2 * l2!, l3!]);
  const written = (shares: VerdictShares) => writtenRates(tierParts(shares, wiki ?? shares));
  if (level1 === undefined) {
    const rates = (shares: readonly number[]) => [written(ofLevels(shares)).ai, written(ofLevels(shares)).di];
    // Content that is contested under the whole text strays more: slopes turn there, and the start lies beyond.
    return ofLevels(solveShares(rates, [ai, di], [ai, 1.5 * (1 - di)]));
  }
  const rates = (shares: readonly number[]) => {
    const out = written(planted(shares));
    return [out.level1, out.ai, out.di];
  };
  return planted(solveShares(rates, [level1, ai, di], [(di - level1) / 2, (di - level1) / 2, 1 - di]));
}

const CONTENT: readonly Contested[] = ["settled", "implied", "open", "settled", "void"];

/** What is written of a tier whose verdicts are coupled monotonely with those of the whole text. */
export function tierParts(tier: VerdictShares, wiki: VerdictShares): Part[] {
  const parts: Part[] = [];
  let [i, j, left, wikiLeft] = [0, 0, tier[0], wiki[0]];
  while (i < 5 && j < 5) {
    const share = Math.min(left, wikiLeft);
    const unsettled = (i === 1 || i === 2) && i !== j;
    if (share !== 0) parts.push([share, writtenOf(i as VerdictNumber, CONTENT[j]!, unsettled)]);
    left -= share;
    wikiLeft -= share;
    if (left <= wikiLeft) left = tier[++i]!;
    else wikiLeft = wiki[++j]!;
  }
  return parts;
}
