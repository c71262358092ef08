import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/rules.js";
import { ABLATION_CLASSES } from "../../../experiments/rules/scopes/result.js";
import { ablationClass, FOLLOWED, scopeAblation } from "./arm-patterns.js";

const ARMS = { both: 0, platform: 1, community: 2 };
const rows = reference.rows.map(({ community, kinds }) => ({ cluster: Number(community.slice(1)), kinds, n: 1 }));

describe("scopeAblation", () => {
  it.each(["defensibility_index", "ambiguity_index", "ambiguity_pure"] as const)("of %s agrees with numpy", (name) => {
    const want = reference.ablation[name];
    const got = scopeAblation(rows, ARMS, FOLLOWED[name]);
    const k = (count: number) => ({ k: count, n: reference.complete });
    expect(got).toMatchObject({
      both: k(want.both),
      classes: {
        platform: k(want.platform),
        community: k(want.community),
        either: k(want.either),
        together: k(want.together),
      },
      ended_by_community: k(want.ended_by_community),
      ended_by_platform: k(want.ended_by_platform),
    });
    expect(got.both).toHaveProperty("cluster");
  });

  it("splits the index into four classes that add up to it, and all decisions into eight patterns", () => {
    const kind = fc.integer({ min: -1, max: 5 });
    const pattern = fc.record({
      cluster: fc.nat(3),
      kinds: fc.tuple(kind, kind, kind),
      n: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 25 }), (some) => {
        const { both, classes, patterns } = scopeAblation(some, ARMS, FOLLOWED.ambiguity_index);
        expect(patterns).toHaveLength(8);
        const all = patterns.reduce((sum, { n }) => sum + n, 0);
        expect(all).toBe(both.n);
        if (both.estimate === null) return;
        const sum = ABLATION_CLASSES.reduce((total, name) => total + classes[name].estimate!, 0);
        expect(sum).toBeCloseTo(both.estimate, 12);
      }),
      { numRuns: 60 },
    );
  });

  it("gives each combination of the two arms its own class", () => {
    const classes = [true, false].flatMap((g) => [true, false].map((c) => ablationClass(g, c)));
    expect(classes).toEqual(["either", "platform", "community", "together"]);
  });

  it("is undefined without pairs", () => {
    const { both, classes } = scopeAblation([], ARMS, FOLLOWED.ambiguity_index);
    expect(both).toEqual({ estimate: null, reason: "no decision has a verdict in every arm", n: 0 });
    expect(classes.together.estimate).toBeNull();
  });
});
