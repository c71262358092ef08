import { describe, it } from "vitest";
import { auroc, createRng, normalCdf, type Rng } from "../../src/entry/stats.js";
import { spiegelhalterTest } from "../../src/measures/calibration/errors/calibration-errors.js";
import { about, drawNormal, holds } from "./coverage.js";
import { record } from "./record.js";

describe("AUROC with DeLong's interval", () => {
  const sizes = [
    { positives: 10, negatives: 40, draws: 20_000 },
    { positives: 30, negatives: 100, draws: 20_000 },
    { positives: 200, negatives: 1000, draws: 3000 },
  ];
  // Normal scores, shifted by d for positives: the area is Φ(d/√2).
  const cases = sizes.flatMap((size) => [0.5, 1.2, 2.5].map((shift) => ({ ...size, shift })));

  it.each(cases)("$positives and $negatives rows, shift $shift", ({ positives, negatives, draws, shift }) => {
    const seed = `auroc ${positives} ${shift}`;
    const rng = createRng(seed);
    const truth = normalCdf(shift / Math.SQRT2);
    let hits = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      const found = auroc(
        Float64Array.from({ length: positives }, () => drawNormal(rng) + shift),
        Float64Array.from({ length: negatives }, () => drawNormal(rng)),
      );
      if (found.estimate !== null && holds(found, truth)) hits += 1;
    }
    record({
      topic: "Area under the ROC curve",
      method: "DeLong, logit",
      setting: `${positives} and ${negatives} rows, true area ${truth.toFixed(3)}`,
      measure: "coverage",
      promise: about(0.95, 0.93),
      observed: hits / draws,
      draws,
      seed,
    });
  });
});

describe("Spiegelhalter's test of a perfect score", () => {
  const laws: Record<string, (rng: Rng) => number> = {
    uniform: (rng) => rng.next(),
    "most near 1": (rng) => 1 - 0.5 * rng.next() ** 4,
  };
  const cases = Object.entries(laws).flatMap(([name, law]) => [50, 400, 5000].map((n) => ({ name, law, n })));

  it.each(cases)("$name; $n rows", ({ name, law, n }) => {
    const seed = `spiegelhalter ${name} ${n}`;
    const rng = createRng(seed);
    const draws = n > 1000 ? 2000 : 10_000;
    let rejected = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      const score = Float64Array.from({ length: n }, () => law(rng));
      const y = Uint8Array.from(score, (s) => (rng.next() < s ? 1 : 0));
      if (spiegelhalterTest(score, y).p! <= 0.05) rejected += 1;
    }
    record({
      topic: "Spiegelhalter's test",
      method: "z",
      setting: `${name}; ${n} rows`,
      measure: "perfect scores rejected at the 5% level",
      promise: { kind: "approximate", nominal: 0.05, at_most: 0.06 },
      observed: rejected / draws,
      draws,
      seed,
    });
  });
});
