/** What a score counts, in log-odds that a rule is broken: slope · (score − centre) / deviation. */
export interface Scale {
  centre: number;
  deviation: number;
  slope: number;
}

/** A scale before any precedent was seen, and how many precedents it counts like. */
export interface UsualScale extends Scale {
  count: number;
}

/** Scores further out say no more. */
const MOST_DEVIATIONS = 3;

/**
 * The scale of a score, from its values on precedents: the further apart those of the two decisions are, the more it counts; where they are not apart it
 * counts nothing. A few precedents hardly move it from what is `usual`.
 *
 * Formula: centre = midpoint of the two means, deviation = spread within a decision, separation = difference of the means / deviation, slope = max(0,
 * (m · separation + k · usual slope) / (m + k)) with m the harmonic mean of the two numbers of precedents; centre and deviation are mixed with the usual
 * ones by n to k.
 * Range: slope from 0 up. Undefined when: never; without precedents it is the usual scale.
 * Differs from the paper: not in the paper, whose auditor is a language model.
 * @see docs/baseline.md
 */
export function scaleOf(permitted: readonly number[], restricted: readonly number[], usual: UsualScale): Scale {
  const n = permitted.length + restricted.length;
  if (n === 0) return usual;
  const low = mean(permitted.length > 0 ? permitted : restricted);
  const high = mean(restricted.length > 0 ? restricted : permitted);
  let square = usual.count * usual.deviation ** 2;
  for (const score of permitted) square += (score - low) ** 2;
  for (const score of restricted) square += (score - high) ** 2;
  const deviation = Math.sqrt(square / (n + usual.count));
  const m = (2 * permitted.length * restricted.length) / n;
  return {
    centre: ((n * (low + high)) / 2 + usual.count * usual.centre) / (n + usual.count),
    deviation,
    slope: Math.max(0, (m * ((high - low) / deviation) + usual.count * usual.slope) / (m + usual.count)),
  };
}

/** A score on its scale. */
export function onScale({ centre, deviation, slope }: Scale, score: number): number {
  return slope * Math.max(-MOST_DEVIATIONS, Math.min(MOST_DEVIATIONS, (score - centre) / deviation));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
