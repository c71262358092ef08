import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/attack.js";
import { expectDefined } from "../estimate.suite.js";
import { oddsRatio } from "../intervals/two-proportions.js";
import { createRng } from "../random/create-rng.js";
import { auroc } from "./auroc.js";
import { falsePositiveThreshold, rocCurve } from "./detection.js";

describe("falsePositiveThreshold", () => {
  it("flags exactly the scores whose conformal p-value is small enough, ties and all", () => {
    const scores = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 40 });
    fc.assert(
      fc.property(scores, fc.constantFrom(0.05, 0.1, 0.3), fc.integer({ min: -1, max: 7 }), (clean, share, x) => {
        const { threshold } = falsePositiveThreshold(clean, share);
        const p = (1 + clean.filter((c) => c >= x).length) / (clean.length + 1);
        expect(threshold !== null && x > threshold).toBe(p <= share + 1e-12);
      }),
    );
  });

  it("needs 19 rows for one in twenty", () => {
    expect(falsePositiveThreshold(new Float64Array(18), 0.05)).toMatchObject({ threshold: null, n: 18 });
    expect(falsePositiveThreshold(new Float64Array(18), 0.05).reason).toMatch(/19 are needed/);
    expect(falsePositiveThreshold(new Float64Array(19), 0.05)).toEqual({ threshold: 0, n: 19, rate: 0 });
    expect(falsePositiveThreshold([], 0.5).threshold).toBeNull();
  });

  it("keeps its promise on further rows: on average, and never above it by more than chance", () => {
    const rng = createRng(7);
    let flagged = 0;
    const [rounds, n] = [4000, 50];
    for (let round = 0; round < rounds; round++) {
      const { threshold } = falsePositiveThreshold(
        Array.from({ length: n }, () => rng.next()),
        0.1,
      );
      if (rng.next() > threshold!) flagged++;
    }
    // ⌊0.1 · 51⌋ / 51 = 0.098; four standard errors of 4,000 rounds are 0.019.
    expect(Math.abs(flagged / rounds - 5 / 51)).toBeLessThan(0.019);
  });

  it("refuses scores that are none, and shares outside 0 to 1", () => {
    expect(() => falsePositiveThreshold([1, Number.NaN], 0.5)).toThrow(RangeError);
    expect(() => falsePositiveThreshold([1], 1)).toThrow(RangeError);
  });
});

describe("rocCurve", () => {
  it.each(reference.roc)("goes through the points of scikit-learn: $positives, $negatives", (want) => {
    const got = rocCurve(want.positives, want.negatives);
    const wanted = want.fpr.map((x, i) => ({ x, y: want.tpr[i]! }));
    for (const { false_positive_rate: x, true_positive_rate: y } of got) {
      expect(wanted.some((point) => Math.abs(point.x - x) < 1e-12 && Math.abs(point.y - y) < 1e-12)).toBe(true);
    }
    expect(areaUnder(got)).toBeCloseTo(want.area, 12);
  });

  it("has the area of auroc, rises, and has no point on a line between its neighbours", () => {
    const scores = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(scores, scores, (positives, negatives) => {
        const points = rocCurve(positives, negatives);
        expect(areaUnder(points)).toBeCloseTo(auroc(positives, negatives).estimate!, 10);
        expect(points[0]).toMatchObject({ false_positive_rate: 0, true_positive_rate: 0 });
        expect(points.at(-1)).toMatchObject({ false_positive_rate: 1, true_positive_rate: 1 });
        for (let i = 1; i < points.length; i++) {
          expect(points[i]!.false_positive_rate).toBeGreaterThanOrEqual(points[i - 1]!.false_positive_rate);
          expect(points[i]!.true_positive_rate).toBeGreaterThanOrEqual(points[i - 1]!.true_positive_rate);
        }
        for (let i = 2; i < points.length; i++) {
          const [a, b, c] = points.slice(i - 2, i + 1) as [(typeof points)[0], (typeof points)[0], (typeof points)[0]];
          const step = (p: typeof a, q: typeof a) =>
            [
              Math.round((q.false_positive_rate - p.false_positive_rate) * negatives.length),
              Math.round((q.true_positive_rate - p.true_positive_rate) * positives.length),
            ] as const;
          const [[x1, y1], [x2, y2]] = [step(a, b), step(b, c)];
          expect(x1 * y2).not.toBe(x2 * y1);
        }
      }),
    );
  });

  it("has no points without one of the classes, and refuses NaN", () => {
    expect(rocCurve([], [1])).toEqual([]);
    expect(rocCurve([1], [])).toEqual([]);
    expect(() => rocCurve([Number.NaN], [1])).toThrow(RangeError);
  });
});

function areaUnder(points: ReturnType<typeof rocCurve>): number {
  let area = 0;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1]!, points[i]!];
    area += (b.false_positive_rate - a.false_positive_rate) * (a.true_positive_rate + b.true_positive_rate) * 0.5;
  }
  return area;
}

describe("oddsRatio", () => {
  it.each(reference.odds)("agrees with statsmodels: $cells", ({ cells, estimate, lower, upper }) => {
    const got = expectDefined(oddsRatio(...(cells as [number, number, number, number])));
    for (const [a, b] of [
      [got.estimate, estimate],
      [got.lower, lower],
      [got.upper, upper],
    ] as const) {
      expect(Math.abs(a / b - 1)).toBeLessThan(1e-12);
    }
    expect(got.method).toBe(cells.includes(0) ? "Woolf, ½ added to each cell" : "Woolf");
  });

  it("turns over when the groups change places", () => {
    const [a, b] = [expectDefined(oddsRatio(9, 4, 3, 7)), expectDefined(oddsRatio(3, 7, 9, 4))];
    expect(a.estimate * b.estimate).toBeCloseTo(1, 12);
    expect(a.lower * b.upper).toBeCloseTo(1, 12);
  });

  it("is undefined with a reason where a row or a column is empty", () => {
    expect(oddsRatio(0, 0, 0, 0)).toMatchObject({ estimate: null, reason: "no rows" });
    expect(oddsRatio(0, 0, 3, 4)).toMatchObject({ estimate: null, reason: "one group only" });
    expect(oddsRatio(0, 3, 0, 4)).toMatchObject({ estimate: null, reason: "one outcome only" });
    expect(() => oddsRatio(-1, 0, 3, 4)).toThrow(RangeError);
  });
});
