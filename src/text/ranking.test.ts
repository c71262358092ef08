import { describe, expect, it } from "vitest";
import { rankByGrams, rankByWords } from "./ranking.js";

describe.each([
  ["words", rankByWords],
  ["n-grams", rankByGrams],
] as const)("ranking by %s", (_, rankBy) => {
  it("puts a shared rare word above shared common ones", () => {
    const rank = rankBy(["the plant is in the pot", "the plant has aphids", "the plant is in the pot too"]);
    expect(rank("aphids in the plant")[0]).toBe(1);
  });

  it("does not favour a text for being long", () => {
    const rank = rankBy([`fern ${"other words about nothing ".repeat(50)}`, "fern leaves"]);
    expect(rank("fern")).toEqual([1, 0]);
  });

  it("keeps the order of equals and of texts that have nothing in common", () => {
    const rank = rankBy(["x", "fern", "y", "fern", "z"]);
    expect(rank("a fern")).toEqual([1, 3, 0, 2, 4]);
    expect(rank("")).toEqual([0, 1, 2, 3, 4]);
    expect(rankBy([])("fern")).toEqual([]);
  });

  it("compares scripts without spaces", () => {
    expect(rankBy(["这是仙人掌", "这是蕨类植物"])("蕨类怎么养")[0]).toBe(1);
  });
});

describe("the nearest text to a short one", () => {
  const texts = ["Where do I get soil?", "I am selling two cacti", "My ferns are wilting", "Orchideen gießen", "ОК!"];

  it.each([
    ["Fern wilted :(", 2],
    ["4 sale: cactus", 1],
    ["SELL?", 1],
    ["soils", 0],
    ["Orchidee", 3],
    ["ｆｅｒｎ", 2],
    ["ок", 4],
  ])("of %j is found by n-grams", (short, nearest) => {
    expect(rankByGrams(texts)(short)[0]).toBe(nearest);
  });

  it("is often not found by words, which share nothing", () => {
    expect(rankByWords(texts)("Fern wilted :(")).toEqual([0, 1, 2, 3, 4]);
  });
});
