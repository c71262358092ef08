import { createRng } from "../../../stats/random/create-rng.js";
import { shuffle } from "../../../stats/random/shuffle.js";
import type { ScoredCase } from "./score-case.js";

export interface Halves {
  /** Thresholds are chosen on these. */
  choosing: ScoredCase[];
  /** False positives are counted on these. */
  reported: ScoredCase[];
}

/** Clean cases in two halves at random, each decision's cases apart, so that both halves have approvals and removals alike. */
export function splitClean(clean: readonly ScoredCase[], seed: number): Halves {
  const rng = createRng(seed).fork("halves of the clean cases");
  const halves: Halves = { choosing: [], reported: [] };
  const decisions = [...new Set(clean.map((one) => one.case.decision))].sort();
  for (const decision of decisions) {
    const some = clean.filter((one) => one.case.decision === decision);
    // The order of the file must not matter.
    some.sort((a, b) => (a.case.id < b.case.id ? -1 : 1));
    const mixed = shuffle(some, rng.fork(decision));
    const middle = Math.floor(mixed.length / 2);
    mixed.forEach((one, i) => {
      (i < middle ? halves.choosing : halves.reported).push(one);
    });
  }
  return halves;
}
