import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference as clusters } from "../../../../test/references/clusters.js";
import { reference } from "../../../../test/references/rules.js";
import { tangoInterval } from "../../../stats/intervals/two-proportions.js";
import { type ArmPattern, armPatterns, clusterPairs, countPairs, FOLLOWED } from "./arm-patterns.js";
import { allAlikeWarning, pairedChange, pairedDifference, worstCaseChange } from "./paired-change.js";
import { transitions, underspecification } from "./transitions.js";

type Name = keyof typeof FOLLOWED;
const NAMES = Object.keys(FOLLOWED) as Name[];

const rows = reference.rows.map(({ community, kinds, decision }) => ({
  cluster: Number(community.slice(1)),
  kinds,
  n: 1,
  positive: decision === "remove",
}));

const kind = fc.integer({ min: -3, max: 5 });
const pattern = fc.record({
  cluster: fc.nat(4),
  kinds: fc.tuple(kind, kind, kind),
  n: fc.integer({ min: 1, max: 20 }),
});
const patterns = fc.array(pattern, { maxLength: 30 });
const followed = fc.constantFrom(...NAMES);

describe.each([
  ["all decisions", reference.steps, rows],
  ["removals", reference.removals, rows.filter((row) => row.positive)],
])("pairedChange of %s, against numpy, scipy and statsmodels", (_, steps, of) => {
  for (const step of steps) {
    it.each(NAMES)(`${step.a} to ${step.b}: %s`, (name) => {
      const want = step[name];
      const got = pairedChange(of, step.a, step.b, FOLLOWED[name]);
      expect(got).toMatchObject({ only_a: want.only_a, only_b: want.only_b, a: { k: want.a.k }, b: { k: want.b.k } });
      const { difference, mcnemar, a } = got;
      if (difference.estimate === null || a.estimate === null) throw new Error("undefined");
      expect(difference.n).toBe(want.n);
      expect(difference.estimate).toBeCloseTo(want.difference, 12);
      expect(difference).toMatchObject(tangoInterval(want.only_b, want.only_a, want.n));
      expect(difference.cluster!.lower).toBeCloseTo(want.cluster[0]!, 9);
      expect(difference.cluster!.upper).toBeCloseTo(want.cluster[1]!, 9);
      expect(a.lower).toBeCloseTo(want.a.wilson[0]!, 9);
      expect(a.upper).toBeCloseTo(want.a.wilson[1]!, 9);
      expect(mcnemar.exact_p).toBeCloseTo(want.exact_p!, 9);
      expect(mcnemar.mid_p).toBeCloseTo(want.mid_p!, 9);
      expect(difference.worst_case!.lower).toBeCloseTo(want.worst_case[0]!, 12);
      expect(difference.worst_case!.upper).toBeCloseTo(want.worst_case[1]!, 12);
      expect(a.worst_case!.lower).toBeCloseTo(want.worst_case_a[0]!, 12);
      expect(a.worst_case!.upper).toBeCloseTo(want.worst_case_a[1]!, 12);
    });

    it(`counts transitions from ${step.a} to ${step.b}`, () => {
      expect(transitions(of, step.a, step.b).table).toEqual(step.transitions);
    });
  }
});

describe("pairedChange", () => {
  it("is unchanged by the order of rows, by splitting them and by renaming clusters", () => {
    fc.assert(
      fc.property(patterns, followed, (some, name) => {
        const change = (of: readonly ArmPattern[]) => {
          const { difference, ...rest } = pairedChange(of, 0, 2, FOLLOWED[name]);
          return { ...rest, difference };
        };
        const split = some.flatMap((one) => [{ ...one, n: 1 }, ...(one.n > 1 ? [{ ...one, n: one.n - 1 }] : [])]);
        const renamed = some.map((one) => ({ ...one, cluster: 90 - one.cluster }));
        // The factor keeps numbers such as 1/8192, which end in a 5, off the edge of rounding.
        const plain = (value: unknown) =>
          JSON.parse(JSON.stringify(value), (_, x) =>
            typeof x === "number" ? Number((x * (1 + 1e-11)).toPrecision(9)) : x,
          );
        const want = plain(change(some));
        for (const other of [[...some].reverse(), split, renamed]) expect(plain(change(other))).toEqual(want);
      }),
      { numRuns: 60 },
    );
  });

  it("changes its sign, and nothing else, when the arms change places", () => {
    fc.assert(
      fc.property(patterns, followed, (some, name) => {
        const there = pairedChange(some, 0, 1, FOLLOWED[name]);
        const back = pairedChange(some, 1, 0, FOLLOWED[name]);
        expect([back.only_a, back.only_b]).toEqual([there.only_b, there.only_a]);
        expect(back.mcnemar).toEqual(there.mcnemar);
        if (there.difference.estimate === null) expect(back.difference.estimate).toBeNull();
        else {
          expect(back.difference.estimate).toBeCloseTo(-there.difference.estimate, 12);
          expect(back.difference).toMatchObject({ n: there.difference.n });
        }
      }),
      { numRuns: 60 },
    );
  });

  it("adds up: the change from the first arm to the last is that of its steps", () => {
    fc.assert(
      fc.property(patterns, followed, (some, name) => {
        const value = (a: number, b: number) => pairedChange(some, a, b, FOLLOWED[name]).difference.estimate;
        const [first, second, whole] = [value(0, 1), value(1, 2), value(0, 2)];
        if (whole === null) expect([first, second]).toEqual([null, null]);
        else expect(first! + second!).toBeCloseTo(whole, 12);
      }),
      { numRuns: 60 },
    );
  });

  it("is undefined, with the reason, where no decision has a verdict in every arm", () => {
    for (const none of [[], [{ cluster: 0, kinds: [0, -1], n: 3 }]]) {
      const { a, difference, mcnemar } = pairedChange(none, 0, 1, FOLLOWED.ambiguity_index);
      expect(a).toEqual({ estimate: null, reason: "no decision has a verdict in every arm", n: 0 });
      expect(difference).toMatchObject({ estimate: null, n: 0 });
      expect(mcnemar).toMatchObject({ exact_p: null, mid_p: null });
    }
  });

  it("knows one decision, and one community", () => {
    const one = pairedChange([{ cluster: 5, kinds: [0, 1], n: 1 }], 0, 1, FOLLOWED.ambiguity_index);
    expect(one.difference).toMatchObject({ estimate: -1, lower: -1, n: 1 });
    expect(one.difference).not.toHaveProperty("cluster");
  });

  it("takes decisions as independent where that is what they are", () => {
    const { difference } = pairedChange(rows, 0, 2, FOLLOWED.ambiguity_index, { unit: "decision" });
    expect(difference).not.toHaveProperty("cluster");
    expect(difference.estimate).toBeCloseTo(reference.steps[2]!.ambiguity_index.difference, 12);
  });

  it("gives no interval over threads that all changed alike, and says so", () => {
    const alike = [0, 1, 2].map((cluster) => ({ cluster, kinds: [1, 1], n: 4 }));
    const { difference } = pairedChange(alike, 0, 1, FOLLOWED.ambiguity_index, { unit: "thread" });
    expect(difference).toMatchObject({ estimate: 0, warnings: [allAlikeWarning("thread")] });
    expect(difference).not.toHaveProperty("cluster");
  });
});

describe("worstCaseChange", () => {
  it("holds every change that any answers of the missing audits could make", () => {
    fc.assert(
      fc.property(patterns, followed, fc.integer(), (some, name, seed) => {
        const bounds = worstCaseChange(some, 0, 1, FOLLOWED[name]);
        const filled = some.map(({ kinds, ...one }, i) => ({
          ...one,
          kinds: kinds.map((value, j) => (value < 0 ? Math.abs((seed + 7 * i + 3 * j) % 6) : value)),
        }));
        const change = pairedChange(filled, 0, 1, FOLLOWED[name]).difference.estimate;
        if (bounds === null) expect(some).toEqual([]);
        else {
          expect(change).toBeGreaterThanOrEqual(bounds.change.lower - 1e-12);
          expect(change).toBeLessThanOrEqual(bounds.change.upper + 1e-12);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("is one point where nothing is missing", () => {
    const { change } = worstCaseChange([{ cluster: 0, kinds: [0, 1], n: 3 }], 0, 1, FOLLOWED.ambiguity_index)!;
    expect(change).toEqual({ lower: -1, upper: -1 });
  });
});

describe("transitions", () => {
  it("names the conversion of level 2 into level 1, of all and of those at level 2", () => {
    const got = transitions(
      [
        { cluster: 0, kinds: [2, 1], n: 6 },
        { cluster: 0, kinds: [3, 3], n: 2 },
        { cluster: 1, kinds: [0, 2], n: 1 },
        { cluster: 1, kinds: [5, -1], n: 9 },
      ],
      0,
      1,
    );
    expect(got).toMatchObject({
      n: 9,
      l2_to_l1: { n: 6, of_all: { k: 6, n: 9 }, of_level_2: { k: 6, n: 8 } },
      l1_to_l2: { n: 1, of_level_1: { k: 1, n: 1 } },
      more_severe: 1,
      less_severe: 6,
      inverse: [
        [1, 6],
        [0, 2],
      ],
    });
  });

  it.each(clusters.pooled.filter(({ level }) => level === 0.95))(
    "has shares with the interval over clusters: $k of $n",
    ({ k, n, lower, upper }) => {
      // Level 2 to 1, level 2 as it was, and one at level 1 in each cluster that counts in no share of level 2.
      const of = n.flatMap((size, cluster) => [
        { cluster, kinds: [3, 1], n: k[cluster]! },
        { cluster, kinds: [3, 3], n: size - k[cluster]! },
        { cluster, kinds: [1, 1], n: 1 },
      ]);
      const ends = { lower: expect.closeTo(lower, 9), upper: expect.closeTo(upper, 9) };
      expect(transitions(of, 0, 1).l2_to_l1.of_level_2).toMatchObject({ cluster: ends });
      const { changed, l2_to_l1 } = transitions(
        of.filter(({ kinds }) => kinds[0] === 3),
        0,
        1,
      );
      for (const share of [changed, l2_to_l1.of_all]) expect(share).toMatchObject({ cluster: ends });
      const apart = transitions(of, 0, 1, { unit: "decision" });
      for (const share of [apart.changed, apart.l1_to_l2.of_level_1]) expect(share).not.toHaveProperty("cluster");
    },
  );

  it("says why a share is undefined", () => {
    const { changed, l2_to_l1 } = transitions([], 0, 1);
    expect(changed).toMatchObject({ estimate: null, reason: "no decision has a verdict in every arm" });
    expect(l2_to_l1.of_level_2).toMatchObject({ estimate: null, reason: "no decision is at level 2 before" });
  });

  it("has rows and columns that add up to the levels before and after", () => {
    fc.assert(
      fc.property(patterns, (some) => {
        const { table, n } = transitions(some, 0, 1);
        const sum = (values: readonly number[]) => values.reduce((x, y) => x + y, 0);
        [1, 2, 3].forEach((level, i) => {
          expect(sum(table[i]!)).toBe(countPairs(some, ([a]) => a!.level === level));
          expect(sum(table.map((row) => row[i]!))).toBe(countPairs(some, ([, b]) => b!.level === level));
        });
        expect(n).toBe(countPairs(some));
      }),
      { numRuns: 50 },
    );
  });
});

describe("underspecification", () => {
  it.each(["ambiguity_index", "ambiguity_pure"] as const)("of %s agrees with numpy", (name) => {
    const want = reference.underspecification[name];
    const got = underspecification(rows, 0, 2, FOLLOWED[name]);
    expect(got).toMatchObject({
      gross: { k: want.gross, n: reference.complete },
      reversals: { k: want.reversals },
      residual: { k: want.residual },
    });
    expect(got.net.estimate).toBeCloseTo(want.net, 12);
  });

  it("has a net part that is gross − reversals, and a residual that completes the coarsest index", () => {
    fc.assert(
      fc.property(patterns, (some) => {
        const { gross, reversals, net, residual } = underspecification(some, 0, 2, FOLLOWED.ambiguity_index);
        const before = pairedChange(some, 0, 2, FOLLOWED.ambiguity_index).a.estimate;
        if (gross.estimate === null) {
          expect(net.estimate).toBeNull();
          return;
        }
        expect(net.estimate).toBeCloseTo(gross.estimate - reversals.estimate!, 12);
        expect(gross.estimate + residual.estimate! - reversals.estimate!).toBeCloseTo(before!, 12);
      }),
      { numRuns: 60 },
    );
  });
});

describe("armPatterns", () => {
  it("keeps every decision, whatever its kinds", () => {
    fc.assert(
      fc.property(patterns, (some) => {
        const table = armPatterns(some);
        const total = some.reduce((sum, { n }) => sum + n, 0);
        expect(table.totals.reduce((x, y) => x + y, 0)).toBe(total);
        expect(new Set(table.distinct.map((kinds) => kinds.join())).size).toBe(table.distinct.length);
        expect(armPatterns(table)).toBe(table);
      }),
      { numRuns: 50 },
    );
  });

  it("gives the same pairs to pairedDifference as a count row by row", () => {
    const pairs = clusterPairs(rows, 0, 2, FOLLOWED.ambiguity_index);
    expect(pairs.reduce((sum, { n }) => sum + n, 0)).toBe(reference.complete);
    expect(pairedDifference(pairs)).toMatchObject({ n: reference.complete });
  });
});
