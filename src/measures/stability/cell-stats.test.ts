import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replay } from "./analyse-cells.js";
import { boundaryFlipRate, cellStats, consecutiveFlipRate, Spread } from "./cell-stats.js";
import { drawsCheck, raoBlackwellGain } from "./replicates.js";
import { levels, makeReplicates } from "./replicates.suite.js";

describe("Spread", () => {
  it("is the sample standard deviation, K − 1, and 0 exactly for equal values", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 40 }), (values) => {
        const spread = new Spread();
        for (const value of values) spread.add(value);
        const mean = values.reduce((a, b) => a + b, 0) / values.length;
        const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1);
        expect(spread.mean).toBeCloseTo(mean, 12);
        expect(spread.sd).toBeCloseTo(Math.sqrt(variance), 7);
      }),
    );
    const equal = new Spread();
    for (let i = 0; i < 1000; i += 1) equal.add(0.1);
    expect(equal.sd).toBe(0);
  });

  it("is 0 exactly where only rounding tells values apart: a spread of 1e-17 must not outrank one of 0", () => {
    for (const [value, dust] of [
      [0.99, 2 ** -53],
      [1e-9, 2 ** -53],
      [1e6, 1e-9],
    ] as const) {
      const spread = new Spread();
      for (let i = 0; i < 60; i += 1) spread.add(value + (i % 2) * dust);
      expect([spread.sd, spread.variance], String(value)).toEqual([0, 0]);
    }
    const real = new Spread();
    for (const value of [0.5, 0.5 + 1e-9]) real.add(value);
    expect(real.sd).toBeCloseTo(1e-9 / Math.SQRT2, 15);
  });

  it("passes over what is missing, and has neither mean nor sd without values", () => {
    const spread = new Spread();
    expect([spread.mean, spread.sd, spread.variance]).toEqual([null, null, null]);
    spread.add(Number.NaN);
    spread.add(0.5);
    expect([spread.n, spread.mean, spread.sd]).toEqual([1, 0.5, null]);
  });
});

describe("cellStats", () => {
  const rows = [{ level: 1, pds: 0.9 }, { level: 3, pds: 0.5 }, { level: 0 }, { level: 3, pds: 0.7 }, { level: 2 }];
  const replicates = makeReplicates([[rows]], [0.7]);

  it("counts all replicates, or every second", () => {
    expect(cellStats(replicates, 0)).toMatchObject({ k: 4, attempted: 5, counts: [1, 1, 2], token: null });
    // 0, 2, 4 and 1, 3: the one without a verdict is number 2.
    expect(cellStats(replicates, 0, "even")).toMatchObject({ k: 2, counts: [1, 1, 0] });
    expect(cellStats(replicates, 0, "odd")).toMatchObject({ k: 2, counts: [0, 0, 2] });
    expect(cellStats(replicates, 0, "odd").first!.pds).toBe(0.5);
  });

  it("tells flips of neighbours and of pairs, at the boundary and anywhere", () => {
    const all = cellStats(replicates, 0);
    expect(consecutiveFlipRate(all)).toBeCloseTo(2 / 3, 12);
    expect(boundaryFlipRate(all)).toBeCloseTo(4 / 6, 12);
  });
});

describe("replay", () => {
  it("adds verdicts in their order, by level or by the law they were drawn from", () => {
    const soft = makeReplicates([[[{ level: 3, p: [0.5, 0, 0.5] }, { level: 0 }, { level: 1 }]]], [0.5]);
    const counted = replay(soft, 0, { alpha: 0.05, evidence: "labels" });
    expect([counted.replicates, ...counted.sums]).toEqual([2, 1, 0, 1]);
    const weighed = replay(soft, 0, { alpha: 0.05, evidence: "probabilities" });
    // Where there is no law, the level counts.
    expect([weighed.replicates, ...weighed.sums]).toEqual([2, 1.5, 0, 0.5]);
  });
});

describe("drawsCheck", () => {
  it("compares draws with what their law promises, and says nothing without one", () => {
    const rows = Array.from({ length: 100 }, (_, i) => ({
      level: i < 30 ? 3 : 1,
      p: [0.8, 0, 0.2] as [number, number, number],
    }));
    const check = drawsCheck(makeReplicates([[rows]], [1]), 0);
    expect(check).toMatchObject({ n: 100, drawn: 0.3 });
    expect(check.promised).toBeCloseTo(0.2, 12);
    expect(check.share_z).toBeCloseTo(10 / Math.sqrt(100 * 0.16), 9);
    expect(drawsCheck(makeReplicates([[levels(5, 0, 5)]], [1]), 0)).toMatchObject({ n: 0, p_value: null });
  });
});

describe("raoBlackwellGain", () => {
  it("is 1 where the last token is certain, and more where it is not", () => {
    const cell = (p: number[]) =>
      cellStats(
        makeReplicates([[p.map((one) => ({ level: 1, p: [1 - one, 0, one] as [number, number, number] }))]], [1]),
        0,
      );
    expect(raoBlackwellGain([cell([0, 1, 0, 1])])).toBe(1);
    // Var = 0.16, E p(1 − p) = 0.09.
    expect(raoBlackwellGain([cell([0.1, 0.9, 0.1, 0.9])])).toBeCloseTo((0.64 / 3 + 0.09) / (0.64 / 3), 9);
    expect(raoBlackwellGain([cell([0.5, 0.5])])).toBeNull();
    expect(raoBlackwellGain([])).toBeNull();
  });
});
