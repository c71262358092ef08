import { describe, expect, it } from "vitest";
import { createRanking } from "./similarity.js";

describe("ranking by likeness", () => {
  it("puts a shared rare word above shared common ones", () => {
    const rank = createRanking(["the plant is in the pot", "the plant has aphids", "the plant is in the pot too"]);
    expect(rank("aphids in the plant")[0]).toBe(1);
  });

  it("does not favour a text for being long", () => {
    const rank = createRanking([`fern ${"other words about nothing ".repeat(50)}`, "fern leaves"]);
    expect(rank("fern")).toEqual([1, 0]);
  });

  it("keeps the order of equals and of texts without a common word", () => {
    const rank = createRanking(["x", "fern", "y", "fern", "z"]);
    expect(rank("a fern")).toEqual([1, 3, 0, 2, 4]);
    expect(rank("")).toEqual([0, 1, 2, 3, 4]);
    expect(createRanking([])("fern")).toEqual([]);
  });

  it("compares scripts without spaces", () => {
    expect(createRanking(["这是仙人掌", "这是蕨类植物"])("蕨类怎么养")[0]).toBe(1);
  });
});
