import type { Report } from "../domain/report.js";
import { AMBIGUITY_TARGET } from "./ambiguity-index.js";
import { cohortMetrics } from "./cohort-metrics.js";
import { contradiction } from "./contradiction.js";
import { DEFENSIBILITY_TARGET } from "./defensibility-index.js";
import { levelShare } from "./level-share.js";
import { rootCause } from "./root-causes.js";
import { scopedAmbiguity } from "./scoped-ambiguity.js";
import type { Tally } from "./tally.js";
import { targetStatus } from "./target.js";
import {
  accurateButIndefensible,
  disagreementsDefensible,
  falseNegativesDefensible,
  falsePositivesDefensible,
  indefensibleGivenAgreement,
} from "./trap.js";

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

/** All of a report's own numbers that follow from counts of verdicts. */
export function reportMetrics(tallies: readonly Tally[]): ReportMetrics {
  const { ambiguity_pure, ...overall } = cohortMetrics(tallies);
  return {
    ...overall,
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
