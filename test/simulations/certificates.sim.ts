import { describe, expect, it } from "vitest";
import { drawCohort, drawFleet, limits } from "../../src/measures/gate/fleet.suite.js";
import { holdoutCertificate } from "../../src/measures/gate/holdout-certificate.js";
import { passGate } from "../../src/measures/gate/pass-gate.js";
import { clopperPearsonBound } from "../../src/stats/intervals/proportion.js";
import { createRng } from "../../src/stats/random/create-rng.js";
import { atLeast } from "./coverage.js";
import { record } from "./record.js";

describe("the certificate of the automated part", () => {
  it.each(["paper", "shrunk"] as const)("covers the true rate of what %s chose, and shows its optimism", (mode) => {
    const rng = createRng(`holdout ${mode}`);
    const runs = 1000;
    let covered = 0;
    let flattered = 0;
    let before = 0;
    let after = 0;
    for (let run = 0; run < runs; run += 1) {
      const { cohorts, truth } = drawFleet(rng, 90);
      const again = cohorts.map((one, i) => drawCohort(rng, one.key, one.n, truth[i]!));
      const passes = passGate(cohorts, limits(), { mode });
      const got = holdoutCertificate(cohorts, again, limits(), { mode });
      let expected = 0;
      cohorts.forEach((one, i) => {
        if (passes[i]) expected += one.n * truth[i]!.indefensible;
      });
      if (expected <= got.upper! * got.automated_decisions) covered += 1;
      const same = got.in_sample as { k: number; n: number };
      if (expected <= clopperPearsonBound(same.k, same.n, 0.05) * same.n) flattered += 1;
      before += got.in_sample.estimate! / runs;
      after += got.realised.estimate! / runs;
    }
    const row = {
      topic: "The automated part",
      setting: `90 communities, chosen by ${mode}`,
      measure: "coverage of the upper bound",
      draws: runs,
      seed: `holdout ${mode}`,
    };
    record({
      ...row,
      method: "judged on other decisions",
      promise: atLeast(0.95),
      observed: covered / runs,
      beside: { "mean rate found": after },
    });
    record({
      ...row,
      method: "judged on the decisions they were chosen on",
      promise: { kind: "broken", at_least: 0.95 },
      observed: flattered / runs,
      beside: { "mean rate found": before },
    });
    expect(covered / runs).toBeGreaterThan(0.93);
    expect(after).toBeGreaterThan(before);
  });
});
