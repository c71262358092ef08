import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/recalibration.js";
import { groupedFolds, makeFolds, stratifiedFolds } from "./folds.js";
import { allRows, syntheticColumns, takeRows } from "./synthetic.suite.js";

const groups = fc.array(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 120 });
const names = Array.from({ length: 12 }, (_, i) => `g${i}`);

describe("groupedFolds", () => {
  it("are those of scikit-learn's GroupKFold where no two groups are of one size", () => {
    const group = Int32Array.from(reference.data.community);
    expect([...groupedFolds(group, names, 5, 1).fold]).toEqual(reference.cross_validated.fold);
  });

  it("keep groups whole, use every fold, and differ by no more than the largest group", () => {
    fc.assert(
      fc.property(groups, fc.integer({ min: 2, max: 7 }), fc.integer(), (list, asked, seed) => {
        const { fold, folds } = groupedFolds(Int32Array.from(list), names, asked, seed);
        const sizes = new Map<number, number>();
        const foldOf = new Map<number, number>();
        for (const [i, g] of list.entries()) {
          expect(foldOf.get(g) ?? fold[i]).toBe(fold[i]);
          foldOf.set(g, fold[i]!);
          sizes.set(g, (sizes.get(g) ?? 0) + 1);
        }
        expect(folds).toBe(Math.min(asked, sizes.size));
        const loads = Array.from({ length: folds }, (_, f) => fold.filter((value) => value === f).length);
        expect(Math.min(...loads)).toBeGreaterThan(0);
        expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(Math.max(...sizes.values()));
      }),
    );
  });

  it("do not depend on the order of rows or the numbering of groups", () => {
    fc.assert(
      fc.property(groups, fc.integer(), (list, seed) => {
        const before = groupedFolds(Int32Array.from(list), names, 4, seed).fold;
        const reversed = groupedFolds(Int32Array.from(list).reverse(), names, 4, seed).fold.reverse();
        expect([...reversed]).toEqual([...before]);
        const renumbered = groupedFolds(
          Int32Array.from(list, (g) => 11 - g),
          [...names].reverse(),
          4,
          seed,
        ).fold;
        expect([...renumbered]).toEqual([...before]);
      }),
    );
  });

  it("of groups of one size depend on the seed", () => {
    const group = Int32Array.from({ length: 60 }, (_, i) => i % 12);
    const partitions = [1, 2, 3].map((seed) => groupedFolds(group, names, 3, seed).fold.join(""));
    expect(new Set(partitions).size).toBe(3);
  });
});

describe("stratifiedFolds", () => {
  it("spread every class evenly", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 80 }),
        fc.integer({ min: 2, max: 6 }),
        (list, k) => {
          const label = Uint8Array.from(list);
          const fold = stratifiedFolds(
            label,
            Uint32Array.from(list, (_, i) => Math.imul(i, 2654435761) >>> 0),
            k,
          );
          for (const level of [1, 2, 3, undefined]) {
            const counts = Array.from({ length: k }, (_, f) =>
              list.reduce((sum, l, i) => sum + (fold[i] === f && (level === undefined || l === level) ? 1 : 0), 0),
            );
            expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});

describe("makeFolds", () => {
  const columns = syntheticColumns(240, 3, 6);
  const rows = allRows(columns);

  it("hold out communities", () => {
    expect(makeFolds(columns, rows, columns.targetLevel!, { folds: 5, seed: 1 })).toMatchObject({
      count: 5,
      by: "community",
      warnings: [],
    });
  });

  it("are fewer where there are fewer communities, and say so", () => {
    const few = syntheticColumns(240, 3, 3);
    const made = makeFolds(few, rows, few.targetLevel!, { folds: 5, seed: 1 });
    expect(made).toMatchObject({ count: 3, by: "community", warnings: ["3 communities: 3 folds instead of 5"] });
  });

  it("are of rows, with a warning, for one community and where a class sits in one community", () => {
    const one = syntheticColumns(240, 3, 1);
    const made = makeFolds(one, rows, one.targetLevel!, { folds: 5, seed: 1 });
    expect(made).toMatchObject({ count: 5, by: "row", warnings: [expect.stringMatching(/^one community/)] });
    const lonely = syntheticColumns(240, 3, 6);
    for (let i = 0; i < 240; i += 1) if (lonely.targetLevel![i] === 3) lonely.community[i] = 2;
    const folds = makeFolds(lonely, rows, lonely.targetLevel!, { folds: 5, seed: 1 });
    expect(folds).toMatchObject({ by: "row", warnings: [expect.stringMatching(/a class would have too few rows/)] });
  });

  it("of rows put a row in the same fold wherever it stands", () => {
    const one = syntheticColumns(240, 3, 1);
    const order = [...rows].reverse();
    const before = makeFolds(one, rows, one.targetLevel!, { folds: 5, seed: 4 }).fold;
    const turned = takeRows(one, order);
    const after = makeFolds(turned, rows, turned.targetLevel!, { folds: 5, seed: 4 }).fold;
    expect([...after].reverse()).toEqual([...before]);
  });
});
