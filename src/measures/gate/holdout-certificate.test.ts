import { describe, expect, it } from "vitest";
import { pooledProportion } from "../../stats/intervals/clustered-proportion.js";
import { clopperPearsonBound } from "../../stats/intervals/proportion.js";
import { createRng } from "../../stats/random/create-rng.js";
import { boundedUpperBound } from "../../stats/tests/bounded-e-value.js";
import { cohort, drawCohort, drawFleet, limits } from "./fleet.suite.js";
import { holdoutCertificate } from "./holdout-certificate.js";

describe("holdoutCertificate", () => {
  const first = [
    cohort(100, 2, 3, 0, "a"),
    cohort(100, 30, 0, 0, "b"),
    cohort(100, 4, 0, 0, "c"),
    cohort(50, 0, 0, 0, "d"),
  ];
  const second = [
    cohort(100, 5, 3, 0, "a"),
    cohort(100, 1, 0, 0, "b"),
    cohort(80, 4, 0, 0, "c"),
    cohort(9, 9, 0, 0, "new"),
  ];

  it("judges on the second split the communities chosen on the first", () => {
    const got = holdoutCertificate(first, second, limits(), { mode: "paper" });
    expect(got).toMatchObject({
      chosen: 3,
      chosen_unseen: 1,
      decisions: 289,
      automated_decisions: 180,
      automated_indefensible: 9,
      reason: null,
    });
    expect(got.realised).toMatchObject({ estimate: 0.05, k: 9, n: 180 });
    expect(got.in_sample).toMatchObject({ k: 6, n: 250 });
    expect(got.optimism).toBeCloseTo(0.05 - 0.024, 12);
    expect(got.relative_optimism).toBeCloseTo(0.05 / 0.024 - 1, 12);
    expect(got.upper).toBe(clopperPearsonBound(9, 180, 0.05));
    const clusters = [5, 4].map((k, i) => ({ k, n: [100, 80][i]! }));
    expect(got.upper_clustered).toBe(pooledProportion(clusters, 0.9)!.upper);
    expect(got.clustered_method).toBe("Wilson, clusters, t");
  });

  it("bounds the rate with threads as units where there are threads", () => {
    const groups = [
      { threads: 40, n: 2, indefensible: 0, inverse_yes: 0, inverse_yes_pure: 0 },
      { threads: 1, n: 20, indefensible: 5, inverse_yes: 0, inverse_yes_pure: 0 },
    ];
    const threaded = [{ ...cohort(100, 5, 0, 0, "a"), threads: { groups, open: 0, late: 0 } }, second[2]!];
    const got = holdoutCertificate(first, threaded, limits(), { mode: "paper", threadCap: 5 });
    expect(got.thread_cap).toBe(5);
    expect(got.upper).toBe(
      boundedUpperBound(
        [
          { weight: 0.4, value: 0, count: 40 },
          { weight: 1, value: 0.25 },
          { weight: 0.2, value: 1, count: 4 },
          { weight: 0.2, value: 0, count: 76 },
        ],
        0.05,
      ),
    );
    expect(got.upper).toBeGreaterThan(clopperPearsonBound(9, 180, 0.05));
  });

  it("has nulls with the reason when nothing is chosen or seen again", () => {
    const none = holdoutCertificate([cohort(100, 50)], second, limits(), { mode: "paper" });
    expect(none).toMatchObject({
      chosen: 0,
      upper: null,
      optimism: null,
      reason: "no community passes on the first split",
    });
    expect(none.realised.estimate).toBeNull();
    const gone = holdoutCertificate(first, [], limits(), { mode: "paper" });
    expect(gone).toMatchObject({ chosen: 3, upper: null, upper_clustered: null });
    expect(gone.reason).toBe("no verdicts of the chosen on the second");
    expect(gone.coverage.estimate).toBeNull();
  });

  it("covers the true rate of the chosen pool, and finds the in-sample rate too good", () => {
    const rng = createRng("holdout");
    const runs = 200;
    let covered = 0;
    let optimism = 0;
    for (let run = 0; run < runs; run += 1) {
      const { cohorts, truth } = drawFleet(rng, 90);
      const again = cohorts.map((one, i) => drawCohort(rng, one.key, one.n, truth[i]!));
      const got = holdoutCertificate(cohorts, again, limits(), { mode: "paper" });
      // True rate of the pool, by the decisions it has on the second split.
      const chosen = cohorts.map(
        (one) => one.n >= 25 && one.indefensible * 10 <= one.n && one.inverse_yes * 100 <= 15 * one.n,
      );
      let expected = 0;
      cohorts.forEach((one, i) => {
        if (chosen[i]) expected += one.n * truth[i]!.indefensible;
      });
      if (expected / got.automated_decisions <= got.upper!) covered += 1;
      optimism += got.optimism! / runs;
    }
    expect(covered / runs).toBeGreaterThanOrEqual(0.91);
    expect(optimism).toBeGreaterThan(0);
  });
});
