import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/calibration.js";
import type { Estimate } from "../../core/estimate.js";
import { auroc } from "../../stats/ranks/auroc.js";
import { applyToColumns } from "./calibration-model.js";
import { compareCalibrations } from "./compare-calibrations.js";
import { weightedAuroc } from "./errors/weighted-auroc.js";
import { fitMultinomial } from "./fit/platt.js";
import { allRows, syntheticColumns } from "./synthetic.suite.js";

const fitted = syntheticColumns(1500, 61, 30);
const fresh = syntheticColumns(600, 62, 30);
const y = Uint8Array.from(fresh.targetLevel!, (level) => (level <= 2 ? 1 : 0));
const labels = { y, community: fresh.community };
const good = { name: "multinomial", score: applyToColumns(fitMultinomial(fitted, allRows(fitted)), fresh) };
const raw = { name: "raw", score: applyToColumns({ kind: "raw" }, fresh) };
const options = { seed: 3, draws: 300, sameBackbone: false };

describe("compareCalibrations", () => {
  const compared = compareCalibrations(raw, good, labels, options);

  it("finds the better of two auditors, with an interval that leaves out 0", () => {
    const { difference } = compared;
    expect(difference.log_loss).toMatchObject({ n: 600, method: "jackknife of communities, t" });
    for (const loss of [difference.log_loss, difference.brier]) {
      if (loss.estimate === null) throw new Error(loss.reason);
      expect(loss.upper).toBeLessThan(0);
      expect(loss.lower).toBeLessThan(loss.estimate);
    }
    expect(difference.auroc.estimate!).toBeGreaterThan(0.1);
  });

  it("has the intervals of the differences without each community in turn", () => {
    const { community, target, a, b, difference: want } = reference.over_communities;
    const { difference } = compareCalibrations(
      { name: "a", score: Float64Array.from(a) },
      { name: "b", score: Float64Array.from(b) },
      { y: Uint8Array.from(target), community: Int32Array.from(community) },
      options,
    );
    for (const name of ["log_loss", "brier", "auroc"] as const) {
      const got = difference[name];
      if (got.estimate === null) throw new Error(got.reason);
      expect(got.estimate).toBeCloseTo(want[name].estimate, 10);
      expect(got.lower).toBeCloseTo(want[name].lower, 10);
      expect(got.upper).toBeCloseTo(want[name].upper, 10);
    }
  });

  it("has the differences of the two evaluations", () => {
    const { a, b, difference } = compared;
    expect(difference.log_loss.estimate).toBeCloseTo(b.evaluation.log_loss.value! - a.evaluation.log_loss.value!, 9);
    expect(difference.auroc.estimate).toBeCloseTo(b.evaluation.auroc.estimate! - a.evaluation.auroc.estimate!, 9);
    expect(compared.agreement.estimate).toBeGreaterThan(0);
    expect(compared).toMatchObject({
      n: 600,
      communities: 30,
      seed: 3,
      draws: 300,
      same_backbone: false,
      warnings: [],
    });
  });

  it("turns its sign when the two are exchanged, and is 0 against itself", () => {
    const turned = compareCalibrations(good, raw, labels, options).difference;
    expect(turned.log_loss.estimate).toBeCloseTo(-compared.difference.log_loss.estimate!, 12);
    const itself = compareCalibrations(good, good, labels, options);
    expect(itself.difference.log_loss).toMatchObject({ estimate: 0, lower: 0, upper: 0 });
    expect(itself.agreement.estimate).toBe(1);
  });

  it("says that a handful of communities is too few for its intervals", () => {
    const few = { y, community: fresh.community.map((c) => c % 3) };
    expect(compareCalibrations(raw, good, few, options).warnings.join()).toContain("with 3 communities");
  });

  it("is the same for the same seed and however communities are numbered", () => {
    expect(compareCalibrations(raw, good, labels, options)).toEqual(compared);
    const renumbered = { y, community: fresh.community.map((c) => 1000 - 7 * c) };
    expect(compareCalibrations(raw, good, renumbered, options).difference).toEqual(compared.difference);
  });

  it("uses the rows both have scored and counts the others", () => {
    const a = { name: "a", score: good.score.map((s, i) => (i < 10 ? Number.NaN : s)) };
    const b = { name: "b", score: raw.score.map((s, i) => (i >= 5 && i < 30 ? Number.NaN : s)) };
    const part = compareCalibrations(a, b, labels, options);
    expect(part).toMatchObject({ n: 570, skipped: { a: 5, b: 20, both: 5 } });
    expect(part.a.evaluation.n).toBe(570);
  });

  it("warns that auditors of one backbone are no two opinions", () => {
    const same = compareCalibrations(good, raw, labels, { ...options, sameBackbone: true });
    expect(same).toMatchObject({ same_backbone: true, warnings: [expect.stringContaining("same base model")] });
  });

  it("keeps within the range of a difference", () => {
    const [y, community] = [Uint8Array.of(1, 0, 1, 0, 1, 0), Int32Array.of(0, 0, 0, 1, 1, 1)];
    const a = { name: "a", score: Float64Array.of(0.9, 0.1, 0.8, 0.9, 0.1, 0.8) };
    const b = { name: "b", score: Float64Array.of(0.1, 0.9, 0.2, 0.1, 0.9, 0.1) };
    const { auroc, brier } = compareCalibrations(a, b, { y, community }, options).difference;
    for (const one of [auroc, brier]) expect(one).toMatchObject({ lower: -1, upper: 1 });
  });

  it("has no interval from one community, no AUROC of one class, nothing of nothing", () => {
    const one = compareCalibrations(good, raw, { y, community: new Int32Array(600) }, options).difference;
    const silent = (difference: Estimate, why: string) => {
      expect(difference).toMatchObject({ n: 600, warnings: [`no interval: ${why}`] });
      expect(difference).toMatchObject({ lower: difference.estimate, upper: difference.estimate });
    };
    for (const difference of Object.values(one)) silent(difference, "there is only one community");
    const sure = compareCalibrations(good, raw, { ...labels, y: new Uint8Array(600).fill(1) }, options).difference;
    expect(sure.auroc).toEqual({ estimate: null, reason: "one class", n: 600 });
    expect(sure.brier.estimate).not.toBeNull();
    const alone = { y: Uint8Array.from(fresh.community, (c) => (c === 0 ? 0 : 1)), community: fresh.community };
    const { auroc } = compareCalibrations(good, raw, alone, options).difference;
    silent(auroc, "the value is undefined when one community is left out");
    const same = compareCalibrations(good, good, labels, options).difference;
    for (const difference of Object.values(same)) silent(difference, "the value is the same without each community");
    const empty = { name: "none", score: new Float64Array(600).fill(Number.NaN) };
    const nothing = compareCalibrations(empty, raw, labels, options);
    expect(nothing.difference.log_loss).toEqual({ estimate: null, reason: "no shared rows", n: 0 });
    expect(nothing.agreement.estimate).toBeNull();
  });
});

describe("weightedAuroc", () => {
  it("is the AUROC of rows repeated as often as their cluster counts", () => {
    const row = fc.record({
      score: fc.integer({ min: 0, max: 6 }),
      y: fc.integer({ min: 0, max: 1 }),
      cluster: fc.integer({ min: 0, max: 2 }),
    });
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 25 }),
        fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }), fc.nat({ max: 3 })),
        (rows, weights) => {
          const repeated = (label: number) =>
            rows.flatMap((r) => (r.y === label ? new Array<number>(weights[r.cluster]!).fill(r.score) : []));
          const value = weightedAuroc(
            Float64Array.from(rows, (r) => r.score),
            Uint8Array.from(rows, (r) => r.y),
            Int32Array.from(rows, (r) => r.cluster),
          )(Float64Array.from(weights));
          const want = auroc(repeated(1), repeated(0)).estimate;
          if (want === null) expect(value).toBeNull();
          else expect(value).toBeCloseTo(want, 12);
        },
      ),
    );
  });
});
