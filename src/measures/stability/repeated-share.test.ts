import { describe, expect, it } from "vitest";
import type { DefinedEstimate } from "../../core/estimate.js";
import { pooledProportion } from "../../stats/intervals/clustered-proportion.js";
import { repeatedShare } from "./action-flips.js";

const thing = (k: number, n: number, community = "a") => ({ community, k, n });

describe("repeatedShare", () => {
  it("pools repetitions, and takes things as the unit of its interval", () => {
    const things = [thing(1, 4), thing(5, 20), thing(9, 10, "b")];
    const own = repeatedShare(things, "none") as DefinedEstimate;
    expect(own).toMatchObject({ estimate: 15 / 34, k: 15, n: 34, level: 0.95 });
    const { lower, upper } = pooledProportion(things)!;
    expect(own).toMatchObject({ lower, upper, method: "Wilson, clusters, t over decisions" });
  });

  it("is as wide for a thousand repetitions of the same things as for ten", () => {
    const width = (n: number) => {
      const { lower, upper } = repeatedShare(
        Array.from({ length: 30 }, (_, i) => thing(i % 3 === 0 ? n / 2 : 0, n)),
        "none",
      ) as DefinedEstimate;
      return upper - lower;
    };
    expect(width(1000)).toBeCloseTo(width(10), 10);
  });

  it("counts things where all have the same share: n is 9 at t with 8 degrees of freedom", () => {
    const alike = Array.from({ length: 9 }, (_, i) => thing(0, 50, `c${i % 3}`));
    const own = repeatedShare(alike, "none") as DefinedEstimate;
    // Clopper–Pearson of none: 1 − 0.025^(1/m) with m = 9 (1.959964 / 2.306004)².
    expect(own.lower).toBe(0);
    expect(own.upper).toBeCloseTo(1 - 0.025 ** (1 / (9 * (1.959964 / 2.306004) ** 2)), 6);
    // Three communities: t has two degrees of freedom.
    expect(own.cluster!.upper).toBeCloseTo(1 - 0.025 ** (1 / (9 * (1.959964 / 4.302653) ** 2)), 6);
  });

  it("has no interval by community with one community, and none at all with one thing", () => {
    expect(repeatedShare([thing(1, 4), thing(2, 4)], "none")).not.toHaveProperty("cluster");
    expect(repeatedShare([thing(1, 4)], "none")).toMatchObject({ estimate: null, n: 4 });
    expect(repeatedShare([], "none")).toEqual({ estimate: null, reason: "none", n: 0 });
  });
});
