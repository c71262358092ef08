import { describe, expect, it } from "vitest";
import { createRng, type Rng } from "../../src/entry/stats.js";
import { chooseThresholds } from "../../src/measures/gate/selective/choose-thresholds.js";
import { learnThenTest, type SelectiveResult } from "../../src/measures/gate/selective/learn-then-test.js";
import { groupScores, type ScoreGroups } from "../../src/measures/gate/selective/score-groups.js";
import { drawRows, trueRisk } from "../../src/measures/gate/selective/selective.suite.js";
import * as promise from "./coverage.js";
import { record } from "./record.js";

type Law = (score: number) => number;
const FIXED = Array.from({ length: 20 }, (_, i) => 1 - (i + 1) / 20);

/** P(indefensible | score), scores uniform on 0 to 1. */
const laws: Record<string, Law> = {
  "risk rises evenly": (s) => 0.2 * (1 - s),
  "safe down to 0.3": (s) => (s > 0.3 ? 0.01 : 0.3),
  "just at the limit everywhere": () => 0.0501,
  "worst where the score is best": (s) => (s > 0.9 ? 0.09 : 0.045),
  "up and down": (s) => (Math.floor(s * 16) % 2 === 0 ? 0.06 : 0.045),
};

const methods: Record<string, (groups: ScoreGroups, delta: number) => SelectiveResult> = {
  "LTT, quantiles": (groups, delta) => learnThenTest(groups, { risk: 0.05, delta }),
  "LTT, fixed": (groups, delta) => learnThenTest(groups, { risk: 0.05, delta, thresholds: FIXED }),
};

/** Share of samples whose threshold has a true risk above 5%, and mean coverage. */
function broken(law: Law, n: number, delta: number, samples: number, rng: Rng, draw = drawRows) {
  const found = Object.fromEntries(Object.keys(methods).map((name) => [name, { broken: 0, coverage: 0 }]));
  for (let sample = 0; sample < samples; sample += 1) {
    const groups = draw(n, law, rng);
    for (const [name, choose] of Object.entries(methods)) {
      const { threshold } = choose(groups, delta);
      if (threshold === null) continue;
      if (trueRisk(law, threshold) > 0.05) found[name]!.broken += 1 / samples;
      found[name]!.coverage += (1 - threshold) / samples;
    }
  }
  return found;
}

const atMost = (share: number, samples: number) => share + 3 * Math.sqrt((share * (1 - share)) / samples);

/** Puts on record how often each method broke its promise and how much it automated. */
function recordAll(found: ReturnType<typeof broken>, setting: string, delta: number, draws: number, seed: string) {
  for (const [method, { broken: share, coverage }] of Object.entries(found)) {
    const row = { method, setting: `${setting}, δ = ${delta}`, draws, seed };
    const measure = "samples whose threshold has a true risk above 5%";
    record({ ...row, topic: "Selective: risk", measure, promise: promise.atMost(delta), observed: share });
    record({
      ...row,
      topic: "Selective: coverage",
      measure: "mean share automated",
      promise: null,
      observed: coverage,
    });
  }
}

describe("selective automation: risk above 5% in at most a share δ of samples", () => {
  for (const [name, law] of Object.entries(laws)) {
    for (const [n, delta, samples] of [
      [150, 0.05, 20_000],
      [1000, 0.1, 10_000],
      [4000, 0.1, 4_000],
    ] as const) {
      it(`${name}; ${n} rows, δ = ${delta}`, () => {
        const found = broken(law, n, delta, samples, createRng(`${name} ${n}`));
        recordAll(found, `${name}; ${n} rows`, delta, samples, `${name} ${n}`);
        for (const { broken: share } of Object.values(found)) {
          expect(share).toBeLessThanOrEqual(atMost(delta, samples));
        }
      });
    }
  }

  it("with scores of one decimal", () => {
    const law: Law = (s) => 0.2 * (1 - Math.min(1, Math.ceil(s * 10) / 10));
    const tied = (n: number, risk: Law, rng: Rng) => {
      const score = Float64Array.from({ length: n }, () => Math.floor(rng.next() * 10) / 10);
      return groupScores(
        score,
        Uint8Array.from(score, (s) => (rng.next() < risk(s + 0.05) ? 1 : 0)),
      );
    };
    const found = broken(law, 600, 0.1, 10_000, createRng("ties"), tied);
    recordAll(found, "risk rises evenly, scores of one decimal; 600 rows", 0.1, 10_000, "ties");
    for (const { broken: share } of Object.values(found)) {
      expect(share).toBeLessThanOrEqual(atMost(0.1, 10_000));
    }
  });
});

describe("a score that was chosen on the rows its threshold is set on", () => {
  it("breaks the promise", () => {
    const rng = createRng("chosen score");
    const [samples, rows, scores] = [2000, 500, 10];
    const found = { first: 0, best: 0 };
    for (let sample = 0; sample < samples; sample += 1) {
      const loss = Uint8Array.from({ length: rows }, () => (rng.next() < 0.0501 ? 1 : 0));
      // Scores that know nothing: every threshold has a true risk of 5.01%.
      const given = Array.from({ length: scores }, () => {
        const score = Float64Array.from({ length: rows }, () => rng.next());
        return learnThenTest(groupScores(score, loss), { risk: 0.05, delta: 0.1 }).threshold !== null;
      });
      if (given[0]) found.first += 1;
      if (given.includes(true)) found.best += 1;
    }
    const row = { topic: "A score chosen on the same rows", setting: "500 rows, risk 5.01%, δ = 0.1", draws: samples };
    const measure = "samples whose threshold has a true risk above 5%";
    const seed = "chosen score";
    const first = { ...row, method: "a score from elsewhere", measure, seed, observed: found.first / samples };
    const best = { ...row, method: "the best of ten scores", measure, seed, observed: found.best / samples };
    record({ ...first, promise: promise.atMost(0.1) });
    record({ ...best, promise: { kind: "broken", at_most: 0.1 } });
    expect(found.best).toBeGreaterThan(2 * found.first);
  });
});

describe("thresholds of a fleet", () => {
  it.each(["each", "all"] as const)("hold: %s", (hold) => {
    const rng = createRng(`fleet ${hold}`);
    const samples = 3_000;
    const sizes = [200, 300, 400, 300, 60, 60, 60, 60];
    const law = laws["risk rises evenly"]!;
    let any = 0;
    let one = 0;
    let given = 0;
    for (let sample = 0; sample < samples; sample += 1) {
      const community = Int32Array.from(sizes.flatMap((size, c) => Array<number>(size).fill(c)));
      const score = Float64Array.from(community, () => rng.next());
      const indefensible = Uint8Array.from(score, (s) => (rng.next() < law(s) ? 1 : 0));
      const communities = sizes.map((_, c) => `c${c}`);
      const choice = chooseThresholds(
        { score, indefensible, community, communities },
        { risk: 0.05, delta: 0.1, hold },
      );
      const all = [choice.pooled, ...Object.values(choice.by_community)];
      const wrong = all.filter(({ threshold }) => threshold !== null && trueRisk(law, threshold) > 0.05).length;
      one += wrong;
      given += all.length;
      if (wrong > 0) any += 1;
    }
    record({
      topic: "Thresholds of a fleet",
      method: "LTT",
      setting: hold === "each" ? "each at δ = 0.1" : "all together at δ = 0.1",
      measure:
        hold === "each" ? "thresholds with a true risk above 5%" : "samples in which any of 5 thresholds has one",
      promise: promise.atMost(0.1),
      observed: hold === "each" ? one / given : any / samples,
      draws: samples,
      seed: `fleet ${hold}`,
    });
    if (hold === "all") expect(any / samples).toBeLessThanOrEqual(atMost(0.1, samples));
    else expect(one / given).toBeLessThanOrEqual(atMost(0.1, given));
  });
});
