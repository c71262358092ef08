import { emptyPairs, type PairedCommunity } from "./paired-community.js";

/** One entry for each community: the sum of those it has. */
export function mergePairs(parts: readonly PairedCommunity[]): PairedCommunity[] {
  const merged = new Map<string, PairedCommunity>();
  for (const { community, cells } of parts) {
    const sum = merged.get(community) ?? emptyPairs(community);
    cells.forEach((count, i) => {
      sum.cells[i]! += count;
    });
    merged.set(community, sum);
  }
  return [...merged.values()];
}
