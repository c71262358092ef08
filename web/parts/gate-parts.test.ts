import { describe, expect, it } from "vitest";
import { evaluateGate } from "../../src/measures/gate/evaluate-gate.js";
import { cohort } from "../../src/measures/gate/fleet.suite.js";
import { noNumber } from "./gate-parts.tsx";

const said = (n: number, indefensible: number) =>
  noNumber(evaluateGate([cohort(n, indefensible)], { mode: "paper" }).communities[0]!, "paper", 25);

describe("how many more decisions", () => {
  it("is unknown before the first verdict, and where the rates are bad below the minimum", () => {
    expect(said(0, 0)).toBe("at least 25");
    expect(said(12, 6)).toBe("at least 13, and better rates");
  });

  it("is words where the rates are bad, and a number where they are good", () => {
    expect(said(100, 60)).toBe("fix first");
    expect(said(12, 0)).toBeNull();
  });
});
