import type { LevelShares } from "./level-shares.js";

/** The rates a world is made with. */
export interface LatentRates {
  /** Share of content for which both outcomes are derivable. */
  open: number;
  /** Share of content for which none is. */
  void: number;
  /** Of content with one derivable outcome: share where it rests on a rule's purpose and not on its words. */
  implied: number;
  /** Of content with one derivable outcome: share that the decider decides the other way. */
  error: number;
}

/**
 * The rates of contents and decider that give wanted shares of levels, with P(inverse | level) at levels 2 and 3.
 *
 * Formula: open = a2 l2; void = (1 − a3) l3; error = a3 l3/(1 − open − void); implied = (1 − a2) l2/(l1 + (1 − a2) l2).
 * Range: each in [0, 1]. Errors fall on content of either basis alike.
 * Undefined when: nothing is determinate: error is 0; level 1 and one-sided level 2 have no share: implied is 0.
 * Differs from the paper: derived, not printed there.
 * @see paper §5.4
 * @example latentRates([0.7, 0.2, 0.1], [0.5, 0.8]).open // => 0.1
 */
export function latentRates(levels: LevelShares, [a2, a3]: readonly [number, number]): LatentRates {
  const [l1, l2, l3] = levels;
  const open = a2 * l2;
  const voided = (1 - a3) * l3;
  const determinate = 1 - open - voided;
  const oneSided = (1 - a2) * l2;
  return {
    open,
    void: voided,
    implied: l1 + oneSided > 0 ? oneSided / (l1 + oneSided) : 0,
    error: determinate > 0 ? (a3 * l3) / determinate : 0,
  };
}
