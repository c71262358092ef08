import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { analyseStability, type StabilitySettings } from "./analyse-stability.js";
import { plantedCohort } from "./planted.suite.js";
import { levels, makeReplicates } from "./replicates.suite.js";

const SETTINGS: Omit<StabilitySettings, "rng"> = {
  mode: "fixed",
  alpha: 0.05,
  evidence: "labels",
  stop: "boundary",
  cap: 300,
  draws: 300,
};

function analyse(
  input: Pick<ReturnType<typeof plantedCohort>, "replicates"> & { groups?: ReturnType<typeof plantedCohort>["groups"] },
  more: Partial<StabilitySettings> = {},
) {
  const groups = input.groups ?? input.replicates.decisions.map(() => null);
  return analyseStability(input.replicates, groups, { ...SETTINGS, rng: createRng(1), ...more }).analysis;
}

describe("analyseStability", () => {
  it("counts each case by hand", () => {
    const replicates = makeReplicates([[[...levels(20, 8, 2), { level: 0 }]], [levels(0, 0, 30)]], [0.7]);
    const [first, second] = analyse({ replicates }).cases;
    expect(first).toMatchObject({
      k: 30,
      attempted: 31,
      levels: { "1": 20, "2": 8, "3": 2 },
      p_level_3: 2 / 30,
      dominant_level: 1,
      dominant_share: 2 / 3,
      class: "moderate",
      boundary: "stably_defensible",
      sd_pds: null,
      p_level_3_mean: null,
      consecutive_flip_rate: 2 / 29,
    });
    expect(first!.flip_rate).toBeCloseTo(1 - (20 * 19 + 8 * 7 + 2) / (30 * 29), 12);
    expect(second).toMatchObject({ class: "rock_solid", boundary: "stably_indefensible", flip_rate: 0 });
  });

  it("takes the most severe of levels that are equally common", () => {
    const replicates = makeReplicates([[levels(15, 0, 15)], [levels(10, 10, 0)]], [0.7]);
    expect(analyse({ replicates }).cases.map((row) => row.dominant_level)).toEqual([3, 2]);
  });

  it("says at which level the interval of level 3 is, and which share it is about", () => {
    // Every audit drew level 3, though its probabilities speak for level 1.
    const row = { level: 3, p: [0.9, 0, 0.1] as [number, number, number] };
    const replicates = makeReplicates(
      [[new Array(60).fill(row)], [[...new Array(30).fill(row), ...levels(0, 0, 30)]]],
      [1],
    );
    const [byLevels] = analyse({ replicates }, { alpha: 0.2 }).cases;
    expect(byLevels!.p_level_3_interval).toMatchObject({ level: 0.8, about: "p_level_3" });
    const [mean, mixed] = analyse({ replicates }, { evidence: "probabilities" }).cases;
    expect(mean!.p_level_3_interval).toMatchObject({ level: 0.95, about: "p_level_3_mean" });
    expect(mean!.p_level_3_interval!.upper).toBeLessThan(mean!.p_level_3!);
    expect(mean!.p_level_3_interval!.upper).toBeGreaterThan(mean!.p_level_3_mean!);
    expect(mixed!.p_level_3_interval).toMatchObject({ about: "mixed" });
  });

  it("settles less than the shares seem to say, and names what is possible", () => {
    const replicates = makeReplicates([[levels(38, 2, 0)]], [0.7]);
    expect(analyse({ replicates }).cases[0]).toMatchObject({ class: "rock_solid", boundary: "stably_defensible" });
    const [row] = analyse({ replicates }, { mode: "sequential" }).cases;
    expect(row).toMatchObject({
      class: "undetermined",
      class_between: ["rock_solid", "mostly_stable"],
      boundary: "undetermined",
      plug_in: { class: "rock_solid" },
    });
    expect(row!.boundary_between).toContain("stably_defensible");
  });

  it.each([1, 2, 29, 30])("stands %i replicates", (k) => {
    const pds = (i: number) => ({ level: 1 + (i % 2), pds: 0.5 + 0.01 * i });
    const cell = () => Array.from({ length: k }, (_, i) => pds(i));
    const { cases, temperatures, decomposition } = analyse({
      replicates: makeReplicates([[cell()], [cell()], [cell()]], [0.2]),
    });
    expect(cases[0]!.class === "undetermined").toBe(k < 30);
    expect(cases[0]!.sd_pds === null).toBe(k < 2);
    expect(cases[0]!.sd_pds_interval === null).toBe(k < 3);
    expect(temperatures[0]!.sd_pds.all.estimate === null).toBe(k < 2);
    expect(temperatures[0]!.boundary_flip_rate.all.estimate === null).toBe(k < 30);
    expect(decomposition.find(({ of }) => of === "pds")!.components.length > 0).toBe(k >= 2);
    expect(decomposition[0]!.reason).toMatch(/fewer than two cases/);
  });

  it("finds no spread and no correlation where all audits are equal", () => {
    const cell = () =>
      Array.from({ length: 40 }, () => ({ level: 1, pds: 0.9, p: [0.9, 0.1, 0] as [number, number, number] }));
    const got = analyse({
      replicates: makeReplicates([[cell()], [cell()], [cell()]], [1]),
      groups: ["flipper", "stable", "stable"],
    });
    expect(got.cases[0]).toMatchObject({ sd_pds: 0, sd_p_defensible: 0, flip_rate: 0, class: "rock_solid" });
    expect(got.temperatures[0]!.sd_pds.ratio).toMatchObject({
      estimate: null,
      reason: expect.stringMatching(/no spread/),
    });
    expect(got.correlations.signals.every(({ disjoint }) => disjoint.estimate === null)).toBe(true);
    expect(got.decomposition[0]!.components.every(({ share }) => share.estimate === null)).toBe(true);
    expect(got.temperatures[0]!.draws).toMatchObject({ drawn: 0, p_value: null });
  });

  it("says what it cannot say with one temperature and without a pilot", () => {
    const { replicates } = plantedCohort({ cases: 10, replicates: 40, temperatures: [0.7], seed: 3 });
    const got = analyse({ replicates });
    expect(got.ratio_slope.pds).toMatchObject({
      reading: "undefined",
      estimate: { estimate: null, reason: /one temperature/ },
    });
    expect(got.temperatures[0]!.sd_pds.flippers).toMatchObject({
      estimate: null,
      reason: expect.stringMatching(/no pilot/),
    });
    expect(got.group_tests).toEqual([]);
    expect(got.decomposition[0]!.not_estimated).toEqual([
      "temperature",
      "case_by_temperature",
      "prompt",
      "case_by_prompt",
      "auditor",
      "case_by_auditor",
    ]);
  });

  const cohort = plantedCohort({ cases: 60, replicates: 60, temperatures: [0.3, 0.7, 1], seed: 8 });
  const got = analyse(cohort);

  it("calls a planted constant ratio flat, and a converging one falling", () => {
    expect(got.ratio_slope.p_defensible.reading).toBe("flat");
    const converging = plantedCohort({
      cases: 60,
      replicates: 60,
      temperatures: [0.3, 0.7, 1],
      seed: 8,
      flippers: 2,
      growth: 4,
    });
    expect(analyse(converging).ratio_slope.p_defensible.reading).toBe("falls");
  });

  it("checks that levels were drawn from their probabilities, and sees when they were not", () => {
    for (const { draws } of got.temperatures) expect(draws.p_value).toBeGreaterThan(0.001);
    // The same levels, said to be of another temperature.
    const { replicates } = cohort;
    const conditions = replicates.conditions.map((one) => ({ ...one, temperature: one.temperature! / 4 }));
    const wrong = analyse({ replicates: { ...replicates, conditions } });
    for (const { draws } of wrong.temperatures) expect(draws.p_value).toBeLessThan(1e-12);
  });

  it("estimates the share of level 3 with less noise by probabilities than by counts", () => {
    const hot = got.temperatures.at(-1)!;
    expect(hot.rao_blackwell_gain).toBeGreaterThan(1.1);
    const row = got.cases.find(({ temperature }) => temperature === 1)!;
    expect(Math.abs(row.p_level_3_mean! - row.p_level_3!)).toBeLessThan(0.15);
  });

  it("does not depend on the order of cases", () => {
    const { replicates, groups } = plantedCohort({ cases: 12, replicates: 30, temperatures: [0.5, 1], seed: 2 });
    const rows = (i: number) => [...replicates.pDefensible.slice(replicates.start[2 * i], replicates.start[2 * i + 2])];
    const build = (order: number[]) => {
      const table = makeReplicates(
        order.map((i) =>
          [0, 1].map((j) =>
            rows(i)
              .slice(30 * j, 30 * j + 30)
              .map((p) => ({ level: p > 0.5 ? 1 : 3, pds: p })),
          ),
        ),
        [0.5, 1],
      );
      return analyse({ replicates: table, groups: order.map((i) => groups[i]!) });
    };
    const order = Array.from({ length: 12 }, (_, i) => i);
    const [one, other] = [build(order), build([...order].reverse())];
    expect(other.temperatures[1]!.sd_pds.ratio.estimate).toBeCloseTo(one.temperatures[1]!.sd_pds.ratio.estimate!, 12);
    expect(other.decomposition[1]!.total).toBeCloseTo(one.decomposition[1]!.total!, 12);
    expect(other.group_tests.map(({ u }) => u)).toEqual(one.group_tests.map(({ u }) => u));
  });

  it("recovers where the variance was planted", () => {
    // Traces scatter; cases differ; temperature does nothing.
    const share = (of: string, source: string) =>
      got.decomposition.find((one) => one.of === of)!.components.find((one) => one.source === source)!;
    expect(share("p_defensible", "temperature").share.estimate).toBeLessThan(0.01);
    expect(share("p_defensible", "case_by_temperature").share.estimate).toBeLessThan(0.03);
    expect(share("p_defensible", "case").share.estimate).toBeGreaterThan(0.2);
    expect(share("p_defensible", "trace").share.estimate).toBeGreaterThan(0.3);
    expect(share("sd_p_defensible", "case").share.estimate).toBeGreaterThan(0.9);
    expect(share("verdict", "token").share.estimate).toBeGreaterThan(0.05);
    for (const { components } of got.decomposition) {
      expect(components.reduce((sum, { share: part }) => sum + (part.estimate ?? 0), 0)).toBeCloseTo(1, 9);
    }
  });

  it("stops sooner than 1,000 replicates, and says by how much", () => {
    const { labels } = got.sequential;
    expect(labels!.cells).toBe(180);
    expect(labels!.replicates).toBe(180 * 60);
    expect(labels!.saved_against_paper).toBeCloseTo(0.94, 10);
    expect(labels!.saved_against_cap).toBeNull();
    expect(labels!.at_best.replicates).toBeLessThan(180 * 60);
    const sequential = analyse(cohort, { mode: "sequential" });
    expect(sequential.sequential.probabilities).toBeNull();
    expect(sequential.sequential.labels!.saved_against_cap).toBeCloseTo(0.8, 10);
  });
});
