import type { OpenLabels } from "../../core/results/report.js";
import { cellMask, countIn, type Tally } from "./tally.js";

/** With fewer human labels than this, nothing is said about whether people decide alike. */
const FEWEST_LABELS = 20;
/** Share of the labels with the same action from which on people decide alike. */
const ALIKE_SHARE = 0.9;

const OPEN = [true, false].map((restricts) =>
  cellMask(({ humanPositive, level, inverse }) => humanPositive === restricts && inverse && level < 3),
);

/**
 * Human labels by action among verdicts that are open both ways: is it the rule that is unclear, or the auditor that is unsure?
 *
 * Formula: #{level 1 or 2, inverse = Yes, human label restricts} and #{level 1 or 2, inverse = Yes, human label does not}.
 * Range: counts from 0 up.
 * Undefined when: never; without labels both are 0.
 * Differs from the paper: not in the paper.
 * @see docs/gate.md, limits and states
 * @example
 * countOpenLabels([]) // => { positive: 0, negative: 0 }
 */
export function countOpenLabels(tallies: readonly Tally[]): OpenLabels {
  const [positive, negative] = OPEN.map((mask) => tallies.reduce((sum, tally) => sum + countIn(tally, mask), 0));
  return { positive: positive!, negative: negative! };
}

/** How many of at least 20 labels name the same action, if 90% or more do; null otherwise. */
export function labelsAlike({ positive, negative }: OpenLabels): { alike: number; labels: number } | null {
  const [alike, labels] = [Math.max(positive, negative), positive + negative];
  return labels >= FEWEST_LABELS && alike >= ALIKE_SHARE * labels ? { alike, labels } : null;
}
