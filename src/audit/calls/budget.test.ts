import { describe, expect, it } from "vitest";
import { Budget, dollars } from "./budget.js";

describe("a budget", () => {
  it("counts calls in flight at the dearest price seen, so that they cannot carry the run over", () => {
    const budget = new Budget(1, 0, 0.01);
    budget.reserve();
    budget.settle(0.2);
    budget.reserve();
    budget.settle(0.01);
    for (let i = 0; i < 3; i++) budget.reserve();
    expect(() => budget.reserve()).toThrow(/\$0\.21 are spent \(and 3 calls in flight\)/);
  });

  it("is never passed, whatever the calls cost up to the dearest before", () => {
    for (let seed = 1; seed < 200; seed++) {
      let state = seed;
      const next = () => {
        state = (state * 48271) % 2147483647;
        return state / 2147483647;
      };
      const budget = new Budget(5, 0, 0.5);
      let spent = 0;
      const open: number[] = [];
      for (let i = 0; i < 500; i++) {
        if (next() < 0.6) {
          try {
            budget.reserve();
            open.push(0.5 * next());
          } catch {}
        } else if (open.length > 0) {
          const cost = open.pop()!;
          budget.settle(cost);
          spent += cost;
        }
      }
      for (const cost of open) spent += cost;
      expect(spent).toBeLessThanOrEqual(5);
    }
  });

  it("uses the estimate until something has come back, and what the run spent earlier", () => {
    const tight = new Budget(1, 0, 0.6);
    tight.reserve();
    expect(() => tight.reserve()).toThrow(/limit of \$1\.00/);
    expect(() => new Budget(1, 0.95, 0.1).reserve()).toThrow(/\$0\.95 are spent,/);
    expect(() => new Budget(0, 0, 0.001).reserve()).toThrow();
  });

  it("without a limit never refuses", () => {
    const budget = new Budget(null, 0, 5);
    for (let i = 0; i < 1000; i++) budget.reserve();
    expect(() => budget.reserve()).not.toThrow();
  });

  it("is printed with the digits that matter", () => {
    expect([0, 0.000123, 0.5, 12.345].map(dollars)).toEqual(["$0", "$0.00012", "$0.50", "$12.35"]);
  });
});
