import { describe, it } from "vitest";
import { allocate, isSettled } from "../../src/measures/stability/allocate.js";
import { boundaryState, LevelSequence, stabilityClass } from "../../src/measures/stability/level-sequence.js";
import { falseSettlements } from "../../src/measures/stability/settlements.suite.js";
import { sdEstimate } from "../../src/stats/intervals/mean-estimate.js";
import { createRng, type Rng } from "../../src/stats/random/create-rng.js";
import { varianceComponents } from "../../src/stats/ranks/variance-components.js";
import { stratifiedBootstrap } from "../../src/stats/resampling/stratified-bootstrap.js";
import { about, atMost, drawNormal } from "./coverage.js";
import { record } from "./record.js";

type Shares = [number, number, number];

/** A case of a cohort with the paper's zones: 48% stably defensible, 44% boundary-unstable, 8% stably indefensible. */
function drawCase(rng: Rng): Shares {
  const zone = rng.next();
  const third = zone < 0.48 ? 0.1 * rng.next() : zone < 0.92 ? 0.1 + 0.8 * rng.next() : 0.9 + 0.1 * rng.next();
  // The rest goes to level 1 and level 2, mostly to one of them.
  const first = (1 - third) * (rng.next() < 0.5 ? 0.1 * rng.next() : 1 - 0.1 * rng.next());
  return [first, 1 - third - first, third];
}

const drawLevel = (rng: Rng, [one, two]: Shares) => {
  const u = rng.next();
  return u < one ? 1 : u < one + two ? 2 : 3;
};

describe("settled states", () => {
  for (const soft of [false, true]) {
    it(`are wrong in at most α of the cases, by ${soft ? "probabilities" : "levels"}`, () => {
      const seed = soft ? 32 : 31;
      const cases = 1000;
      const found = falseSettlements({ cases, most: 1000, alpha: 0.05, rng: createRng(seed), soft });
      for (const what of ["boundary", "class"] as const) {
        const rows = found.filter((row) => row.what === what);
        const worst = rows.reduce((a, b) => (b.rate > a.rate ? b : a));
        record({
          topic: "Settled states of a case",
          method: soft ? "probabilities" : "levels",
          setting: `${what}, 1,000 looks, the worst of 12 cases next to a threshold (shares ${worst.shares.join(", ")})`,
          measure: "settled wrongly",
          promise: atMost(0.05),
          observed: worst.rate,
          draws: cases,
          seed,
        });
      }
    });
  }
});

describe("replicates", () => {
  for (const stop of ["boundary", "class"] as const) {
    it(`are saved by stopping when ${stop} is settled`, () => {
      const cases = 2000;
      const rng = createRng(`stop ${stop}`);
      const at: number[] = [];
      for (let i = 0; i < cases; i += 1) {
        const shares = drawCase(rng);
        const sequence = new LevelSequence(0.05);
        let k = 0;
        while (k < 1000 && !isSettled(sequence, stop)) {
          sequence.addLevel(drawLevel(rng, shares));
          k += 1;
        }
        at.push(isSettled(sequence, stop) ? k : Number.POSITIVE_INFINITY);
      }
      for (const cap of [300, 1000]) {
        record({
          topic: "Replicates until a case is settled",
          method: stop === "boundary" ? "boundary" : "boundary and class",
          setting: `at most ${cap.toLocaleString("en")}`,
          measure: "cases settled",
          promise: null,
          observed: at.filter((k) => k <= cap).length / cases,
          beside: {
            "mean replicates": at.reduce((sum, k) => sum + Math.min(k, cap), 0) / cases,
            "saved against 1,000": 1 - at.reduce((sum, k) => sum + Math.min(k, cap), 0) / cases / 1000,
          },
          draws: cases,
          seed: `stop ${stop}`,
        });
      }
    });
  }

  it("that are a fixed number put cases silently into the wrong class", () => {
    for (const k of [100, 1000]) {
      const rng = createRng(`plug-in ${k}`);
      const cases = 4000;
      const big = 1_000_000;
      let [wrong, boundary] = [0, 0];
      for (let i = 0; i < cases; i += 1) {
        const shares = drawCase(rng);
        const counts: Shares = [0, 0, 0];
        for (let n = 0; n < k; n += 1) counts[drawLevel(rng, shares) - 1]! += 1;
        const truth = stabilityClass(Math.round(big * Math.max(...shares)), big);
        if (stabilityClass(Math.max(...counts), k) !== truth) wrong += 1;
        if (boundaryState(counts[2], k) !== boundaryState(Math.round(big * shares[2]), big)) boundary += 1;
      }
      record({
        topic: "Shares as they are",
        method: "fixed number",
        setting: `${k.toLocaleString("en")} replicates`,
        measure: "cases in the wrong class",
        promise: null,
        observed: wrong / cases,
        beside: { "wrong boundary state": boundary / cases },
        draws: cases,
        seed: `plug-in ${k}`,
      });
    }
  });

  it("settle more cases of a budget when they go to the nearest first", () => {
    for (const order of ["nearest", "widest"] as const) {
      const worlds = 60;
      let settled = 0;
      for (let world = 0; world < worlds; world += 1) {
        const rng = createRng(`budget ${world}`);
        const cells = Array.from({ length: 150 }, () => ({
          shares: drawCase(rng),
          sequence: new LevelSequence(0.05),
          planned: 0,
        }));
        let left = 6000;
        const draw = (cell: (typeof cells)[number], planned: number) => {
          for (let k = cell.planned; k < planned; k += 1) cell.sequence.addLevel(drawLevel(rng, cell.shares));
          left -= planned - cell.planned;
          cell.planned = planned;
        };
        for (const cell of cells) draw(cell, 30);
        for (;;) {
          const more = allocate(cells, { stop: "boundary", cap: 300, left, order });
          if (more.size === 0) break;
          for (const [index, planned] of more) draw(cells[index]!, planned);
        }
        settled += cells.filter(({ sequence }) => isSettled(sequence, "boundary")).length;
      }
      record({
        topic: "Where a budget goes",
        method: order,
        setting: "150 cells, 6,000 replicates",
        measure: "cells settled",
        promise: null,
        observed: settled / worlds / 150,
        draws: worlds * 150,
        seed: "budget 0 to 59",
      });
    }
  });
});

describe("spreads", () => {
  it("of replicates have intervals that hold, also where scores lie in two heaps", () => {
    const laws: [string, (rng: Rng) => number, number][] = [
      ["uniform", (rng) => rng.next(), Math.sqrt(1 / 12)],
      ["two heaps, 30% in one", (rng) => (rng.next() < 0.3 ? 0.05 : 0.9) + 0.05 * rng.next(), heaps(0.3)],
      ["two heaps, 5% in one", (rng) => (rng.next() < 0.05 ? 0.05 : 0.9) + 0.05 * rng.next(), heaps(0.05)],
    ];
    for (const [name, draw, truth] of laws) {
      for (const k of [30, 100, 1000]) {
        const draws = k === 1000 ? 2000 : 10_000;
        const rng = createRng(`${name} ${k}`);
        let hits = 0;
        for (let i = 0; i < draws; i += 1) {
          const { interval } = sdEstimate(Float64Array.from({ length: k }, () => draw(rng)));
          if (interval && interval.lower <= truth && truth <= interval.upper) hits += 1;
        }
        // Thirty replicates in two heaps: their shares, and so the spread, are hardly known.
        const few = name.includes("heaps") && k < 100;
        record({
          topic: "The spread of a case",
          method: "jackknife",
          setting: `${name}, ${k.toLocaleString("en")} replicates`,
          measure: "coverage",
          promise: few ? { kind: "broken", at_least: 0.95 } : about(0.95, k < 1000 ? 0.91 : 0.93),
          observed: hits / draws,
          draws,
          seed: `${name} ${k}`,
        });
      }
    }
  });

  it("of groups have a ratio whose interval over cases holds", () => {
    const [draws, each] = [1000, 50];
    const rng = createRng("ratio");
    let hits = 0;
    for (let trial = 0; trial < draws; trial += 1) {
      // Spreads of cases: exponential about 0.24 and 0.15.
      const sd = Float64Array.from(
        { length: 2 * each },
        (_, i) => -Math.log(1 - rng.next()) * (i < each ? 0.24 : 0.15),
      );
      const strata = Int32Array.from(sd, (_, i) => (i < each ? 0 : 1));
      const [ratio] = stratifiedBootstrap(
        strata,
        (weights) => {
          let [a, b] = [0, 0];
          for (let i = 0; i < sd.length; i += 1) {
            if (i < each) a += weights[i]! * sd[i]!;
            else b += weights[i]! * sd[i]!;
          }
          return [b === 0 ? null : a / b];
        },
        { rng: rng.fork(String(trial)), draws: 500 },
      );
      if (ratio!.lower! <= 1.6 && ratio!.upper! >= 1.6) hits += 1;
    }
    record({
      topic: "The ratio of Flippers to Stable",
      method: "bootstrap of cases within groups, 500 draws",
      setting: "50 cases in each group",
      measure: "coverage",
      promise: about(0.95, 0.92),
      observed: hits / draws,
      draws,
      seed: "ratio",
    });
  });
});

describe("variance components", () => {
  it("have shares whose intervals over cases hold", () => {
    const [draws, cases, temperatures, k] = [400, 100, 3, 20];
    const [ofCase, ofBoth, ofTrace] = [1, 0.1, 0.5];
    const truth = ofCase / (ofCase + ofBoth + ofTrace);
    const rng = createRng("components");
    let hits = 0;
    for (let trial = 0; trial < draws; trial += 1) {
      const cells = cases * temperatures;
      const [mean, within] = [new Float64Array(cells), new Float64Array(cells)];
      for (let c = 0; c < cases; c += 1) {
        const own = Math.sqrt(ofCase) * drawNormal(rng);
        for (let t = 0; t < temperatures; t += 1) {
          const centre = own + Math.sqrt(ofBoth) * drawNormal(rng);
          const values = Array.from({ length: k }, () => centre + Math.sqrt(ofTrace) * drawNormal(rng));
          const at = c * temperatures + t;
          mean[at] = values.reduce((sum, value) => sum + value, 0) / k;
          within[at] = values.reduce((sum, value) => sum + (value - mean[at]!) ** 2, 0) / (k - 1);
        }
      }
      const solve = varianceComponents({
        cases,
        levels: [temperatures],
        mean,
        within,
        count: new Array(cells).fill(k),
      });
      const [share] = stratifiedBootstrap(
        new Int32Array(cases),
        (weights) => {
          const solved = solve(weights)!;
          const parts = [...solved.effects.map(({ component }) => Math.max(0, component)), solved.within];
          const own = solved.effects.find(({ factors, with_case }) => factors.length === 0 && with_case)!.component;
          return [Math.max(0, own) / parts.reduce((sum, part) => sum + part, 0)];
        },
        { rng: rng.fork(String(trial)), draws: 300 },
      );
      if (share!.lower! <= truth && truth <= share!.upper!) hits += 1;
    }
    record({
      topic: "The share of variance between cases",
      method: "bootstrap of cases, 300 draws",
      setting: "100 cases, 3 temperatures, 20 replicates",
      measure: "coverage",
      promise: about(0.95, 0.9),
      observed: hits / draws,
      draws,
      seed: "components",
    });
  });
});

/** Standard deviation of two uniform heaps of width 0.05 that begin at 0.05 and 0.90. */
function heaps(share: number): number {
  return Math.sqrt(share * (1 - share) * 0.85 ** 2 + 0.05 ** 2 / 12);
}
