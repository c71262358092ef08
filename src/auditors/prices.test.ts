import { describe, expect, it } from "vitest";
import { costOf, priceOf } from "./create-auditor.js";

describe("priceOf", () => {
  it("knows a model and its dated snapshots", () => {
    const price = { input: 0.4, cached_input: 0.1, output: 1.6, batch: 0.5, as_of: "2026-09-11" };
    expect(priceOf("openai", "gpt-4.1-mini")).toEqual(price);
    expect(priceOf("openai", "gpt-4.1-mini-2025-04-14")).toEqual(price);
    expect(priceOf("gemini", "gemini-2.5-flash-lite")).toMatchObject({ input: 0.1, output: 0.4 });
  });

  it("says null instead of guessing from a relative's price", () => {
    expect(priceOf("openai", "gpt-4.1-mini-audio")).toBeNull();
    expect(priceOf("openai", "gemini-2.5-flash")).toBeNull();
    expect(priceOf("openai", "constructor")).toBeNull();
  });
});

describe("costOf", () => {
  const price = { input: 2, cached_input: 0.5, output: 8, batch: 0.5, as_of: "override" };

  it("counts cached input at its own price", () => {
    expect(costOf(price, { input: 1_000_000, cached: 400_000, output: 0 })).toBeCloseTo(0.6 * 2 + 0.4 * 0.5, 12);
    expect(costOf({ ...price, cached_input: null }, { input: 1_000_000, cached: 400_000, output: 0 })).toBeCloseTo(
      2,
      12,
    );
    expect(costOf(price, { input: 0, cached: null, output: 1_000_000 })).toBeCloseTo(8, 12);
  });

  it("never counts more cached tokens than there were", () => {
    expect(costOf(price, { input: 10, cached: 1000, output: 0 })).toBeCloseTo(5e-6, 12);
  });

  it("is unknown where price or counts are", () => {
    expect(costOf(null, { input: 1, cached: 0, output: 1 })).toBeNull();
    expect(costOf(price, { input: null, cached: 0, output: 1 })).toBeNull();
    expect(costOf(price, { input: 1, cached: 0, output: null })).toBeNull();
  });
});
