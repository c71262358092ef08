import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { anyFleet, cohort, limits } from "./fleet.suite.js";
import {
  coverageRiskFrontier,
  FRONTIER_GRID,
  frontierGrid,
  kneeIndex,
  PAPER_SCORE_KNEE,
  scoreFrontier,
} from "./frontier.js";
import { paperGate } from "./pass-gate.js";

const grid = { di: [0.5, 0.8, 0.9, 1], ai: [0, 0.1, 0.2, 0.5] };

describe("coverageRiskFrontier", () => {
  it("counts at each pair of limits what the paper's gate would pass", () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        for (const point of coverageRiskFrontier(fleet, limits(), grid).points) {
          const passes = paperGate(fleet, limits({ di: point.di, ai: point.ai }));
          const passing = fleet.filter((_, i) => passes[i]);
          expect(point.passing).toBe(passing.length);
          expect(point.automated_decisions).toBe(passing.reduce((sum, one) => sum + one.n, 0));
          expect(point.automated_indefensible).toBe(passing.reduce((sum, one) => sum + one.indefensible, 0));
        }
      }),
    );
  });

  it("goes as far as the limits in use, and no farther than the usual grid within it", () => {
    expect(frontierGrid({ di: 0.9, ai: 0.15 })).toBe(FRONTIER_GRID);
    const wide = frontierGrid({ di: 0.555, ai: 0.701 });
    expect([wide.di[0], wide.di.at(-1), wide.ai[0], wide.ai.at(-1)]).toEqual([0.55, 1, 0, 0.71]);
    expect(frontierGrid({ di: 0.7, ai: 0.7 }).ai.at(-1)).toBe(0.7);
    // A fleet that only such limits let pass.
    const open = [cohort(100, 25, 60, 0, "a"), cohort(100, 5, 65, 0, "b")];
    expect(coverageRiskFrontier(open, limits()).points.every((point) => point.passing === 0)).toBe(true);
    expect(coverageRiskFrontier(open, limits({ di: 0.7, ai: 0.7 })).points.some((point) => point.passing === 2)).toBe(
      true,
    );
  });

  it("marks as Pareto exactly the points that no other beats", () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const live = coverageRiskFrontier(fleet, limits(), grid).points.filter((point) => point.risk !== null);
        for (const point of live) {
          const beaten = live.some(
            (other) =>
              other.coverage! >= point.coverage! &&
              other.risk! <= point.risk! &&
              (other.coverage! > point.coverage! || other.risk! < point.risk!),
          );
          expect(point.pareto).toBe(!beaten);
        }
      }),
    );
  });

  it("finds the knee where the risk turns up, on the strictest limits of that outcome", () => {
    const fleet = [
      cohort(100, 0, 0, 0, "a"),
      cohort(100, 2, 0, 0, "b"),
      cohort(100, 3, 0, 0, "c"),
      cohort(100, 25, 0, 0, "d"),
    ];
    const found = coverageRiskFrontier(fleet, limits());
    expect(found.knee).toMatchObject({ di: 0.97, ai: 0, coverage: 0.75 });
    expect(found.knee!.risk).toBeCloseTo(5 / 300, 12);
    expect(found.points.filter((point) => point.knee)).toHaveLength(1);
  });

  it("has no knee without a bend, and no coverage without communities", () => {
    expect(coverageRiskFrontier([cohort(100, 5)], limits())).toMatchObject({
      knee: null,
      reason: "no bend to be found",
    });
    const empty = coverageRiskFrontier([cohort(5, 0)], limits(), grid);
    expect(empty).toMatchObject({ knee: null, reason: "no community has enough decisions" });
    expect(empty.points[0]).toMatchObject({ coverage: null, risk: null, exposure_reduction: null, pareto: false });
  });
});

describe("kneeIndex", () => {
  it("takes the point farthest below the chord, on ties the one that covers more", () => {
    const at = (...points: [number, number][]) => kneeIndex(points.map(([coverage, risk]) => ({ coverage, risk })));
    expect(at([0, 0], [0.5, 0.1], [0.8, 0.2], [1, 1])).toBe(2);
    expect(at([0, 0], [0.5, 0.25], [0.75, 0.5], [1, 1])).toBe(2);
    expect(at([0, 0], [0.5, 0.5], [1, 1])).toBeNull();
    expect(at([0, 0], [0.5, 0.8], [1, 1])).toBeNull();
    expect(at([0, 0], [1, 1])).toBeNull();
    expect(at([0, 0.1], [0.5, 0.1], [1, 0.1])).toBeNull();
    expect(at()).toBeNull();
  });
});

describe("scoreFrontier", () => {
  it("counts decisions at or above each threshold, equal scores together, absent ones apart", () => {
    const score = Float64Array.from([0.9, 0.9, 0.95, 0.5, Number.NaN, 0.3]);
    const bad = Uint8Array.from([0, 1, 0, 1, 1, 1]);
    const found = scoreFrontier(score, bad, [0, 0.5, 0.96]);
    expect(found).toMatchObject({ scored: 5, unscored: 1, indefensible: 3 });
    expect(found.points.map(({ threshold, n, indefensible }) => [threshold, n, indefensible])).toEqual([
      [0, 5, 3],
      [0.5, 4, 2],
      [PAPER_SCORE_KNEE, 3, 1],
      [0.96, 0, 0],
    ]);
    expect(found.points.map((point) => point.paper_knee)).toEqual([false, false, true, false]);
    expect(found.points[3]!.indefensible_rate).toBeNull();
    expect(found.points[2]).toMatchObject({ coverage: 0.6, indefensible_rate: 1 / 3 });
  });

  it("is unchanged when decisions are reordered, and agrees with counting", () => {
    const score = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.boolean()), { maxLength: 60 });
    fc.assert(
      fc.property(score, (rows) => {
        const columns = (list: typeof rows) =>
          scoreFrontier(
            Float64Array.from(list, ([s]) => s / 20),
            Uint8Array.from(list, ([, bad]) => Number(bad)),
          );
        const found = columns(rows);
        expect(columns([...rows].reverse())).toEqual(found);
        for (const { threshold, n } of found.points) {
          expect(n).toBe(rows.filter(([s]) => s / 20 >= threshold).length);
        }
      }),
    );
  });

  it("has nulls without scores and refuses columns of different length", () => {
    const empty = scoreFrontier(new Float64Array(0), new Uint8Array(0), [0.5]);
    expect(empty.points[0]).toMatchObject({ n: 0, coverage: null, indefensible_rate: null });
    expect(() => scoreFrontier(new Float64Array(2), new Uint8Array(1))).toThrow(RangeError);
  });

  it("takes a million decisions", () => {
    const rng = createRng(1);
    const score = Float64Array.from({ length: 1_000_000 }, () => rng.next());
    const bad = Uint8Array.from(score, (s) => Number(s < 0.1));
    expect(scoreFrontier(score, bad).points).toHaveLength(101);
  });
});
