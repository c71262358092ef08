import { describe, expect, it } from "vitest";
import type { Token } from "../../core/records/case.js";
import { alignTokens, locateTokens } from "./align-tokens.js";
import { tokensOf } from "./answer.suite.js";

const utf8 = new TextEncoder();

function ranges(tokens: Token[], text: string): [number, number][] {
  const { starts, ends } = alignTokens(tokens, text);
  return tokens.map((_, i) => [starts[i]!, ends[i]!]);
}

/** A text cut into tokens of given byte lengths, printed as `print` says. */
function cut(text: string, lengths: number[], print: (bytes: Uint8Array) => Partial<Token>): Token[] {
  const bytes = utf8.encode(text);
  let at = 0;
  return lengths.map((length) => {
    const part = bytes.slice(at, at + length);
    at += length;
    return { text: new TextDecoder().decode(part), logprob: -0.1, top: [], ...print(part) };
  });
}

const valid = (part: Uint8Array) => !new TextDecoder().decode(part).includes("\ufffd");
const spelled = (part: Uint8Array) => [...part].map((byte) => `\\x${byte.toString(16)}`).join("");

describe("alignTokens", () => {
  it("counts bytes of emoji and accents", () => {
    expect(ranges(tokensOf(["é", "👍", "a"]), "é👍a")).toEqual([
      [0, 2],
      [2, 6],
      [6, 7],
    ]);
  });

  it("places a character split over two tokens by the bytes the provider gives", () => {
    const text = "a雨b👍";
    const lengths = [1, 2, 1, 1, 3, 1];
    const exact: [number, number][] = [
      [0, 1],
      [1, 3],
      [3, 4],
      [4, 5],
      [5, 8],
      [8, 9],
    ];
    const openai = cut(text, lengths, (part) => (valid(part) ? { bytes: part } : { bytes: part, text: spelled(part) }));
    const llamaCpp = cut(text, lengths, (part) => (valid(part) ? { bytes: part } : { bytes: part, text: "" }));
    const openaiWithoutBytes = cut(text, lengths, (part) => (valid(part) ? {} : { text: spelled(part) }));
    for (const tokens of [openai, llamaCpp, openaiWithoutBytes]) {
      expect(ranges(tokens, text)).toEqual(exact);
      expect(alignTokens(tokens, text)).toMatchObject({ fit: "exact", loose: null });
    }
  });

  it("gives tokens that lost their bytes the range of their gap and finds the rest again", () => {
    const text = '{"c":"a雨雪b","w":"High"}';
    // {"c":"a | 雨 in two | 雪 in two | b","w":" | High | "}
    const lengths = [7, 2, 1, 1, 2, 8, 4, 2];
    const vllm = cut(text, lengths, (part) => ({ bytes: utf8.encode(new TextDecoder().decode(part)) }));
    const ollama = cut(text, lengths, (part) => (valid(part) ? {} : { text: "" }));
    for (const tokens of [vllm, ollama]) {
      const alignment = alignTokens(tokens, text);
      expect(alignment.fit).toBe("repaired");
      expect(Array.from(alignment.loose!)).toEqual([0, 1, 1, 1, 1, 0, 0, 0]);
      const placed = ranges(tokens, text);
      for (const i of [1, 2, 3, 4]) expect(placed[i]).toEqual([7, 13]);
      expect(placed[6]).toEqual([21, 25]);
    }
  });

  it("drops what stands around the text: thoughts before it, an end mark after it, trimmed space", () => {
    expect(ranges(tokensOf(["<think>", '{"a"', "</think>", ' {"', "a", '":1}', "<|end|>"]), '{"a":1}')).toEqual([
      [-20, -13],
      [-13, -9],
      [-9, -1],
      [-1, 2],
      [2, 3],
      [3, 7],
      [7, 14],
    ]);
    expect(alignTokens(tokensOf(["a", "<|end|>"]), "a").fit).toBe("shifted");
  });

  it("finds tokens again after text that no token spells", () => {
    expect(ranges(tokensOf(['{"level":', "2", "}"]), '\ufeff{"level":2}')).toEqual([
      [3, 12],
      [12, 13],
      [13, 14],
    ]);
  });

  it("leaves tokens unplaced where nothing fits any more", () => {
    const alignment = alignTokens(tokensOf(["ab", "zz", "yy"]), "abcdef");
    expect(Array.from(alignment.loose!)).toEqual([0, 1, 1]);
    expect(locateTokens(alignment, { start: 2, end: 6 })).toMatchObject({ first: 1, end: 1 });
  });

  it("keeps byte offsets where tokens split a surrogate pair", () => {
    expect(ranges(tokensOf(["\ud83d", "\udc4d", "a"]), "👍a")[2]).toEqual([4, 5]);
  });
});

describe("locateTokens", () => {
  const alignment = alignTokens(tokensOf(['":"', "R3", " x", '.","', "b"]), '":"R3 x.","b');

  it("takes every token with a byte of the span, glued delimiters included", () => {
    expect(locateTokens(alignment, { start: 3, end: 8 })).toEqual({ first: 1, end: 4, certain: true });
    expect(locateTokens(alignment, { start: 4, end: 5 })).toEqual({ first: 1, end: 2, certain: true });
  });

  it("takes none for an empty span", () => {
    const { first, end } = locateTokens(alignment, { start: 7, end: 7 });
    expect(end - first).toBe(0);
  });

  it("leaves out a token of unknown place across the border, and says so", () => {
    const loose = { starts: [0, 2, 2, 6], ends: [2, 6, 6, 8], loose: [0, 1, 1, 0] };
    expect(locateTokens(loose, { start: 4, end: 8 })).toEqual({ first: 3, end: 4, certain: false });
    expect(locateTokens(loose, { start: 0, end: 4 })).toEqual({ first: 0, end: 1, certain: false });
    expect(locateTokens(loose, { start: 1, end: 7 })).toEqual({ first: 0, end: 4, certain: true });
  });
});
