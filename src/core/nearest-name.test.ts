import { describe, expect, it } from "vitest";
import { nearestName } from "./text-checks.js";

describe("nearestName", () => {
  it.each([
    ["marketplace", ["General", "Marketplace"], "Marketplace"],
    ["ask anything", ["film-club", "ask-anything"], "ask-anything"],
    ["r/pics", ["Pictures", "Pics"], "Pics"],
    ["velos", ["Vélos"], "Vélos"],
    ["descripton", ["detail", "description"], "description"],
    ["titel", ["title", "detail"], "title"],
  ])("finds the name meant by %s", (name, names, meant) => {
    expect(nearestName(name, names)).toBe(meant);
  });

  it("names nothing that is another word, and never the name itself", () => {
    expect(nearestName("gardening", ["photography", "trail-hiking"])).toBeNull();
    expect(nearestName("ab", ["cd", "ba2"])).toBeNull();
    expect(nearestName("same", ["same"])).toBeNull();
    expect(nearestName("？", ["!"])).toBeNull();
  });
});
