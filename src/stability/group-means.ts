import type { Estimate } from "../domain/estimate.js";
import { bootstrapEstimate } from "../stats/stratified-bootstrap.js";
import type { Analysed, CellAnalysis } from "./analyse-cells.js";
import type { CaseBootstrap, Statistic } from "./case-bootstrap.js";
import { caseColumn } from "./case-columns.js";
import { ratio, weightedMean } from "./weighted.js";

/** A mean over all cases and over each group, and how many times larger that of the Flippers is. */
export interface GroupMeans {
  all: Estimate;
  stable: Estimate;
  flippers: Estimate;
  ratio: Estimate;
}

/** Why there are no numbers of groups. */
export const NO_GROUPS = "no pilot told Flippers from Stable";

/**
 * Means of a case value over all cases and over each group, and the ratio of the groups' means, with intervals over cases.
 *
 * Formula: mean over the cases that have the value; ratio = mean of Flippers / mean of Stable; case bootstrap within groups.
 * Range: that of the value; the ratio from 0 on, 1 for groups alike.
 * Undefined when: no case of the group has the value, or there are no groups.
 * Differs from the paper: intervals are added.
 * @see paper §7.2, table 5
 */
export function groupMeans(
  analysed: Analysed,
  bootstrap: CaseBootstrap,
  condition: number,
  value: (cell: CellAnalysis) => number | null,
): { quotient: Statistic; result: () => GroupMeans } {
  const values = caseColumn(analysed, condition, value);
  const { groups } = analysed;
  const maskOf = (holds: (group: Analysed["groups"][number]) => boolean) =>
    Uint8Array.from(groups, (group) => (holds(group) ? 1 : 0));
  const everyone = maskOf(() => true);
  const flippers = maskOf((group) => group === "flipper");
  const stable = maskOf((group) => group === "stable");
  const mean =
    (mask: Uint8Array): Statistic =>
    (weights) =>
      weightedMean(values, weights, mask);
  const [ofFlippers, ofStable] = [mean(flippers), mean(stable)];
  const quotient: Statistic = (weights) => ratio(ofFlippers(weights), ofStable(weights));
  const answers = {
    all: bootstrap.ask(mean(everyone)),
    stable: bootstrap.ask(ofStable),
    flippers: bootstrap.ask(ofFlippers),
    ratio: bootstrap.ask(quotient),
  };
  const known = (mask: Uint8Array) => values.filter((x, i) => mask[i] === 1 && !Number.isNaN(x)).length;
  const none = groups.every((group) => group === null);
  const result = (): GroupMeans => ({
    all: bootstrapEstimate(answers.all(), known(everyone), "no case has it"),
    stable: bootstrapEstimate(answers.stable(), known(stable), none ? NO_GROUPS : "no Stable case has it"),
    flippers: bootstrapEstimate(answers.flippers(), known(flippers), none ? NO_GROUPS : "no Flipper has it"),
    ratio: bootstrapEstimate(
      answers.ratio(),
      known(flippers) + known(stable),
      none ? NO_GROUPS : "a group is empty, or Stable cases have no spread",
    ),
  });
  return { quotient, result };
}
