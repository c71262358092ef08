import type { Condition } from "./replicates.js";

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
