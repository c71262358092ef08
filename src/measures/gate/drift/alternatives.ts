/** Odds of the rates to be detected, relative to those of the limit: from a creeping change to a broken model. */
export const DRIFT_ODDS_RATIOS: readonly number[] = Object.freeze([1.5, 2, 3, 5, 10]);

/**
 * Rates above a limit to look out for, by odds, so that they lie below 1 whatever the limit.
 *
 * Formula: p1 = ρ p0 / (1 − p0 + ρ p0) for each odds ratio ρ.
 * Range: (p0, 1), rising with ρ.
 * Undefined when: p0 outside (0, 1), no odds ratio, or one that is not above 1: RangeError.
 * Differs from the paper: not in the paper.
 * @see `eDetector`
 * @example
 * driftAlternatives(0.1, [2]) // => [0.18181818181818182]
 */
export function driftAlternatives(p0: number, oddsRatios: readonly number[] = DRIFT_ODDS_RATIOS): number[] {
  checkRate("p0", p0);
  if (oddsRatios.length === 0) throw new RangeError("odds ratios: none; expected at least one number above 1");
  return oddsRatios.map((ratio) => {
    if (!(ratio > 1 && ratio < Infinity)) {
      throw new RangeError(`odds ratio: nothing to detect; got ${ratio}, expected a number above 1`);
    }
    return (ratio * p0) / (1 - p0 + ratio * p0);
  });
}

export function checkRate(name: string, rate: number): void {
  if (!(rate > 0 && rate < 1)) throw new RangeError(`${name}: not a rate; got ${rate}, expected between 0 and 1`);
}

export function checkObservation(x: number): void {
  if (!(x >= 0 && x <= 1)) {
    throw new RangeError(
      `observation: outside 0 to 1; got ${x}, expected 0, 1 or a probability (leave out rows without a verdict)`,
    );
  }
}
