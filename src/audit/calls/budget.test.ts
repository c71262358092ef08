import { describe, expect, it } from "vitest";
import type { Audit } from "../../domain/audit.js";
import { Budget, dollars } from "./budget.js";

const costing = (cost_usd: number | null) => [{ usage: { cost_usd } } as Audit];

describe("a budget", () => {
  it("counts calls in flight at the mean of those that came back", () => {
    const budget = new Budget(1, 0, 0.01);
    expect(budget.refusal(0)).toBeNull();
    budget.spend(costing(0.2));
    expect(budget.refusal(3)).toBeNull();
    expect(budget.refusal(4)).toMatchObject({ code: "max_cost" });
  });

  it("uses the estimate until something has come back, and what the run spent earlier", () => {
    expect(new Budget(1, 0, 0.6).refusal(1)).not.toBeNull();
    expect(new Budget(1, 0.95, 0.1).refusal(0)?.message).toContain("$0.95 are spent");
    expect(new Budget(0, 0, 0.001).refusal(0)).not.toBeNull();
  });

  it("without a limit never refuses, and an unknown cost is none", () => {
    const budget = new Budget(null, 0, 5);
    budget.spend(costing(null));
    expect(budget.total).toBe(0);
    expect(budget.refusal(1e6)).toBeNull();
  });

  it("is printed with the digits that matter", () => {
    expect([0, 0.000123, 0.5, 12.345].map(dollars)).toEqual(["$0", "$0.00012", "$0.50", "$12.35"]);
  });
});
