import type { AttackKind } from "../../../core/results/attack.js";
import type { Rng } from "../../../stats/random/create-rng.js";
import { shuffle } from "../../../stats/random/shuffle.js";
import { type KindMakers, MAKERS } from "./makers.js";
import { inputShare, type Wanted } from "./plan.js";
import type { Candidate, Pool } from "./pool.js";

/** Candidates read for each attack that is wanted: some content does not lend itself to some attacks. */
const SPARE = 4;

export interface Chosen {
  /** In random order; bases of attacks are taken from the front. */
  settled: Candidate[];
  /** In random order; clean cases are taken from the front, passing over those that became bases. */
  clean: Candidate[];
}

/**
 * Which candidates are worth reading: all of them in a small pool, and of a large one so many that every kind finds its material.
 * `isPlatform`: the rule it turns on is the platform's.
 */
export function chooseCandidates(
  pool: Pool,
  wanted: Wanted,
  isPlatform: (candidate: Candidate) => boolean,
  rng: Rng,
): Chosen {
  const clean = shuffle(pool.candidates, rng.fork("clean"));
  const settled = shuffle(
    pool.candidates.filter((one) => one.settled),
    rng.fork("settled"),
  );
  const left = { platform: 0, forbidden: 0, settled: 0 };
  for (const [kind, makers] of Object.entries(MAKERS) as [AttackKind, KindMakers][]) {
    left[makers.needs] += SPARE * inputShare(kind, wanted[kind]);
  }
  const bases = settled.filter((one) => {
    const uses = one.forbidden ? (isPlatform(one) ? NEEDS : NEEDS.slice(1)) : NEEDS.slice(2);
    const use = uses.find((need) => left[need] > 0);
    if (use) left[use]--;
    return use !== undefined;
  });
  const based = new Set(bases);
  let spare = wanted.clean;
  const kept = clean.filter((one) => based.has(one) || spare-- > 0);
  return { settled: bases, clean: kept };
}

const NEEDS = ["platform", "forbidden", "settled"] as const;
