import { describe, expect, it } from "vitest";
import { simulatedAuditorSchema } from "../../core/results/simulated-auditor.js";
import { expectedRates } from "../../simulation/world/level-shares.js";
import { presetWorld } from "../../simulation/world/presets.js";
import { createRng } from "../../stats/random/create-rng.js";
import { scoreRow } from "./run-truth.js";
import { drawWorld, processRates, resized, simulateWorlds } from "./simulate-worlds.js";

const small = presetWorld("small");
/** Communities of similar size: what an interval over communities is made for. */
const settings = { ...small, cohorts: small.cohorts.map((cohort) => ({ ...cohort, tail: 8 })) };
const size = { communities: 12, decisions: 720 };

describe("expectedRates", () => {
  it("is what a world's decisions come to", () => {
    const world = drawWorld(resized(settings, { communities: 10, decisions: 6000 }), 3);
    let expected = 0;
    let defensible = 0;
    let open = 0;
    let expectedOpen = 0;
    for (const { cases, expected: rates } of world) {
      expected += cases.length * rates.defensibility_index;
      expectedOpen += cases.length * rates.ambiguity_index;
      for (const { truth } of cases) {
        if (truth.level !== 3) defensible++;
        if (truth.inverse) open++;
      }
    }
    // Three standard errors, doubled for decisions of one thread that go together.
    const within = (rate: number) => (3 * 1.5 * Math.sqrt(rate * (1 - rate))) / Math.sqrt(6000);
    expect(Math.abs(defensible - expected) / 6000).toBeLessThan(within(expected / 6000));
    expect(Math.abs(open - expectedOpen) / 6000).toBeLessThan(within(expectedOpen / 6000));
  });

  it("adds up", () => {
    expect(expectedRates({ open: 0.2, void: 0.1, error: 0 })).toEqual({
      defensibility_index: expect.closeTo(0.9, 12),
      ambiguity_index: 0.2,
      ambiguity_pure: 0.2,
    });
  });
});

describe("simulateWorlds", () => {
  const auditor = simulatedAuditorSchema.parse({});
  const result = simulateWorlds({ settings, auditor, worlds: 12, ...size, temperature: 0.2, labels: 100, seed: 11 });
  const condition = (name: string) => result.conditions.find((one) => one.name === name)!;
  const index = (name: string, quantity: string) =>
    condition(name).estimators.find((one) => one.quantity === quantity)!;

  it("finds the faultless auditor without error in DI, AI and AI_pure", () => {
    for (const quantity of ["defensibility_index", "ambiguity_index", "ambiguity_pure"]) {
      expect(index("faultless", quantity).rmse).toBeLessThan(1e-9);
      const { independent, clustered } = index("faultless", quantity).coverage;
      expect(independent.estimate).toBeGreaterThanOrEqual(0.75);
      expect(clustered.estimate).toBeGreaterThanOrEqual(0.75);
    }
  });

  it("covers the rate of the process, which no world that is judged had a part in", () => {
    const process = processRates(resized(settings, size), createRng(5));
    const truth = result.conditions[0]!.estimators.map(({ quantity, truth: mean }) => [quantity, mean!] as const);
    for (const [quantity, mean] of truth.slice(0, 3)) {
      // 12 worlds of 12 communities: the mean is off by some 2 points.
      expect(Math.abs(process[quantity as keyof typeof process] - mean), quantity).toBeLessThan(0.05);
    }
    // With its own mean truth for the rate, the interval of a single world would always cover; this world's communities are unusual.
    const request = { settings, auditor, worlds: 1, ...size, temperature: 0.2, labels: 50 };
    const covers = (seed: number) =>
      simulateWorlds({ ...request, seed }).conditions[0]!.estimators[0]!.coverage.clustered;
    expect(covers(512).estimate).toBe(0);
    expect(covers(500).estimate).toBe(1);
  });

  it("has no rate to cover where there is no formula and there are few worlds", () => {
    expect(index("faultless", "ambiguity_platform").coverage.clustered).toMatchObject({
      estimate: null,
      reason: expect.stringMatching(/fewer than 20 worlds/),
    });
  });

  it("knows no long-run rate of ambiguity by citation, and says so", () => {
    expect(index("faultless", "ambiguity_platform").coverage.independent.estimate).toBeNull();
  });

  it("shows that bias towards the decider inflates DI, in proportion", () => {
    const errors = ["as set", "bias 0.1", "bias 0.3", "bias 0.5"].map(
      (name) => index(name, "defensibility_index").error.estimate!,
    );
    for (let i = 1; i < errors.length; i++) expect(errors[i]).toBeGreaterThan(errors[i - 1]!);
    const indefensible = 1 - index("as set", "defensibility_index").truth!;
    expect(errors[3]! - errors[0]!).toBeGreaterThan(0.3 * indefensible);
    expect(errors[3]! - errors[0]!).toBeLessThan(0.7 * indefensible);
  });

  it("corrects that bias by labels, as far as their number allows", () => {
    const { corrected } = condition("bias 0.5");
    const { error } = corrected!;
    if (error.estimate === null) throw new Error(error.reason);
    expect(error.lower).toBeLessThan(0);
    expect(error.upper).toBeGreaterThan(0);
    expect(Math.abs(error.estimate)).toBeLessThan(index("bias 0.5", "defensibility_index").error.estimate! / 2);
  });

  it("lets the gate's promises hold for a faultless auditor", () => {
    const { gate } = condition("faultless");
    expect(gate.certified!.worlds_with_false_opening.estimate).toBeLessThanOrEqual(1 / 12);
    expect(gate.paper!.recall.estimate).toBeGreaterThan(gate.certified!.recall.estimate!);
  });

  it("judges scores on worlds that did not fit them", () => {
    expect(result).toMatchObject({ fitted_on: 6, evaluated_on: 6 });
    const [confidence, plain] = result.scores;
    expect(plain!.auroc.estimate).toBeGreaterThan(confidence!.auroc.estimate!);
    expect(result.scores.at(-1)!.score).toContain("calibrated");
  });

  it("is the same for the same seed", () => {
    const request = { settings, auditor, worlds: 1, ...size, temperature: 0.2, labels: 50, seed: 4 };
    expect(simulateWorlds(request)).toEqual(simulateWorlds(request));
  });
});

describe("scoreRow", () => {
  it("counts what lies below the score of 5% of the defensible", () => {
    const good = Array.from({ length: 100 }, (_, i) => 0.5 + i / 1000);
    const bad = [0.1, 0.2, 0.504, 0.9];
    const row = scoreRow(
      "s",
      Float64Array.from([...good, ...bad]),
      Uint8Array.from([...good.map(() => 1), 3, 3, 3, 3]),
      1,
    );
    // 5 of 100 lie below 0.505.
    expect(row.detected_at_5).toMatchObject({ k: 3, n: 4 });
  });

  it("is undefined where there is nothing to find", () => {
    const row = scoreRow("s", Float64Array.of(0.5, 0.6), Uint8Array.of(1, 2), 1);
    expect(row.detected_at_5.estimate).toBeNull();
    expect(row.auroc.estimate).toBeNull();
  });
});
