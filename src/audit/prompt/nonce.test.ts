import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fenceNonce, hashParts } from "./prompt-frame.js";

const free = () => false;

describe("the fence's code", () => {
  it("is sixteen hex digits, the same for the same case", () => {
    const nonce = fenceNonce(["remove", "body"], free);
    expect(nonce).toMatch(/^[0-9a-f]{16}$/);
    expect(fenceNonce(["remove", "body"], free)).toBe(nonce);
  });

  it("differs when a word moves from one part to the next", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (a, b) => {
        expect(hashParts([a, b])).not.toBe(hashParts(["", a + b]));
        expect(hashParts([a, b])).not.toBe(hashParts([a + b]));
      }),
    );
  });

  it("is another one where the first stands in the text already", () => {
    const first = fenceNonce(["x"], free);
    const tried: string[] = [];
    const second = fenceNonce(["x"], (nonce) => {
      tried.push(nonce);
      return nonce === first;
    });
    expect(second).not.toBe(first);
    expect(tried).toEqual([first, second]);
  });
});
