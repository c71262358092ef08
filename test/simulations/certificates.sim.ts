import { describe, expect, it } from "vitest";
import { certifiedGate } from "../../src/gate/certified-gate.js";
import { limitPValue } from "../../src/gate/certified-tests.js";
import { cohort, drawCohort, drawFleet, limits } from "../../src/gate/fleet.suite.js";
import { holdoutCertificate } from "../../src/gate/holdout-certificate.js";
import { passGate } from "../../src/gate/pass-gate.js";
import { clopperPearsonBound } from "../../src/stats/clopper-pearson-bound.js";
import { createRng } from "../../src/stats/create-rng.js";
import { atLeast } from "./coverage.js";
import { record } from "./record.js";

describe("rows in threads", () => {
  it("certify too often as if independent, and not with their design effect", () => {
    const rng = createRng("threads");
    const [draws, groups, size, icc] = [20_000, 40, 5, 0.2];
    let plain = 0;
    let mended = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      let k = 0;
      for (let group = 0; group < groups; group += 1) {
        // With probability √icc a row copies its thread's own draw: correlation icc within a thread, rate 10 %.
        const shared = rng.next() < 0.1;
        for (let row = 0; row < size; row += 1) {
          if (rng.next() < Math.sqrt(icc) ? shared : rng.next() < 0.1) k += 1;
        }
      }
      const n = groups * size;
      if (limitPValue(k, n, 0.1) <= 0.05) plain += 1;
      const effect = 1 + (size - 1) * icc;
      const verdict = certifiedGate([{ ...cohort(n, k), design_effect: effect }], limits(), { look: "once" })[0]!;
      if (verdict.p_indefensible <= 0.05) mended += 1;
    }
    const row = {
      topic: "Rows in threads",
      setting: "40 threads of 5 decisions, ICC 0.2, exactly 10 % indefensible",
      measure: "communities certified",
      draws,
      seed: "threads",
    };
    const broken = { kind: "broken", at_most: 0.05 } as const;
    record({ ...row, method: "rows as independent", promise: broken, observed: plain / draws });
    const near = { kind: "approximate", nominal: 0.05, at_most: 0.055 } as const;
    record({ ...row, method: "with the design effect", promise: near, observed: mended / draws });
    expect(plain / draws).toBeGreaterThan(0.08);
    expect(mended / draws).toBeLessThan(0.055);
  });
});

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
