import { describe, expect, it } from "vitest";
import { clopperPearsonBound } from "../../stats/intervals/proportion.js";
import { boundedUpperBound } from "../../stats/tests/bounded-e-value.js";
import {
  closedThreads,
  type RandomReview,
  type RealisedOptions,
  realisedCells,
  realisedRate,
} from "./realised-risk.js";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 16);
const options: RealisedOptions = { now: NOW, delta: 0.05, threadCap: 5 };

const review = (changes: Partial<RandomReview> = {}): RandomReview => ({
  community: "plants",
  cohort: "plants",
  action: "remove",
  language: "en",
  thread: null,
  share: 0.02,
  routed: NOW - 30 * DAY,
  answer: { level: 1, overturned: false },
  ...changes,
});
const times = (n: number, changes: Partial<RandomReview> = {}) => Array.from({ length: n }, () => review(changes));
const bad = { answer: { level: 3, overturned: true } } as const;
const pending = (days: number) => ({ answer: null, routed: NOW - days * DAY });

describe("realisedRate", () => {
  it("is k of n with Clopper–Pearson at one look and the e-value's bound at any, for one share and one review per thread", () => {
    const rate = realisedRate([...times(198), ...times(2, bad)], "risk", options);
    expect(rate).toMatchObject({ estimate: 0.01, k: 2, n: 200, missing: 0, open: 0, threads: 200, largest_thread: 1 });
    expect(rate.method).toBe("clopper_pearson");
    expect(rate.upper.once).toBe(clopperPearsonBound(2, 200, 0.05));
    const units = [
      { weight: 1, value: 0, count: 198 },
      { weight: 1, value: 1, count: 2 },
    ];
    expect(rate.upper.anytime).toBeCloseTo(boundedUpperBound(units, 0.05), 9);
    const none = realisedRate(times(200), "risk", options).upper;
    expect([none.once, none.anytime].map((u) => u!.toFixed(3))).toEqual(["0.015", "0.019"]);
  });

  it("weights two shares by the chance of being drawn", () => {
    const rate = realisedRate([...times(40, { ...bad, share: 0.1 }), ...times(60, { share: 0.02 })], "risk", options);
    expect(rate.estimate).toBeCloseTo(400 / (400 + 3000), 12);
    expect(rate.method).toBe("e_value");
    const units = [
      { weight: 0.2, value: 1, count: 40 },
      { weight: 1, value: 0, count: 60 },
    ];
    expect(rate.upper.once).toBeCloseTo(boundedUpperBound(units, 0.05), 9);
  });

  it("counts a thread as at most so many reviews as the cap says", () => {
    const wave = times(20, { thread: "wave", ...bad });
    const rate = realisedRate([...wave, ...times(100)], "risk", options);
    expect(rate).toMatchObject({ k: 20, n: 120, threads: 101, largest_thread: 20, method: "e_value" });
    const units = [
      { weight: 1, value: 1 },
      { weight: 0.2, value: 0, count: 100 },
    ];
    expect(rate.upper.once).toBeCloseTo(boundedUpperBound(units, 0.05), 9);
    expect(realisedRate(times(20, { thread: "wave" }), "risk", options).threads).toBe(1);
    const other = times(20, { thread: "wave", community: "boats" });
    expect(realisedRate([...wave, ...other], "risk", options).threads).toBe(2);
  });

  it("counts reviews without a level, or overdue, as bad in the bound and not in the estimate", () => {
    const reviews = [...times(97), ...times(2, { answer: { level: null, overturned: true } }), review(pending(15))];
    const risk = realisedRate(reviews, "risk", options);
    expect(risk).toMatchObject({ estimate: 0, k: 0, n: 97, missing: 3, open: 0 });
    expect(risk.upper.once).toBe(clopperPearsonBound(3, 100, 0.05));
    const overturned = realisedRate(reviews, "overturned", options);
    expect(overturned).toMatchObject({ k: 2, n: 99, missing: 1 });
    expect(overturned.upper.once).toBe(clopperPearsonBound(3, 100, 0.05));
  });

  it("takes reviews in the order of routing, up to the first that is still open", () => {
    const late = times(30, { ...bad, routed: NOW - 2 * DAY });
    const rate = realisedRate([...late, review(pending(3)), ...times(50)], "risk", options);
    expect(rate).toMatchObject({ k: 30, n: 80, open: 1, threads: 50 });
    expect(rate.upper.once).toBe(clopperPearsonBound(0, 50, 0.05));
    expect(realisedRate([...late, review(pending(15)), ...times(50)], "risk", options).threads).toBe(81);
  });

  it("leaves threads that may still grow out of the anytime bound", () => {
    const growing = times(10, { thread: "t", routed: NOW - 3 * DAY });
    expect(realisedRate(growing, "risk", options).upper).toMatchObject({ anytime: null });
    expect(realisedRate(times(3, pending(1)), "risk", options).largest_thread).toBe(0);
    expect(realisedRate(growing, "risk", { ...options, now: NOW + 5 * DAY }).upper.anytime).toBeLessThan(1);
    const late = [review({ thread: "t" }), review({ thread: "t", ...bad, routed: NOW - 20 * DAY })];
    expect(closedThreads(late, "risk", { ...options, missing: 1 })).toMatchObject([{ weight: 0.5, value: 0 }]);
    expect(realisedRate(late, "risk", options)).toMatchObject({ k: 1, n: 2, threads: 1 });
  });

  it("is undefined with a reason", () => {
    const reasonOf = (reviews: RandomReview[]) => {
      const { estimate, reason, upper } = realisedRate(reviews, "risk", options);
      return [estimate, reason, upper.once];
    };
    expect(reasonOf([])).toEqual([null, "no_reviews", null]);
    expect(reasonOf(times(3, pending(1)))).toEqual([null, "reviews_open", null]);
    expect(reasonOf(times(3, pending(20)))).toEqual([null, "no_answers", 1]);
    expect(reasonOf(times(3, { answer: { level: null, overturned: false } }))).toEqual([null, "no_levels", 1]);
  });
});

describe("realisedCells", () => {
  it("gives each community, action, language and week its own bound, and one for all at once", () => {
    const reviews = [...times(50), ...times(50, { community: "boats", language: null, routed: Date.UTC(2026, 9, 4) })];
    const cells = realisedCells(reviews, options);
    expect(cells.map(({ by, value, drawn }) => [by, value, drawn])).toEqual([
      ["community", "boats", 50],
      ["community", "plants", 50],
      ["action", "remove", 100],
      ["language", "en", 50],
      ["language", "unknown", 50],
      ["week", "2026-09-28", 50],
      ["week", "2026-10-12", 50],
    ]);
    const { risk } = cells[0]!;
    expect(risk.upper.once).toBe(clopperPearsonBound(0, 50, 0.05));
    expect(risk.upper_all.once).toBe(clopperPearsonBound(0, 50, 0.05 / 7));
    expect(risk.upper_all.anytime).toBeGreaterThan(risk.upper.anytime!);
  });
});
