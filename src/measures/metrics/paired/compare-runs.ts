import type { Compare, ComparedCommunity } from "../../../core/results/compare.js";
import { proportion } from "../../../stats/intervals/proportion.js";
import type { Rng } from "../../../stats/random/create-rng.js";
import { holm } from "../../../stats/tests/holm.js";
import type { AuditedCell } from "../judge/counts.js";
import { countPairs, type PairedCommunity } from "./paired-community.js";
import { communityIndex, pairedCounts, pairedIndex } from "./paired-index.js";

const INDICES = {
  defensibility_index: (cell: AuditedCell) => cell.level !== 3,
  ambiguity_index: (cell: AuditedCell) => cell.inverse,
  ambiguity_pure: (cell: AuditedCell) => cell.inverse && cell.level !== 3,
} as const;

type IndexName = keyof typeof INDICES;
const NAMES = Object.keys(INDICES) as IndexName[];

export type PairedComparison = Pick<
  Compare,
  "transitions" | "changed" | "more_severe" | "less_severe" | "inverse_transitions" | "communities" | IndexName
>;

export interface CompareOptions {
  rng: Rng;
  /** Default 2,000. */
  draws?: number;
}

/** Everything a comparison of two runs says of the decisions that have a verdict in both. */
export function compareRuns(pairs: readonly PairedCommunity[], options: CompareOptions): PairedComparison {
  const used = pairs.filter((one) => countPairs(one, () => true) > 0);
  const total = (holds: (a: AuditedCell, b: AuditedCell) => boolean) =>
    used.reduce((sum, one) => sum + countPairs(one, holds), 0);
  const draws = options.draws ?? 2000;
  const indices = Object.fromEntries(
    NAMES.map((name) => [
      name,
      // Every index sees the same draws of communities.
      pairedIndex(
        used.map((one) => pairedCounts(one, INDICES[name])),
        { rng: options.rng.fork("communities"), draws },
      ),
    ]),
  ) as Pick<PairedComparison, IndexName>;
  const changed = total((a, b) => a.level !== b.level);
  return {
    transitions: [1, 2, 3].map((from) => [1, 2, 3].map((to) => total((a, b) => a.level === from && b.level === to))),
    changed: proportion(
      changed,
      total(() => true),
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

/** Holm over the communities in which something changed, each index for itself. */
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
