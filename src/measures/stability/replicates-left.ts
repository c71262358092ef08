import type { StopRule } from "./allocate.js";
import { BOUNDARY_THRESHOLDS, CLASS_THRESHOLDS } from "./classify.js";
import type { LevelSequence } from "./level-sequence.js";

/**
 * About how many more replicates a case will take to be settled, if its shares stay what they seem: the way to spend a budget where it
 * decides something is to go to the nearest first.
 *
 * Formula: ln E grows by KL(p ‖ τ) a replicate and loses ½ ln t to the mixture, so n ≈ (ln(1/α) + ½ ln(t + 1)) / min_τ KL(p ‖ τ), less the t
 * there are; p = (k + ½)/(t + 1) of level 3 for the boundary, of the commonest level (with α/3) for the class; the larger of the two.
 * Range: negative where it might have been settled already; large beside a threshold.
 * Undefined when: never.
 * Differs from the paper: not in the paper.
 * @see `LevelSequence`
 */
export function replicatesLeft(sequence: LevelSequence, stop: StopRule): number {
  const { replicates: t, sums, alpha } = sequence;
  const needed = (sum: number, thresholds: readonly number[], level: number) => {
    const p = (sum + 0.5) / (t + 1);
    const nearest = Math.min(...thresholds.map((threshold) => divergence(p, threshold)));
    // Beside a threshold the need is without bound; any large number sorts last.
    return (Math.log(1 / level) + 0.5 * Math.log(t + 1)) / Math.max(nearest, 1e-9);
  };
  const boundary = sequence.boundary().value === null ? needed(sums[2], BOUNDARY_THRESHOLDS, alpha) : 0;
  if (stop === "boundary" || sequence.class().value !== null) return boundary - t;
  return Math.max(boundary, needed(Math.max(...sums), CLASS_THRESHOLDS, alpha / 3)) - t;
}

/** Kullback–Leibler divergence of two Bernoulli laws, in nats. */
function divergence(p: number, q: number): number {
  return p * Math.log(p / q) + (1 - p) * Math.log((1 - p) / (1 - q));
}
