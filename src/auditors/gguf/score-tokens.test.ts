import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeTokens } from "./answer-prompt.js";
import { TokenPieces } from "./chat-prompt.js";
import { entropyBits, logprobsOf } from "./engine.suite.js";
import { alternativesOf, compactDistribution, logprobOf } from "./score-tokens.js";

/** What the engine gives: single-precision softmax, best first. */
function softmax(logits: readonly number[]): Map<number, number> {
  const largest = Math.max(...logits);
  const weights = logits.map((logit) => Math.fround(Math.exp(logit - largest)));
  const total = Math.fround(weights.reduce((sum, weight) => Math.fround(sum + weight), 0));
  const entries = weights.map((weight, id) => [id, Math.fround(weight / total)] as [number, number]);
  return new Map(entries.sort((a, b) => b[1] - a[1]));
}

describe("compactDistribution", () => {
  const logits = fc.array(fc.double({ min: -60, max: 60, noNaN: true }), { minLength: 1, maxLength: 400 });

  it("keeps the entropy of the whole list to 1e-9 bits", () => {
    fc.assert(
      fc.property(logits, (values) => {
        const list = softmax(values);
        const total = [...list.values()].reduce((sum, p) => sum + p, 0);
        const logs = [...list.values()].filter((p) => p > 0).map((p) => Math.log(p / total));
        const compact = compactDistribution(list);
        expect(Math.abs(entropyBits(logprobsOf(compact)) - entropyBits(logs))).toBeLessThan(1e-9);
        expect(Math.abs(compact.bits - entropyBits(logs))).toBeLessThan(1e-9);
      }),
    );
  });

  it("is best first, sums to 1 and has no impossible token", () => {
    fc.assert(
      fc.property(logits, (values) => {
        const logprobs = logprobsOf(compactDistribution(softmax(values)));
        expect(logprobs.reduce((sum, logprob) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 9);
        expect(logprobs.every((logprob, i) => logprob <= (i === 0 ? 0 : logprobs[i - 1]!))).toBe(true);
        expect(logprobs.every(Number.isFinite)).toBe(true);
      }),
    );
  });

  it("drops a tail that no sum would notice, and nothing of a flat list", () => {
    const flat = compactDistribution(softmax(new Array(1000).fill(0)));
    expect(flat.ids.length).toBe(1000);
    const steep = compactDistribution(softmax([50, ...new Array(999).fill(0)]));
    expect(steep.ids.length).toBe(1);
    expect(logprobOf(steep, 0)).toBe(0);
    expect(logprobOf(steep, 5)).toBeNull();
  });
});

describe("makeTokens", () => {
  const pieces = new TokenPieces({ tokens: ["a", "<0xE9>", "c"], types: [1, 6, 1], byteLevel: false });
  const distribution = compactDistribution(softmax([1, 2, 0]));
  const tokens = makeTokens([0, 2], new Map([[1, distribution]]), pieces, new Set([1]));

  it("has candidates only where there is a distribution", () => {
    expect(tokens[0]).toMatchObject({ text: "a", logprob: -9999, top: [] });
    expect(tokens[1]!.top.map(({ text }) => text)).toEqual(["\uFFFD", "a", "c"]);
    expect(tokens[1]!.logprob).toBe(tokens[1]!.top[2]!.logprob);
  });

  it("gives bytes to candidates whose text does not tell them", () => {
    expect(alternativesOf(distribution, pieces).map(({ bytes }) => bytes)).toEqual([
      Uint8Array.of(0xe9),
      undefined,
      undefined,
    ]);
  });

  it("shows its candidates to whoever copies it", () => {
    expect(JSON.parse(JSON.stringify(tokens))[1].top).toHaveLength(3);
    expect({ ...tokens[1] }.top).toHaveLength(3);
  });
});
