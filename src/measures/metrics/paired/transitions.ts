import { type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import type { Transitions } from "../../../core/results/paired-change.js";
import { proportion } from "../../../stats/intervals/proportion.js";
import { AUDITED } from "../judge/counts.js";
import { armPatterns, isComplete, type Patterns } from "./arm-patterns.js";

/**
 * From level to level between two arms: which decisions a change of the rules moves, and where. The paper's mechanism, the conversion of
 * plausible decisions into plain ones, is the cell L2 → L1.
 *
 * Formula: t_ij = #{level i in a, level j in b}; l2_to_l1 = t_21, of all and of Σ_j t_2j.
 * Range: counts; rows and columns add up to the counts of the levels in a and in b.
 * Undefined when: there is no pair, or no decision at the level that a share is of.
 * Differs from the paper: the paper infers conversions from the margins; a margin of 0 can hide as many moves each way.
 * @see paper §6
 * @example
 * transitions([{ cluster: 0, kinds: [2, 1], n: 4 }], 0, 1).l2_to_l1.n // => 4
 */
export function transitions(patterns: Patterns, a: number, b: number): Transitions {
  const { distinct, totals } = armPatterns(patterns);
  const table = [0, 1, 2].map(() => [0, 0, 0]);
  const inverse = [
    [0, 0],
    [0, 0],
  ];
  distinct.forEach((kinds, i) => {
    if (!isComplete(kinds)) return;
    const from = AUDITED[kinds[a]!]!;
    const to = AUDITED[kinds[b]!]!;
    table[from.level - 1]![to.level - 1]! += totals[i]!;
    inverse[from.inverse ? 0 : 1]![to.inverse ? 0 : 1]! += totals[i]!;
  });
  const sum = (holds: (from: number, to: number) => boolean) =>
    table.reduce((total, row, i) => total + row.reduce((part, cell, j) => part + (holds(i, j) ? cell : 0), 0), 0);
  const n = sum(() => true);
  const atLevel = (level: number) => sum((from) => from === level - 1);
  const moreSevere = sum((from, to) => to > from);
  const lessSevere = sum((from, to) => to < from);
  const [up, down] = [table[1]![0]!, table[0]![1]!];
  return {
    n,
    table,
    inverse,
    changed: share(moreSevere + lessSevere, n, "no decision has a verdict in every arm"),
    more_severe: moreSevere,
    less_severe: lessSevere,
    l2_to_l1: {
      n: up,
      of_all: share(up, n, "no decision has a verdict in every arm"),
      of_level_2: share(up, atLevel(2), "no decision is at level 2 before"),
    },
    l1_to_l2: {
      n: down,
      of_all: share(down, n, "no decision has a verdict in every arm"),
      of_level_1: share(down, atLevel(1), "no decision is at level 1 before"),
    },
  };
}

function share(k: number, n: number, empty: string): Estimate {
  return n === 0 ? undefinedEstimate(empty, 0) : proportion(k, n);
}
