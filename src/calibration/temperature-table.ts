import type { Estimate } from "../domain/estimate.js";
import { proportion } from "../stats/proportion.js";
import { evaluateScore } from "./evaluate-score.js";
import { gather } from "./gather.js";
import type { AgainstNull } from "./null-distribution.js";
import { type FitTarget, targetLevels } from "./paper-design.js";
import { defensibleTargets } from "./paper-scores.js";
import type { ScoreColumns } from "./score-columns.js";

/** One line of the paper's held-out table. */
export interface TemperatureRow {
  /** Null for rows that do not say. */
  temperature: number | null;
  /** Rows with a score and a target: the paper's N. */
  n: number;
  /** Rows with a target but no score: the paper's Skip. */
  skipped: number;
  extracted: Estimate;
  /** Equal-frequency, as in the paper, and tie-averaged. */
  ece: AgainstNull;
  ece_tie_averaged: AgainstNull;
  mean_score: { all: number | null; defensible: number | null; indefensible: number | null };
  /** Among the rows with a score, as in the paper. */
  defensible: Estimate;
}

export interface TemperatureTableOptions {
  seed: number;
  /** Default: `pds` of the columns. NaN: no score. */
  score?: Float64Array;
  target?: FitTarget;
  draws?: number;
  bins?: number;
}

/**
 * The paper's held-out table: one line for each temperature, ascending. Every line draws from the same seed.
 * @see paper Appendix A.3, Table "Held-out ECE on the Random Sample across operating temperatures"
 */
export function temperatureTable(columns: ScoreColumns, options: TemperatureTableOptions): TemperatureRow[] {
  const { seed, score = columns.pds, target = "emitted", draws, bins } = options;
  const levels = targetLevels(columns, target);
  return rowsByTemperature(columns.temperature).map(({ temperature, rows }) => {
    const scores = gather(score, rows, new Float64Array(rows.length));
    const targets = defensibleTargets(gather(levels, rows, new Uint8Array(rows.length)));
    const found = evaluateScore(scores, targets, {
      seed,
      ...(draws !== undefined && { draws }),
      ...(bins !== undefined && { bins }),
    });
    return {
      temperature,
      n: found.n,
      skipped: found.left_out.no_score,
      extracted: proportion(found.n, found.n + found.left_out.no_score),
      ece: found.ece.equal_frequency,
      ece_tie_averaged: found.ece.tie_averaged,
      mean_score: found.mean_score,
      defensible: proportion(found.n_defensible, found.n),
    };
  });
}

function rowsByTemperature(temperatures: Float64Array): { temperature: number | null; rows: Uint32Array }[] {
  const counts = new Map<number, number>();
  for (const temperature of temperatures) counts.set(temperature, (counts.get(temperature) ?? 0) + 1);
  // NaN, the temperature of rows that do not say, is a key of a Map like any other and goes last.
  const found = [...counts.keys()].sort((a, b) => (Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a - b));
  const filled = new Map(found.map((key) => [key, { rows: new Uint32Array(counts.get(key)!), next: 0 }]));
  for (let i = 0; i < temperatures.length; i += 1) {
    const group = filled.get(temperatures[i]!)!;
    group.rows[group.next] = i;
    group.next += 1;
  }
  return Array.from(filled, ([key, { rows }]) => ({ temperature: Number.isNaN(key) ? null : key, rows }));
}
