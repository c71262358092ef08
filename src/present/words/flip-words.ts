import type { FlipControl } from "../../core/results/flip-control.js";
import { plural, pointsText, rateText } from "./numbers.js";

/** What each warning of the flip control means, for terminal and page. */
export const FLIP_WARNING_WORDS: Record<FlipControl["warnings"][number], string> = {
  not_told_apart:
    "The auditor tells fewer than half of the decisions apart from their opposites. Its index says little about these decisions: use a stronger auditor before acting on it.",
  self_contradiction:
    "In more than 10 % of the decisions the auditor says that the opposite does not follow from the rules, and finds it defensible when asked. Do not rely on its Ambiguity Index; `defensible experiment dual` measures ambiguity directly.",
};

/** What the drop alone cannot say. */
export const DROP_CAVEAT =
  "A small drop alone does not show a weak auditor: if the decider tosses coins, a perfect auditor shows no drop either.";

/** The flip control in two sentences. */
export function flipSentence(flip: FlipControl): string {
  if (flip.n === 0) return "Flip control: no decision has a verdict for itself and for its opposite.";
  const { defensibility_index: own, opposite_defensibility_index: opposite } = flip;
  return `Flip control: ${plural(flip.n, "decision was", "decisions were")} also audited with the opposite action. ${rateText(own)} of them can be derived as decided and ${rateText(opposite)} when inverted (drop ${pointsText(flip.drop)}); the auditor tells ${rateText(flip.told_apart)} apart.`;
}
