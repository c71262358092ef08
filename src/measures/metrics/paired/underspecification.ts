import type { Estimate } from "../../../core/estimate.js";
import type { AuditedCell } from "../judge/counts.js";
import { shareEstimate } from "../rate.js";
import { armPatterns, type Counted, clusterPairs, clusterShares, onePool, type Patterns } from "./arm-patterns.js";
import type { ChangeOptions } from "./paired-change.js";
import { pairedDifference } from "./paired-difference.js";

export interface Underspecification {
  /** P(open under the coarsest text, not under the finest): what the missing text left open. */
  gross: Estimate;
  /** P(not open under the coarsest, open under the finest): what the longer text opened. */
  reversals: Estimate;
  /** Gross − reversals = AI(coarsest) − AI(finest), which the paper prints. */
  net: Estimate;
  /** P(open under the finest text): what no text so far settles. */
  residual: Estimate;
}

/**
 * The ambiguity that comes from rules being shorter than they could be, measured by auditing the same decisions under both texts.
 *
 * Formula: AI_C gross = P(fires coarsest, not finest); reversals = P(not coarsest, fires finest); net = gross − reversals = AI_coarsest −
 * AI_finest; AI_resid = P(fires finest).
 * Range: [0, 1]; net within [−1, 1]. AI_coarsest = gross + (AI_resid − reversals).
 * Undefined when: no decision has a verdict in every arm.
 * Differs from the paper: the paper's estimate of AI_C is the net difference, called the share that becomes determinate; that share is
 * the gross one, and both are given.
 * @see paper §6
 * @example
 * underspecification([{ cluster: 0, kinds: [0, 1], n: 4 }], 0, 1, ({ inverse }) => inverse).gross.estimate // => 1
 */
export function underspecification(
  patterns: Patterns,
  coarsest: number,
  finest: number,
  open: Counted,
  options: ChangeOptions = {},
): Underspecification {
  const table = armPatterns(patterns);
  const flat = options.unit === "decision" ? onePool(table) : table;
  const share = (holds: (verdicts: readonly AuditedCell[]) => boolean) =>
    shareEstimate(clusterShares(flat, holds), "no decision has a verdict in every arm");
  const firesIn = (verdicts: readonly AuditedCell[], arm: number) => open(verdicts[arm]!);
  return {
    gross: share((verdicts) => firesIn(verdicts, coarsest) && !firesIn(verdicts, finest)),
    reversals: share((verdicts) => !firesIn(verdicts, coarsest) && firesIn(verdicts, finest)),
    net: pairedDifference(
      clusterPairs(flat, finest, coarsest, open),
      options.unit === "thread" ? "thread" : "community",
    ),
    residual: share((verdicts) => firesIn(verdicts, finest)),
  };
}
