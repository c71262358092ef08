/** Shares of the three levels. */
export type LevelShares = readonly [number, number, number];

export interface PublishedRates {
  /** Defensibility Index. */
  di: number;
  /** Ambiguity Index. */
  ai: number;
  /** P(inverse check = Yes | level), for levels 1, 2, 3. */
  inverse: readonly [number, number, number];
}

/**
 * The shares of the levels that published totals imply. The paper prints DI, AI and how often the inverse check fires at each level, but for most
 * cohorts not the levels themselves.
 *
 * Formula: l3 = 1 − DI; l2 = (AI − a1 DI − a3 l3)/(a2 − a1); l1 = DI − l2, from DI = l1 + l2 and AI = a1 l1 + a2 l2 + a3 l3.
 * Range: each in [0, 1], sum 1.
 * Undefined when: a1 = a2, or the rates contradict each other (a share would lie outside [0, 1]): RangeError.
 * Differs from the paper: derived, not printed there.
 * @see paper §5.2, §5.4
 * @example levelShares({ di: 0.9, ai: 0.2, inverse: [0, 0.5, 1] }) // => [ 0.7, 0.2, 0.1 ]
 */
export function levelShares({ di, ai, inverse: [a1, a2, a3] }: PublishedRates): LevelShares {
  const l3 = round(1 - di);
  const l2 = round((ai - a1 * di - a3 * l3) / (a2 - a1));
  const l1 = round(di - l2);
  if (![l1, l2, l3].every((share) => share >= 0 && share <= 1)) {
    throw new RangeError(
      `rates: contradict each other; DI ${di} and AI ${ai} give level shares ${[l1, l2, l3].join(", ")}`,
    );
  }
  return [l1, l2, l3];
}

/** 12 decimals: what lies beyond is arithmetic's, not the paper's. */
function round(value: number): number {
  return Math.round(value * 1e12) / 1e12;
}
