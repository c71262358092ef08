import { describe, expect, it } from "vitest";
import { learnThenTest } from "../../src/measures/gate/selective/learn-then-test.js";
import { groupScores, type RowThreads } from "../../src/measures/gate/selective/score-groups.js";
import { createRng, type Rng } from "../../src/stats/random/create-rng.js";
import { atMost, worseLargeThreads } from "./coverage.js";
import { record } from "./record.js";

const SAMPLES = 1000;
const RISK = 0.1;
const DELTA = 0.05;

/** Decisions of a thread: true is indefensible. */
type Draw = (rng: Rng) => boolean[];

const whole = (size: number, bad: boolean) => Array<boolean>(size).fill(bad);
const each = (rng: Rng, size: number, rate: number) => Array.from({ length: size }, () => rng.next() < rate);
/** A thread of one or two decisions, each bad by itself. */
const calm = (rng: Rng, rate: number) => each(rng, rng.next() < 0.5 ? 1 : 2, rate);

/** Share of samples in which some threshold is certified, and the mean number of rows. Scores know nothing: every threshold has the same risk. */
function certified(seed: string, threads: number, draw: Draw, cap: number) {
  const rng = createRng(seed);
  const found = { threads: 0, rows: 0 };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const drawn = Array.from({ length: threads }, () => draw(rng));
    const loss = Uint8Array.from(drawn.flat(), Number);
    const of = Int32Array.from(drawn.flatMap((rows, thread) => rows.map(() => thread)));
    const score = Float64Array.from(loss, () => rng.next());
    const holds = (by?: RowThreads) =>
      learnThenTest(groupScores(score, loss, undefined, by), { risk: RISK, delta: DELTA }).threshold !== null;
    if (holds({ of, cap })) found.threads += 1 / SAMPLES;
    if (holds()) found.rows += 1 / SAMPLES;
  }
  return found;
}

const ROW = { draws: SAMPLES, measure: "samples with a threshold whose true risk is 10% or more" };
const FAIR = DELTA + 3 * Math.sqrt((DELTA * (1 - DELTA)) / SAMPLES);

describe("thresholds under waves", () => {
  const worlds: Record<string, { threads: number; draw: Draw }> = {
    ...Object.fromEntries(
      [20, 60, 120].map((threads) => [
        `${threads} threads of 40 decisions, wholly bad with probability 0.12`,
        { threads, draw: (rng: Rng) => whole(40, rng.next() < 0.12) },
      ]),
    ),
    ...Object.fromEntries(
      [10, 40].map((size) => [
        `500 threads, 5% of them of ${size} decisions and wholly bad with probability 0.1`,
        {
          threads: 500,
          draw: (rng: Rng) => (rng.next() < 0.05 ? whole(size, rng.next() < RISK) : calm(rng, RISK)),
        },
      ]),
    ),
    "400 threads of one decision": { threads: 400, draw: (rng: Rng) => each(rng, 1, RISK) },
  };

  it.each(Object.entries(worlds))("%s", (setting, { threads, draw }) => {
    const found = certified(setting, threads, draw, 5);
    const row = { ...ROW, topic: "Thresholds under waves", setting, seed: setting };
    record({ ...row, method: "threads as units, cap 5", promise: atMost(DELTA), observed: found.threads });
    record({ ...row, method: "decisions as independent", promise: null, observed: found.rows });
    expect(found.threads).toBeLessThanOrEqual(FAIR);
    if (threads === 20) expect(found.rows).toBeGreaterThan(0.15);
  });
});

describe("thresholds where threads are the worse the larger they are", () => {
  it.each([1, 5, 20])("at cap %i, at which all rows together are exactly at the limit", (cap) => {
    const { rate, drawThread } = worseLargeThreads(RISK, cap);
    const draw: Draw = (rng) => {
      const { n, own } = drawThread(rng);
      return rng.next() < 0.5 ? whole(n, rng.next() < own) : each(rng, n, own);
    };
    const seed = `threshold badness ${cap}`;
    const found = certified(seed, 500, draw, cap);
    record({
      ...ROW,
      topic: "Thresholds where threads are the worse the larger they are",
      setting: "500 threads of 1 to 20",
      method: `cap ${cap}`,
      promise: atMost(DELTA),
      observed: found.threads,
      beside: { "rate of all decisions": rate },
      seed,
    });
    expect(found.threads).toBeLessThanOrEqual(FAIR);
  });
});

describe("power of thresholds", () => {
  it.each([200, 400, 800])("%i threads of one or two decisions at 3%", (threads) => {
    const seed = `threshold power ${threads}`;
    const found = certified(seed, threads, (rng) => calm(rng, 0.03), 5);
    const row = {
      topic: "Power of thresholds",
      setting: `${threads} threads of 1 or 2 decisions at 3%, limit 10%`,
      measure: "samples with a threshold",
      draws: SAMPLES,
      promise: null,
      seed,
    };
    record({ ...row, method: "threads as units, cap 5", observed: found.threads });
    record({ ...row, method: "decisions as independent", observed: found.rows });
    if (threads === 800) expect(found.threads).toBeGreaterThan(0.9);
  });
});
