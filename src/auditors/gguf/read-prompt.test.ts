import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutsOf } from "./engine.js";

describe("cutsOf", () => {
  it("cuts every 512 tokens, at the end of the shared part and at the end", () => {
    expect(cutsOf(1800, 700)).toEqual([0, 512, 700, 1212, 1724, 1800]);
    expect(cutsOf(1024, 512)).toEqual([0, 512, 1024]);
    expect(cutsOf(100, 0)).toEqual([0, 100]);
    expect(cutsOf(100, 100)).toEqual([0, 100]);
    expect(cutsOf(0, 0)).toEqual([0]);
  });

  it("cuts two prompts with the same shared part at the same places of it", () => {
    const length = fc.nat({ max: 5000 });
    fc.assert(
      fc.property(length, length, length, (shared, own, other) => {
        const inside = (end: number) => cutsOf(end, shared).filter((cut) => cut <= shared);
        expect(inside(shared + own)).toEqual(inside(shared + other));
      }),
    );
  });

  it("ascends, and never by more than a batch", () => {
    fc.assert(
      fc.property(fc.nat({ max: 9000 }), fc.nat({ max: 9000 }), (end, shared) => {
        const cuts = cutsOf(end, shared);
        expect(cuts.at(-1)).toBe(end);
        for (let i = 1; i < cuts.length; i++) {
          expect(cuts[i]! - cuts[i - 1]!).toBeGreaterThan(0);
          expect(cuts[i]! - cuts[i - 1]!).toBeLessThanOrEqual(512);
        }
      }),
    );
  });
});
