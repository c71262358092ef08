import type { Weights } from "../signals/weights.js";
import { entropyColumn } from "./paper-design.js";
import type { ScoreColumns } from "./score-columns.js";

/** S of every row under given weights, NaN where a part is absent: `probabilisticDefensibilitySignal` for columns. */
export function paperScores(
  columns: ScoreColumns,
  weights: Pick<Weights, "alpha" | "beta" | "gamma" | "component">,
): Float64Array {
  const { alpha, beta, gamma, component } = weights;
  const entropy = entropyColumn(columns, component);
  const { n, lambdaNats, inverseYesProb } = columns;
  const scores = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    // A confidence a rounding error above 1 must not make a score above 1.
    const lambda = lambdaNats[i]! > 0 ? 0 : lambdaNats[i]!;
    scores[i] = Math.exp(alpha * lambda - beta * entropy[i]! - gamma * inverseYesProb[i]!);
  }
  return scores;
}

/** 1 where the target is level 1 or 2, 0 where it is level 3, 255 where there is none. */
export function defensibleTargets(levels: Uint8Array): Uint8Array {
  const targets = new Uint8Array(levels.length);
  for (let i = 0; i < levels.length; i += 1) targets[i] = levels[i] === 0 ? 255 : levels[i] === 3 ? 0 : 1;
  return targets;
}
