import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Generation } from "../../core/records/case.js";
import { answerOf, COMPACT } from "./answer.suite.js";
import { extractSignals, trimGeneration } from "./extract-signals.js";
import { anyGeneration } from "./generation.suite.js";
import { PAPER_CITATION_WEIGHTS, PAPER_WEIGHTS } from "./weights.js";

/** Every token with candidates, as providers send them. */
function dense(generation: Generation): Generation {
  const filler = Array.from({ length: 20 }, (_, i) => ({ text: `w${i}`, logprob: -3 - i }));
  const tokens = generation.tokens!.map((token) => (token.top.length > 0 ? token : { ...token, top: filler }));
  return { ...generation, tokens };
}

const withTop = (generation: Generation) =>
  generation.tokens!.filter((token) => token.top.length > 0).map((token) => token.text);

describe("trimGeneration", () => {
  it("keeps candidates at the labels and inside the citation alone", () => {
    const plain = dense(answerOf(COMPACT));
    const trimmed = trimGeneration(plain);
    expect(withTop(trimmed)).toEqual(["R3", " No", " links", '.","', "High", "No", "2"]);
    expect(trimmed.tokens!.map(({ text, logprob }) => [text, logprob])).toEqual(
      plain.tokens!.map(({ text, logprob }) => [text, logprob]),
    );
    expect(trimGeneration(trimmed)).toEqual(trimmed);
  });

  it("keeps bytes only where signals read them, once the texts alone give every place", () => {
    const withBytes = (generation: Generation, joined: boolean) => ({
      ...generation,
      joined,
      tokens: generation.tokens!.map((token) => ({ ...token, bytes: Buffer.from(token.text) })),
    });
    const bytesKept = (generation: Generation) =>
      trimGeneration(generation).tokens!.filter(({ bytes }) => bytes !== undefined).length;
    const plain = dense(answerOf(COMPACT));
    expect(bytesKept(withBytes(plain, true))).toBe(7);
    expect(bytesKept(withBytes(plain, false))).toBe(plain.tokens!.length);
  });

  it("does not make candidates that nobody will read", () => {
    let made = 0;
    const plain = dense(answerOf(COMPACT));
    const lazy = plain.tokens!.map((token) =>
      Object.defineProperty({ ...token }, "top", { get: () => [made++, token.top][1], enumerable: true }),
    );
    trimGeneration({ ...plain, tokens: lazy });
    expect(made).toBe(0);
  });

  it("keeps everything where a label or the citation cannot be found", () => {
    for (const text of ["preced", "inverse", "policy", "def"]) {
      const pieces = COMPACT.map((piece) => (typeof piece === "string" ? piece.replace(text, "x") : piece));
      const generation = dense(answerOf(pieces));
      expect(withTop(trimGeneration(generation))).toHaveLength(generation.tokens!.length);
    }
    for (const tokens of [null, []]) expect(trimGeneration(answerOf(COMPACT, { tokens })).tokens).toEqual(tokens);
  });

  it("keeps everything where a token of unknown place may hold a label or an end of the citation", () => {
    const whole = dense(answerOf(COMPACT));
    const glued = dense(answerOf([...COMPACT.slice(0, 11), '":"R', "3", ...COMPACT.slice(13)]));
    const lossy = (generation: Generation, at: number) => ({
      ...generation,
      tokens: generation.tokens!.map((token, i) => (i === at ? { ...token, text: "\ufffd" } : token)),
    });
    for (const damaged of [lossy(whole, 20), lossy(whole, 25), lossy(whole, 32), lossy(glued, 11)]) {
      expect(trimGeneration(damaged)).toBe(damaged);
    }
    expect(withTop(trimGeneration(lossy(whole, 13)))).toHaveLength(7);
  });

  it("never changes what is extracted, whatever the answer", () => {
    let trimmed = 0;
    fc.assert(
      fc.property(
        anyGeneration,
        fc.constantFrom("floor", "paper"),
        fc.constantFrom(PAPER_WEIGHTS, PAPER_CITATION_WEIGHTS),
        (generation, missing, weights) => {
          const small = trimGeneration(generation);
          if (small !== generation) trimmed++;
          expect(extractSignals(small, { weights, missing })).toEqual(extractSignals(generation, { weights, missing }));
        },
      ),
      { numRuns: 3000 },
    );
    // The property would hold of a function that keeps everything.
    expect(trimmed).toBeGreaterThan(300);
  });
});
