import { describe, expect, it } from "vitest";
import type { Token } from "../../core/records/case.js";
import type { Candidate } from "./citations.js";
import { drawCitation } from "./write-trace.js";

function candidate(pieces: string[], prob: number): Candidate {
  const tokens = pieces.map((text): Token => ({ text, logprob: 0, top: [{ text, logprob: 0 }] }));
  return { tokens, prob, evidence: null, clause: null, precedent: null };
}

const CANDIDATES = [
  candidate(["community", " rule", " R1", ":", " a"], 0.4),
  candidate(["community", " rule", " R2", ":", " b"], 0.2),
  candidate(["platform", " rule", " P1"], 0.4),
];

function drawn(candidates: readonly Candidate[]): Token[] {
  return drawCitation(candidates, 0, () => null).tokens;
}

describe("drawCitation", () => {
  it("gives at each token the exact conditional distribution of the next", () => {
    const [first, rule, id] = drawn(CANDIDATES);
    expect(first!.top.map(({ text, logprob }) => [text, Math.exp(logprob).toFixed(3)])).toEqual([
      ["community", "0.600"],
      ["platform", "0.400"],
    ]);
    expect(rule!.top).toEqual([{ text: " rule", logprob: 0 }]);
    expect(id!.top.map(({ text, logprob }) => [text, Math.exp(logprob).toFixed(3)])).toEqual([
      [" R1", "0.667"],
      [" R2", "0.333"],
    ]);
  });

  it("multiplies along a path to the candidate's probability", () => {
    const tokens = drawn(CANDIDATES);
    expect(tokens.map(({ text }) => text).join("")).toBe("community rule R1: a");
    expect(Math.exp(tokens.reduce((sum, { logprob }) => sum + logprob, 0))).toBeCloseTo(0.4, 10);
  });

  it("is certain throughout where there is one candidate", () => {
    expect(drawn([candidate(["none"], 1)])).toEqual([
      { text: "none", logprob: 0, top: [{ text: "none", logprob: 0 }] },
    ]);
  });

  it("ends where two candidates are the same", () => {
    const same = [candidate(["R1"], 0.5), candidate(["R1"], 0.5)];
    expect(drawn(same).map(({ text }) => text)).toEqual(["R1"]);
  });
});
