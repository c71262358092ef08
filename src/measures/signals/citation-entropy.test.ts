import { describe, expect, it } from "vitest";
import type { Token } from "../../core/records/case.js";
import { alignTokens } from "./align-tokens.js";
import { type Piece, tokensOf } from "./answer.suite.js";
import { citationEntropy } from "./citation-entropy.js";
import { readTrace } from "./read-trace.js";

function entropyOf(tokens: Token[], text = tokens.map((token) => token.text).join(""), temperature = 1) {
  const span = readTrace(text).fields.policy_citation!;
  return citationEntropy(tokens, alignTokens(tokens, text), text, span, temperature);
}

const HALF = { a: 0.5, b: 0.5 };
const citing = (...pieces: Piece[]) => tokensOf(['{"policy_citation":"', ...pieces, '"}']);

describe("citationEntropy", () => {
  it("is the mean of the tokens' entropies, in bits", () => {
    const result = entropyOf(citing(["a", HALF], ["b", { b: 0.25, c: 0.25, d: 0.25, e: 0.25 }], ["c", { c: 1 }]));
    expect(result).toMatchObject({ bits: expect.closeTo(1, 12), tokens: 3, tail_mass: expect.closeTo(0, 12) });
    expect(result?.spans.map(([text, bits]) => [text, Math.round(bits * 1e9) / 1e9])).toEqual([
      ["a", 1],
      ["b", 2],
      ["c", 0],
    ]);
  });

  it("renormalises what is listed and reports what is not", () => {
    const result = entropyOf(citing(["a", { a: 0.3, b: 0.3 }], ["b", { b: 0.8 }]));
    expect(result?.bits).toBeCloseTo(0.5, 12);
    expect(result?.tail_mass).toBeCloseTo((0.4 + 0.2) / 2, 12);
  });

  it("merges a chosen token outside the list, and drops sentinels", () => {
    const top = [
      { text: "a", logprob: Math.log(0.5) },
      { text: "z", logprob: -9999 },
    ];
    const unlisted = { text: "b", logprob: Math.log(0.25), top };
    // (2/3, 1/3): log2 3 - 2/3.
    expect(entropyOf([...citing().slice(0, 1), unlisted, ...citing().slice(1)])?.bits).toBeCloseTo(
      Math.log2(3) - 2 / 3,
      12,
    );
    expect(entropyOf([...citing().slice(0, 1), { ...unlisted, logprob: -9999 }, ...citing().slice(1)])?.bits).toBe(0);
  });

  it("counts a token glued to the closing quote, with the text it has inside", () => {
    const result = entropyOf(
      tokensOf(['{"policy_citation":"', ["a", HALF], ['.","', { '.","': 0.5, '","': 0.5 }], 'x":1}']),
    );
    expect(result?.spans.map(([text]) => text)).toEqual(["a", "."]);
    expect(result?.bits).toBeCloseTo(1, 12);
  });

  it("does not count the delimiter before it", () => {
    const result = entropyOf(tokensOf(['{"policy_citation', ['":"', HALF], ["a", { a: 1 }], '"}']));
    expect(result).toMatchObject({ bits: 0, tokens: 1 });
  });

  it("is undefined for an empty citation and where nobody asked for candidates", () => {
    expect(entropyOf(citing())).toBeNull();
    expect(entropyOf(tokensOf(['{"policy_citation":', ['"",', HALF], '"x":1}']))).toBeNull();
    expect(entropyOf(citing("a", "b"))).toBeNull();
  });

  it("gives a character split over tokens to its last token", () => {
    const bytes = new TextEncoder().encode("👍");
    const half = (from: number, to: number): Token => ({
      text: "",
      bytes: bytes.slice(from, to),
      logprob: Math.log(0.5),
      top: [
        { text: "", bytes: bytes.slice(from, to), logprob: Math.log(0.5) },
        { text: "a", logprob: Math.log(0.5) },
      ],
    });
    const [open, a, 日, close] = citing(["a", HALF], ["日", { 日: 1 }]) as [Token, Token, Token, Token];
    const result = entropyOf([open, a, half(0, 3), half(3, 4), 日, close], '{"policy_citation":"a👍日"}');
    expect(result?.spans.map(([text]) => text)).toEqual(["a", "", "👍", "日"]);
    expect(result?.tokens).toBe(4);
  });

  it("counts tokens that lost their bytes but lie inside", () => {
    const tokens = citing(["a", HALF], ["\ufffd", { "\ufffd": 1 }], ["\ufffd", { "\ufffd": 1 }], ["b", HALF]);
    const result = entropyOf(tokens, '{"policy_citation":"a雨b"}');
    expect(result?.spans.map(([text]) => text)).toEqual(["a", "", "雨", "b"]);
    expect(result?.bits).toBeCloseTo(0.5, 12);
  });

  it("keeps JSON escapes as they were written", () => {
    const result = entropyOf(citing(["a", HALF], ['\\"', { '\\"': 1 }], ["b", HALF]));
    expect(result?.spans.map(([text]) => text).join("")).toBe('a\\"b');
  });

  it("undoes a temperature: (.8, .2) at T = 2 has the entropy of (16/17, 1/17)", () => {
    const h = -(16 / 17) * Math.log2(16 / 17) - (1 / 17) * Math.log2(1 / 17);
    expect(entropyOf(citing(["a", { a: 0.8, b: 0.2 }]), undefined, 2)?.bits).toBeCloseTo(h, 12);
  });
});
