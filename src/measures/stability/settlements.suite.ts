import type { Rng } from "../../stats/random/create-rng.js";
import { boundaryState, LevelSequence, stabilityClass } from "./level-sequence.js";

/** True shares of the levels, most of them just beside a threshold, where a wrong answer is nearest. */
const HARD_SHARES: readonly (readonly [number, number, number])[] = [
  [0.899, 0, 0.101],
  [0.901, 0, 0.099],
  [0.101, 0, 0.899],
  [0.5, 0.399, 0.101],
  [0.949, 0.051, 0],
  [0.951, 0.049, 0],
  [0.799, 0.101, 0.1],
  [0.801, 0.1, 0.099],
  [0.599, 0.3, 0.101],
  [0.601, 0.3, 0.099],
  [0.34, 0.33, 0.33],
  [1, 0, 0],
];

export interface Settlements {
  shares: readonly [number, number, number];
  what: "boundary" | "class";
  settled: number;
  /** Share of all cases that were settled wrongly. */
  rate: number;
}

/** Draws cases with known shares one replicate at a time, and counts how often what is settled is wrong. `soft`: probabilities instead of draws. */
export function falseSettlements({
  cases,
  most,
  alpha,
  rng,
  soft = false,
}: {
  cases: number;
  most: number;
  alpha: number;
  rng: Rng;
  soft?: boolean;
}): Settlements[] {
  return HARD_SHARES.flatMap((shares): Settlements[] => {
    const big = 1_000_000;
    const truth = {
      boundary: boundaryState(Math.round(shares[2] * big), big),
      class: stabilityClass(Math.round(Math.max(...shares) * big), big),
    };
    const counts = { boundary: { settled: 0, wrong: 0 }, class: { settled: 0, wrong: 0 } };
    for (let i = 0; i < cases; i += 1) {
      const sequence = new LevelSequence(alpha);
      for (let k = 0; k < most; k += 1) {
        const u = rng.next();
        const level = u < shares[0] ? 1 : u < shares[0] + shares[1] ? 2 : 3;
        if (soft) blurred(sequence, level, shares);
        else sequence.addLevel(level);
      }
      for (const what of ["boundary", "class"] as const) {
        const { value } = sequence[what]();
        if (value === null) continue;
        counts[what].settled += 1;
        if (value !== truth[what]) counts[what].wrong += 1;
      }
    }
    return (["boundary", "class"] as const).map((what) => ({
      shares,
      what,
      settled: counts[what].settled,
      rate: counts[what].wrong / cases,
    }));
  });
}

/** Half certain of its level, half knowing no more than the shares: probabilities with the same mean as the draws. */
function blurred(sequence: LevelSequence, level: number, shares: readonly [number, number, number]): void {
  const p = shares.map((share, i) => 0.5 * share + (level === i + 1 ? 0.5 : 0)) as [number, number, number];
  sequence.add(...p);
}
