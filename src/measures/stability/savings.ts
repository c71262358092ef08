import { isSettled, type StopRule } from "./allocate.js";
import type { CellAnalysis } from "./analyse-cells.js";
import type { LevelSequence } from "./level-sequence.js";

/** The paper's number of replicates. */
export const PAPER_REPLICATES = 1000;

export interface Savings {
  /** Cells: cases times conditions. */
  cells: number;
  /** Replicates that were asked for. */
  replicates: number;
  /** Cells that settled what was asked for, with all their replicates. */
  settled: number;
  settled_share: number | null;
  /** Share of 1,000 replicates a cell that was not asked for. */
  saved_against_paper: number | null;
  /** Share of the cap that was not asked for; null where the number was fixed. */
  saved_against_cap: number | null;
  /** Had every cell stopped at the replicate that settled it, or at the cap. */
  at_best: { replicates: number; settled: number; saved_against_paper: number | null };
}

/**
 * What stopping early has saved, against the paper's 1,000 replicates a case and against the cap, and what it could save at best.
 *
 * Formula: 1 − replicates / (1,000 · cells), the same with the cap; at best a cell takes the replicates after which it was settled,
 * at most the cap.
 * Range: at most 1; negative where more were asked for than the yardstick.
 * Undefined when: no cells: null.
 * Differs from the paper: not in the paper.
 * @see `LevelSequence`
 * @example
 * savings([], { stop: "boundary", cap: 300, fixed: false }).cells // => 0
 */
export function savings(
  cells: readonly Pick<CellAnalysis, "all" | "sequence">[],
  { stop, cap, fixed }: { stop: StopRule; cap: number; fixed: boolean },
): Savings {
  let [replicates, settled] = [0, 0];
  const best = { replicates: 0, settled: 0 };
  for (const { all, sequence } of cells) {
    replicates += all.attempted;
    const at = settledAt(sequence, stop);
    if (at !== null) settled += 1;
    best.replicates += Math.min(cap, at ?? all.attempted);
    if (at !== null && at <= cap) best.settled += 1;
  }
  const against = (count: number, each: number) => (cells.length === 0 ? null : 1 - count / (each * cells.length));
  return {
    cells: cells.length,
    replicates,
    settled,
    settled_share: cells.length === 0 ? null : settled / cells.length,
    saved_against_paper: against(replicates, PAPER_REPLICATES),
    saved_against_cap: fixed ? null : against(replicates, cap),
    at_best: { ...best, saved_against_paper: against(best.replicates, PAPER_REPLICATES) },
  };
}

/** Replicates after which everything was settled; null: it is not. */
function settledAt(sequence: LevelSequence, stop: StopRule): number | null {
  if (!isSettled(sequence, stop)) return null;
  return Math.max(sequence.boundary().at!, stop === "class" ? sequence.class().at! : 0);
}
