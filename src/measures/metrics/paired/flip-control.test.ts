import { describe, expect, it } from "vitest";
import { auditedIndex } from "../judge/counts.js";
import { flipControl } from "./dual-audit.js";
import { emptyPairs, pairIndex } from "./paired-change.js";

type Verdict = [level: 1 | 2 | 3, inverse: boolean];

/** Pairs of one community: what the auditor says of the decision and of its opposite, and how often. */
function pairs(...rows: [own: Verdict, opposite: Verdict, n: number][]) {
  const community = emptyPairs("c");
  for (const [own, opposite, n] of rows) {
    community.cells[pairIndex(auditedIndex(...own), auditedIndex(...opposite))]! += n;
  }
  return [community];
}

describe("the flip control", () => {
  it("is undefined without pairs, and warns of nothing", () => {
    const { drop, told_apart, n, warnings } = flipControl([]);
    expect({ n, warnings }).toEqual({ n: 0, warnings: [] });
    expect(drop).toEqual({ estimate: null, reason: "no decision has a verdict both ways", n: 0 });
    expect(told_apart).toMatchObject({ estimate: null });
  });

  it("finds an auditor that tells every decision from its opposite", () => {
    const flip = flipControl(pairs([[1, false], [3, true], 40]));
    expect(flip).toMatchObject({ n: 40, warnings: [], told_apart: { k: 40, estimate: 1 } });
    expect(flip.drop).toMatchObject({ estimate: 1, method: "Tango" });
    // Tango's interval where all pairs differ the same way, in closed form: (n − z²)/(n + z²).
    const z2 = 1.959963984540054 ** 2;
    expect(flip.drop.estimate !== null && flip.drop.lower).toBeCloseTo((40 - z2) / (40 + z2), 9);
  });

  it("does not warn of a good auditor whose decider tosses coins, where the drop is 0", () => {
    const flip = flipControl(pairs([[1, false], [3, true], 25], [[3, true], [1, false], 25]));
    expect(flip.drop.estimate).toBe(0);
    expect(flip.told_apart.estimate).toBe(1);
    expect(flip.warnings).toEqual([]);
  });

  it("warns of an auditor that defends whatever it reads, and contradicts itself", () => {
    const flip = flipControl(pairs([[1, false], [1, false], 45], [[1, false], [3, true], 5]));
    expect(flip.self_contradiction).toMatchObject({ k: 45, n: 50 });
    expect(flip.drop.estimate).toBeCloseTo(0.1, 12);
    expect(flip.warnings).toEqual(["not_told_apart", "self_contradiction"]);
  });

  it("takes an admitted ambiguity for none of its contradictions", () => {
    const flip = flipControl(pairs([[2, true], [2, true], 50]));
    expect(flip.self_contradiction).toMatchObject({ k: 0 });
    expect(flip.warnings).toEqual(["not_told_apart"]);
  });

  it("warns of nothing below 30 pairs, or while the intervals leave it open", () => {
    expect(flipControl(pairs([[1, false], [1, false], 29])).warnings).toEqual([]);
    // 20 of 50 told apart: Wilson's upper end is 0.54.
    const undecided = flipControl(pairs([[1, false], [3, true], 20], [[2, true], [2, true], 30]));
    expect(undecided.warnings).toEqual([]);
  });

  it("has DI of decisions minus DI of opposites as its drop", () => {
    const flip = flipControl(
      pairs(
        [[1, false], [2, true], 7],
        [[2, false], [3, true], 11],
        [[3, true], [1, true], 4],
        [[3, false], [3, false], 3],
      ),
    );
    const { defensibility_index: own, opposite_defensibility_index: opposite, drop } = flip;
    expect(drop.estimate).toBeCloseTo(own.estimate! - opposite.estimate!, 12);
  });
});
