import type { StabilityGroup } from "../../core/names.js";
import { sdEstimate } from "../../stats/intervals/mean-estimate.js";
import type { Interval } from "../../stats/intervals/proportion.js";
import type { CellStats } from "./cell-stats.js";
import { cellStats, lawOf } from "./cell-stats.js";
import { LevelSequence } from "./level-sequence.js";
import type { Replicates } from "./replicates.js";

/** All results computed for one case under one condition. */
export interface CellAnalysis {
  case: number;
  condition: number;
  all: CellStats;
  /** Signals are taken from these replicates. */
  even: CellStats;
  /** Stability is measured on these replicates, which do not overlap with `even`. */
  odd: CellStats;
  sequence: LevelSequence;
  sdPdsInterval: Interval | null;
  sdPDefensibleInterval: Interval | null;
  /** Standard error of the sd of p_defensible, squared; null without an interval. */
  sdError: { pds: number | null; pDefensible: number | null };
}

/** Replicates, the results for each cell, and the group of each case. */
export interface Analysed {
  replicates: Replicates;
  /** Ordered by case, then by condition. */
  cells: CellAnalysis[];
  /** Group of each case; null: in neither. */
  groups: readonly (StabilityGroup | null)[];
  /** Conditions that differ only in temperature, coldest first. */
  line: number[];
}

interface CellOptions {
  alpha: number;
  evidence: Evidence;
}

/** All cells, with a few passes over the rows of each. */
export function analyseCells(
  replicates: Replicates,
  groups: readonly (StabilityGroup | null)[],
  options: CellOptions,
): Analysed {
  const { decisions, conditions } = replicates;
  const cells: CellAnalysis[] = [];
  for (let cell = 0; cell < decisions.length * conditions.length; cell += 1) {
    const pds = sdEstimate(verdictValues(replicates, cell, replicates.pds));
    const pDefensible = sdEstimate(verdictValues(replicates, cell, replicates.pDefensible));
    cells.push({
      case: Math.floor(cell / conditions.length),
      condition: cell % conditions.length,
      all: cellStats(replicates, cell),
      even: cellStats(replicates, cell, "even"),
      odd: cellStats(replicates, cell, "odd"),
      sequence: replay(replicates, cell, options),
      sdPdsInterval: pds.interval,
      sdPDefensibleInterval: pDefensible.interval,
      sdError: { pds: squaredError(pds.interval), pDefensible: squaredError(pDefensible.interval) },
    });
  }
  return { replicates, cells, groups, line: temperatureLine(replicates) };
}

export function cellOf({ cells, replicates }: Analysed, caseIndex: number, condition: number): CellAnalysis {
  return cells[caseIndex * replicates.conditions.length + condition]!;
}

/** Values of a column over the verdicts of a cell, without missing ones. */
function verdictValues({ start, level }: Replicates, cell: number, column: Float64Array): Float64Array {
  const [from, to] = [start[cell]!, start[cell + 1]!];
  const values = new Float64Array(to - from);
  let n = 0;
  for (let row = from; row < to; row += 1) {
    if (level[row] !== 0 && !Number.isNaN(column[row])) values[n++] = column[row]!;
  }
  return values.subarray(0, n);
}

/** The half-width of a 95% interval is about two standard errors, on the scale of the value and not of its logarithm. */
function squaredError(interval: Interval | null): number | null {
  return interval && ((interval.upper - interval.lower) / (2 * 1.96)) ** 2;
}

/** The conditions of the first run and the first template, by temperature. */
function temperatureLine({ conditions }: Replicates): number[] {
  const [first] = conditions;
  if (!first) return [];
  return conditions
    .map((_, index) => index)
    .filter((index) => {
      const { run, auditor, template } = conditions[index]!;
      return run === first.run && auditor === first.auditor && template === first.template;
    })
    .sort((a, b) => (conditions[a]!.temperature ?? 0) - (conditions[b]!.temperature ?? 0));
}

/** What counts as evidence from a replicate: the level it drew, or the probabilities it drew from. */
export type Evidence = "labels" | "probabilities";

/**
 * What the replicates of a cell settle, taken in order. The result is the same whether they were drawn one by one or all at once.
 *
 * Formula: each verdict is added to a `LevelSequence`: its level, or, if requested and known, its probabilities at the temperature of the draws.
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
