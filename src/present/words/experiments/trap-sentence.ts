import type { GapColumn } from "../../../experiments/gap/result.js";
import { plural, pointsInterval, pointsText, rateText, wideInterval } from "../numbers.js";
import { rateCell } from "./estimate-cells.js";

/** Fewer misses than this say nothing, whatever their share. */
const FEW_MISSES = 20;

/**
 * What the defensible share of false negatives says of the agreement trap. If misses are defensible as often as everything else is, their share is
 * what the Defensibility Index alone gives, and no sign of anything; the sentence then does not speak of a signature.
 */
export function trapSentence({
  trap,
  agreement,
  defensibility_index: index,
  fn_against_others: difference,
}: GapColumn): string {
  const { fn_defensible: share } = trap;
  if (share.estimate === null || index.estimate === null) {
    return "People restricted nothing that the decider allowed, so that the signature of the agreement trap cannot be seen.";
  }
  const misses = agreement.confusion.fn;
  const counted = `Of ${plural(misses, "decision")} that people restrict and the decider allows (false negatives), ${rateCell(share)} can be derived from the rules; of all decisions, ${rateText(index)} (DI).`;
  if (misses < FEW_MISSES) return `${counted} So few misses say nothing of the agreement trap.`;
  const { lower, upper } = wideInterval(share)!;
  const apart = difference && wideInterval(difference);
  const holdsIndex = lower <= index.estimate && index.estimate <= upper;
  if (holdsIndex || (apart && apart.lower <= 0 && apart.upper >= 0)) {
    return `${counted} That is no difference beyond chance: misses are as defensible as decisions at large, as far as these can tell, so that their share says no more than DI does.`;
  }
  const below = share.estimate < index.estimate;
  const by = apart ? ` (${pointsText(difference)} against all others, ${pointsInterval(apart)})` : "";
  const most =
    lower > 0.5
      ? `${below ? "Still, the" : "The"} rules support most of what agreement counts as errors: the signature of the agreement trap, as good as the auditor's verdicts are.`
      : upper < 0.5
        ? "The rules support less than half of what agreement counts as errors: no sign of the agreement trap."
        : "Whether the rules support most of what agreement counts as errors is unknown.";
  return `${counted} Misses are ${below ? "less" : "more"} often defensible${by}, so that disagreement says something of defensibility. ${most}`;
}
