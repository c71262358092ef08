import { describe, it } from "vitest";
import type { Level } from "../../src/core/records/level.js";
import { createRng, drawBinomial, type FastUniform, fastUniform, type Rng } from "../../src/entry/stats.js";
import { closedThreads, type RandomReview, realisedRate } from "../../src/measures/gate/realised-risk.js";
import { logBoundedEValue } from "../../src/stats/tests/bounded-e-value.js";
import { atLeast } from "./coverage.js";
import { record } from "./record.js";

const DAY = 86_400_000;
const DAYS = 60;
const LOOKS = 20;
const WORLDS = 2000;
const CAP = 5;
const DELTA = 0.05;

/** Threads that are alike: how often they come, their decisions, and the chance that one is bad (a wave is bad as a whole). */
interface Kind {
  share: number;
  size: number;
  bad: number;
  /** Threads in all. */
  threads: number;
}

interface World {
  kinds: readonly Kind[];
  /** Reviews are late or never come, bad ones more often. */
  missing: boolean;
}

function drawReviews(
  { kinds, missing }: World,
  rng: Rng,
  uniform: FastUniform,
): (RandomReview & { answered: number })[] {
  const reviews: (RandomReview & { answered: number })[] = [];
  let thread = 0;
  const review = (share: number, name: string | null, routed: number, bad: boolean) => {
    const level: Level = bad ? 3 : 1;
    const lost = missing && rng.next() < (bad ? 0.2 : 0.02);
    const delay = missing ? -Math.log(1 - rng.next()) * (bad ? 8 : 2) * DAY : 0;
    const answered = lost ? Number.POSITIVE_INFINITY : routed + delay;
    const answer = { level, overturned: bad };
    reviews.push({
      community: "a",
      cohort: "a",
      action: "remove",
      language: "en",
      thread: name,
      share,
      routed,
      answer,
      answered,
    });
  };
  for (const { share, size, bad, threads } of kinds) {
    if (size === 1) {
      const drawn = drawBinomial(threads, share, uniform);
      for (let i = 0; i < drawn; i += 1) review(share, null, rng.next() * DAYS * DAY, rng.next() < bad);
      continue;
    }
    for (let i = 0; i < threads; i += 1) {
      const drawn = drawBinomial(size, share, uniform);
      if (drawn === 0) continue;
      const routed = rng.next() * DAYS * DAY;
      const isBad = rng.next() < bad;
      thread += 1;
      for (let k = 0; k < drawn; k += 1) review(share, `t${thread}`, routed + rng.next() * DAY, isBad);
    }
  }
  return reviews;
}

/** The rate of decisions when a thread counts as at most so many reviews. */
function trueRate({ kinds }: World): number {
  const least = Math.min(...kinds.map(({ share }) => share));
  let [bad, all] = [0, 0];
  for (const kind of kinds) {
    const w = least / kind.share;
    // Mean of min(cap, w·Bin(size, share)).
    let counted = 0;
    let chance = (1 - kind.share) ** kind.size;
    for (let k = 0; k <= kind.size; k += 1) {
      counted += chance * Math.min(CAP, w * k);
      chance *= ((kind.size - k) / (k + 1)) * (kind.share / (1 - kind.share));
    }
    bad += kind.threads * counted * kind.bad;
    all += kind.threads * counted;
  }
  return bad / all;
}

/** Whether the bounds hold the truth: at one look on the last day, and at every one of many looks. */
function boundsHold(
  reviews: (RandomReview & { answered: number })[],
  truth: number,
): { once: boolean; anytime: boolean } {
  const seenAt = (now: number): RandomReview[] =>
    reviews.filter(({ routed }) => routed <= now).map((one) => (one.answered <= now ? one : { ...one, answer: null }));
  const end = DAYS * DAY;
  const { upper } = realisedRate(seenAt(end), "risk", { now: end, delta: DELTA, threadCap: CAP });
  let anytime = true;
  for (let look = 1; look <= LOOKS && anytime; look += 1) {
    const now = (end * look) / LOOKS;
    const units = closedThreads(seenAt(now), "risk", { now, threadCap: CAP, missing: 1 });
    anytime = units.length === 0 || logBoundedEValue(units, truth) < -Math.log(DELTA);
  }
  return { once: upper.once === null || upper.once >= truth, anytime };
}

const single = (share: number, bad: number, reviews: number): Kind => ({
  share,
  size: 1,
  bad,
  threads: reviews / share,
});

const WORLDS_OF: { setting: string; kinds: readonly Kind[] }[] = [
  ...[0.01, 0.02, 0.05, 0.1].map((share) => ({
    setting: `share ${share}, rate 0.03`,
    kinds: [single(share, 0.03, 250)],
  })),
  { setting: "share 0.02, rate 0.01", kinds: [single(0.02, 0.01, 250)] },
  { setting: "share 0.02, rate 0.1, 60 reviews", kinds: [single(0.02, 0.1, 60)] },
  {
    setting: "shares 0.02 (rate 0.01) and 0.1 (rate 0.06) in one cell",
    kinds: [single(0.02, 0.01, 60), single(0.1, 0.06, 300)],
  },
  {
    setting: "shares 0.01 (rate 0.05) and 0.1 (rate 0.01) in one cell",
    kinds: [single(0.01, 0.05, 60), single(0.1, 0.01, 300)],
  },
  ...[10, 40].map((size) => ({
    setting: `share 0.1, waves of ${size} wholly bad in 1 of 10, calm neighbours`,
    kinds: [{ share: 0.1, size, bad: 0.1, threads: Math.round(800 / size) }, single(0.1, 0.01, 150)],
  })),
  {
    setting: "share 0.02, few waves of 40 wholly bad in 1 of 2",
    kinds: [{ share: 0.02, size: 40, bad: 0.5, threads: 15 }, single(0.02, 0.01, 200)],
  },
];

describe("realised risk", () => {
  const cases = WORLDS_OF.flatMap(({ setting, kinds }) => [
    { setting, world: { kinds, missing: false } },
    { setting: `${setting}; outcomes late or missing`, world: { kinds, missing: true } },
  ]);

  it.each(cases)("$setting", ({ setting, world }) => {
    const seed = `realised risk ${setting}`;
    const rng = createRng(seed);
    const uniform = fastUniform(rng.fork("counts"));
    const truth = trueRate(world);
    let [once, anytime] = [0, 0];
    for (let draw = 0; draw < WORLDS; draw += 1) {
      const held = boundsHold(drawReviews(world, rng, uniform), truth);
      if (held.once) once += 1;
      if (held.anytime) anytime += 1;
    }
    const row = { topic: "Realised risk", setting, measure: "coverage", promise: atLeast(0.95), draws: WORLDS, seed };
    record({ ...row, method: "one look", observed: once / WORLDS });
    record({ ...row, method: `${LOOKS} looks`, observed: anytime / WORLDS });
  });
});
