import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BodyPieces } from "./raw-response.js";

describe("BodyPieces", () => {
  it("gives what was added, whatever bodies used the memory before and at the same time", () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 50_000 }), { maxLength: 6 });
    const taken: [Buffer, Buffer][] = [];
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 4 }), fc.boolean(), (bodies, dropFirst) => {
        const gathering = bodies.map(() => new BodyPieces());
        for (let i = 0; i < 6; i++) {
          gathering.forEach((one, b) => {
            if (bodies[b]![i]) one.add(bodies[b]![i]!);
          });
        }
        if (dropFirst) gathering.shift()!.drop();
        const given = dropFirst ? bodies.slice(1) : bodies;
        gathering.forEach((one, b) => {
          const whole = Buffer.concat(given[b]!);
          expect(one.size).toBe(whole.length);
          taken.push([one.take(), whole]);
        });
      }),
      { numRuns: 200 },
    );
    const large = new BodyPieces();
    const piece = Buffer.alloc(700_000, "x");
    for (let i = 0; i < 4; i++) large.add(piece);
    taken.push([large.take(), Buffer.concat([piece, piece, piece, piece])]);
    large.add(Buffer.from("next"));
    expect(large.take().toString()).toBe("next");
    // Also of those that were taken long ago.
    expect(taken.every(([body, whole]) => body.equals(whole))).toBe(true);
  });
});
