/** Under what a set of replicates was made. */
export interface Condition {
  /** `t=0.7` and the like; "" is the run as it stands. */
  arm: string;
  run: string | null;
  auditor: string | null;
  temperature: number | null;
  template: string | null;
}

/**
 * Repeated audits of the same decisions as columns: case by case, within a case condition by condition, then by replicate. What a row
 * does not have is NaN.
 */
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
  /** 1: p1 to p3 are known to hold at temperature 1, so that the law of the draws follows from them. */
  unitSpace: Uint8Array;
}

/** Columns of numbers, in the order in which a reader fills them. */
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

/** What conditions may differ in. */
export const FACTORS = ["temperature", "prompt", "auditor"] as const;
export type Factor = (typeof FACTORS)[number];

export interface CrossedDesign {
  /** How many levels of each factor there are. */
  levels: Record<Factor, number>;
  /** One condition for each combination of levels, the last factor running fastest. */
  conditions: number[];
}

const LEVEL_OF: Record<Factor, (condition: Condition) => string> = {
  temperature: ({ temperature }) => String(temperature),
  prompt: ({ template }) => String(template),
  // Two runs of one auditor are two levels as well: what differs between them is not the case.
  auditor: ({ auditor, run }) => `${auditor}\u0000${run}`,
};

/**
 * The largest complete table of conditions: every temperature that all prompts and auditors have.
 *
 * Formula: levels of prompt and auditor as they occur; temperatures t such that (t, prompt, auditor) exists for all of them.
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
