import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { type CrossedDecision, crossBackbones } from "./document.js";

const DECIDERS = ["gpt-4.1-mini", "gemini-2.5-flash"];
const AUDITORS = ["openai:gpt-4.1", "vertex:gemini-2.5-pro"];

/** `counts[d]`: decisions of a decider that both auditors, only the first, only the second and neither call defensible. */
function table(counts: readonly (readonly [number, number, number, number])[], communities = 4): CrossedDecision[] {
  let i = 0;
  return counts.flatMap((of, d) =>
    of.flatMap((n, kind) =>
      Array.from({ length: n }, () => ({
        decider: DECIDERS[d]!,
        community: `c${i++ % communities}`,
        defensible: [kind < 2, kind === 0 || kind === 2],
        ambiguous: [false, false],
      })),
    ),
  );
}

const cross = (decisions: readonly CrossedDecision[]) => crossBackbones(decisions, DECIDERS, AUDITORS);

describe("crossBackbones", () => {
  it("gives the difference of differences for two by two", () => {
    // By hand: 70, 60 of 100 and 50, 75 of 100.
    const { cells, own } = cross(
      table([
        [50, 20, 10, 20],
        [40, 10, 35, 15],
      ]),
    );
    expect(cells.map(({ defensibility_index }) => defensibility_index.estimate)).toEqual([0.7, 0.6, 0.5, 0.75]);
    const found = cells.map(({ interaction }) => interaction.defensibility_index.estimate!);
    for (const [i, expected] of [0.35, -0.35, -0.35, 0.35].entries()) expect(found[i]).toBeCloseTo(expected, 12);
    expect(cells.map((cell) => cell.own)).toEqual([true, false, false, true]);
    expect(own.defensibility_index.estimate).toBeCloseTo(0.35, 12);
    expect(own.ambiguity_index.estimate).toBe(0);
  });

  it("has the interval of Bonett and Price for each decider, their variances added", () => {
    const { own } = cross(
      table([
        [50, 20, 10, 20],
        [40, 10, 35, 15],
      ]),
    );
    const half = (a: number, b: number) => {
      const [p, q] = [(a + 1) / 102, (b + 1) / 102];
      return { at: p - q, v: (p + q - (p - q) ** 2) / 102 };
    };
    const [one, two] = [half(20, 10), half(35, 10)];
    const width = 1.959963984540054 * Math.sqrt(one.v + two.v);
    expect(own.defensibility_index).toMatchObject({ n: 200, level: 0.95, cluster: { clusters: 4 } });
    const { lower, upper } = own.defensibility_index as { lower: number; upper: number };
    expect(lower).toBeCloseTo(one.at + two.at - width, 10);
    expect(upper).toBeCloseTo(one.at + two.at + width, 10);
  });

  it("is 0 where one auditor is stricter with everybody alike", () => {
    const { cells } = cross(
      table([
        [60, 20, 0, 20],
        [10, 20, 0, 70],
      ]),
    );
    for (const { interaction } of cells) expect(interaction.defensibility_index.estimate).toBeCloseTo(0, 12);
  });

  it("has no own family where no decider has one, and no clusters where a decider is in one community", () => {
    const { own, cells } = crossBackbones(
      table([[50, 20, 10, 20]])
        .map((one) => ({ ...one, decider: "ann", community: "a" }))
        .concat(table([[5, 2, 1, 2]]).map((one) => ({ ...one, decider: "bob" }))),
      ["ann", "bob"],
      AUDITORS,
    );
    expect(own.defensibility_index).toMatchObject({ estimate: null, reason: expect.stringContaining("no decider") });
    expect(cells[0]!.interaction.defensibility_index).not.toHaveProperty("cluster");
  });

  it("covers a planted interaction, for three deciders and two auditors", () => {
    const rng = createRng(7);
    const rates = [
      [0.8, 0.7],
      [0.6, 0.6],
      [0.9, 0.7],
    ];
    const truth = 0.1 - (0 + 0.2) / 2;
    let covered = 0;
    for (let world = 0; world < 300; world += 1) {
      const decisions = rates.flatMap((of, d) =>
        Array.from({ length: 80 }, (_, i) => ({
          decider: `d${d}`,
          community: `c${i % 8}`,
          defensible: of.map((p) => rng.next() < p),
          ambiguous: [false, false],
        })),
      );
      const [first] = crossBackbones(decisions, ["d0", "d1", "d2"], AUDITORS).cells;
      const { lower, upper } = first!.interaction.defensibility_index as { lower: number; upper: number };
      if (lower <= truth && truth <= upper) covered += 1;
    }
    expect(covered / 300).toBeGreaterThan(0.92);
    expect(covered / 300).toBeLessThan(0.99);
  });
});
