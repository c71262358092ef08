import { describe, expect, it } from "vitest";
import type { FamilyCount } from "../../analysis/labels/true-verdicts.js";
import type { ReplicateColumns } from "../../analysis/replicate-columns.js";
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { createRng } from "../../stats/random/create-rng.js";
import type { Humans } from "../humans/result.js";
import { gapChannel, humanChannel, labelChannel, ruleChannel } from "./channels.js";
import { errorDifference, pairedDifference, rateDifference } from "./differences.js";
import { circularityOf } from "./experiment.js";
import { circularitySchema } from "./result.js";
import {
  convergenceChannel,
  judgeAll,
  judgeEqual,
  judgeInflation,
  judgePositive,
  test,
  truthChannel,
} from "./truth-channel.js";

const between = (lower: number, upper: number): Estimate => ({
  estimate: (lower + upper) / 2,
  lower,
  upper,
  level: 0.95,
  method: "t",
  n: 10,
});

describe("judging", () => {
  it("speaks against impartiality only where more than zero is sure, and for it only where the margin is kept", () => {
    expect(judgeInflation(between(-0.1, 0.05), 0.05).verdict).toBe("supports");
    expect(judgeInflation(between(0.01, 0.04), 0.05).verdict).toBe("supports");
    expect(judgeInflation(between(0.01, 0.2), 0.05).verdict).toBe("does_not_support");
    expect(judgeInflation(between(-0.1, 0.2), 0.05).verdict).toBe("cannot_tell");
    expect(judgeInflation(undefinedEstimate("nobody"), 0.05)).toEqual({ verdict: "not_available", because: "nobody" });
  });

  it("asks an association to be above chance, and a placebo to be within the margin", () => {
    expect(judgePositive(between(0.1, 0.3)).verdict).toBe("supports");
    expect(judgePositive(between(-0.1, 0.3)).verdict).toBe("cannot_tell");
    expect(judgePositive(between(-0.3, 0)).verdict).toBe("does_not_support");
    expect(judgePositive(between(0.45, 0.7), 0.5).verdict).toBe("cannot_tell");
    expect(judgeEqual(between(-0.04, 0.05), 0.05).verdict).toBe("supports");
    expect(judgeEqual(between(0.04, 0.3), 0.05).verdict).toBe("does_not_support");
    expect(judgeEqual(between(-0.04, 0.3), 0.05).verdict).toBe("cannot_tell");
  });

  it("goes by the wider of the two intervals", () => {
    const cluster = { lower: -0.2, upper: 0.5, method: "t", clusters: 5, design_effect: null };
    expect(judgePositive({ ...between(0.1, 0.2), cluster } as Estimate).verdict).toBe("cannot_tell");
  });

  it("lets one test against decide, and needs all that were made for", () => {
    const of = (...verdicts: ("supports" | "does_not_support" | "cannot_tell" | "not_available")[]) =>
      judgeAll(verdicts.map((verdict) => test("t", "points", between(0, 1), { verdict, because: "x" }))).verdict;
    expect(of("supports", "does_not_support")).toBe("does_not_support");
    expect(of("supports", "cannot_tell")).toBe("cannot_tell");
    expect(of("supports", "not_available")).toBe("supports");
    expect(of("not_available")).toBe("not_available");
    expect(of()).toBe("not_available");
  });
});

describe("differences", () => {
  it("of two groups are those of their rates, Newcombe's interval beside that over communities", () => {
    const value = rateDifference(
      [
        { k1: 30, n1: 40, k0: 20, n0: 30 },
        { k1: 26, n1: 30, k0: 28, n0: 50 },
      ],
      "none",
    );
    // Newcombe (1998): 56/70 − 48/80.
    expect(value).toMatchObject({ estimate: expect.closeTo(0.2, 12), lower: expect.closeTo(0.0524, 4), n: 150 });
    expect(value).toHaveProperty("cluster.clusters", 2);
    expect(rateDifference([{ k1: 1, n1: 1, k0: 0, n0: 0 }], "none")).toMatchObject({ estimate: null, reason: "none" });
  });

  it("of the same decisions count only those on which the two sides differ", () => {
    const value = pairedDifference([{ plus: 9, minus: 4, n: 100 }], "none");
    expect(value).toMatchObject({ estimate: 0.05, n: 100 });
    const half = 1.959964 * Math.sqrt((0.13 - 0.0025) / 99);
    expect((value as { upper: number }).upper).toBeCloseTo(0.05 + half, 6);
    expect(pairedDifference([], "none")).toEqual({ estimate: null, reason: "none", n: 0 });
  });

  it("of two errors take out what both kinds of decider share", () => {
    const value = errorDifference([{ plus: 20, minus: 0, n: 100 }], [{ plus: 5, minus: 5, n: 100 }], "none");
    expect(value.estimate).toBeCloseTo(0.2, 12);
    expect(errorDifference([{ plus: 0, minus: 0, n: 1 }], [{ plus: 0, minus: 0, n: 9 }], "none").estimate).toBeNull();
  });
});

const family = (same_family: boolean, changes: Partial<FamilyCount>): FamilyCount => ({
  community: "c",
  same_family,
  n: 1000,
  defensible: 900,
  inverse_yes: 100,
  known: 1000,
  defensible_plus: 10,
  defensible_minus: 10,
  inverse_plus: 10,
  inverse_minus: 10,
  ...changes,
});

describe("channels", () => {
  it("see favouritism in a difference between kinds of deciders, and truth tells it from skill", () => {
    const families = [family(true, { defensible: 980 }), family(false, { defensible: 900 })];
    const gap = gapChannel({ families, humans: null, margin: 0.05, runs: ["r"] });
    expect(gap.verdict).toBe("does_not_support");
    expect(gap.command).toBe("defensible audit --humans");
    const alone = (same: boolean) =>
      gapChannel({ families: [family(same, {})], humans: null, margin: 0.05, runs: ["r"] });
    expect(alone(false)).toMatchObject({ command: "defensible audit --humans" });
    expect(alone(false).advice).toMatch(/a model of the family of some deciders \(`defensible audit --auditor NAME`\)/);
    expect(alone(true).advice).toMatch(/by people \(`defensible import`\) or by a model of another family/);
    const skill = truthChannel({
      truth: { kind: "simulation", n: 2000, under: ["wiki"] },
      families,
      margin: 0.05,
      runs: ["r"],
    });
    expect(skill.verdict).toBe("supports");
    const favoured = [family(true, { defensible_plus: 150, defensible_minus: 0 }), family(false, {})];
    const bias = truthChannel({
      truth: { kind: "simulation", n: 2000, under: ["wiki"] },
      families: favoured,
      margin: 0.05,
      runs: ["r"],
    });
    expect(bias.tests.at(-1)).toMatchObject({ verdict: "does_not_support", value: { estimate: 0.15 } });
  });

  it("compare the decider with people on the same cases", () => {
    const humans = [{ cluster: "c", both: 400, modelOnly: 150, humanOnly: 20, neither: 30 }];
    const gap = gapChannel({ families: [family(false, {})], humans, margin: 0.05, runs: [] });
    expect(gap.tests[1]).toMatchObject({ verdict: "does_not_support", value: { estimate: 130 / 600 } });
    expect(gap.tests[0]).toMatchObject({
      verdict: "not_available",
      because: expect.stringMatching(/no decision is by/),
    });
  });

  it("say by which weights S was made that people's ratings were compared with", () => {
    const correlations = ["pds", "level"].map((signal) => ({ signal, spearman: between(0.1, 0.5), two_way: null }));
    const weights = { alpha: 1 / 3, beta: 1 / 3, gamma: 1 / 3, component: "h_w", calibrated: false };
    const named = (humans: object) =>
      humanChannel({ runs: [], correlations, ...humans } as unknown as Humans).tests.map(({ name }) => name);
    expect(named({ weights })[0]).toBe("Spearman of people's mean rating with S (equal weights)");
    expect(named({ weights: { ...weights, alpha: 2 / 3, beta: 0 } })[0]).toMatch(/S \(weights 0\.67, 0\.00, 0\.33\)$/);
    expect(named({})[0]).toMatch(/with S$/);
    expect(named({ weights })[1]).toMatch(/level$/);
  });

  it("name the command that makes what is missing", () => {
    const missing = [
      labelChannel(null),
      ruleChannel(null, [], 0.05),
      convergenceChannel(null),
      truthChannel({ truth: null, families: [], margin: 0.05, runs: [] }),
    ];
    for (const channel of missing) {
      expect(channel.verdict).toBe("not_available");
      expect(channel.command).toMatch(/^defensible /);
    }
  });

  it("find convergence where ambiguous cases spread more in other replicates, and not where spread is noise", () => {
    const of = (coupled: boolean) => convergenceChannel(evidence(coupled));
    expect(of(true).verdict).toBe("supports");
    expect(of(false).verdict).not.toBe("supports");
  });

  it("read kept worlds: estimators are judged without bias, and planted bias is only shown", () => {
    const condition = (name: string, bias: number, noise: number, error: Estimate) => {
      const coverage = { clustered: between(0.85, noise > 0 ? 0.9 : 0.97) };
      return { name, bias, noise, estimators: [{ quantity: "defensibility_index", error, coverage }] };
    };
    const conditions = [
      condition("faultless", 0, 0, between(-0.01, 0.01)),
      condition("as set", 0, 0.1, between(-0.02, 0.02)),
      condition("bias 0.5", 0.5, 0.1, between(0.03, 0.2)),
    ];
    const validate = { runs: ["v"], worlds: { conditions } };
    const channel = truthChannel({ truth: null, families: [], margin: 0.05, runs: ["r"], validate });
    expect(channel).toMatchObject({
      verdict: "supports",
      command: null,
      source: { experiment: "validate", runs: ["v"] },
    });
    expect(channel.tests.map(({ name, verdict }) => [name.split(":")[0], verdict])).toEqual([
      ["faultless", "supports"],
      ["faultless", "supports"],
      ["as set", "supports"],
      ["as set", "does_not_support"],
      ["bias 0.5", "does_not_support"],
    ]);
    expect(channel.tests.at(-1)!.because).toMatch(/not counted/);
  });

  it("make a whole result together", () => {
    const channels = [
      gapChannel({ families: [family(true, {}), family(false, {})], humans: null, margin: 0.05, runs: ["b"] }),
      convergenceChannel(evidence(true)),
    ];
    const source = { name: "run b", run_id: "b", auditor: "baseline" };
    const result = circularityOf({ source, channels, margin: 0.05 });
    expect(circularitySchema.parse(result)).toEqual(result);
    expect(result.runs).toEqual(["a", "b"]);
    expect(result.figures[0]!.rows).toHaveLength(5);
  });
});

/** 200 cases of 20 replicates; coupled: the share of Yes is also how far S and the level spread. */
function evidence(coupled: boolean) {
  const rng = createRng(8);
  const [decisions, k] = [200, 20];
  const n = decisions * k;
  const columns: ReplicateColumns = {
    decisions,
    start: Int32Array.from({ length: decisions + 1 }, (_, d) => d * k),
    community: Int32Array.from({ length: decisions }, (_, d) => d % 10),
    communities: 10,
    level: new Uint8Array(n),
    inverse: new Uint8Array(n),
    p1: new Float64Array(n),
    p2: new Float64Array(n),
    p3: new Float64Array(n),
    pds: new Float64Array(n),
    inverseYesProb: new Float64Array(n),
    unitSpace: new Uint8Array(n).fill(1),
    temperature: 0.2,
  };
  for (let d = 0; d < decisions; d++) {
    const open = rng.next();
    const spread = coupled ? open : rng.next();
    for (let i = d * k; i < (d + 1) * k; i++) {
      columns.inverse[i] = rng.next() < open ? 1 : 0;
      columns.level[i] = rng.next() < spread / 2 ? 2 : 1;
      columns.pds[i] = 0.8 + 0.2 * spread * (rng.next() - 0.5);
    }
  }
  return { columns, arm: "t=0.1", runs: ["a"], kept: true };
}
