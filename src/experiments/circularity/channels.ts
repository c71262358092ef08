import type { FamilyCount } from "../../analysis/labels/true-verdicts.js";
import type { RepeatCount } from "../../analysis/replicate-columns.js";
import type { SignalColumns } from "../../analysis/signal-columns.js";
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { compareWithHumans, type PairTally } from "../../measures/metrics/paired/compare-runs.js";
import { weightsText } from "../../present/words/experiment-words.js";
import { clusteredSpearman } from "../../stats/ranks/clustered-spearman.js";
import type { Humans } from "../humans/result.js";
import type { Tiers } from "../rules/tiers/result.js";
import { pairUp, separate } from "../signal/signals.js";
import { pairedDifference, rateDifference, type TwoRates } from "./differences.js";
import type { Channel, ChannelTest } from "./result.js";
import {
  type ChannelText,
  judgeAll,
  judgeEqual,
  judgeInflation,
  judgePositive,
  notAvailable,
  test,
} from "./truth-channel.js";

const GAP_TEXT: ChannelText = {
  channel: "gap",
  title: "Favouritism: does the auditor find its own kind more defensible?",
  can_show:
    "Whether decisions of deciders of the auditor's family, or of the decider against people's on the same cases, are found defensible more often: an auditor that favours its kind makes the first higher.",
  cannot_show:
    "That a difference is favouritism: the auditor's kin may decide better or have had other cases, and people may follow norms that are written nowhere. A large gap between DI and F1, and defensible false negatives, show nothing here: an auditor that favoured the decider would make both larger. (The paper argues the other way round.)",
};

interface GapEvidence {
  families: readonly FamilyCount[];
  /** null: people's decisions were not audited. */
  humans: readonly PairTally[] | null;
  margin: number;
  runs: string[];
}

/** Channel 1: the paper's argument, with its direction corrected. */
export function gapChannel({ families, humans, margin, runs }: GapEvidence): Channel {
  const family = familyDifference(families);
  const people = humans
    ? compareWithHumans(humans).difference
    : undefinedEstimate("people's decisions were not audited", 0);
  const tests = [
    test("DI of the auditor's family − DI of other deciders", "points", family, judgeInflation(family, margin)),
    test("DI of the decider − DI of people, same cases", "points", people, judgeInflation(people, margin)),
  ];
  return {
    ...GAP_TEXT,
    ...judgeAll(tests),
    tests,
    source: { experiment: null, runs },
    command: people.estimate === null ? "defensible audit --humans" : null,
    advice: family.estimate === null ? adviceFor(families) : null,
  };
}

/** Families can be compared only if some decisions are by models of the auditor's family and some are not. */
function adviceFor(families: readonly FamilyCount[]): string {
  return sameFamily(families) === 0
    ? "To compare families, audit with a model of the family of some deciders (`defensible audit --auditor NAME`), or add decisions by a model of the auditor's family (`defensible decide`)."
    : "To compare families, add decisions by people (`defensible import`) or by a model of another family (`defensible decide`).";
}

function sameFamily(families: readonly FamilyCount[]): number {
  return families.reduce((sum, { same_family, n }) => sum + (same_family ? n : 0), 0);
}

function familyDifference(families: readonly FamilyCount[]): Estimate {
  const byCommunity = new Map<string, TwoRates>();
  for (const { community, same_family, n, defensible } of families) {
    const one = byCommunity.get(community) ?? { k1: 0, n1: 0, k0: 0, n0: 0 };
    byCommunity.set(community, one);
    if (same_family) Object.assign(one, { k1: defensible, n1: n });
    else Object.assign(one, { k0: defensible, n0: n });
  }
  const empty =
    sameFamily(families) === 0
      ? "no decision is by a model that is known to be of the auditor's family"
      : "every decision is by a model of the auditor's family";
  return rateDifference([...byCommunity.values()], empty);
}

const HUMAN_TEXT: ChannelText = {
  channel: "human_validation",
  title: "People: do they find the same decisions defensible?",
  can_show:
    "Whether people who judge defensibility, and not whether they would have decided alike, order decisions as the auditor does. An auditor that measured only its own taste would not agree with them.",
  cannot_show:
    "That both are right: people and models may share a misreading, and people who saw the audit are no independent word. The number that counts is cases, not ratings.",
};

/** What each correlation of a rating study compares. */
const RATED: Record<string, string> = {
  pds: "Spearman of people's mean rating with S",
  p_defensible: "Spearman of people's mean rating with the probability of level 1 or 2",
  level: "Spearman of people's mean rating with the auditor's level",
  inverse_yes_prob:
    "Spearman of the share of people who find the opposite derivable with σ(ρ), the auditor's probability of it",
};

/** Channel 2, from a kept rating study. */
export function humanChannel(humans: Humans): Channel {
  const tests = humans.correlations.map(({ signal, spearman, two_way }) => {
    // The interval over cases and raters drawn together: only this one lets the result generalise to other cases and raters.
    const estimate: Estimate =
      spearman.estimate !== null && two_way
        ? { ...spearman, lower: two_way.lower, upper: two_way.upper, method: "two-way bootstrap", cluster: undefined }
        : spearman;
    const name = RATED[signal] ?? `ratings with ${signal}`;
    const by = signal === "pds" && humans.weights ? ` (${weightsText(humans.weights)})` : "";
    return test(name + by, "correlation", estimate, judgePositive(estimate));
  });
  return {
    ...HUMAN_TEXT,
    ...judgeAll(tests),
    tests,
    source: { experiment: "humans", runs: humans.runs },
    command: null,
  };
}

interface LabelEvidence {
  columns: SignalColumns;
  /** Per row, the majority label, 1 to 3; 0: unlabelled. */
  labels: Uint8Array;
  runs: string[];
}

/** Channel 2, from labels of defensibility that people gave; null evidence: there are no labels. `because`: why a kept study is not of this auditor. */
export function labelChannel(evidence: LabelEvidence | null, because: string | null = null): Channel {
  if (!evidence) {
    return notAvailable(
      HUMAN_TEXT,
      because ?? "the defensibility of these decisions has no human label",
      "defensible humans sample, then humans import and humans report",
    );
  }
  const { columns, labels, runs } = evidence;
  const levels = pairUp(Float64Array.from(columns.level), (i) => labels[i] || null, columns);
  const level = clusteredSpearman(levels.values, levels.partner, levels.cluster, levels.clusters);
  const score = pairUp(columns.pDefensible, (i) => (labels[i] ? (labels[i] === 3 ? 1 : 0) : null), columns);
  const area = separate(score, true, "no labelled verdict has level probabilities");
  const tests = [
    test("Spearman of people's level with the auditor's", "correlation", level, judgePositive(level)),
    test("AUROC of the probability of level 3 for people's level 3", "auroc", area, judgePositive(area, 0.5)),
  ];
  return {
    ...HUMAN_TEXT,
    ...judgeAll(tests),
    tests,
    source: { experiment: null, runs },
    command: "defensible humans sample --out sheet",
  };
}

const RULE_TEXT: ChannelText = {
  channel: "rule_change",
  title: "Rules: do the indices move when the rules do, and only then?",
  can_show:
    "That the same auditor on the same decisions answers to the text of the rules: more text closes what was open. The placebo, decisions whose rules read the same in both tiers, must not move.",
  cannot_show:
    "That it answers to what the text says: more text of any kind might do the same. Chance alone does not give a net change in one direction, so that without a placebo the test still holds, less well.",
};

/** Channel 3, from the kept tiers experiment; null: no usable result. `because`: why the kept one is not of this auditor. */
export function ruleChannel(
  tiers: Tiers | null,
  repeats: readonly RepeatCount[],
  margin: number,
  because: string | null = null,
): Channel {
  if (!tiers) return notAvailable(RULE_TEXT, because ?? "the rule tiers were never compared", "defensible rules tiers");
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
    ...RULE_TEXT,
    ...judgeChannel(tests[0]!, placebos),
    tests: [...tests, ...placebos],
    source: { experiment: "tiers", runs: tiers.runs },
    command: made ? null : "defensible audit --replicates 2",
  };
}

/** A placebo matters only if it moves: then the change cannot be attributed to the text. */
function judgeChannel(change: ChannelTest, placebos: readonly ChannelTest[]): Pick<Channel, "verdict" | "because"> {
  const moved = placebos.find(({ verdict }) => verdict === "does_not_support");
  if (!moved) return judgeAll([change]);
  return { verdict: "cannot_tell", because: `${moved.name}: it moves too (${moved.because})` };
}

/** Parts are shown, not judged: this channel makes no claim about them. */
function informative(value: Estimate): Pick<ChannelTest, "verdict" | "because"> {
  const { verdict, because } = judgePositive(value);
  return verdict === "not_available" ? { verdict, because } : { verdict, because: `shown, not counted: ${because}` };
}

/** AI(coarsest) − AI(finest) on decisions whose rules read the same. */
function placeboOf({ text, tiers }: Tiers): Estimate | null {
  if (!text.known) return null;
  const [first, last] = [tiers[0]?.arm, tiers.at(-1)?.arm];
  // If there are several steps, the last is the one from the coarsest to the finest tier.
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
