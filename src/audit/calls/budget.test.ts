import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { Budget, dollars } from "./budget.js";

describe("a budget", () => {
  it("is never passed, however many calls are made at once and whatever they cost up to the estimate", async () => {
    for (let seed = 1; seed <= 50; seed++) {
      const rng = createRng(seed);
      const budget = new Budget(5, 0, 0.5);
      let spent = 0;
      let refused = 0;
      const call = async () => {
        try {
          await budget.reserve();
        } catch {
          refused++;
          return;
        }
        await new Promise((resolve) => setImmediate(resolve));
        const cost = 0.5 * rng.next();
        spent += cost;
        budget.settle(cost);
      };
      await Promise.all(Array.from({ length: 100 }, call));
      expect(spent).toBeLessThanOrEqual(5);
      expect(spent).toBeGreaterThan(4);
      expect(refused).toBeGreaterThan(0);
    }
  });

  it("counts calls at the dearest price seen", async () => {
    const budget = new Budget(1, 0, 0.01);
    await budget.reserve();
    budget.settle(0.6);
    await expect(budget.reserve()).rejects.toThrow(
      /\$0\.60 are spent, and another call could pass the limit of \$1\.00/,
    );
  });

  it("waits for calls in flight before it refuses", async () => {
    const budget = new Budget(1, 0, 0.6);
    await budget.reserve();
    let granted = false;
    const second = budget.reserve().then(() => {
      granted = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(granted).toBe(false);
    budget.settle(0.1);
    await second;
    expect(granted).toBe(true);
  });

  it("counts a call whose cost nobody knows as the dearest, and what was spent otherwise", async () => {
    const budget = new Budget(1, 0.1, 0.4);
    await budget.reserve();
    budget.settle(null);
    budget.charge(0.2);
    await expect(budget.reserve()).rejects.toThrow(/\$0\.70 are spent/);
    await expect(new Budget(0, 0, 0.001).reserve()).rejects.toThrow();
  });

  it("without a limit never refuses", async () => {
    const budget = new Budget(null, 0, 5);
    for (let i = 0; i < 1000; i++) await budget.reserve();
  });

  it("is printed with the digits that matter", () => {
    expect([0, 0.000123, 0.5, 12.345].map(dollars)).toEqual(["$0", "$0.00012", "$0.50", "$12.35"]);
  });
});
