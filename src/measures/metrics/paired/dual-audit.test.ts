import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/dual.js";
import type { DefinedEstimate, Estimate } from "../../../core/estimate.js";
import type { Level } from "../../../core/records/level.js";
import type { DualGroup } from "../../../experiments/dual/result.js";
import { auditedIndex } from "../judge/counts.js";
import { DUAL_CLASSES, dualAudit, isJustificationProne } from "./dual-audit.js";
import { emptyPairs, mergePairs, type PairedCommunity, pairIndex } from "./paired-change.js";

type Row = readonly [community: string, level: Level, inverse: boolean, opposite: Level, back: boolean];

function pairsOf(rows: readonly Row[]): PairedCommunity[] {
  return mergePairs(
    rows.map(([community, level, inverse, opposite, back]) => {
      const one = emptyPairs(community);
      one.cells[pairIndex(auditedIndex(level, inverse), auditedIndex(opposite, back))] = 1;
      return one;
    }),
  );
}

const level = fc.constantFrom<Level[]>(1, 2, 3);
const row = fc.tuple(fc.constantFrom("a", "b", "c"), level, fc.boolean(), level, fc.boolean());
const rows = fc.array(row, { minLength: 1, maxLength: 60 });
const value = (estimate: Estimate) => estimate.estimate;
const count = (estimate: Estimate) => (estimate as DefinedEstimate).k!;

describe("the dual audit", () => {
  const dual = dualAudit(pairsOf(reference.rows as unknown as Row[]));

  it.each(Object.entries(reference.shares))("agrees with the reference on %s", (name, expected) => {
    check(dual[name as keyof typeof reference.shares], expected);
  });

  it.each(Object.entries(reference.checks))("agrees with the reference on the rates of %s", (name, expected) => {
    const found = dual[name as keyof typeof reference.checks];
    check(found.sensitivity, expected.sensitivity);
    check(found.specificity, expected.specificity);
    check(found.agreement, expected.agreement);
  });

  it("keeps the identity DI(ŷ) + DI(¬ŷ) = 1 + AI_dual − void, on the counts exactly", () => {
    fc.assert(
      fc.property(rows, (all) => {
        const result = dualAudit(pairsOf(all));
        const own = all.filter(([, own]) => own < 3).length;
        const opposite = all.filter(([, , , other]) => other < 3).length;
        expect(count(result.defensibility_index)).toBe(own);
        expect(count(result.opposite_defensibility_index)).toBe(opposite);
        expect(own + opposite).toBe(all.length + count(result.ambiguous) - count(result.void));
        expect(value(result.defensibility_index)! + value(result.opposite_defensibility_index)!).toBeCloseTo(
          1 + value(result.ambiguous)! - value(result.void)!,
          12,
        );
      }),
    );
  });

  it("puts every decision into exactly one class", () => {
    fc.assert(
      fc.property(rows, (all) => {
        const result = dualAudit(pairsOf(all));
        expect(DUAL_CLASSES.reduce((sum, name) => sum + count(result[name]), 0)).toBe(all.length);
        const { hits, false_alarms, missed, rejections } = result.inverse_check.counts;
        expect(hits + false_alarms + missed + rejections).toBe(all.length);
      }),
    );
  });

  it("turns determinate decisions into errors, and nothing else, when the two sides are exchanged", () => {
    fc.assert(
      fc.property(rows, (all) => {
        const there = dualAudit(pairsOf(all));
        const back = dualAudit(pairsOf(all.map(([c, a, i, b, j]): Row => [c, b, j, a, i])));
        expect(back.determinate).toEqual(there.model_error);
        expect(back.ambiguous).toEqual(there.ambiguous);
        expect(back.void).toEqual(there.void);
        expect(back.inverse_check).toEqual(there.opposite_inverse_check);
      }),
    );
  });

  it("does not depend on the order of decisions or the names of communities", () => {
    fc.assert(
      fc.property(rows, (all) => {
        const renamed = all.map(([c, ...rest]): Row => [`z${c}`, ...rest]).reverse();
        expect(rounded(dualAudit(pairsOf(renamed)))).toEqual(rounded(dualAudit(pairsOf(all))));
      }),
    );
  });

  it("is undefined without a pair, and each rate without rows of its own", () => {
    expect(dualAudit([]).ambiguous).toMatchObject({ estimate: null, n: 0 });
    expect(dualAudit([emptyPairs("a")]).void).toMatchObject({ estimate: null });
    const settled = dualAudit(pairsOf([["a", 1, false, 3, true]]));
    expect(settled.inverse_check.sensitivity).toMatchObject({ estimate: null, reason: "no decision to find" });
    expect(settled.inverse_check.specificity).toMatchObject({ estimate: 1, n: 1 });
    const error = dualAudit(pairsOf([["a", 3, true, 1, false]]));
    expect(error.inverse_check_defensible.agreement).toMatchObject({ estimate: null });
    expect(error.inverse_check.specificity).toMatchObject({ estimate: null, reason: "no decision to turn down" });
  });
});

describe("an auditor that justifies whatever it is shown", () => {
  const fleet = (ambiguous: number, uncovered: number, n = 200) =>
    dualAudit(
      pairsOf(
        Array.from({ length: n }, (_, i): Row => {
          if (i < ambiguous) return ["a", 1, true, 2, true];
          return i < ambiguous + uncovered ? ["a", 3, false, 3, false] : ["a", 1, false, 3, true];
        }),
      ),
    );

  it("is noticed where many decisions are defensible either way and next to none uncovered", () => {
    expect(isJustificationProne(fleet(100, 0))).toBe(true);
    expect(isJustificationProne(fleet(100, 4))).toBe(true);
    expect(isJustificationProne(fleet(100, 5))).toBe(false);
    expect(isJustificationProne(fleet(50, 0))).toBe(false);
    expect(isJustificationProne(dualAudit([]))).toBe(false);
  });
});

interface Expected {
  k: number;
  n: number;
  lower: number;
  upper: number;
  clusters: number;
  cluster_lower: number;
  cluster_upper: number;
}

function check(estimate: Estimate, expected: Expected): void {
  const { k, n, lower, upper, cluster } = estimate as DefinedEstimate;
  expect([k, n, cluster!.clusters]).toEqual([expected.k, expected.n, expected.clusters]);
  expect(lower).toBeCloseTo(expected.lower, 10);
  expect(upper).toBeCloseTo(expected.upper, 10);
  expect(cluster!.lower).toBeCloseTo(expected.cluster_lower, 8);
  expect(cluster!.upper).toBeCloseTo(expected.cluster_upper, 8);
}

/** Sums in another order differ in the last digit. */
function rounded(dual: DualGroup): unknown {
  return JSON.parse(JSON.stringify(dual, (_, one) => (typeof one === "number" ? Number(one.toPrecision(10)) : one)));
}
