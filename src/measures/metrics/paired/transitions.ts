import type { Transitions } from "../../../core/results/compare.js";
import type { Underspecification } from "../../../experiments/rules/tiers/result.js";
import { shareEstimate } from "../indices.js";
import { AUDITED, type AuditedCell } from "../judge/counts.js";
import {
  armPatterns,
  type Counted,
  clusterPairs,
  clusterShares,
  isComplete,
  onePool,
  type Patterns,
} from "./arm-patterns.js";
import { type ChangeOptions, pairedDifference } from "./paired-change.js";

const NO_PAIR = "no decision has a verdict in every arm";

/**
 * The ambiguity caused by rules being shorter than they could be, measured by auditing the same decisions under both texts.
 *
 * Formula: AI_C gross = P(fires coarsest, not finest); reversals = P(not coarsest, fires finest); net = gross − reversals = AI_coarsest −
 * AI_finest; AI_resid = P(fires finest).
 * Range: [0, 1]; net within [−1, 1]. AI_coarsest = gross + (AI_resid − reversals).
 * Undefined when: no decision has a verdict in every arm.
 * Differs from the paper: the paper's estimate of AI_C is the net difference, described as the share that becomes determinate; that share is the
 * gross one. Both are given.
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
    shareEstimate(clusterShares(flat, holds), NO_PAIR);
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

/**
 * Transitions between levels from one arm to another: which decisions a change of the rules moves, and where. The paper's mechanism, the conversion
 * of plausible decisions into plain ones, is the cell L2 → L1.
 *
 * Formula: t_ij = #{level i in a, level j in b}; l2_to_l1 = t_21, as a share of all and of Σ_j t_2j. Shares with `pooledProportion` over clusters.
 * Range: counts; rows and columns sum to the counts of the levels in a and in b.
 * Undefined when: there is no pair, or no decision at the level that a share refers to.
 * Differs from the paper: the paper infers conversions from the marginal counts; a net change of 0 can hide equally many moves each way.
 * @see paper §6
 * @example
 * transitions([{ cluster: 0, kinds: [2, 1], n: 4 }], 0, 1).l2_to_l1.n // => 4
 */
export function transitions(patterns: Patterns, a: number, b: number, options: ChangeOptions = {}): Transitions {
  const all = armPatterns(patterns);
  const table = [0, 1, 2].map(() => [0, 0, 0]);
  const inverse = [
    [0, 0],
    [0, 0],
  ];
  all.distinct.forEach((kinds, i) => {
    if (!isComplete(kinds)) return;
    const from = AUDITED[kinds[a]!]!;
    const to = AUDITED[kinds[b]!]!;
    table[from.level - 1]![to.level - 1]! += all.totals[i]!;
    inverse[from.inverse ? 0 : 1]![to.inverse ? 0 : 1]! += all.totals[i]!;
  });
  const sum = (holds: (from: number, to: number) => boolean) =>
    table.reduce((total, row, i) => total + row.reduce((part, cell, j) => part + (holds(i, j) ? cell : 0), 0), 0);
  const flat = options.unit === "decision" ? onePool(all) : all;
  const share = (holds: (from: number, to: number) => boolean, level?: number) =>
    shareEstimate(
      clusterShares(
        flat,
        (verdicts) => holds(verdicts[a]!.level, verdicts[b]!.level),
        (verdicts) => level === undefined || verdicts[a]!.level === level,
      ),
      level === undefined ? NO_PAIR : `no decision is at level ${level} before`,
    );
  const up = (from: number, to: number) => from === 2 && to === 1;
  const down = (from: number, to: number) => from === 1 && to === 2;
  return {
    n: sum(() => true),
    table,
    inverse,
    changed: share((from, to) => from !== to),
    more_severe: sum((from, to) => to > from),
    less_severe: sum((from, to) => to < from),
    l2_to_l1: { n: table[1]![0]!, of_all: share(up), of_level_2: share(up, 2) },
    l1_to_l2: { n: table[0]![1]!, of_all: share(down), of_level_1: share(down, 1) },
  };
}
