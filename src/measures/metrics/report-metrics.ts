import type { Estimate } from "../../core/estimate.js";
import type { CohortMetrics, Report, ReportCounts, ReportGap } from "../../core/results/report.js";
import { accuracy, type Confusion, confusion, f1, kappa, precision, recall } from "./agreement.js";
import {
  accurateButIndefensible,
  disagreementsDefensible,
  falseNegativesDefensible,
  falsePositivesDefensible,
  indefensibleGivenAgreement,
  rootCause,
} from "./disagreements.js";
import { defensibilityMinusAccuracy, defensibilityMinusF1 } from "./gap.js";
import {
  AMBIGUITY_TARGET,
  ambiguityIndex,
  contradiction,
  DEFENSIBILITY_TARGET,
  DEFENSIBLE,
  defensibilityIndex,
  levelShare,
  pureAmbiguity,
  rate,
  scopedAmbiguity,
  targetStatus,
} from "./indices.js";
import { ALL_CELLS, countIn, LABELLED, labelledOnly, type Tally, withFilledCells } from "./tally.js";

type ReportMetrics = Pick<
  Report,
  | "counts"
  | "defensibility_index"
  | "ambiguity_index"
  | "targets"
  | "ambiguity"
  | "levels"
  | "agreement"
  | "gap"
  | "trap"
  | "root_causes"
>;

/** For gaps between all verdicts and the labelled ones, adds the same gaps over the labelled ones alone, if not all are labelled. */
function withLabelledGap({ counts, agreement, gap }: CohortMetrics, tallies: readonly Tally[]): Report["gap"] {
  if (agreement.n_labelled === 0 || agreement.n_labelled === counts.verdicts) return gap;
  const index = rate(tallies, LABELLED, DEFENSIBLE, { empty: "no verdict has a human label" });
  return { ...gap, labelled: { defensibility_index: index, ...gapsOf(tallies.map(labelledOnly)) } };
}

/** All numbers of a report that follow from counts of verdicts. */
export function reportMetrics(given: readonly Tally[]): ReportMetrics {
  const tallies = withFilledCells(given);
  const family = cohortMetrics(tallies);
  const { ambiguity_pure, ...overall } = family;
  return {
    ...overall,
    gap: withLabelledGap(family, tallies),
    targets: {
      defensibility_index: targetStatus(overall.defensibility_index, DEFENSIBILITY_TARGET, "at_least"),
      ambiguity_index: targetStatus(overall.ambiguity_index, AMBIGUITY_TARGET, "at_most"),
    },
    ambiguity: {
      platform: scopedAmbiguity(tallies, "platform"),
      community: scopedAmbiguity(tallies, "community"),
      mixed: scopedAmbiguity(tallies, "mixed"),
      none: scopedAmbiguity(tallies, "none"),
      pure: ambiguity_pure,
      contradiction: contradiction(tallies),
    },
    levels: { "1": levelShare(tallies, 1), "2": levelShare(tallies, 2), "3": levelShare(tallies, 3) },
    ...trapMetrics(tallies),
  };
}

/** Attempted audits by outcome, and separately the decisions that were not audited because no rule was in effect. */
export function outcomeCounts(tallies: readonly Tally[]): ReportCounts {
  const verdicts = tallies.reduce((sum, tally) => sum + countIn(tally, ALL_CELLS), 0);
  const unscored = tallies.reduce((sum, tally) => sum + tally.unscored, 0);
  const errors = tallies.reduce((sum, tally) => sum + tally.errors, 0);
  const no_rules = tallies.reduce((sum, tally) => sum + (tally.no_rules ?? 0), 0);
  return { attempted: verdicts + unscored + errors, verdicts, unscored, errors, no_rules };
}

/** The headline metrics over one set of decisions. */
export function cohortMetrics(given: readonly Tally[]): CohortMetrics {
  const tallies = withFilledCells(given);
  const table = confusion(tallies);
  const known = { index: defensibilityIndex(tallies), score: f1(tallies, table), agreed: accuracy(tallies), table };
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
      kappa: kappa(tallies, table),
    },
    gap: gapsOf(tallies, known),
  };
}

/** `known`: metrics already computed for the same verdicts. */
function gapsOf(
  tallies: readonly Tally[],
  known: { index?: Estimate; score?: Estimate; agreed?: Estimate; table?: Confusion } = {},
): ReportGap {
  return {
    di_minus_f1: defensibilityMinusF1(tallies, known.index, known.score, known.table),
    di_minus_accuracy: defensibilityMinusAccuracy(tallies, known.index, known.agreed),
  };
}

/** What agreement hides, and why decider and human labels disagree: for a report and for each cohort of the gap experiment. */
export function trapMetrics(tallies: readonly Tally[]): Pick<Report, "trap" | "root_causes"> {
  return {
    trap: {
      fn_defensible: falseNegativesDefensible(tallies),
      fp_defensible: falsePositivesDefensible(tallies),
      disagreements_defensible: disagreementsDefensible(tallies),
      accurate_but_indefensible: {
        joint: accurateButIndefensible(tallies),
        conditional: indefensibleGivenAgreement(tallies),
      },
    },
    root_causes: {
      model_error: rootCause(tallies, "model_error"),
      policy_ambiguity: rootCause(tallies, "policy_ambiguity"),
      implicit_norm: rootCause(tallies, "implicit_norm"),
    },
  };
}
