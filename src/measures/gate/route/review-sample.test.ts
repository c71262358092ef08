import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { reviewFraction } from "./reasons.js";

const fraction = (key: string, id: string) => reviewFraction(createHmac("sha256", key).update(id).digest());

describe("reviewFraction", () => {
  it("reads the first 48 bits as a number from 0 to below 1", () => {
    expect(reviewFraction(new Uint8Array(6))).toBe(0);
    expect(reviewFraction(new Uint8Array(32).fill(255))).toBe(1 - 2 ** -48);
    expect(reviewFraction(Uint8Array.of(0, 0, 0, 0, 0, 1, 255))).toBe(2 ** -48);
    expect(() => reviewFraction(new Uint8Array(5))).toThrow(RangeError);
  });

  it("takes 2% of ids with HMAC-SHA256, other ones under another key", () => {
    const ids = Array.from({ length: 20_000 }, (_, i) => `decision-${i}`);
    const taken = ids.filter((id) => fraction("one key of the gate", id) < 0.02);
    // 400 expected, standard deviation 20.
    expect(taken.length).toBeGreaterThan(320);
    expect(taken.length).toBeLessThan(480);
    const both = taken.filter((id) => fraction("another key", id) < 0.02);
    // 2% of 400 by chance.
    expect(both.length).toBeLessThan(25);
  });
});
