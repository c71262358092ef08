import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stats.js";
import { expectClose, expectDefined } from "../estimate.suite.js";
import { f1Estimate } from "../ranks/detection.js";

describe("f1Estimate", () => {
  it.each(reference.f1)("agrees with scikit-learn at tp $tp, fp $fp, fn $fn", (want) => {
    expectClose(f1Estimate(want.tp, want.fp, want.fn), want);
  });

  it("rises with true positives and does not tell the two errors apart", () => {
    const count = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(count, count, count, (tp, fp, fn) => {
        fc.pre(fp + fn > 0);
        const before = expectDefined(f1Estimate(tp, fp, fn));
        const after = expectDefined(f1Estimate(tp + 1, fp, fn));
        expect(after.estimate).toBeGreaterThan(before.estimate);
        expect(after.lower).toBeGreaterThan(before.lower);
        expect(after.upper).toBeGreaterThan(before.upper);
        expect(f1Estimate(tp, fn, fp)).toEqual(before);
      }),
    );
  });

  it("is 0 when only errors were made and undefined when nothing was positive", () => {
    const onlyErrors = expectDefined(f1Estimate(0, 3, 2));
    expect(onlyErrors).toMatchObject({ estimate: 0, lower: 0, n: 5, method: "wilson on TP/(TP+FP+FN)" });
    expect(onlyErrors.upper).toBeGreaterThan(0.5);
    expect(onlyErrors).not.toHaveProperty("k");
    expect(f1Estimate(0, 0, 0)).toMatchObject({ estimate: null, n: 0 });
    expect(() => f1Estimate(-1, 0, 3)).toThrow(RangeError);
  });
});
