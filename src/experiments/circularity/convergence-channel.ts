import type { ReplicateColumns } from "../../analysis/replicate-columns.js";
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { ratioOfMeans } from "../../stats/intervals/ratio-of-means.js";
import { correlate, pairUp } from "../signal/signals.js";
import type { Channel } from "./result.js";
import { type ChannelText, judgeAll, judgePositive, notAvailable, test } from "./truth-channel.js";

const TEXT: ChannelText = {
  channel: "convergence",
  title: "Convergence: are cases called ambiguous also the unstable ones?",
  can_show:
    "Whether cases that one half of the replicates calls open both ways spread more in the other half, in S and in the level. No draw is on both sides, so that the two are not coupled by counting.",
  cannot_show:
    "Validity: both readings are of one auditor with one prompt, which may be unsure about cases that the rules settle. A case in which the inverse check always fires is settled too, the other way, so that the relation need not rise all the way. It shows that ambiguity and instability are one property of a case, as this auditor reads it.",
};

export interface ConvergenceEvidence {
  columns: ReplicateColumns;
  arm: string;
  runs: string[];
  /** Read from the run of a kept stability experiment. */
  kept: boolean;
}

/** Channel 4 on disjoint replicates; null: no decision was audited often enough. `because`: why a kept result is not of this auditor. */
export function convergenceChannel(evidence: ConvergenceEvidence | null, because: string | null = null): Channel {
  if (!evidence) {
    const none = "no decisions were audited four times or more";
    return notAvailable(TEXT, because ? `${none}, and ${because}` : none, "defensible stability");
  }
  const { columns, arm } = evidence;
  const halves = readHalves(columns);
  const clusters = { community: columns.community, communities: { length: columns.communities } };
  const where = arm === "" ? "" : ` (${arm})`;
  const none = "no replicate has S";
  const spread = correlate(
    pairUp(halves.spread, (d) => halves.open[d]!, clusters),
    none,
  );
  const unstable = correlate(
    pairUp(halves.unstable, (d) => halves.open[d]!, clusters),
    "no decisions",
  );
  const apart = pairUp(halves.spread, (d) => (halves.open[d]! >= 0.5 ? 1 : 0), clusters);
  const ratio: Estimate =
    apart.values.length === 0
      ? undefinedEstimate(none, 0)
      : ratioOfMeans(apart.values, apart.partner, apart.cluster, apart.clusters);
  const tests = [
    test(
      `Spearman of P(inverse = Yes) with sd of S, other replicates${where}`,
      "correlation",
      spread,
      judgePositive(spread),
    ),
    test(
      `Spearman of P(inverse = Yes) with 1 − dominant share of the level, other replicates${where}`,
      "correlation",
      unstable,
      judgePositive(unstable),
    ),
    test(`mean sd of S, ambiguous over unambiguous cases${where}`, "ratio", ratio, judgePositive(ratio, 1)),
  ];
  return {
    ...TEXT,
    ...judgeAll(tests),
    tests,
    source: { experiment: evidence.kept ? "stability" : null, runs: evidence.runs },
    command: null,
  };
}

/** By decision: P(inverse = Yes) of the even replicates; sd of S and 1 − dominant level share of the odd ones. */
function readHalves({
  decisions,
  start,
  level,
  inverse,
  pds,
}: ReplicateColumns): Record<"open" | "spread" | "unstable", Float64Array> {
  const open = new Float64Array(decisions);
  const spread = new Float64Array(decisions);
  const unstable = new Float64Array(decisions);
  for (let d = 0; d < decisions; d++) {
    const counts = [0, 0, 0];
    let [yes, even, odd, n, mean, squares] = [0, 0, 0, 0, 0, 0];
    for (let i = start[d]!; i < start[d + 1]!; i++) {
      if ((i - start[d]!) % 2 === 0) {
        even++;
        yes += inverse[i]!;
        continue;
      }
      odd++;
      counts[level[i]! - 1]!++;
      if (Number.isNaN(pds[i]!)) continue;
      n++;
      const step = pds[i]! - mean;
      mean += step / n;
      squares += step * (pds[i]! - mean);
    }
    open[d] = yes / even;
    spread[d] = n > 1 ? Math.sqrt(squares / (n - 1)) : Number.NaN;
    unstable[d] = 1 - Math.max(...counts) / odd;
  }
  return { open, spread, unstable };
}
