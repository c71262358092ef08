import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import { answerOf, COMPACT } from "../../measures/signals/answer.suite.js";
import { extractSignals } from "../../measures/signals/extract-signals.js";
import { anyGeneration } from "../../measures/signals/generation.suite.js";
import { PAPER_WEIGHTS } from "../../measures/signals/weights.js";
import { decodeGeneration, encodeGeneration } from "./generation-codec.js";

describe("encodeGeneration and decodeGeneration", () => {
  it("give back the same generation, byte for byte and bit for bit, through UTF-8 too", () => {
    fc.assert(
      fc.property(anyGeneration, (generation) => {
        const line = encodeGeneration(generation);
        expect(line).not.toContain("\n");
        const back = decodeGeneration(Buffer.from(line, "utf8").toString("utf8"));
        // Strict: an absent `bytes` is not null, -0 is not 0.
        expect(back).toStrictEqual(generation);
        expect(extractSignals(back, { weights: PAPER_WEIGHTS })).toEqual(
          extractSignals(generation, { weights: PAPER_WEIGHTS }),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it("writes bytes out only where they are not the UTF-8 of the text", () => {
    const token = (text: string, bytes: Uint8Array) => ({ text, bytes, logprob: -1, top: [] });
    const half = new TextEncoder().encode("雨").slice(0, 2);
    const tokens = [token("a", Uint8Array.of(97)), token("雨", new TextEncoder().encode("雨")), token("\ufffd", half)];
    const line = encodeGeneration(answerOf([], { tokens }));
    expect(JSON.parse(line).tokens.bytes).toEqual([2, 2, Buffer.from(half).toString("base64")]);
    expect(decodeGeneration(line).tokens).toEqual(tokens);
  });

  it("keeps entropies over a whole vocabulary, and the signals that rest on them", () => {
    const tokens = answerOf(COMPACT).tokens!.map((token, i) => (i % 2 ? { ...token, bits: i / 7 } : token));
    const generation = answerOf(COMPACT, { tokens, support: "vocab" });
    const back = decodeGeneration(encodeGeneration(generation));
    expect(back).toStrictEqual(generation);
    const { h_citation_bits } = extractSignals(back, { weights: PAPER_WEIGHTS });
    expect(h_citation_bits).toBe(extractSignals(generation, { weights: PAPER_WEIGHTS }).h_citation_bits);
    expect(h_citation_bits).not.toBe(extractSignals(answerOf(COMPACT), { weights: PAPER_WEIGHTS }).h_citation_bits);
  });

  it("refuses every other text, and every truncated one, with an InputError", () => {
    const line = encodeGeneration(answerOf(COMPACT));
    for (let cut = 0; cut < line.length; cut += 3) {
      expect(() => decodeGeneration(line.slice(0, cut))).toThrow(InputError);
    }
    for (const text of ["null", "[]", "3", "{}", '{"v":2}', line.replace('"v":1', '"v":2')]) {
      expect(() => decodeGeneration(text)).toThrow(InputError);
    }
  });

  it("refuses what was altered into something that is no generation", () => {
    const good = JSON.parse(encodeGeneration(answerOf(COMPACT, { joined: true })));
    const altered = (change: (copy: typeof good) => void) => {
      const copy = structuredClone(good);
      change(copy);
      return () => decodeGeneration(JSON.stringify(copy));
    };
    expect(altered(() => {})).not.toThrow();
    const changes: ((copy: typeof good) => void)[] = [
      (copy) => copy.tokens.text.pop(),
      (copy) => copy.tokens.top.push(1),
      (copy) => copy.tokens.top.splice(0, 1, -1),
      (copy) => copy.tokens.top.splice(0, 1, 1e9),
      (copy) => copy.tokens.of.text.splice(0, 1, 7),
      (copy) => copy.tokens.logprob.splice(0, 1, null),
      (copy) => copy.tokens.logprob.splice(0, 1, "1"),
      (copy) => Object.assign(copy.tokens, { bytes: [9] }),
      (copy) => Object.assign(copy.tokens, { bytes: [2, "length", 2] }),
      (copy) => Object.assign(copy.tokens, { bytes: [2, 4096, 2] }),
      (copy) => Object.assign(copy.tokens, { of: null }),
      (copy) => Object.assign(copy, { tokens: "none" }),
      (copy) => Object.assign(copy, { finish: "done" }),
      (copy) => Object.assign(copy, { space: 1 }),
      (copy) => Object.assign(copy, { support: null }),
      (copy) => Object.assign(copy, { joined: "yes" }),
      (copy) => Object.assign(copy, { usage: [1, 2, 3] }),
      (copy) => Object.assign(copy, { temperature: null }),
      (copy) => Object.assign(copy, { model: 4 }),
    ];
    changes.forEach((change, i) => {
      expect(altered(change), `change ${i}`).toThrow(InputError);
    });
  });
});
