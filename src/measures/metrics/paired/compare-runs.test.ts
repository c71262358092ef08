import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/clusters.js";
import type { Level } from "../../../core/records/level.js";
import { tangoInterval } from "../../../stats/intervals/two-proportions.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { mcnemar } from "../../../stats/tests/two-proportion-test.js";
import { auditedIndex } from "../judge/counts.js";
import { ALL_ALIKE, compareRuns, pairedCounts, pairedIndex } from "./compare-runs.js";
import { emptyPairs, PAIR_CELLS, type PairedCommunity, pairIndex } from "./paired-change.js";

type Verdict = [Level, boolean];

function community(name: string, rows: [Verdict, Verdict, number][]): PairedCommunity {
  const pairs = emptyPairs(name);
  for (const [a, b, n] of rows) pairs.cells[pairIndex(auditedIndex(...a), auditedIndex(...b))]! += n;
  return pairs;
}

const one = community("one", [
  [[1, false], [1, false], 50],
  [[1, false], [3, true], 4],
  [[3, true], [2, true], 12],
  [[2, true], [2, false], 6],
  [[3, true], [3, true], 8],
]);
const two = community("two", [
  [[1, false], [1, false], 30],
  [[2, true], [3, true], 5],
]);
const compare = (pairs: readonly PairedCommunity[], seed = 1) =>
  compareRuns(pairs, { rng: createRng(seed), draws: 400 });

const pairsOf = fc
  .array(fc.nat(6), { minLength: PAIR_CELLS, maxLength: PAIR_CELLS })
  .map((cells) => ({ community: "x", cells: Float64Array.from(cells) }));

describe("compareRuns", () => {
  const got = compare([one, two]);

  it("counts from level to level, A in rows and B in columns", () => {
    expect(got.transitions).toEqual([
      [80, 0, 4],
      [0, 6, 5],
      [0, 12, 8],
    ]);
    expect(got.inverse_transitions).toEqual([
      [25, 6],
      [4, 80],
    ]);
    expect(got).toMatchObject({ more_severe: 9, less_severe: 12, changed: { k: 21, n: 115 } });
  });

  it("takes the difference B − A of paired rows, with Tango's interval and McNemar's test", () => {
    const { defensibility_index: di, ambiguity_index: ai, ambiguity_pure: pure } = got;
    expect(di).toMatchObject({ only_a: 9, only_b: 12, a: { k: 95, n: 115 }, b: { k: 98, n: 115 } });
    expect(di.difference).toMatchObject({ estimate: 3 / 115, method: "Tango", n: 115, ...tangoInterval(12, 9, 115) });
    expect(di.mcnemar).toEqual(mcnemar(9, 12));
    expect(ai).toMatchObject({ only_a: 6, only_b: 4 });
    expect(pure).toMatchObject({ only_a: 11, only_b: 12 });
  });

  it("has an interval over communities, and one by drawing them", () => {
    const { difference, bootstrap } = got.defensibility_index;
    expect(difference).toMatchObject({ cluster: { clusters: 2, method: "jackknife, t" } });
    expect(bootstrap).toMatchObject({ draws: 400, level: 0.95 });
    expect(bootstrap!.warnings.join()).toMatch(/only 2 clusters/);
    expect(compare([one]).defensibility_index.bootstrap).toBeNull();
  });

  it.each(reference.pooled.filter(({ level }) => level === 0.95))(
    "gives the share that changed with the interval over communities: $k of $n",
    ({ k, n, lower, upper, effective_clusters }) => {
      const { changed } = compare(
        n.map((size, c) =>
          community(`c${c}`, [
            [[2, false], [c % 2 ? 1 : 3, false], k[c]!],
            [[1, false], [1, true], size - k[c]!],
          ]),
        ),
      );
      const [yes, all] = [k, n].map((counts) => counts.reduce((sum, count) => sum + count, 0));
      expect(changed).toMatchObject({ k: yes, n: all, method: "wilson" });
      expect("cluster" in changed && changed.cluster).toMatchObject({
        lower: expect.closeTo(lower, 9),
        upper: expect.closeTo(upper, 9),
        effective_clusters: expect.closeTo(effective_clusters, 9),
      });
    },
  );

  it("says of each community what changed, with p-values corrected for their number", () => {
    expect(got.communities.map((row) => row.community)).toEqual(["one", "two"]);
    const [first, second] = got.communities;
    expect(first).toMatchObject({ n: 80, changed: 16 });
    expect(second!.defensibility_index).toMatchObject({ a: 1, only_a: 5, only_b: 0 });
    // 2 · (½)⁵ = 0.0625 exact; mid-p is half of it, and Holm doubles that for two communities.
    expect(second!.defensibility_index.adjusted_p).toBeCloseTo(0.0625, 12);
    expect(first!.defensibility_index.adjusted_p).toBeGreaterThanOrEqual(first!.defensibility_index.mid_p!);
    expect(second!.ambiguity_index.mid_p).toBeNull();
    expect(second!.ambiguity_index.adjusted_p).toBeNull();
  });

  it("changes sign and nothing else when A and B change places", () => {
    const swap = ({ community: name, cells }: PairedCommunity): PairedCommunity => ({
      community: name,
      cells: Float64Array.from(cells, (_, i) => cells[(i % 6) * 6 + Math.floor(i / 6)]!),
    });
    fc.assert(
      fc.property(pairsOf, pairsOf, (x, y) => {
        fc.pre(x.cells.some((n) => n > 0) && y.cells.some((n) => n > 0));
        const there = compare([x, y]).ambiguity_index;
        const back = compare([swap(x), swap(y)]).ambiguity_index;
        expect(back.difference.estimate).toBeCloseTo(-there.difference.estimate!, 12);
        expect(back).toMatchObject({ only_a: there.only_b, only_b: there.only_a, mcnemar: there.mcnemar });
        // Where both communities changed alike nothing is there, in either direction.
        expect(back.bootstrap?.draws).toBe(there.bootstrap?.draws);
      }),
      { numRuns: 30 },
    );
  });

  it("does not depend on the order of communities, but for the draws", () => {
    const other = compare([two, one]);
    expect(other.defensibility_index.difference).toEqual(got.defensibility_index.difference);
    expect(other.transitions).toEqual(got.transitions);
  });

  it("finds nothing in a run compared with its like", () => {
    const same = compare([community("x", [[[1, true], [1, true], 40]])]);
    expect(same.defensibility_index).toMatchObject({ only_a: 0, only_b: 0, mcnemar: { exact_p: null } });
    expect(same.changed).toMatchObject({ k: 0, n: 40 });
  });

  it.each([
    { what: "nothing changed", better: 0, sizes: [20, 20, 35, 50] },
    { what: "each changed by the same share", better: 0.05, sizes: [20, 40, 60, 100] },
    // 1/7 has no exact value in binary: the spread is a rounding error, not 0.
    { what: "each changed by a seventh", better: 1 / 7, sizes: [7, 21, 49, 77] },
  ])("has no interval over communities, and says why, where they have no spread: $what", ({ better, sizes }) => {
    const pairs = sizes.map((n, i) => {
      const changed = Math.round(better * n);
      return community(`c${i}`, [
        [[3, false], [1, false], changed],
        [[1, false], [1, false], n - changed],
      ]);
    });
    const { difference, bootstrap } = compare(pairs).defensibility_index;
    if (difference.estimate === null) throw new Error("undefined");
    expect(difference.cluster).toBeUndefined();
    expect(difference.warnings).toEqual([ALL_ALIKE]);
    expect(bootstrap).toBeNull();
    expect(difference.lower).toBeLessThan(difference.upper);
    // One decision in one community is enough of a difference.
    const uneven = compare([...pairs, community("last", [[[3, false], [1, false], 1]])]).defensibility_index;
    expect(uneven.difference).toMatchObject({ cluster: { clusters: sizes.length + 1 } });
    expect(uneven.difference).not.toHaveProperty("warnings");
    expect(uneven.bootstrap).not.toBeNull();
  });

  it("does not warn of one community, which has no spread by nature", () => {
    expect(compare([one]).defensibility_index.difference).not.toHaveProperty("warnings");
  });

  it("is undefined, not zero, where nothing can be compared", () => {
    const none = compare([emptyPairs("x")]);
    expect(none.communities).toEqual([]);
    expect(none.changed).toEqual({ estimate: null, reason: "no decision has a verdict in both", n: 0 });
    expect(none.defensibility_index).toMatchObject({
      a: { estimate: null },
      difference: { estimate: null, reason: "no decision has a verdict in both", n: 0 },
      bootstrap: null,
    });
  });

  it("gives the same draws for the same seed", () => {
    expect(compare([one, two], 3)).toEqual(compare([one, two], 3));
  });
});

describe("pairedIndex", () => {
  it("adds up what its communities count", () => {
    const counts = [one, two].map((pairs) => pairedCounts(pairs, (cell) => cell.level !== 3));
    expect(counts).toEqual([
      { n: 80, both: 56, onlyA: 4, onlyB: 12 },
      { n: 35, both: 30, onlyA: 5, onlyB: 0 },
    ]);
    const index = pairedIndex(counts, { rng: createRng(1), draws: 100 });
    expect(index).toMatchObject({ only_a: 9, only_b: 12 });
  });
});
