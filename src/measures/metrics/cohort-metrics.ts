import type { Estimate } from "../../core/estimate.js";
import type { CohortMetrics, ReportCounts, ReportGap } from "../../core/results/report.js";
import { accuracy, confusion, f1, kappa, precision, recall } from "./agreement.js";
import { ambiguityIndex } from "./ambiguity-index.js";
import { defensibilityIndex } from "./defensibility-index.js";
import { defensibilityMinusAccuracy, defensibilityMinusF1 } from "./gap.js";
import { pureAmbiguity } from "./pure-ambiguity.js";
import { ALL_CELLS, countIn, type Tally } from "./tally.js";

/** What was attempted and what came of it; apart from that, decisions that were not audited because no rule was in force. */
export function outcomeCounts(tallies: readonly Tally[]): ReportCounts {
  const verdicts = tallies.reduce((sum, tally) => sum + countIn(tally, ALL_CELLS), 0);
  const unscored = tallies.reduce((sum, tally) => sum + tally.unscored, 0);
  const errors = tallies.reduce((sum, tally) => sum + tally.errors, 0);
  const no_rules = tallies.reduce((sum, tally) => sum + (tally.no_rules ?? 0), 0);
  return { attempted: verdicts + unscored + errors, verdicts, unscored, errors, no_rules };
}

/** The headline family over one set of decisions. */
export function cohortMetrics(tallies: readonly Tally[]): CohortMetrics {
  const table = confusion(tallies);
  const known = { index: defensibilityIndex(tallies), score: f1(tallies), agreed: accuracy(tallies) };
  return {
    counts: outcomeCounts(tallies),
    defensibility_index: known.index,
    ambiguity_index: ambiguityIndex(tallies),
    ambiguity_pure: pureAmbiguity(tallies),
    agreement: {
      n_labelled: table.tp + table.fp + table.fn + table.tn,
      confusion: table,
      accuracy: known.agreed,
      precision: precision(tallies),
      recall: recall(tallies),
      f1: known.score,
      kappa: kappa(tallies),
    },
    gap: gapsOf(tallies, known),
  };
}

/** `known`: what has been computed of the same verdicts. */
export function gapsOf(
  tallies: readonly Tally[],
  known: { index?: Estimate; score?: Estimate; agreed?: Estimate } = {},
): ReportGap {
  return {
    di_minus_f1: defensibilityMinusF1(tallies, known.index, known.score),
    di_minus_accuracy: defensibilityMinusAccuracy(tallies, known.index, known.agreed),
  };
}
