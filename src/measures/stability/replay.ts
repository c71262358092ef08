import { lawOf } from "./cell-stats.js";
import { LevelSequence } from "./level-sequence.js";
import type { Replicates } from "./replicates.js";

/** What counts as evidence of a replicate: the level it drew, or the probabilities it drew it from. */
export type Evidence = "labels" | "probabilities";

/**
 * What the replicates of a cell settle, in their order: the same whether they were drawn one by one or all at once.
 *
 * Formula: each verdict is added to a `LevelSequence`: its level, or its probabilities at the temperature of the draws where
 * that is asked for and they are known.
 * Range: see `LevelSequence`.
 * Undefined when: never; a cell without verdicts settles nothing.
 * Differs from the paper: not in the paper.
 * @see `LevelSequence`
 */
export function replay(
  replicates: Replicates,
  cell: number,
  { alpha, evidence, most }: { alpha: number; evidence: Evidence; most?: number },
): LevelSequence {
  const sequence = new LevelSequence(alpha);
  const { start, level, conditions, replicate } = replicates;
  const temperature = conditions[cell % conditions.length]!.temperature;
  for (let row = start[cell]!; row < start[cell + 1]!; row += 1) {
    if (most !== undefined && replicate[row]! >= most) break;
    if (level[row] === 0) continue;
    const law = evidence === "probabilities" ? lawOf(replicates, row, temperature) : null;
    if (law) sequence.add(...law);
    else sequence.addLevel(level[row]!);
  }
  return sequence;
}
