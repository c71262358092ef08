import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/sampling.js";
import { relativeError } from "../../../test/references/stats.js";
import { logGamma } from "../distributions/special-functions.js";
import { entropyBits, millerMadowEntropy } from "./entropy.js";

const counts = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 8 });

/** Expectation of a function of the counts of K draws, by enumeration of all of them. */
function expectation(probs: readonly number[], draws: number, value: (counts: number[]) => number): number {
  const visit = (rest: number, at: number, logWeight: number, sofar: number[]): number => {
    if (at === probs.length - 1) {
      const all = [...sofar, rest];
      return value(all) * Math.exp(logWeight + rest * Math.log(probs[at]!) - logGamma(rest + 1));
    }
    let total = 0;
    for (let k = 0; k <= rest; k++) {
      total += visit(rest - k, at + 1, logWeight + k * Math.log(probs[at]!) - logGamma(k + 1), [...sofar, k]);
    }
    return total;
  };
  return visit(draws, 0, logGamma(draws + 1), []);
}

describe("millerMadowEntropy", () => {
  it.each(reference.miller_madow)("agrees with scipy and the correction on $counts", ({ counts, value }) => {
    expect(relativeError(millerMadowEntropy(counts)!, value)).toBeLessThan(1e-12);
  });

  it("has the bias that its description states, and less than the plug-in entropy", () => {
    const probs = [0.7, 0.2, 0.1];
    const truth = entropyBits(probs)!;
    for (const [draws, bias, plugIn] of [
      [5, -0.17, -0.33],
      [10, -0.06, -0.17],
      [20, -0.01, -0.08],
    ] as const) {
      expect(expectation(probs, draws, (k) => millerMadowEntropy(k)!) - truth).toBeCloseTo(bias, 2);
      expect(expectation(probs, draws, (k) => entropyBits(k)!) - truth).toBeCloseTo(plugIn, 2);
    }
  });

  it("is 0 for draws that agree, null without draws, and within its range", () => {
    expect(millerMadowEntropy([3])).toBe(0);
    expect(millerMadowEntropy([])).toBeNull();
    expect(millerMadowEntropy([0, 0])).toBeNull();
    expect(() => millerMadowEntropy([1.5])).toThrow(RangeError);
    fc.assert(
      fc.property(counts, (k) => {
        const draws = k.reduce((a, b) => a + b, 0);
        fc.pre(draws > 0);
        const bits = millerMadowEntropy(k)!;
        expect(bits).toBeGreaterThanOrEqual(entropyBits(k)!);
        expect(bits).toBeLessThanOrEqual(Math.log2(draws) + (draws - 1) / (2 * draws * Math.LN2) + 1e-12);
        expect(millerMadowEntropy([0, ...k.toReversed()])).toBeCloseTo(bits, 12);
      }),
    );
  });
});
