import { describe, expect, it } from "vitest";
import { createTokenCounter } from "./token-counter.js";

describe.each(["o200k", "cl100k"])("counting with %s", (name) => {
  it("gives the tokenizer's own number", async () => {
    const counter = await createTokenCounter(name);
    expect(counter).toMatchObject({ name, exact: true });
    expect(counter.count("")).toBe(0);
    expect(counter.count("hello world")).toBe(2);
    // From the tokenizer's published vocabularies: each of these labels is one token in both.
    for (const label of ["High", "Medium", "Low", "Yes", "No", "1", "2", "3"]) expect(counter.count(label)).toBe(1);
  });

  it("counts special tokens as text and never throws", async () => {
    const counter = await createTokenCounter(name);
    expect(counter.count("<|endoftext|>")).toBeGreaterThan(1);
    expect(counter.count("a <|im_start|> b <|fim_prefix|> \ud800 \u0000")).toBeGreaterThan(5);
  });

  it("counts long texts of ordinary words exactly", async () => {
    const counter = await createTokenCounter(name);
    const { countTokens } =
      name === "o200k"
        ? await import("gpt-tokenizer/encoding/o200k_base")
        : await import("gpt-tokenizer/encoding/cl100k_base");
    const text = "The fern's leaves, all 12 of them, turned brown:\n\n  why? ".repeat(400);
    expect(counter.count(text)).toBe(countTokens(text));
  });

  it.each([
    ["one letter", "a".repeat(100_000)],
    ["capitals", "Q".repeat(100_000)],
    ["spaces", " ".repeat(100_000)],
    ["line breaks", "\n".repeat(100_000)],
    ["marks", "!?".repeat(50_000)],
    ["ideographs", "漢字仮名".repeat(25_000)],
    ["emoji", "🌱".repeat(50_000)],
    ["half pairs", "\ud800".repeat(100_000)],
    ["combining marks", `a${"\u0301".repeat(100_000)}`],
  ])("takes no quadratic time for 100,000 characters of %s", async (_, text) => {
    const counter = await createTokenCounter(name);
    const started = performance.now();
    expect(counter.count(text)).toBeGreaterThan(500);
    // Uncut, one word of this length takes the tokenizer several seconds and more.
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it("is within a token for each slice of a long word", async () => {
    const counter = await createTokenCounter(name);
    const { countTokens } =
      name === "o200k"
        ? await import("gpt-tokenizer/encoding/o200k_base")
        : await import("gpt-tokenizer/encoding/cl100k_base");
    for (const text of [
      "ab".repeat(1500),
      "Lorem".repeat(600),
      "漢字".repeat(1500),
      "🌱".repeat(1000),
      " ".repeat(3000),
    ]) {
      const slices = Math.ceil(text.length / 256) + 1;
      expect(Math.abs(counter.count(text) - countTokens(text))).toBeLessThanOrEqual(slices);
    }
  });
});

describe("any other tokenizer", () => {
  it("is estimated as a quarter of the bytes, rounded up, and says so", async () => {
    const counter = await createTokenCounter("gemini");
    expect(counter).toMatchObject({ name: "estimated", exact: false });
    expect(counter.count("")).toBe(0);
    expect(counter.count("abcd")).toBe(1);
    expect(counter.count("abcde")).toBe(2);
    expect(counter.count("漢字")).toBe(2);
  });
});
