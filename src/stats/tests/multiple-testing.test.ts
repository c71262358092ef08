import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/gate.js";
import { benjaminiHochberg, eBenjaminiHochberg, fixedSequence, holm } from "./multiple-testing.js";

const METHODS = { holm, benjaminiHochberg, fixedSequence };
const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });

describe("adjusted p-values", () => {
  it.each(reference.adjustments)("are those of statsmodels, list %#", ({ p, holm: first, bh }) => {
    const close = (got: number[], want: number[]) => {
      expect(got).toHaveLength(want.length);
      got.forEach((value, i) => {
        expect(value).toBeCloseTo(want[i]!, 14);
      });
    };
    close(holm(p), first);
    close(benjaminiHochberg(p), bh);
  });

  for (const [name, adjust] of Object.entries(METHODS)) {
    it(`of ${name} lie between p and 1, and are an empty list for none`, () => {
      fc.assert(
        fc.property(pValues, (p) => {
          adjust(p).forEach((value, i) => {
            expect(value).toBeGreaterThanOrEqual(p[i]! * (1 - 1e-15));
            expect(value).toBeLessThanOrEqual(1);
          });
        }),
      );
      expect(adjust([])).toEqual([]);
    });

    it(`of ${name} refuse what is no p-value`, () => {
      for (const wrong of [-0.1, 1.1, Number.NaN]) expect(() => adjust([0.5, wrong])).toThrow(RangeError);
    });
  }

  it("follow their p-values when these change places, except in a fixed sequence", () => {
    fc.assert(
      fc.property(pValues, (p) => {
        const reversed = [...p].reverse();
        for (const adjust of [holm, benjaminiHochberg]) {
          expect(adjust(reversed).reverse()).toEqual(adjust(p));
        }
      }),
    );
    expect(fixedSequence([0.2, 0.01])).toEqual([0.2, 0.2]);
    expect(fixedSequence([0.01, 0.2])).toEqual([0.01, 0.2]);
  });

  it("are ordered: Benjamini–Hochberg at most Holm at most Bonferroni", () => {
    fc.assert(
      fc.property(pValues, (p) => {
        const strict = holm(p);
        benjaminiHochberg(p).forEach((value, i) => {
          expect(value).toBeLessThanOrEqual(strict[i]! * (1 + 1e-12));
          expect(strict[i]).toBeLessThanOrEqual(Math.min(1, p.length * p[i]!) * (1 + 1e-12));
        });
      }),
    );
  });
});

describe("eBenjaminiHochberg", () => {
  it("declares the k largest with k E_[k] / m ≥ 1/q and no others", () => {
    const logE = fc.array(fc.double({ min: -5, max: 12, noNaN: true }), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(logE, fc.double({ min: 0.01, max: 0.5, noNaN: true }), (values, q) => {
        const sorted = [...values].sort((a, b) => b - a);
        let most = 0;
        sorted.forEach((value, i) => {
          if (((i + 1) * Math.exp(value)) / values.length >= 1 / q) most = i + 1;
        });
        const cut = most === 0 ? Infinity : sorted[most - 1]!;
        expect(eBenjaminiHochberg(values).map((level) => level <= q)).toEqual(values.map((value) => value >= cut));
      }),
    );
  });

  it("takes e-values beyond every double and refuses NaN", () => {
    expect(eBenjaminiHochberg([2000, -Infinity])).toEqual([0, 1]);
    expect(() => eBenjaminiHochberg([Number.NaN])).toThrow(RangeError);
  });
});
