import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { reviewFraction } from "../../measures/gate/route/reasons.js";
import { fractionOf } from "./gate.js";

describe("the number that draws the random share", () => {
  it("is of the HMAC-SHA256 of the id, whatever the lengths of key and id", () => {
    for (const key of ["k", "é".repeat(32), "x".repeat(64), "x".repeat(65), "y".repeat(300)]) {
      const fraction = fractionOf(key);
      for (const id of ["a", "a-longer-id", "é😀", "a", "i".repeat(1365), "i".repeat(1366), "😀".repeat(2000)]) {
        expect(fraction(id), `${key.length}, ${id.length}`).toBe(
          reviewFraction(createHmac("sha256", key).update(id).digest()),
        );
      }
    }
  });
});
