import type { StabilityGroup } from "../../core/names.js";
import type { Rng } from "../../stats/random/create-rng.js";
import { shuffle } from "../../stats/random/shuffle.js";

/** What the pilot saw of a candidate: verdicts by level. */
export interface PilotCase {
  decision_id: string;
  counts: readonly [number, number, number];
}

/** What makes a case a Flipper: more than one level, or both sides of the line between level 2 and level 3. */
export type FlipperRule = "level" | "boundary";

export interface ChosenCase {
  decision_id: string;
  group: StabilityGroup;
}

/**
 * The group of a candidate by its pilot replicates, which are not measured afterwards.
 *
 * Formula: flipper iff the pilot shows more than one level (rule `level`), or level 3 and another (rule `boundary`).
 * Range: flipper or stable.
 * Undefined when: the pilot has no verdict: null; with one alone nothing can flip, and every case is stable.
 * Differs from the paper: the paper says "by pre-evaluation" and not how.
 * @see paper §7.2
 * @example
 * pilotGroup([8, 2, 0], "boundary") // => "stable"
 */
export function pilotGroup(counts: PilotCase["counts"], rule: FlipperRule): StabilityGroup | null {
  const [one, two, three] = counts;
  if (one + two + three === 0) return null;
  const sides = rule === "level" ? [one, two, three] : [one + two, three];
  return sides.filter((count) => count > 0).length > 1 ? "flipper" : "stable";
}

/**
 * Cases to be measured: up to half of them Flippers and up to half Stable, drawn among the candidates.
 *
 * Formula: within each group a random order by seed, the first ⌊cases / 2⌋; the result in the order of ids.
 * Range: at most `cases`; fewer where a group is small, since filling up with the other would change what is compared.
 * Undefined when: never; no candidates give no cases.
 * Differs from the paper: the paper has 50 of each and says neither how many were looked at nor how they were drawn.
 * @see paper §7.2
 * @example
 * chooseCases([{ decision_id: "a", counts: [3, 0, 0] }], { cases: 2, rule: "level", rng: { int: () => 0 } }).length // => 1
 */
export function chooseCases(
  pilot: readonly PilotCase[],
  { cases, rule, rng }: { cases: number; rule: FlipperRule; rng: Pick<Rng, "int"> },
): ChosenCase[] {
  const half = Math.floor(cases / 2);
  const sorted = [...pilot].sort((a, b) => (a.decision_id < b.decision_id ? -1 : 1));
  const chosen = (["flipper", "stable"] as const).flatMap((group) => {
    const members = sorted.filter(({ counts }) => pilotGroup(counts, rule) === group);
    return shuffle(members, rng)
      .slice(0, half)
      .map(({ decision_id }) => ({ decision_id, group }));
  });
  return chosen.sort((a, b) => (a.decision_id < b.decision_id ? -1 : 1));
}
