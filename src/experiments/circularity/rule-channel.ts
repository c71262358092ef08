import type { RepeatCount } from "../../analysis/replicate-columns.js";
import type { Estimate } from "../../core/estimate.js";
import type { Channel, ChannelTest } from "../../core/results/circularity.js";
import type { Tiers } from "../../core/results/tiers.js";
import { pairedDifference } from "./differences.js";
import { type ChannelText, judgeAll, judgeEqual, judgePositive, notAvailable, test } from "./truth-channel.js";

const TEXT: ChannelText = {
  channel: "rule_change",
  title: "Rules: do the indices move when the rules do, and stand still when they do not?",
  can_show:
    "That the same auditor on the same decisions answers to the text of the rules: more text closes what was open. The placebo, decisions whose rules read the same in both tiers, must not move.",
  cannot_show:
    "That it answers to what the text says: more text of any kind might do the same. Chance alone does not give a net change in one direction, so that without a placebo the test still stands, less well.",
};

/** Channel 3, from the tiers experiment that was kept; null: there is none. `because`: why the kept one is none of this auditor. */
export function ruleChannel(
  tiers: Tiers | null,
  repeats: readonly RepeatCount[],
  margin: number,
  because: string | null = null,
): Channel {
  if (!tiers) return notAvailable(TEXT, because ?? "the rule tiers were never compared", "defensible rules tiers");
  const { net } = tiers.underspecification;
  const tests: ChannelTest[] = [
    test("AI under the coarsest − AI under the finest text", "points", net, judgePositive(net)),
  ];
  for (const [action, group] of Object.entries(tiers.by_decision)) {
    const value = group.underspecification.net;
    tests.push(test(`the same, decisions to ${action}`, "points", value, informative(value)));
  }
  const same = placeboOf(tiers);
  const twice = pairedDifference(repeats, "no decision was audited twice under the same text");
  const placebos = [
    ...(same
      ? [test("placebo: the same where the text does not differ", "points", same, judgeEqual(same, margin))]
      : []),
    test("placebo: AI, same text twice", "points", twice, judgeEqual(twice, margin)),
  ];
  const made = placebos.some(({ verdict }) => verdict !== "not_available");
  return {
    ...TEXT,
    ...judgeChannel(tests[0]!, placebos),
    tests: [...tests, ...placebos],
    source: { experiment: "tiers", runs: tiers.runs },
    command: made ? null : "defensible audit --replicates 2 (the same text twice)",
  };
}

/** A placebo speaks only when it moves: then the change cannot be put down to the text. */
function judgeChannel(change: ChannelTest, placebos: readonly ChannelTest[]): Pick<Channel, "verdict" | "because"> {
  const moved = placebos.find(({ verdict }) => verdict === "does_not_support");
  if (!moved) return judgeAll([change]);
  return { verdict: "cannot_tell", because: `${moved.name}: it moves too (${moved.because})` };
}

/** Parts are shown, not judged: that they may differ is no claim of this channel. */
function informative(value: Estimate): Pick<ChannelTest, "verdict" | "because"> {
  const { verdict, because } = judgePositive(value);
  return verdict === "not_available" ? { verdict, because } : { verdict, because: `shown, not counted: ${because}` };
}

/** AI(coarsest) − AI(finest) on decisions whose rules read the same. */
function placeboOf({ text, tiers }: Tiers): Estimate | null {
  if (!text.known) return null;
  const [first, last] = [tiers[0]?.arm, tiers.at(-1)?.arm];
  // The last step is that from the coarsest to the finest, where there are more than one.
  const step = text.steps.find(({ from, to }) => from === first && to === last) ?? text.steps.at(-1);
  if (!step) return null;
  const { difference } = step.same.changes.ambiguity_index;
  if (difference.estimate === null) return difference;
  const turned = ({ lower, upper }: { lower: number; upper: number }) => ({ lower: -upper, upper: -lower });
  return {
    ...difference,
    estimate: 0 - difference.estimate,
    ...turned(difference),
    ...(difference.cluster && { cluster: { ...difference.cluster, ...turned(difference.cluster) } }),
  };
}
