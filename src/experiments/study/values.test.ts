import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/paired.js";
import { compareStudies } from "../../stats/tests/two-proportion-test.js";
import { judgeDifference, PAPER, readReference } from "./compare.js";
import { findNumber, membersAt, PAPER_VALUES } from "./values.js";

const printed = (id: string) => PAPER_VALUES.find((one) => one.id === id)!;

const row = (value: number, half: number | null, id = "gap.random.di") => ({
  unit: printed(id).unit,
  ours: { value, lower: half === null ? null : value - half, upper: half === null ? null : value + half },
  reference: printed(id),
});

describe("judgeDifference", () => {
  it("calls a precise neighbour the same, an imprecise one undecided, and a far one different", () => {
    expect(judgeDifference(row(0.92, 0.005))).toBe("same");
    expect(judgeDifference(row(0.92, 0.1))).toBe("undecided");
    expect(judgeDifference(row(0.8, 0.01))).toBe("different");
    expect(judgeDifference(row(0.8, null))).toBeNull();
  });

  it("adds the reference's own error", () => {
    // 62% of 50 Flippers has a standard error of 6.9 points: 74% is not significantly more.
    expect(judgeDifference(row(0.74, 0.02, "stability.0.1.flip_flippers"))).toBe("undecided");
    const variance = (id: string) => ((printed(id).upper - printed(id).lower) / (2 * 1.959963984540054)) ** 2;
    expect(variance("stability.0.1.flip_flippers")).toBeCloseTo((0.62 * 0.38) / 50 + 0.01 ** 2 / 12, 8);
    // ρ = 0.66 of 30 cases: (1 − ρ²)²(1 + ρ²/2)/27.
    expect(Math.sqrt(variance("humans.pds"))).toBeCloseTo(0.1199, 3);
  });
});

describe("judgeDifference of intervals that are not symmetric", () => {
  it.each(reference.studies.filter(({ margin }) => margin === 0.02))(
    "adds what is below one to what is above the other: $first.value and $second.value",
    ({ first, second, verdict }) => {
      expect(judgeDifference({ unit: "share", ours: first, reference: second })).toBe(verdict);
      expect(judgeDifference({ unit: "share", ours: second, reference: first })).toBe(verdict);
    },
  );

  it("does not call none of 100 different from 2.2% of 5,000: 3% could show none", () => {
    const none = reference.studies.find(({ second }) => second.value === 0.022)!;
    expect(none.verdict).toBe("undecided");
    // The mean of both sides would be of a share that is as likely below 0 as above.
    const half = ({ lower, upper }: { lower: number; upper: number }) => (upper - lower) / (2 * 1.959963984540054);
    const variance = half(none.first) ** 2 + half(none.second) ** 2;
    expect(compareStudies({ difference: -0.022, variance, margin: 0.02 })).toBe("different");
  });

  it("is that of the variances of symmetric ones", () => {
    for (let i = 0; i < 400; i++) {
      const [value, other] = [0.5 + i / 4000, 0.55];
      const [own, its] = [(1 + (i % 7)) / 100, (1 + (i % 11)) / 200];
      const bounded = (at: number, width: number) => ({ value: at, lower: at - width, upper: at + width });
      const variance = (own / 1.959963984540054) ** 2 + (its / 1.959963984540054) ** 2;
      expect(judgeDifference({ unit: "share", ours: bounded(value, own), reference: bounded(other, its) })).toBe(
        compareStudies({ difference: value - other, variance, margin: 0.02 }),
      );
    }
  });

  it("takes a resampled interval beside its number for one that ends there", () => {
    const beside = { value: 0.5, lower: 0.51, upper: 0.6 };
    expect(judgeDifference({ unit: "share", ours: beside, reference: { value: 0.5, lower: 0.49, upper: 0.51 } })).toBe(
      "undecided",
    );
  });

  it("does not judge by an interval without width, on either side", () => {
    const [sharp, wide] = [
      { value: 0.72, lower: 0.72, upper: 0.72 },
      { value: 0.5, lower: 0.4, upper: 0.6 },
    ];
    expect(judgeDifference({ unit: "share", ours: wide, reference: sharp })).toBeNull();
    expect(judgeDifference({ unit: "share", ours: sharp, reference: wide })).toBeNull();
  });
});

describe("a reference", () => {
  it("is the paper, or a study, and nothing else", () => {
    expect(PAPER.values).toHaveLength(193);
    expect(() => readReference("x.json", { format: 1 })).toThrow("x.json is not the result of a study");
  });
});

describe("findNumber", () => {
  const share = (estimate: number) => ({ estimate, lower: 0.1, upper: 0.6, level: 0.95, method: "test", n: 10 });

  it("follows names, members that fit, the first member and every element", () => {
    const value = {
      rows: [
        { t: 0.1, k: "a, b", v: 1 },
        { t: 1, k: "c", v: 2 },
      ],
      by: { x: { v: 3 }, y: { v: 4 } },
    };
    expect(membersAt(value, "/rows/t=1/v")).toEqual([2]);
    expect(membersAt(value, "/rows/k=a, b,t=0.1/v")).toEqual([1]);
    expect(membersAt(value, "/by/first/v")).toEqual([3]);
    expect(membersAt(value, "/rows/*/v")).toEqual([1, 2]);
    expect(membersAt(value, "/rows/t=3/v")).toEqual([]);
    expect(membersAt(value, "/constructor/name")).toEqual([]);
  });

  it("takes extremes, counts, shares of counts and absolute values", () => {
    const number = { ...printed("gap.random.di"), at: "/rows/*/v" };
    const result = { rows: [{ v: share(0.3) }, { v: share(0.2) }], n: 50, k: 5, unknown: 50 };
    expect(findNumber({ ...number, pick: "low" }, result)).toMatchObject({ estimate: 0.2 });
    expect(findNumber({ ...number, pick: "high" }, result)).toMatchObject({ estimate: 0.3 });
    expect(findNumber({ ...number, times: "/n" }, result)).toMatchObject({ estimate: 15, lower: 5, upper: 30, n: 50 });
    expect(findNumber({ ...number, at: "/k", of: "/n" }, result)).toMatchObject({ estimate: 0.1, k: 5, n: 50 });
    expect(findNumber({ ...number, at: "/k", of: "/n", less: "/unknown" }, result)).toMatchObject({ estimate: null });
    expect(findNumber({ ...number, at: "/k", plus: "/n" }, result)).toEqual({ plain: 55, n: 55 });
    const negative = { v: { ...share(-0.3), lower: -0.5, upper: 0.1 } };
    expect(findNumber({ ...number, at: "/v", absolute: true }, negative)).toMatchObject({
      estimate: 0.3,
      lower: 0,
      upper: 0.5,
    });
  });

  it("says why there is none", () => {
    const number = printed("sigma.0.1.ai");
    expect(findNumber(number, { experiment: { temperatures: [] } })).toMatchObject({
      reason: "nothing was audited at T = 0.1",
    });
    expect(findNumber({ ...number, because: "/why" }, { why: "no weights" })).toMatchObject({ reason: "no weights" });
  });
});
