import type { DrawsCheck } from "../../experiments/stability/result.js";
import { normalCdf } from "../../stats/distributions/normal.js";
import { type CellStats, lawOf } from "./cell-stats.js";

/** The conditions under which a set of replicates was made. */
export interface Condition {
  /** `t=0.7` and the like; "" for the plain run. */
  arm: string;
  run: string | null;
  auditor: string | null;
  temperature: number | null;
  template: string | null;
}

/** Repeated audits of the same decisions as columns, ordered by case, condition and replicate. Missing values are NaN. */
export interface Replicates {
  decisions: readonly string[];
  communities: readonly string[];
  conditions: readonly Condition[];
  /** Rows of case i under condition j: from start[i · conditions + j] to start[i · conditions + j + 1]. */
  start: Int32Array;
  replicate: Int32Array;
  /** 0: no verdict. */
  level: Uint8Array;
  inverse: Uint8Array;
  p1: Float64Array;
  p2: Float64Array;
  p3: Float64Array;
  pds: Float64Array;
  pDefensible: Float64Array;
  lambdaNats: Float64Array;
  weightBits: Float64Array;
  citationBits: Float64Array;
  inverseYesProb: Float64Array;
  /** 1: p1 to p3 are known to be at temperature 1, so the distribution of the draws follows from them. */
  unitSpace: Uint8Array;
}

/** Numeric columns, in the order in which a reader fills them. */
const REPLICATE_NUMBERS = [
  "p1",
  "p2",
  "p3",
  "pds",
  "pDefensible",
  "lambdaNats",
  "weightBits",
  "citationBits",
  "inverseYesProb",
] as const satisfies readonly (keyof Replicates)[];

type ReplicateNumber = (typeof REPLICATE_NUMBERS)[number];

export function emptyReplicates(
  decisions: readonly string[],
  communities: readonly string[],
  conditions: readonly Condition[],
  rows: number,
): Replicates {
  const numbers = Object.fromEntries(
    REPLICATE_NUMBERS.map((name) => [name, new Float64Array(rows).fill(Number.NaN)]),
  ) as Record<ReplicateNumber, Float64Array>;
  return {
    decisions,
    communities,
    conditions,
    start: new Int32Array(decisions.length * conditions.length + 1),
    replicate: new Int32Array(rows),
    level: new Uint8Array(rows),
    inverse: new Uint8Array(rows),
    ...numbers,
    unitSpace: new Uint8Array(rows),
  };
}

/** What may differ between conditions. */
export const FACTORS = ["temperature", "prompt", "auditor"] as const;
export type Factor = (typeof FACTORS)[number];

export interface CrossedDesign {
  levels: Record<Factor, number>;
  /** One condition for each combination of levels; the last factor varies fastest. */
  conditions: number[];
}

const LEVEL_OF: Record<Factor, (condition: Condition) => string> = {
  temperature: ({ temperature }) => String(temperature),
  prompt: ({ template }) => String(template),
  // Two runs of one auditor are also two levels: the difference between them is not due to the case.
  auditor: ({ auditor, run }) => `${auditor}\u0000${run}`,
};

/**
 * The largest complete table of conditions: every temperature that occurs with all prompts and auditors.
 *
 * Formula: all levels of prompt and auditor that occur; temperatures t such that (t, prompt, auditor) exists for all of them.
 * Range: temperatures × prompts × auditors conditions.
 * Undefined when: no temperature is shared by all: null.
 * Differs from the paper: not in the paper.
 * @see `decompose`
 */
export function crossedDesign(conditions: readonly Condition[]): CrossedDesign | null {
  const levelsOf = (factor: Factor) => [...new Set(conditions.map(LEVEL_OF[factor]))];
  const [temperatures, prompts, auditors] = FACTORS.map(levelsOf) as [string[], string[], string[]];
  const find = (t: string, prompt: string, auditor: string) =>
    conditions.findIndex(
      (condition) =>
        LEVEL_OF.temperature(condition) === t &&
        LEVEL_OF.prompt(condition) === prompt &&
        LEVEL_OF.auditor(condition) === auditor,
    );
  const shared = temperatures.filter((t) =>
    prompts.every((prompt) => auditors.every((auditor) => find(t, prompt, auditor) >= 0)),
  );
  if (shared.length === 0) return null;
  return {
    levels: { temperature: shared.length, prompt: prompts.length, auditor: auditors.length },
    conditions: shared.flatMap((t) => prompts.flatMap((prompt) => auditors.map((auditor) => find(t, prompt, auditor)))),
  };
}

/** Smallest variance of the sums for the normal approximation. */
const ENOUGH = 5;

/**
 * Whether the levels of a condition were drawn from the probabilities in its records, at its temperature. If not, these belong to another
 * temperature, are cut off, or are not those of the draws, and their means must not replace counts.
 *
 * Formula: over the verdicts whose distribution is known, with y = 1{level 3} and p = p_T(3): share z = Σ(y − p) / √Σ p(1 − p); sureness z = Σ(y −
 * p)(1 − 2p) / √Σ (1 − 2p)² p(1 − p), Spiegelhalter's. Two-sided normal p-value; the smaller of the two, doubled.
 * Range: z real; p in [0, 1], where small values say that the levels were not drawn from these probabilities.
 * Undefined when: no distribution is known, or every known one is certain: null.
 * Differs from the paper: not in the paper.
 * @see Spiegelhalter (1986), Statistics in Medicine 5:421-433
 */
export function drawsCheck(replicates: Replicates, condition: number): DrawsCheck {
  const { decisions, conditions, start, level } = replicates;
  const temperature = conditions[condition]!.temperature;
  let [n, thirds, promised, variance, tilted, tiltedVariance] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < decisions.length; i += 1) {
    const cell = i * conditions.length + condition;
    for (let row = start[cell]!; row < start[cell + 1]!; row += 1) {
      if (level[row] === 0) continue;
      const law = lawOf(replicates, row, temperature);
      if (!law) continue;
      n += 1;
      const [p, y] = [law[2], level[row] === 3 ? 1 : 0];
      thirds += y;
      promised += p;
      variance += p * (1 - p);
      tilted += (y - p) * (1 - 2 * p);
      tiltedVariance += (1 - 2 * p) ** 2 * p * (1 - p);
    }
  }
  const unknown = { share_z: null, sureness_z: null, p_value: null };
  if (n === 0) return { n, drawn: null, promised: null, ...unknown };
  const shares = { n, drawn: thirds / n, promised: promised / n };
  // Below this a few draws decide, and the normal approximation does not hold.
  if (variance < ENOUGH || tiltedVariance < ENOUGH) return { ...shares, ...unknown };
  const share_z = (thirds - promised) / Math.sqrt(variance);
  const sureness_z = tilted / Math.sqrt(tiltedVariance);
  const larger = Math.max(Math.abs(share_z), Math.abs(sureness_z));
  return { ...shares, share_z, sureness_z, p_value: Math.min(1, 4 * normalCdf(-larger)) };
}

/**
 * How much faster a mean of probabilities becomes precise than a share of draws: the factor by which replicates are saved.
 *
 * Formula: mean of [Var(p) + E p(1 − p)] / mean of Var(p), p the probability of a defensible level of each replicate at the temperature of the
 * draws; means are over cases. A draw's variance is that of its probability plus that of the last token.
 * Range: [1, ∞); near 1 if the last token is nearly certain and all variance is in the reasoning before it.
 * Undefined when: the distribution of the draws is unknown, or probabilities do not vary: null.
 * Differs from the paper: not in the paper.
 * @see Casella and Robert (1996), Biometrika 83:81-94
 */
export function raoBlackwellGain(cells: readonly Pick<CellStats, "drawn" | "token">[]): number | null {
  let [draws, traces] = [0, 0];
  for (const { drawn, token } of cells) {
    if (drawn.variance === null || token === null) continue;
    traces += drawn.variance;
    draws += drawn.variance + token;
  }
  return traces > 0 ? draws / traces : null;
}
