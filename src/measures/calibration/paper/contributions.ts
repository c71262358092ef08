import type { PaperDesign } from "./design.js";
import { fitSimplex } from "./fit-simplex.js";
import { paperLoss } from "./loss.js";

/** What one part of S contributes to it. */
export interface Contribution {
  part: "label_confidence" | "entropy" | "inverse_check";
  weight: number;
  /** Mean and standard deviation of the part over the rows: nats for −λ, bits for H, a probability for σ(ρ). */
  mean: number;
  sd: number;
  /** How far the part moves ln S from row to row. */
  weight_times_sd: number;
  /** Loss of the best weights without the part, and by how much it is worse. */
  loss_without: number;
  loss_increase_without: number;
  /** Loss of these weights when every row has the mean of the part: what its variation is worth. */
  loss_at_mean: number;
  loss_increase_at_mean: number;
}

const PARTS = ["label_confidence", "entropy", "inverse_check"] as const;

/**
 * What each part of S contributes, since the weights alone mislead: they must sum to 1, so a part that is nearly 0 in
 * every row takes whatever weight the others do not want.
 *
 * Formula: for part j: w_j sd(x_j); min over w with w_j = 0 of L(w), minus L(w*); L(w*) with x_j replaced by its mean,
 * minus L(w*).
 * Range: w_j sd(x_j) ≥ 0. The increase without the part is ≥ 0 at the optimum; that at the mean may be negative, when the
 * part points the wrong way.
 * Undefined when: no rows (RangeError).
 * Differs from the paper: the paper reads the weights themselves as importance.
 * @see paper §4.3, Table "Calibrated PDS weights"
 * @example
 * paperContributions({ n: 1, ones: 1, sumOfOnes: [0.1, 0.3, 0.2], zeros: [], mean: [0.1, 0.3, 0.2], sd: [0, 0, 0] }, [1, 0, 0], 0.1) // => [{ loss_without: 0.200001 }, { loss_without: 0.100001 }, { loss_without: 0.100001 }]
 */
export function paperContributions(design: PaperDesign, weights: ArrayLike<number>, loss: number): Contribution[] {
  return PARTS.map((part, j) => {
    const others = [0, 1, 2].filter((other) => other !== j);
    const without = fitSimplex(design, others).loss;
    const flat = paperLoss(withMean(design, j), weights);
    return {
      part,
      weight: weights[j]!,
      mean: design.mean[j]!,
      sd: design.sd[j]!,
      weight_times_sd: weights[j]! * design.sd[j]!,
      loss_without: without,
      loss_increase_without: without - loss,
      loss_at_mean: flat,
      loss_increase_at_mean: flat - loss,
    };
  });
}

function withMean(design: PaperDesign, part: number): PaperDesign {
  const zeros = design.zeros.slice();
  const mean = design.mean[part]!;
  for (let i = part; i < zeros.length; i += 3) zeros[i] = mean;
  const sumOfOnes = design.sumOfOnes.slice();
  sumOfOnes[part] = design.ones * mean;
  return { ...design, zeros, sumOfOnes };
}
