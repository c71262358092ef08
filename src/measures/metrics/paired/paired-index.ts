import type { ComparedCommunity, ComparedIndex } from "../../../core/results/compare.js";
import { tangoInterval } from "../../../stats/intervals/two-proportions.js";
import type { Rng } from "../../../stats/random/create-rng.js";
import { clusterBootstrap } from "../../../stats/resampling/cluster-bootstrap.js";
import { mcnemar } from "../../../stats/tests/two-proportion-test.js";
import type { AuditedCell } from "../judge/counts.js";
import { shareEstimate } from "../rate.js";
import {
  allAlike,
  allAlikeWarning,
  countPairs,
  type PairedCommunity,
  type PairedCounts,
  pairedDifference,
} from "./paired-change.js";

export type { PairedCounts } from "./paired-change.js";

/** Why there is no interval over communities although there are several. */
export const ALL_ALIKE = allAlikeWarning();

export function pairedCounts(pairs: PairedCommunity, counts: (cell: AuditedCell) => boolean): PairedCounts {
  return {
    n: countPairs(pairs, () => true),
    both: countPairs(pairs, (a, b) => counts(a) && counts(b)),
    onlyA: countPairs(pairs, (a, b) => counts(a) && !counts(b)),
    onlyB: countPairs(pairs, (a, b) => !counts(a) && counts(b)),
  };
}

/**
 * An index in two runs on the decisions they share, and its difference B − A.
 *
 * Formula: difference = (only B − only A)/n with Tango's interval; next to it a t interval over communities (linearised) and a bootstrap of
 * communities (BCa). McNemar on only A against only B. Rows are paired: an interval of two independent rates would be too wide, a test
 * of them wrong.
 * Range: difference within [−1, 1].
 * Undefined when: no decision has a verdict in both: undefined with the reason. Where the difference is the same in every community (no
 * change anywhere, for example) their spread is 0 and says nothing: no interval over communities and no bootstrap, with a warning.
 * Differs from the paper: the paper compares paired conditions by their margins only.
 * @see `tangoInterval`, `mcnemar`, `clusterBootstrap`
 */
export function pairedIndex(communities: readonly PairedCounts[], options: { rng: Rng; draws: number }): ComparedIndex {
  const total = (count: (one: PairedCounts) => number) => communities.reduce((sum, one) => sum + count(one), 0);
  const onlyA = total((one) => one.onlyA);
  const onlyB = total((one) => one.onlyB);
  const index = (k: (one: PairedCounts) => number) =>
    shareEstimate(
      communities.map((one) => ({ k: k(one), n: one.n })),
      "no decision has a verdict in both",
    );
  const changes = Float64Array.from(communities, (one) => one.onlyB - one.onlyA);
  const sizes = Float64Array.from(communities, (one) => one.n);
  const statistic = (weights: Float64Array) => {
    let change = 0;
    let rows = 0;
    for (let c = 0; c < weights.length; c++) {
      change += weights[c]! * changes[c]!;
      rows += weights[c]! * sizes[c]!;
    }
    return rows === 0 ? null : change / rows;
  };
  const bootstrap = allAlike(communities)
    ? null
    : clusterBootstrap(communities.length, statistic, { rng: options.rng, draws: options.draws, method: "bca" });
  return {
    a: index((one) => one.both + one.onlyA),
    b: index((one) => one.both + one.onlyB),
    only_a: onlyA,
    only_b: onlyB,
    difference: pairedDifference(communities),
    bootstrap,
    mcnemar: mcnemar(onlyA, onlyB),
  };
}

/** The same in one community, shorter. `adjusted_p` is filled in by the caller, who knows the others. */
export function communityIndex({ n, both, onlyA, onlyB }: PairedCounts): ComparedCommunity["defensibility_index"] {
  return {
    a: (both + onlyA) / n,
    b: (both + onlyB) / n,
    only_a: onlyA,
    only_b: onlyB,
    difference: (onlyB - onlyA) / n,
    ...tangoInterval(onlyB, onlyA, n),
    mid_p: mcnemar(onlyA, onlyB).mid_p,
    adjusted_p: null,
  };
}
