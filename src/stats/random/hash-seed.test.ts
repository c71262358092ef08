import { describe, expect, it } from "vitest";
import { hashSeed } from "./create-rng.js";

describe("hashSeed", () => {
  it("gives the published FNV-1a values for ASCII text", () => {
    expect(hashSeed("")).toBe(0x811c9dc5);
    expect(hashSeed("a")).toBe(0xe40c292c);
    expect(hashSeed("foobar")).toBe(0xbf9cf968);
  });

  it("tells apart text beyond ASCII", () => {
    expect(new Set(["é", "e", "規", "😀", "😁"].map(hashSeed)).size).toBe(5);
  });
});
