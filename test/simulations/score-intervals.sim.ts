import { describe, it } from "vitest";
import { auroc, createRng, normalCdf } from "../../src/stats/index.js";
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
