import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ratingsOf, reference } from "../../../test/references/raters.js";
import { stratifiedProportion } from "../intervals/stratified-proportion.js";
import { createRng } from "../random/create-rng.js";
import { twoWayBootstrap } from "../resampling/cluster-bootstrap.js";
import { intraclassCorrelation } from "./intraclass-correlation.js";
import { caseMeans, krippendorffAlpha } from "./raters.js";

const SCALES = ["nominal", "ordinal", "interval"] as const;
const table = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 })).chain(([cases, raters]) =>
  fc.array(fc.array(fc.constantFrom(1, 2, 3, null), { minLength: raters, maxLength: raters }), {
    minLength: cases,
    maxLength: cases,
  }),
);

describe("krippendorffAlpha", () => {
  it.each(reference.alpha)("equals the definition, pair by pair (%#)", (example) => {
    for (const scale of SCALES) {
      expect(krippendorffAlpha(ratingsOf(example.table), scale)).toBeCloseTo(example[scale]!, 12);
    }
  });

  it("gives Krippendorff's printed values for his example", () => {
    const ratings = ratingsOf(reference.alpha[0]!.table);
    expect(SCALES.map((scale) => krippendorffAlpha(ratings, scale)!.toFixed(3))).toEqual(["0.743", "0.815", "0.849"]);
  });

  it("is null without pairs or without variety", () => {
    expect(krippendorffAlpha(ratingsOf([]), "ordinal")).toBeNull();
    expect(krippendorffAlpha(ratingsOf([[1], [2]]), "ordinal")).toBeNull();
    expect(
      krippendorffAlpha(
        ratingsOf([
          [2, 2],
          [2, 2],
        ]),
        "ordinal",
      ),
    ).toBeNull();
  });

  it("does not depend on the order of cases or raters, and is at most 1", () => {
    fc.assert(
      fc.property(table, fc.constantFrom(...SCALES), (rows, scale) => {
        const alpha = krippendorffAlpha(ratingsOf(rows), scale);
        const turned = [...rows].reverse().map((row) => [...row].reverse());
        const other = krippendorffAlpha(ratingsOf(turned), scale);
        if (alpha === null) expect(other).toBeNull();
        else {
          expect(other).toBeCloseTo(alpha, 10);
          expect(alpha).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });

  it("takes a case of weight 2 as two cases", () => {
    fc.assert(
      fc.property(table, (rows) => {
        const twice = krippendorffAlpha(ratingsOf([...rows, rows[0]!]), "ordinal");
        const weights = rows.map((_, i) => (i === 0 ? 2 : 1));
        const weighted = krippendorffAlpha(ratingsOf(rows), "ordinal", weights);
        if (twice === null) expect(weighted).toBeNull();
        else expect(weighted).toBeCloseTo(twice, 10);
      }),
    );
  });
});

describe("intraclassCorrelation", () => {
  it.each(reference.icc_complete)("equals the analysis of variance where nothing is missing (%#)", (example) => {
    const result = intraclassCorrelation(ratingsOf(example.table))!;
    expect(result.single).toBeCloseTo(example.single, 10);
    expect(result.average).toBeCloseTo(example.average, 10);
  });

  it.each(reference.icc_incomplete)("solves the expectations of the quadratic forms where some are (%#)", (example) => {
    const result = intraclassCorrelation(ratingsOf(example.table))!;
    expect(Object.values(result.variance)).toEqual(example.components.map((value) => expect.closeTo(value, 10)));
    expect(result.k).toBeCloseTo(example.k, 10);
    expect(result.single).toBeCloseTo(example.single, 10);
    expect(result.average).toBeCloseTo(example.average, 10);
  });

  it("gives the printed values of Shrout and Fleiss", () => {
    const result = intraclassCorrelation(ratingsOf(reference.icc_complete[0]!.table))!;
    expect([result.single.toFixed(2), result.average.toFixed(2), result.k]).toEqual(["0.29", "0.62", 4]);
  });

  it("is null where there is nothing to compare", () => {
    expect(intraclassCorrelation(ratingsOf([]))).toBeNull();
    expect(intraclassCorrelation(ratingsOf([[1, 2, 3]]))).toBeNull();
    expect(intraclassCorrelation(ratingsOf([[1], [2]]))).toBeNull();
    expect(
      intraclassCorrelation(
        ratingsOf([
          [2, 2],
          [2, 2],
        ]),
      ),
    ).toBeNull();
  });

  it("stays between 0 and 1, and the mean of raters is no less reliable than one", () => {
    fc.assert(
      fc.property(table, (rows) => {
        const result = intraclassCorrelation(ratingsOf(rows));
        if (result === null) return;
        expect(result.single).toBeGreaterThanOrEqual(0);
        expect(result.average).toBeLessThanOrEqual(1 + 1e-12);
        expect(result.average).toBeGreaterThanOrEqual(result.single - 1e-12);
        // Spearman–Brown: reliability of the mean of k raters from that of one.
        const { single, k } = result;
        expect(result.average).toBeCloseTo((k * single) / (1 + (k - 1) * single), 9);
      }),
    );
  });
});

describe("twoWayBootstrap", () => {
  const rows = reference.icc_incomplete[1]!.table;
  const ratings = ratingsOf(rows);
  const mean = (cases: Float64Array, raters: Float64Array) => {
    const means = caseMeans(ratings, raters);
    let sum = 0;
    let count = 0;
    for (let c = 0; c < means.length; c++) {
      if (Number.isNaN(means[c]!) || cases[c] === 0) continue;
      sum += cases[c]! * means[c]!;
      count += cases[c]!;
    }
    return count === 0 ? null : sum / count;
  };

  it("is wider than drawing the cases alone", () => {
    const both = twoWayBootstrap(ratings.cases, ratings.raters, mean, { rng: createRng(1) })!;
    const ones = new Float64Array(ratings.raters).fill(1);
    const alone = twoWayBootstrap(ratings.cases, ratings.raters, (cases) => mean(cases, ones), { rng: createRng(1) })!;
    expect(both.upper - both.lower).toBeGreaterThan(alone.upper - alone.lower);
  });

  it("is the same for the same seed, and null without two of each", () => {
    const draw = () => twoWayBootstrap(ratings.cases, ratings.raters, mean, { rng: createRng(3), draws: 200 });
    expect(draw()).toEqual(draw());
    expect(twoWayBootstrap(1, 5, () => 0, { rng: createRng(1) })).toBeNull();
    expect(twoWayBootstrap(5, 1, () => 0, { rng: createRng(1) })).toBeNull();
    expect(twoWayBootstrap(5, 5, () => null, { rng: createRng(1), draws: 10 })).toBeNull();
  });
});

describe("stratifiedProportion", () => {
  it.each(reference.stratified)("has Wilson's interval of statsmodels at the effective number (%#)", (example) => {
    const strata = example.strata.map(([k, n, size]) => ({ k: k!, n: n!, size: size! }));
    const result = stratifiedProportion(strata);
    expect(result).toMatchObject({
      estimate: expect.closeTo(example.estimate, 12),
      lower: expect.closeTo(example.lower, 10),
      upper: expect.closeTo(example.upper, 10),
    });
  });

  it("covers what it promises, also where nearly all agree", () => {
    const rng = createRng(8);
    const strata = [
      { n: 9, size: 136 },
      { n: 9, size: 127 },
      { n: 3, size: 3 },
      { n: 9, size: 116 },
    ];
    let covered = 0;
    const draws = 1500;
    for (let draw = 0; draw < draws; draw++) {
      let truth = 0;
      const sampled = strata.map(({ n, size }) => {
        const members = Array.from({ length: size }, () => rng.next() < 0.96);
        truth += members.filter(Boolean).length;
        return { k: members.slice(0, n).filter(Boolean).length, n, size };
      });
      const result = stratifiedProportion(sampled);
      if (result.estimate !== null && result.lower <= truth / 382 && truth / 382 <= result.upper) covered++;
    }
    expect(covered / draws).toBeGreaterThan(0.93);
  });

  it("is undefined without members or with a stratum nobody looked into, and refuses what cannot be", () => {
    expect(stratifiedProportion([]).estimate).toBeNull();
    expect(stratifiedProportion([{ k: 0, n: 0, size: 5 }]).estimate).toBeNull();
    expect(stratifiedProportion([{ k: 1, n: 2, size: 2 }])).toMatchObject({ estimate: 0.5, lower: 0.5, upper: 0.5 });
    expect(() => stratifiedProportion([{ k: 3, n: 2, size: 9 }])).toThrow(RangeError);
  });
});
