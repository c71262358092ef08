import { describe, expect, it } from "vitest";
import { truthNumber } from "./simulated.suite.js";
import { TruthTable } from "./truth-table.js";

describe("a table of truths", () => {
  it("gives every truth back, however many there are", () => {
    const table = new TruthTable();
    const count = 10_000;
    for (let i = 0; i < count; i++) table.add(truthNumber(i));
    expect(table.size).toBe(count);
    for (const i of [0, 1, 2, 3, 4, 5, 6, 7, 8, 4095, 4096, 8191, 8192, count - 1]) {
      const { decision, decider, level, inverse, rule, ambiguity_scope, tiers, scopes, contest } = truthNumber(i);
      expect(table.get(`d${i}`)).toEqual({
        ...{ decision, decider, level, inverse, rule, tiers, scopes, contest },
        ambiguityScope: ambiguity_scope,
      });
    }
    expect(table.get("d10000")).toBeNull();
  });

  it("keeps the last truth of a decision that is told twice", () => {
    const table = new TruthTable();
    table.add(truthNumber(0));
    table.add(truthNumber(0, { level: 3, inverse: true, decider: null, rule: null }));
    expect(table.size).toBe(1);
    expect(table.get("d0")).toMatchObject({ level: 3, inverse: true, decider: null, rule: null });
  });
});
