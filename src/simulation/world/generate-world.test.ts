import { describe, expect, it } from "vitest";
import { decisionSchema, precedentSchema } from "../../core/records/decision.js";
import { type Truth, truthSchema } from "../../core/records/label.js";
import { ruleSetSchema, TIERS } from "../../core/records/rule-set.js";
import { worldSettingsSchema } from "../../core/results/simulation.js";
import { wilsonInterval } from "../../stats/intervals/proportion.js";
import type { SimulatedCase } from "./draw-cases.js";
import { generatePlatformRules, generateWorld } from "./generate-world.js";
import { casesOf, plain, world } from "./generate-world.suite.js";
import { PRESETS, presetWorld } from "./presets.js";

const large = world({ communities: 40, decisions: 3000, precedence: 0.1 });
const cases = casesOf(large, 4);
const truths = cases.map(({ truth }) => truth);

describe("a world", () => {
  it.each(PRESETS)("%s has settings that its own schema accepts", (preset) => {
    expect(worldSettingsSchema.parse(presetWorld(preset))).toEqual(presetWorld(preset));
  });

  it("is the same for the same seed, in whatever order it is read, and another for another", () => {
    const text = (seed: number) => JSON.stringify(casesOf(presetWorld("small"), seed));
    expect(text(7)).toBe(text(7));
    expect(text(7)).not.toBe(text(8));
    const [first, second] = [...generateWorld(presetWorld("small"), 7)];
    const again = [...second!.cases()];
    expect([...first!.cases()]).toHaveLength(first!.size);
    expect([...second!.cases()]).toEqual(again);
  });

  it("has records that fit the formats", () => {
    for (const community of generateWorld(presetWorld("small"), 2)) {
      ruleSetSchema.parse(community.ruleSet);
      for (const precedent of community.precedents) precedentSchema.parse(precedent);
      for (const { decision, truth } of community.cases()) {
        decisionSchema.parse(decision);
        truthSchema.parse(truth);
      }
    }
    ruleSetSchema.parse(generatePlatformRules(presetWorld("small"), 2));
  });

  it("has decisions in the order of time, threads, and content in a second language", () => {
    const times = [...[...generateWorld(large, 4)][0]!.cases()].map(({ decision }) => decision.decided_at!);
    expect([...times].sort()).toEqual(times);
    const threads = new Set(cases.map(({ decision }) => decision.thread_id)).size;
    expect(threads).toBeGreaterThan(cases.length / 2);
    expect(threads).toBeLessThan(cases.length * 0.8);
    const languages = new Set(cases.map(({ decision }) => (decision.content as { language: string }).language));
    expect([...languages].sort()).toEqual(["de", "en", "es"]);
  });
});

describe("truth", () => {
  it("is coherent: the whole text is the last tier, and what settles it agrees with the tiers", () => {
    for (const truth of truths) {
      expect({ level: truth.level, inverse: truth.inverse }).toEqual(truth.tiers.wiki);
      const derivable = truth.level !== 3;
      const one = derivable !== truth.inverse;
      expect(truth.settled_by !== null).toBe(one);
      if (truth.settled_by === null) continue;
      const same = TIERS.map(
        (tier) => (truth.tiers[tier].level !== 3) === derivable && truth.tiers[tier].inverse === truth.inverse,
      );
      expect(same.lastIndexOf(false) + 1).toBe(TIERS.indexOf(truth.settled_by));
    }
  });

  it("names a rule of its community or platform, and none where nothing applies", () => {
    const platform = new Set(generatePlatformRules(large, 4).rules.map(({ id }) => id));
    for (const community of generateWorld(large, 4)) {
      const own = new Set(community.ruleSet.rules.map(({ id }) => id));
      for (const { truth } of community.cases()) {
        if (truth.rule) expect((truth.rule.scope === "platform" ? platform : own).has(truth.rule.rule_id)).toBe(true);
        else expect(["neutral", "unwelcome"]).toContain(truth.relation);
        expect(truth.ambiguity_scope).toBe(truth.level === 2 && truth.inverse ? truth.rule!.scope : null);
      }
    }
  });

  it("under one scope alone: the scope that does not speak leaves content allowed", () => {
    for (const { decision, truth } of cases) {
      if (!truth.rule || truth.relation === "protected" || truth.relation === "forbidden") continue;
      const silent = truth.rule.scope === "platform" ? "community" : "platform";
      expect(truth.scopes[silent]).toEqual(
        decision.decision === "approve" ? { level: 1, inverse: false } : { level: 3, inverse: true },
      );
      expect(truth.scopes[truth.rule.scope]).toEqual(truth.tiers.wiki);
    }
  });

  it("has content that two scopes judge differently, in both directions", () => {
    for (const relation of ["forbidden", "protected"]) {
      const found = truths.filter((truth) => truth.relation === relation);
      expect(found.length).toBeGreaterThan(20);
      for (const { scopes, tiers } of found) {
        expect(scopes.platform).not.toEqual(scopes.community);
        expect(scopes.platform).toEqual(tiers.wiki);
      }
    }
  });

  it("says why decision and label differ, and only then", () => {
    for (const { decision, truth } of cases) {
      expect(truth.cause === "none").toBe(decision.decision === decision.human_label);
      if (truth.cause === "model_error") expect(truth.level).toBe(3);
      if (truth.cause === "policy_ambiguity") expect([truth.level, truth.inverse]).toEqual([2, true]);
      if (truth.cause === "implicit_norm") {
        expect([decision.decision, decision.human_label, truth.level]).toEqual(["approve", "remove", 1]);
      }
    }
  });

  it("is more contested where the rules leave more open", () => {
    const mean = (test: (truth: Truth) => boolean) => {
      const found = truths.filter(test);
      return found.reduce((sum, { contest }) => sum + contest, 0) / found.length;
    };
    expect(mean(({ relation }) => relation === "open")).toBeCloseTo(0.7, 1);
    expect(mean(({ level }) => level === 1)).toBeLessThan(0.12);
  });
});

describe("planted rates come out", () => {
  const state = { ...plain, open: 0.12, void: 0.03, implied: 0.1, error: 0.08 };
  const planted = casesOf(
    world(
      {
        communities: 40,
        decisions: 8000,
        states: [state],
        violating: 0.3,
        slips: 0,
        shared_errors: 0.25,
        precedence: 0,
      },
      { threads: { size: 1, correlation: 0 } },
    ),
    21,
  );
  const clear = planted.filter(({ truth }) => (truth.level !== 3) !== truth.inverse);
  const wrong = clear.filter(({ truth }) => truth.level === 3);
  it.each([
    ["open", planted, ({ truth }: SimulatedCase) => truth.relation === "open", 0.12],
    ["void", planted, ({ truth }: SimulatedCase) => truth.level === 3 && !truth.inverse, 0.03],
    ["error", clear, ({ truth }: SimulatedCase) => truth.level === 3, 0.08],
    ["implied", clear, ({ truth }: SimulatedCase) => ["implied", "spared"].includes(truth.relation as string), 0.1],
    ["missed", wrong, ({ decision }: SimulatedCase) => decision.decision === "approve", 0.5],
    ["shared errors", wrong, ({ decision }: SimulatedCase) => decision.human_label === decision.decision, 0.25],
  ])("%s", (_, among, test, rate) => {
    // Shares of people who share an error are higher where a norm makes them remove anyway: the bound is wide enough to see it if it were large.
    const { lower, upper } = wilsonInterval(among.filter(test).length, among.length, 0.999);
    expect(lower).toBeLessThanOrEqual(rate + 0.01);
    expect(upper).toBeGreaterThanOrEqual(rate - 0.01);
  });

  it("of a cohort of tiers: each tier's verdicts", () => {
    const base = presetWorld("paper");
    const tiered = {
      ...base,
      cohorts: [{ ...base.cohorts[2]!, decisions: 6000 }],
      threads: { size: 1, correlation: 0 },
    };
    const removals = casesOf(tiered, 3).filter(({ decision }) => decision.decision === "remove");
    const { remove } = tiered.cohorts[0]!.tiers!;
    for (const tier of TIERS) {
      const level1 = removals.filter(({ truth }) => truth.tiers[tier].level === 1).length;
      const { lower, upper } = wilsonInterval(level1, removals.length, 0.999);
      expect(remove[tier][0]).toBeGreaterThan(lower);
      expect(remove[tier][0]).toBeLessThan(upper);
    }
  });

  it("drift: errors multiply from the date on", () => {
    const drifting = world(
      { communities: 10, decisions: 6000, states: [state] },
      { drift: { at: 0.5, error_factor: 3 }, threads: { size: 1, correlation: 0 } },
    );
    const middle = new Date(Date.parse(drifting.start) + drifting.days * 43_200_000).toISOString();
    const rate = (late: boolean) => {
      const part = casesOf(drifting, 5).filter(({ decision }) => decision.decided_at! >= middle === late);
      return part.filter(({ truth }) => truth.level === 3 && truth.inverse).length / part.length;
    };
    expect(rate(false)).toBeCloseTo(0.068, 1);
    expect(rate(true) / rate(false)).toBeGreaterThan(2.4);
    expect(rate(true) / rate(false)).toBeLessThan(3.6);
  });
});
