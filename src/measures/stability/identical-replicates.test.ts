import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { identicalReplicates } from "./allocate.js";
import { LevelSequence } from "./level-sequence.js";

/** The e-value of t equal draws against "the share is τ", as a product: B(t + ½, ½) / B(½, ½) = Π (i − ½) / i. */
function eValue(t: number, share: number): number {
  let value = 1;
  for (let i = 1; i <= t; i += 1) value *= (i - 0.5) / (i * share);
  return value;
}

describe("identicalReplicates", () => {
  it.each([0.5, 0.1, 0.05, 0.01, 1e-6])("is the first number whose e-value reaches the limit, for α = %f", (alpha) => {
    const boundary = identicalReplicates(alpha, "boundary");
    expect(eValue(boundary, 0.9)).toBeGreaterThanOrEqual(1 / alpha);
    expect(eValue(boundary - 1, 0.9)).toBeLessThan(1 / alpha);
    const both = identicalReplicates(alpha, "class");
    expect(eValue(both, 0.95)).toBeGreaterThanOrEqual(3 / alpha);
    expect(eValue(both - 1, 0.95)).toBeLessThan(3 / alpha);
  });

  it("is the same whichever level it is", () => {
    for (const level of [1, 2, 3]) {
      const sequence = new LevelSequence(0.05);
      for (let i = 1; i < identicalReplicates(0.05, "boundary"); i += 1) sequence.addLevel(level);
      expect(sequence.boundary().value).toBeNull();
      sequence.addLevel(level);
      expect(sequence.boundary().value).toBe(level === 3 ? "stably_indefensible" : "stably_defensible");
    }
  });

  it("is what the documentation says", () => {
    const docs = readFileSync("docs/stability.md", "utf8");
    for (const alpha of [0.1, 0.05, 0.01, 0.001]) {
      const [boundary, both] = [identicalReplicates(alpha, "boundary"), identicalReplicates(alpha, "class")];
      expect(docs).toContain(`| ${alpha} | ${boundary} | ${both} |`);
    }
  });
});
