import type { SimulatedCohort } from "../../core/results/simulation.js";

/** The verdicts (1, No), (2, No), (2, Yes), (3, Yes), (3, No), by number, from the most to the least favourable. */
export type VerdictNumber = 0 | 1 | 2 | 3 | 4;

/** Which verdict a decision has at each tier. */
export interface TierCourse {
  title: VerdictNumber;
  sidebar: VerdictNumber;
  wiki: VerdictNumber;
}

type Shares = NonNullable<SimulatedCohort["tiers"]>["remove"];

/**
 * A decision's verdicts at the three tiers, drawn so that each tier has its shares and no decision that stands better than another at one tier
 * stands worse at the next. The paper prints each tier's totals but no transitions; of all that fit, this one moves the fewest decisions.
 *
 * Formula: verdict at tier t = F_t⁻¹(u), with one u for all tiers, F_t the cumulated shares in the order (1, No) < (2, No) < (2, Yes) < (3, Yes) < (3, No).
 * Range: verdict numbers 0 to 4.
 * Undefined when: never; u lies in [0, 1).
 * Differs from the paper: derived; the paper has no transition table.
 * @see paper §6
 * @example coupleTiers({ title: [0, 0, 1, 0, 0], sidebar: [0.5, 0, 0.5, 0, 0], wiki: [1, 0, 0, 0, 0] }, 0.7).sidebar // => 2
 */
export function coupleTiers(shares: Shares, u: number): TierCourse {
  return { title: at(shares.title, u), sidebar: at(shares.sidebar, u), wiki: at(shares.wiki, u) };
}

function at(shares: readonly number[], u: number): VerdictNumber {
  let sum = 0;
  let last: VerdictNumber = 0;
  for (let i = 0; i < shares.length; i += 1) {
    if (shares[i] === 0) continue;
    last = i as VerdictNumber;
    sum += shares[i]!;
    if (u < sum) return last;
  }
  // Rounding: the shares add up to a little less than 1.
  return last;
}
