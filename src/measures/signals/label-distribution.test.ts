import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokensOf } from "./answer.suite.js";
import { categoryOf } from "./candidates.js";
import { labelDistribution } from "./label-distribution.js";

const at = (chosen: string, probs: Record<string, number>) => tokensOf([[chosen, probs]])[0]!;

function close(actual: readonly number[] | undefined, expected: readonly number[]) {
  expect(actual).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) expect(actual![i]).toBeCloseTo(value, 12);
}

describe("categoryOf", () => {
  it.each([
    ["level", "2", 1],
    ["level", ' "2"', 1],
    ["level", "2}", 1],
    ["level", "3\n", 2],
    ["level", "2.0", 1],
    ["level", "▁1", 0],
    ["level", "12", -1],
    ["level", "2.5", -1],
    ["level", "", -1],
    ["weight", " HIGH", 0],
    ["weight", "Med", 1],
    ["weight", "L", 2],
    ["weight", 'Low","inverse', 2],
    ["weight", '":"High', 0],
    ["weight", "Highest", -1],
    ["weight", ' "', -1],
    ["inverse", "Y", 0],
    ["inverse", "`yes`", 0],
    ["inverse", "true", 0],
    ["inverse", "False", 1],
    ["inverse", "None", -1],
    ["inverse", "n", 1],
  ] as const)("reads a %s token %j as category %i", (field, text, category) => {
    expect(categoryOf(text, field)).toBe(category);
  });

  it("reads candidates after what the chosen token holds before its value", () => {
    expect(categoryOf('"L1', "level", '"L')).toBe(0);
    expect(categoryOf('_level":3', "level", '_level":')).toBe(2);
  });
});

describe("labelDistribution", () => {
  it("sums the surface forms of a label and renormalises", () => {
    const label = labelDistribution(
      at("Yes", { Yes: 0.3, " yes": 0.1, '"YES"': 0.05, Y: 0.05, No: 0.1, Hmm: 0.2 }),
      "inverse",
    );
    close(label?.probs, [0.5 / 0.6, 0.1 / 0.6]);
    expect(label?.mass).toBeCloseTo(0.6, 12);
    expect(label).toMatchObject({ censored: false, lowMass: false });
    expect(label?.surfaces[0]?.sort()).toEqual([" yes", '"YES"', "Y", "Yes"]);
  });

  it("merges the chosen token where the provider left it out, and only once", () => {
    const token = {
      text: "3",
      logprob: Math.log(0.1),
      top: [
        { text: "1", logprob: Math.log(0.6) },
        { text: "2", logprob: Math.log(0.3) },
      ],
    };
    close(labelDistribution(token, "level")?.probs, [0.6, 0.3, 0.1]);
    close(labelDistribution(at("2", { "1": 0.25, "2": 0.5, "3": 0.25 }), "level")?.probs, [0.25, 0.5, 0.25]);
  });

  it("keeps apart tokens that print alike but have other bytes", () => {
    const bytes = (n: number) => Uint8Array.of(n);
    const token = {
      text: "2",
      bytes: bytes(50),
      logprob: Math.log(0.2),
      top: [{ text: "2", bytes: bytes(178), logprob: Math.log(0.4) }],
    };
    expect(labelDistribution(token, "level")?.mass).toBeCloseTo(0.6, 12);
  });

  it.each([-9999, -3.4028235e38, -1.2676506e30, Number.NEGATIVE_INFINITY, Number.NaN])(
    "drops the sentinel %d instead of reading it as a value",
    (sentinel) => {
      const top = [
        { text: "Yes", logprob: Math.log(0.9) },
        { text: "No", logprob: sentinel },
      ];
      const label = labelDistribution({ text: "No", logprob: sentinel, top }, "inverse");
      // No is absent: floor = min(0.9, 1 - 0.9).
      close(label?.probs, [0.9, 0.1]);
      expect(label?.censored).toBe(true);
    },
  );

  it("excludes numbers of several digits from the levels", () => {
    expect(labelDistribution(at("2", { "2": 0.5, "12": 0.3, "20": 0.1 }), "level")?.mass).toBeCloseTo(0.5, 12);
  });

  it("gives a missing label one unseen form at most: the smallest listed, or what is left", () => {
    // Listed .80 + .15 + .01 = .96: min(.01, .04) = .01.
    const label = labelDistribution(at("2", { "1": 0.15, "2": 0.8, x: 0.01 }), "level");
    close(label?.probs, [0.15 / 0.96, 0.8 / 0.96, 0.01 / 0.96]);
    expect(label).toMatchObject({ censored: true, masses: [0.15, 0.8, 0].map((m) => expect.closeTo(m, 12)) });
    expect(label?.bound).toBeCloseTo(0.04, 12);
    expect(label?.mass).toBeCloseTo(0.95, 12);
    // Listed .999: min(.4, .001) = .001.
    expect(labelDistribution(at("Yes", { Yes: 0.599, x: 0.4 }), "inverse")?.floor).toBeCloseTo(0.001, 12);
  });

  it("counts a missing label as nothing in the paper's mode", () => {
    const label = labelDistribution(at("2", { "2": 0.8, x: 0.1 }), "level", { missing: "paper" });
    expect(label?.probs).toEqual([0, 1, 0]);
    expect(label?.censored).toBe(true);
  });

  it("calls nothing censored where the list is the whole vocabulary", () => {
    const label = labelDistribution(at("Yes", { Yes: 0.6, x: 0.4 }), "inverse", { complete: true });
    expect(label).toMatchObject({ censored: false, probs: [1, 0] });
  });

  it("is undefined where no candidate is a label, and flags little mass", () => {
    expect(labelDistribution(at("maybe", { maybe: 1 }), "inverse")).toBeNull();
    expect(labelDistribution(at("Yes", { Yes: 0.3, No: 0.1, maybe: 0.6 }), "inverse")?.lowMass).toBe(true);
    expect(labelDistribution(at("Yes", { Yes: 0.4, No: 0.1, maybe: 0.5 }), "inverse")?.lowMass).toBe(false);
  });

  it("clamps sums that rounding carried above 1", () => {
    const label = labelDistribution({ text: "Yes", logprob: 9e-5, top: [] }, "inverse");
    expect(label).toMatchObject({ mass: 1, bound: 0, probs: [1, 0] });
  });

  it("is the same from raw and from tempered logprobs where the list is complete", () => {
    const weights = fc.array(fc.double({ min: 1e-3, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(weights, fc.double({ min: 0.1, max: 2, noNaN: true }), (draws, temperature) => {
        const texts = ["1", " 1", "2", "3", "x"];
        const normalised = (values: number[]) => values.map((value) => value / values.reduce((a, b) => a + b, 0));
        const token = (values: number[]) => {
          const top = values.map((p, i) => ({ text: texts[i]!, logprob: Math.log(p) }));
          return { ...top[2]!, top };
        };
        const raw = labelDistribution(token(normalised(draws)), "level")!;
        const scaled = normalised(draws.map((p) => p ** (1 / temperature)));
        const back = labelDistribution(token(scaled), "level", { temperature })!;
        for (const [i, p] of raw.probs.entries()) expect(Math.abs(p - back.probs[i]!)).toBeLessThan(1e-9);
        expect(Math.abs(raw.mass - back.mass)).toBeLessThan(1e-9);
      }),
    );
  });
});
