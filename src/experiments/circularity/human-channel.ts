import type { SignalColumns } from "../../analysis/signal-columns.js";
import type { Estimate } from "../../core/estimate.js";
import type { Channel } from "../../core/results/circularity.js";
import type { Humans } from "../../core/results/humans.js";
import { clusteredSpearman } from "../../stats/ranks/clustered-spearman.js";
import { pairUp, separate } from "../signal/signals.js";
import { type ChannelText, judgeAll, judgePositive, notAvailable, test } from "./truth-channel.js";

const TEXT: ChannelText = {
  channel: "human_validation",
  title: "People: do they find the same decisions defensible?",
  can_show:
    "Whether people who judge defensibility, and not whether they would have decided alike, order decisions as the auditor does. An auditor that measured only its own taste would not agree with them.",
  cannot_show:
    "That both are right: people and models may share a misreading, and people who saw the audit are no independent word. The number that counts is cases, not ratings.",
};

/** What each correlation of a rating study is of. */
const RATED: Record<string, string> = {
  pds: "Spearman of people's mean rating with S",
  p_defensible: "Spearman of people's mean rating with the probability of level 1 or 2",
  level: "Spearman of people's mean rating with the auditor's level",
  inverse_yes_prob:
    "Spearman of the share of people who find the opposite derivable with σ(ρ), the auditor's probability of it",
};

/** Channel 2, from a rating study that was kept. */
export function humanChannel(humans: Humans): Channel {
  const tests = humans.correlations.map(({ signal, spearman, two_way }) => {
    // Cases and raters drawn together is the interval that lets the result speak of other cases and other raters.
    const estimate: Estimate =
      spearman.estimate !== null && two_way
        ? { ...spearman, lower: two_way.lower, upper: two_way.upper, method: "two-way bootstrap", cluster: undefined }
        : spearman;
    return test(RATED[signal] ?? `ratings with ${signal}`, "correlation", estimate, judgePositive(estimate));
  });
  return {
    ...TEXT,
    ...judgeAll(tests),
    tests,
    source: { experiment: "humans", runs: humans.runs },
    command: null,
  };
}

export interface LabelEvidence {
  columns: SignalColumns;
  /** 1 to 3: what most people said of the row's decision; 0: nobody did. */
  labels: Uint8Array;
  runs: string[];
}

/** Channel 2, from labels of defensibility that people gave; null evidence: there are none. `because`: why a kept study is none of this auditor. */
export function labelChannel(evidence: LabelEvidence | null, because: string | null = null): Channel {
  if (!evidence) {
    return notAvailable(
      TEXT,
      because ?? "nobody has judged the defensibility of these decisions",
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
    ...TEXT,
    ...judgeAll(tests),
    tests,
    source: { experiment: null, runs },
    command: "defensible humans sample (a blinded rating study)",
  };
}
