import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasTwoClassesOnly, isTwoClass, twoClassColumns } from "./fit/methods.js";
import { holdOut } from "./folds.js";
import { selectRows } from "./score-columns.js";
import { emptyColumns, syntheticColumns } from "./synthetic.suite.js";

describe("holdOut", () => {
  it("sets whole communities aside, about the share asked for, every row once", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.double({ min: 0.05, max: 0.9, noNaN: true }), (seed, share) => {
        const columns = syntheticColumns(300, 7, 10);
        const { fit, held, by } = holdOut(columns, share, seed);
        expect(by).toBe("community");
        expect([...fit, ...held].sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, i) => i));
        const communities = (rows: Int32Array) => new Set(Array.from(rows, (row) => columns.community[row]));
        for (const community of communities(held)) expect(communities(fit).has(community)).toBe(false);
        expect(fit.length).toBeGreaterThan(0);
        expect(held.length).toBeGreaterThan(0);
        if (share < 0.8) expect(held.length).toBeGreaterThanOrEqual(share * 300);
      }),
      { numRuns: 30 },
    );
  });

  it("is the same for the same seed and another for another, whatever the order of communities", () => {
    const columns = syntheticColumns(200, 3, 8);
    const names = (seed: number, of = columns) =>
      [...new Set(Array.from(holdOut(of, 0.4, seed).held, (row) => of.communities[of.community[row]!]))].sort();
    expect(names(1)).toEqual(names(1));
    expect(new Set([1, 2, 3, 4, 5].map((seed) => names(seed).join()))).not.toHaveProperty("size", 1);
    const reversed = {
      ...columns,
      communities: [...columns.communities].reverse(),
      community: columns.community.map((c) => 7 - c),
    };
    expect(names(1, reversed)).toEqual(names(1));
  });

  it("takes single rows of one community", () => {
    const { fit, held, by } = holdOut(emptyColumns(10), 0.3, 1);
    expect([by, fit.length, held.length]).toEqual(["row", 7, 3]);
  });

  it("refuses a share that leaves nothing", () => {
    for (const share of [0, 1, -1, Number.NaN]) expect(() => holdOut(emptyColumns(10), share, 1)).toThrow(RangeError);
  });
});

describe("selectRows", () => {
  it("takes every column of the rows named, in their order", () => {
    const columns = syntheticColumns(50, 1);
    const rows = Int32Array.of(7, 3, 3);
    const chosen = selectRows(columns, rows);
    for (const [name, column] of Object.entries(columns)) {
      if (!ArrayBuffer.isView(column)) continue;
      const from = column as Float64Array;
      expect([...(chosen[name as "p1"] as Float64Array)], name).toEqual([from[7], from[3], from[3]]);
    }
    expect(chosen).toMatchObject({ n: 3, communities: columns.communities });
  });
});

describe("twoClassColumns", () => {
  it("knows rows that have 1 − p(L3) and no more", () => {
    const columns = emptyColumns(2);
    expect(hasTwoClassesOnly(columns)).toBe(false);
    columns.p1.fill(Number.NaN);
    expect(hasTwoClassesOnly(columns)).toBe(true);
    columns.pDefensible.fill(Number.NaN);
    expect(hasTwoClassesOnly(columns)).toBe(false);
    expect(hasTwoClassesOnly(emptyColumns(0))).toBe(false);
  });

  it("fills in where level probabilities are missing, and only there", () => {
    const columns = emptyColumns(3);
    columns.p1.set([0.5, Number.NaN, Number.NaN]);
    columns.p2.set([0.3, Number.NaN, Number.NaN]);
    columns.p3.set([0.2, 0.25, Number.NaN]);
    columns.pDefensible.set([0.8, 0.75, Number.NaN]);
    const filled = twoClassColumns(columns);
    expect([...filled.p1]).toEqual([0.5, 0.75, Number.NaN]);
    expect([...filled.p2]).toEqual([0.3, 0, Number.NaN]);
    expect([...filled.p3]).toEqual([0.2, 0.25, Number.NaN]);
    expect([...columns.p1]).toEqual([0.5, Number.NaN, Number.NaN]);
  });

  it("is for methods that do not tell levels 1 and 2 apart", () => {
    const kinds = ["raw", "pds", "temperature", "platt", "beta", "isotonic", "vector", "multinomial"] as const;
    expect(kinds.filter((kind) => isTwoClass({ kind }))).toEqual(["raw", "platt", "beta", "isotonic"]);
  });
});
