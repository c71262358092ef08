import type { CohortMetrics, Report } from "../../core/results/report.js";
import { AMBIGUITY_TARGET } from "./ambiguity-index.js";
import { cohortMetrics, gapsOf } from "./cohort-metrics.js";
import { contradiction } from "./contradiction.js";
import { DEFENSIBILITY_TARGET, DEFENSIBLE } from "./defensibility-index.js";
import { levelShare } from "./level-share.js";
import { rate } from "./rate.js";
import { scopedAmbiguity } from "./scoped-ambiguity.js";
import { LABELLED, labelledOnly, type Tally } from "./tally.js";
import { targetStatus } from "./target.js";
import { trapMetrics } from "./trap-metrics.js";

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

/** Beside gaps between all verdicts and those that people labelled: the same over the labelled ones alone, where these are a part. */
function withLabelledGap({ counts, agreement, gap }: CohortMetrics, tallies: readonly Tally[]): Report["gap"] {
  if (agreement.n_labelled === 0 || agreement.n_labelled === counts.verdicts) return gap;
  const index = rate(tallies, LABELLED, DEFENSIBLE, { empty: "no verdict has a human label" });
  return { ...gap, labelled: { defensibility_index: index, ...gapsOf(tallies.map(labelledOnly)) } };
}

/** All of a report's own numbers that follow from counts of verdicts. */
export function reportMetrics(tallies: readonly Tally[]): ReportMetrics {
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
