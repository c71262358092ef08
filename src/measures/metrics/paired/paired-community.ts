import { AUDITED, AUDITED_CELLS, type AuditedCell } from "../judge/counts.js";

/** Kinds of pairs: what A says (level, inverse) by what B says. */
export const PAIR_CELLS = AUDITED_CELLS * AUDITED_CELLS;

/** Decisions of one community with a verdict in both of two runs. */
export interface PairedCommunity {
  community: string;
  /** Count at `pairIndex`. */
  cells: Float64Array;
}

export function emptyPairs(community: string): PairedCommunity {
  return { community, cells: new Float64Array(PAIR_CELLS) };
}

/** Place of a pair: A's cell · 6 + B's cell, cells as in `auditedIndex`. */
export function pairIndex(a: number, b: number): number {
  return a * AUDITED_CELLS + b;
}

/** Number of pairs in which A's verdict and B's verdict are as asked. */
export function countPairs(pairs: PairedCommunity, holds: (a: AuditedCell, b: AuditedCell) => boolean): number {
  let count = 0;
  AUDITED.forEach((a, i) => {
    AUDITED.forEach((b, j) => {
      if (holds(a, b)) count += pairs.cells[pairIndex(i, j)]!;
    });
  });
  return count;
}

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
