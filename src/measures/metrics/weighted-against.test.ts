import { describe, expect, it } from "vitest";
import type { LabelSample } from "../../core/records/label.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { compareAgainst, type JudgedPair, type PopulationCell } from "./against.js";
import { populationShare, populationStatistic } from "./weighted-against.js";

const design = (weighted: LabelSample["weighted"], ...flags: LabelSample["flags"]): LabelSample => {
  return { weighted, frame: null, designs: [], flags };
};
const pair = (level: number, targetLevel: number, drawn: Partial<JudgedPair> = {}): JudgedPair => {
  return {
    level,
    targetLevel,
    inverse: false,
    targetInverse: null,
    indefensibleScore: null,
    disagrees: null,
    ...drawn,
  };
};
const cell = (name: string, level: number, n: number): PopulationCell => {
  return { cell: name, level, inverse: false, disagrees: null, n };
};
const isBad = ({ targetLevel }: JudgedPair) => targetLevel === 3;
const repeat = (n: number, one: JudgedPair) => Array.from({ length: n }, () => one);

describe("populationShare", () => {
  const population = [cell("a", 1, 90), cell("b", 3, 10)];

  it("weighs cells of verdicts by their size, and takes none for certain", () => {
    const pairs = [...repeat(3, pair(1, 1, { cell: "a" })), ...repeat(3, pair(3, 1, { cell: "b" }))];
    const share = populationShare(pairs, { design: design("by_verdict"), population }, (one) => !isBad(one));
    expect(share).toMatchObject({ estimate: 1, upper: 1, n: 6 });
    expect(share.estimate === null ? 1 : share.lower).toBeLessThan(0.7);
  });

  it("is exact where everything was rated, and undefined where a cell was not", () => {
    const pairs = [pair(1, 1, { cell: "a" }), pair(1, 3, { cell: "a" })];
    const all = { design: design("by_verdict"), population: [cell("a", 1, 2)] };
    expect(populationShare(pairs, all, isBad)).toMatchObject({ estimate: 0.5, lower: 0.5, upper: 0.5, n: 2 });
    expect(populationShare(pairs, { ...all, population }, isBad)).toMatchObject({
      estimate: null,
      reason: "stratum_unlabelled: no label of b",
    });
  });

  it("of a random sample is Wilson's share of n/(1 − n/N) labels, and known where all have one", () => {
    const sample = { design: design("random"), population: [cell("a", 1, 80), cell("b", 3, 20)] };
    const pairs = [...repeat(45, pair(1, 1, { cell: "" })), ...repeat(5, pair(1, 3, { cell: "" }))];
    const [got, want] = [populationShare(pairs, sample, isBad), proportion(10, 100)];
    if (got.estimate === null || want.estimate === null) throw new Error("undefined");
    expect(got.estimate).toBeCloseTo(0.1, 12);
    expect([got.lower, got.upper].map((end) => end.toFixed(10))).toEqual(
      [want.lower, want.upper].map((end) => end.toFixed(10)),
    );
    const known = { ...sample, population: [cell("a", 1, 50)] };
    expect(populationShare(pairs, known, isBad)).toMatchObject({ lower: 0.1, upper: 0.1 });
    // The share of what the auditor calls level 3, of which the run has 20.
    const part = populationShare([...pairs, pair(3, 3), pair(3, 1)], sample, isBad, ({ level }) => level === 3);
    expect(part).toMatchObject({ estimate: 0.5, n: 2 });
  });

  it("weighs labels by their own chances where these differ, without cells", () => {
    const pairs = [...repeat(10, pair(1, 3, { inclusion: 1 })), ...repeat(9, pair(1, 1, { inclusion: 0.05 }))];
    const share = populationShare(pairs, { design: design("by_stratum"), population }, isBad);
    expect(share).toMatchObject({ estimate: expect.closeTo(10 / 190, 12), k: 10, n: 19 });
    const mean = (w: Float64Array) =>
      w.reduce((sum, one, i) => sum + (i < 10 ? one : 0), 0) / w.reduce((a, b) => a + b);
    const sample = { design: design("by_stratum"), population };
    const jackknife = populationStatistic(pairs, { pairs, sample }, mean, [0, 1]);
    expect(jackknife).toMatchObject({ estimate: expect.closeTo(10 / 190, 12) });
    // Nine labels carry the weight: one degree of freedom would make an interval of no use.
    expect(jackknife.estimate === null ? 1 : jackknife.upper).toBeLessThan(0.2);
  });
});

describe("compareAgainst", () => {
  it("takes labels of unknown design, or of another population, as they are", () => {
    const pairs = repeat(20, pair(1, 1));
    const population = [cell("", 1, 20)];
    for (const flag of ["design_unknown", "other_frame"] as const) {
      const { defensibility_index } = compareAgainst("human", pairs, { design: design("random", flag), population });
      expect(defensibility_index!.estimate === null ? 1 : defensibility_index!.lower).toBeLessThan(0.9);
    }
    const own = compareAgainst("human", pairs, { design: design("random"), population });
    expect(own.defensibility_index).toMatchObject({ lower: 1 });
  });
});
