import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { AGREEMENT_MASKS, accuracy, confusion, f1, f1Statistic, rateStatistic } from "./agreement.js";
import { DEFENSIBLE, defensibilityIndex } from "./defensibility-index.js";
import { type CellStatistic, minus, smoothDifference } from "./smooth.js";
import { ALL_CELLS, countIn, LABELLED, type Tally } from "./tally.js";

/**
 * The Agreement Trap penalty as the paper prints it: how much better decisions look by the rules than by F1.
 *
 * DI − F1, DI over all verdicts, F1 over the labelled ones; n is the number of labelled verdicts.
 * Range −1 to 1. Undefined when either is, or fewer than two verdicts are labelled. The interval is linearised, over
 * communities a jackknife; where all verdicts are alike it is made of the two intervals by `squareAndAdd`.
 * Differs from the paper: nothing. Beware: F1 ignores true negatives, so where one action is rare this gap is large for reasons of
 * arithmetic alone; read it beside `defensibilityMinusAccuracy`.
 * @see paper §5.2
 * @param index DI of the same verdicts, and `score` their F1, where they are known already
 */
export function defensibilityMinusF1(
  tallies: readonly Tally[],
  index = defensibilityIndex(tallies),
  score = f1(tallies),
): Estimate {
  return difference(tallies, index, score, () => f1Statistic(confusion(tallies)));
}

/**
 * The same gap against accuracy, where both sides are rates over decisions.
 *
 * DI − accuracy. Range −1 to 1. Undefined when either is.
 * Differs from the paper: the paper has only the gap to F1.
 * @see paper §5.2
 */
export function defensibilityMinusAccuracy(
  tallies: readonly Tally[],
  index = defensibilityIndex(tallies),
  score = accuracy(tallies),
): Estimate {
  return difference(tallies, index, score, () => rateStatistic(tallies, LABELLED, AGREEMENT_MASKS.AGREES));
}

function difference(
  tallies: readonly Tally[],
  index: Estimate,
  other: Estimate,
  otherStatistic: () => CellStatistic,
): Estimate {
  if (index.estimate === null) return index;
  const labelled = tallies.reduce((sum, tally) => sum + countIn(tally, LABELLED), 0);
  if (other.estimate === null) return undefinedEstimate(other.reason, labelled);
  if (labelled < 2) return undefinedEstimate("fewer than two labelled verdicts", labelled);
  const gap = minus(rateStatistic(tallies, ALL_CELLS, DEFENSIBLE), otherStatistic());
  return smoothDifference(index, other, gap, tallies, labelled);
}
