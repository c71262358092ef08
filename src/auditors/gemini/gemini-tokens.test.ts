import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { geminiTokens } from "./answer.js";
import { LOGPROBS } from "./gemini.suite.js";

describe("geminiTokens", () => {
  it("reads a probability that was left out as 1 where there is a token", () => {
    const tokens = geminiTokens(LOGPROBS)!;
    expect(tokens.map(({ text, logprob }) => [text, logprob])).toEqual([
      ['{"answer":"', 0],
      ["Yes", -0.25],
      ['"}', -0],
    ]);
    expect(tokens[0]!.top).toEqual([{ text: '{"answer":"', logprob: 0 }]);
  });

  it("sorts the likeliest and keeps the mark of what the schema rules out", () => {
    expect(geminiTokens(LOGPROBS)![1]!.top).toEqual([
      { text: "Yes", logprob: -0.25 },
      { text: "No", logprob: -1.5 },
      { text: "Maybe", logprob: -1.2676506e30 },
    ]);
  });

  it("has the likeliest in its JSON, as a kept answer needs them", () => {
    expect(JSON.parse(JSON.stringify(geminiTokens(LOGPROBS)))[1].top).toHaveLength(3);
  });

  it("keeps a chosen token that is not among the likeliest", () => {
    const tokens = geminiTokens({
      chosenCandidates: [{ token: "zebra", logProbability: -9 }],
      topCandidates: [{ candidates: [{ token: "a", logProbability: -0.1 }] }],
    })!;
    expect(tokens[0]).toMatchObject({ text: "zebra", logprob: -9, top: [{ text: "a", logprob: -0.1 }] });
  });

  it("does not invent a probability where there is neither token nor value", () => {
    const tokens = geminiTokens({
      chosenCandidates: [{ tokenId: 7 }, { logProbability: -0.5 }],
      topCandidates: [{ candidates: [{ tokenId: 7 }, { token: "x", logProbability: "high" }] }],
    })!;
    expect(tokens[0]).toMatchObject({ text: "", logprob: -1.2676506e30, top: [] });
    expect(tokens[1]).toMatchObject({ text: "", logprob: -0.5, top: [] });
  });

  it("gives null where no probabilities came", () => {
    for (const none of [undefined, null, {}, { chosenCandidates: [] }, { topCandidates: [{}] }, "text", []]) {
      expect(geminiTokens(none)).toBeNull();
    }
  });

  it("survives anything in place of its lists", () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), fc.anything(), (chosenCandidates, topCandidates) => {
        for (const token of geminiTokens({ chosenCandidates, topCandidates }) ?? []) {
          expect(token.text).toBeTypeOf("string");
          expect(token.logprob).not.toBeNaN();
          expect(Array.isArray(token.top)).toBe(true);
        }
      }),
    );
  });
});
