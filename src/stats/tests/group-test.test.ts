import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/attack.js";
import { createRng } from "../random/create-rng.js";
import { groupTest } from "./group-test.js";

const options = () => ({ rng: createRng(1) });

describe("groupTest", () => {
  it.each(reference.groups)("agrees with outside values: $events of $sizes", ({ events, sizes, ...want }) => {
    const got = groupTest(events, sizes, options());
    expect(got.method).toBe(want.least_expected >= 5 ? "chi-square" : "exact");
    expect(got.p).toBeCloseTo(want.least_expected >= 5 ? want.chi : want.exact!, 10);
  });

  it("does not depend on the order of groups, nor on which outcome is called the event", () => {
    const row = fc.tuple(fc.nat(6), fc.nat(6)).map(([k, rest]) => ({ k, size: k + rest }));
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 4 }), (rows) => {
        const p = (some: typeof rows) =>
          groupTest(
            some.map(({ k }) => k),
            some.map(({ size }) => size),
            options(),
          ).p;
        const first = p(rows);
        const others = [p([...rows].reverse()), p(rows.map(({ k, size }) => ({ k: size - k, size })))];
        for (const other of others) {
          if (first === null) expect(other).toBeNull();
          else expect(other).toBeCloseTo(first, 8);
        }
      }),
    );
  });

  it("comes near the exact value by draws, and is the same for the same seed", () => {
    const [events, sizes] = [
      [5, 1, 0, 2],
      [6, 7, 3, 4],
    ];
    const exact = groupTest(events!, sizes!, options()).p!;
    const drawn = groupTest(events!, sizes!, { ...options(), enumerated: 1, draws: 20_000 });
    expect(drawn).toMatchObject({ method: "monte carlo", draws: 20_000 });
    expect(Math.abs(drawn.p! - exact)).toBeLessThan(0.01);
    expect(groupTest(events!, sizes!, { ...options(), enumerated: 1, draws: 20_000 })).toEqual(drawn);
  });

  it("is undefined with a reason where nothing can be compared", () => {
    expect(groupTest([], [], options())).toMatchObject({ p: null, reason: "no rows" });
    expect(groupTest([1, 0], [4, 0], options())).toMatchObject({ p: null, reason: "one group only" });
    expect(groupTest([0, 0], [4, 3], options())).toMatchObject({ p: null, reason: "one outcome only" });
    expect(groupTest([4, 3], [4, 3], options())).toMatchObject({ p: null, reason: "one outcome only" });
    expect(() => groupTest([5], [4], options())).toThrow(RangeError);
    expect(() => groupTest([1], [4, 4], options())).toThrow(RangeError);
  });
});
