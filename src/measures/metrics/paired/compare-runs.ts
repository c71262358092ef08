import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import type { Compare, ComparedCommunity, ComparedIndex } from "../../../core/results/compare.js";
import type { Report } from "../../../core/results/report.js";
import { normalQuantile } from "../../../stats/distributions/normal.js";
import { jackknifeOfSums } from "../../../stats/intervals/cluster-jackknife.js";
import { hasWidth } from "../../../stats/intervals/proportion.js";
import { tangoInterval } from "../../../stats/intervals/two-proportions.js";
import type { Rng } from "../../../stats/random/create-rng.js";
import { clusterBootstrap } from "../../../stats/resampling/cluster-bootstrap.js";
import { holm } from "../../../stats/tests/multiple-testing.js";
import { mcnemar } from "../../../stats/tests/two-proportion-test.js";
import { shareEstimate } from "../indices.js";
import type { AuditedCell } from "../judge/counts.js";
import {
  allAlike,
  allAlikeWarning,
  countPairs,
  type PairedCommunity,
  type PairedCounts,
  pairedDifference,
} from "./paired-change.js";

const INDICES = {
  defensibility_index: (cell: AuditedCell) => cell.level !== 3,
  ambiguity_index: (cell: AuditedCell) => cell.inverse,
  ambiguity_pure: (cell: AuditedCell) => cell.inverse && cell.level !== 3,
} as const;

type IndexName = keyof typeof INDICES;
const NAMES = Object.keys(INDICES) as IndexName[];

const NOTHING_IN_BOTH = "no decision has a verdict in both";

export type PairedComparison = Pick<
  Compare,
  "transitions" | "changed" | "more_severe" | "less_severe" | "inverse_transitions" | "communities" | IndexName
>;

export interface CompareOptions {
  rng: Rng;
  /** Default 2,000. */
  draws?: number;
}

/** The full comparison of two runs over the decisions that have a verdict in both. */
export function compareRuns(pairs: readonly PairedCommunity[], options: CompareOptions): PairedComparison {
  const used = pairs.filter((one) => countPairs(one, () => true) > 0);
  const total = (holds: (a: AuditedCell, b: AuditedCell) => boolean) =>
    used.reduce((sum, one) => sum + countPairs(one, holds), 0);
  const draws = options.draws ?? 2000;
  const indices = Object.fromEntries(
    NAMES.map((name) => [
      name,
      // All indices use the same draws of communities.
      pairedIndex(
        used.map((one) => pairedCounts(one, INDICES[name])),
        { rng: options.rng.fork("communities"), draws },
      ),
    ]),
  ) as Pick<PairedComparison, IndexName>;
  return {
    transitions: [1, 2, 3].map((from) => [1, 2, 3].map((to) => total((a, b) => a.level === from && b.level === to))),
    changed: shareEstimate(
      used.map((one) => ({ k: countPairs(one, (a, b) => a.level !== b.level), n: countPairs(one, () => true) })),
      NOTHING_IN_BOTH,
    ),
    more_severe: total((a, b) => b.level > a.level),
    less_severe: total((a, b) => b.level < a.level),
    inverse_transitions: [true, false].map((from) =>
      [true, false].map((to) => total((a, b) => a.inverse === from && b.inverse === to)),
    ),
    ...indices,
    communities: adjusted(used.map(communityRow)),
  };
}

function communityRow(pairs: PairedCommunity): ComparedCommunity {
  const index = (name: IndexName) => communityIndex(pairedCounts(pairs, INDICES[name]));
  return {
    community: pairs.community,
    n: countPairs(pairs, () => true),
    changed: countPairs(pairs, (a, b) => a.level !== b.level),
    defensibility_index: index("defensibility_index"),
    ambiguity_index: index("ambiguity_index"),
    ambiguity_pure: index("ambiguity_pure"),
  };
}

/** Holm over the communities in which something changed, separately for each index. */
function adjusted(rows: ComparedCommunity[]): ComparedCommunity[] {
  for (const name of NAMES) {
    const tested = rows.filter((row) => row[name].mid_p !== null);
    const values = holm(tested.map((row) => row[name].mid_p!));
    tested.forEach((row, i) => {
      row[name].adjusted_p = values[i]!;
    });
  }
  return rows;
}

/** Labelled decisions of one community, by whether the model's and the human's decision are defensible. */
export interface PairTally {
  cluster: string;
  both: number;
  modelOnly: number;
  humanOnly: number;
  neither: number;
}

export type HumanComparison = NonNullable<Report["humans"]>;

/**
 * Model and moderators compared: DI of the model's decisions and of the human decisions on the same labelled cases.
 *
 * If both decided alike, one audit counts for both; if they differ, the human's decision was also audited (`audit --humans`). difference = DI_model
 * − DI_human = (model only − human only) / n, paired, with a normal interval. If no pair differs, or all differ the same way, the variance is 0 and
 * uninformative: Tango's interval is used instead, with no interval over communities that are all alike.
 * Undefined when no labelled decision has both audits.
 */
export function compareWithHumans(pairs: readonly PairTally[]): HumanComparison {
  const size = (pair: PairTally) => pair.both + pair.modelOnly + pair.humanOnly + pair.neither;
  const n = pairs.reduce((sum, pair) => sum + size(pair), 0);
  const index = (defensible: (pair: PairTally) => number): Estimate =>
    shareEstimate(
      pairs.map((pair) => ({ k: defensible(pair), n: size(pair) })),
      "no labelled decision has both audits",
    );
  return {
    n,
    model_defensibility_index: index((pair) => pair.both + pair.modelOnly),
    human_defensibility_index: index((pair) => pair.both + pair.humanOnly),
    difference: defensibleDifference(pairs, n, size),
  };
}

function defensibleDifference(pairs: readonly PairTally[], n: number, size: (pair: PairTally) => number): Estimate {
  if (n < 2) return undefinedEstimate("fewer than two decisions have both audits", n);
  const plus = pairs.reduce((sum, pair) => sum + pair.modelOnly, 0);
  const minus = pairs.reduce((sum, pair) => sum + pair.humanOnly, 0);
  const difference = (plus - minus) / n;
  const variance = ((plus + minus) / n - difference ** 2) / (n - 1);
  const half = normalQuantile((1 + CONFIDENCE_LEVEL) / 2) * Math.sqrt(variance);
  const normal = { lower: Math.max(-1, difference - half), upper: Math.min(1, difference + half) };
  const spread = hasWidth(normal);
  const sums = pairs.map((pair) => (pair.modelOnly - pair.humanOnly - difference * size(pair)) / n);
  const cluster = jackknifeOfSums(difference, sums, pairs.map(size), CONFIDENCE_LEVEL, [-1, 1]);
  return {
    estimate: difference,
    ...(spread ? normal : tangoInterval(plus, minus, n)),
    level: CONFIDENCE_LEVEL,
    method: spread ? "paired, normal" : "Tango",
    n,
    ...(cluster && hasWidth(cluster) ? { cluster } : {}),
    ...(cluster && !hasWidth(cluster) ? { warnings: [allAlikeWarning()] } : {}),
  };
}

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
 * Formula: difference = (only B − only A)/n with Tango's interval; also a t interval over communities (linearised) and a bootstrap of communities
 * (BCa). McNemar on only A against only B. Rows are paired: an interval of two independent rates would be too wide, a test of them wrong.
 * Range: difference within [−1, 1].
 * Undefined when: no decision has a verdict in both: undefined with the reason. If the difference is the same in every community (for example, no
 * change anywhere), the variance between them is 0 and uninformative: no interval over communities and no bootstrap, with a warning.
 * Differs from the paper: the paper only compares the marginal rates of paired conditions.
 * @see `tangoInterval`, `mcnemar`, `clusterBootstrap`
 */
export function pairedIndex(communities: readonly PairedCounts[], options: { rng: Rng; draws: number }): ComparedIndex {
  const total = (count: (one: PairedCounts) => number) => communities.reduce((sum, one) => sum + count(one), 0);
  const onlyA = total((one) => one.onlyA);
  const onlyB = total((one) => one.onlyB);
  const index = (k: (one: PairedCounts) => number) =>
    shareEstimate(
      communities.map((one) => ({ k: k(one), n: one.n })),
      NOTHING_IN_BOTH,
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

/** A shorter result for one community. `adjusted_p` is filled in by the caller, which knows the other communities. */
function communityIndex({ n, both, onlyA, onlyB }: PairedCounts): ComparedCommunity["defensibility_index"] {
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
