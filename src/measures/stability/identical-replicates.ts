import { isSettled, type StopRule } from "./allocate.js";
import { LevelSequence } from "./level-sequence.js";

/**
 * How many replicates settle a case that gives the same level every time: with fewer, agreement however perfect settles nothing, and a case stays undetermined
 * for want of replicates, not for being unstable.
 *
 * Formula: the least t at which t equal levels settle what `stop` asks for in a `LevelSequence`. Boundary: E ≥ 1/α against a share of .10, which for level 3 is that
 * against .90; class: E ≥ 3/α against a share of .95.
 * Range: positive whole numbers, larger for smaller α.
 * Undefined when: never; α outside 0…1 is a RangeError.
 * Differs from the paper: not in the paper.
 * @see `LevelSequence`
 * @example
 * identicalReplicates(0.05, "boundary") // => 53
 */
export function identicalReplicates(alpha: number, stop: StopRule): number {
  const sequence = new LevelSequence(alpha);
  while (!isSettled(sequence, stop)) sequence.addLevel(1);
  return sequence.replicates;
}
