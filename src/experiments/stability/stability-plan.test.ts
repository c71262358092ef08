import { describe, expect, it } from "vitest";
import type { Audit } from "../../core/records/audit.js";
import { createRng, shuffle } from "../../stats/random/create-rng.js";
import { type PlanSettings, StabilityPlan } from "./stability-plan.js";

const SETTINGS: PlanSettings = {
  temperatures: [0.1, 1],
  moreTemplates: [],
  mode: "sequential",
  replicates: 120,
  stop: "boundary",
  alpha: 0.05,
  evidence: "labels",
  budget: null,
  order: "nearest",
  pilot: 8,
  pilotTemperature: 0.1,
  rule: "level",
  cases: 10,
  seed: 1,
};

const IDS = Array.from({ length: 30 }, (_, i) => `d${String(i).padStart(2, "0")}`);

/** What an auditor would answer: every third case is a coin toss, one case never answers. */
function answer(decision_id: string, arm: string, replicate: number): Audit {
  const rng = createRng(`${decision_id} ${arm} ${replicate}`);
  const place = IDS.indexOf(decision_id);
  const silent = place === 29 || (place === 5 && replicate % 7 === 3);
  const p3 = place % 3 === 0 ? 0.4 : 0.02;
  const level = rng.next() < p3 ? 3 : 1;
  const temperature = arm === "t=1" ? 1 : 0.1;
  const outcome = silent ? "unscored" : "verdict";
  const level_probs = [1 - p3, 0, p3];
  return {
    ...{ decision_id, arm, replicate, outcome, level: silent ? null : level, level_probs, temperature },
    ...{ signal: "logprobs", logprob_space: "raw" },
  } as unknown as Audit;
}

/** Goes over the decisions until the plan wants no more; answers of a pass arrive in any order. */
function carryOut(settings: PlanSettings, { seed = 1, recorded = [] as Audit[] } = {}) {
  const plan = new StabilityPlan(settings, IDS);
  const audits = new Map<string, Audit>();
  const key = ({ decision_id, arm, replicate }: Audit) => `${decision_id} ${arm} ${replicate}`;
  for (const audit of recorded) {
    audits.set(key(audit), audit);
    plan.observe(audit);
  }
  let passes = 0;
  do {
    const wanted = IDS.flatMap((id) =>
      plan.arms.flatMap(({ name }) =>
        Array.from({ length: plan.replicatesFor(id, name) }, (_, replicate) => answer(id, name, replicate)),
      ),
    ).filter((audit) => !audits.has(key(audit)));
    for (const audit of shuffle(wanted, createRng(seed + passes))) {
      audits.set(key(audit), audit);
      plan.observe(audit);
    }
    passes += 1;
    if (passes > 200) throw new Error("the plan does not end");
  } while (plan.again());
  return { plan, audits, passes };
}

const measured = (audits: Map<string, Audit>) => [...audits.values()].filter(({ arm }) => arm !== "pilot");

describe("StabilityPlan", () => {
  const { plan, audits } = carryOut(SETTINGS);

  it("chooses cases by the pilot alone, half of each kind, and measures only these", () => {
    expect(plan.arms.map(({ name }) => name)).toEqual(["pilot", "t=0.1", "t=1"]);
    expect([...plan.chosen!.values()].filter((group) => group === "flipper")).toHaveLength(5);
    expect([...plan.chosen!.values()].filter((group) => group === "stable")).toHaveLength(5);
    expect(new Set(measured(audits).map(({ decision_id }) => decision_id))).toEqual(new Set(plan.chosen!.keys()));
    expect(plan.chosen!.has("d29")).toBe(false);
    expect(audits.size - measured(audits).length).toBe(30 * 8);
  });

  it("stops where a case is settled, at its cap elsewhere", () => {
    const sizes = [...plan.chosen!.keys()].flatMap((id) => ["t=0.1", "t=1"].map((arm) => plan.replicatesFor(id, arm)));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(30);
    expect(Math.min(...sizes)).toBeLessThan(60);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(120);
    expect(measured(audits).length).toBeLessThan(20 * 120);
    expect(plan.most).toEqual({ pilot: 30 * 8, measured: 10 * 2 * 120 });
  });

  it("comes to the same plan whatever the order in which answers arrive", () => {
    const other = carryOut(SETTINGS, { seed: 99 });
    expect([...other.audits.keys()].sort()).toEqual([...audits.keys()].sort());
  });

  it.each([0.1, 0.5, 0.9])(
    "comes to the same plan when it is told %f of the audits again after an interruption",
    (share) => {
      const some = shuffle([...audits.values()], createRng(7));
      // The pilot is complete before anything else is asked.
      const pilot = some.filter(({ arm }) => arm === "pilot");
      const rest = some.filter(({ arm }) => arm !== "pilot").slice(0, Math.floor(share * some.length));
      const resumed = carryOut(SETTINGS, { recorded: [...rest, ...pilot] });
      expect([...resumed.audits.keys()].sort()).toEqual([...audits.keys()].sort());
    },
  );

  it("keeps to a budget", () => {
    for (const budget of [20, 21, 100, 700, 1500]) {
      const { plan: own, audits: made } = carryOut({ ...SETTINGS, budget });
      expect(own.most.measured).toBe(budget);
      expect(measured(made).length).toBeLessThanOrEqual(budget);
    }
  });

  it("refuses a budget that does not give every case one audit under each condition, and says how many it takes", () => {
    expect(() => new StabilityPlan({ ...SETTINGS, budget: 19 }, IDS)).toThrow(/got 19, expected at least 20/);
    expect(() => new StabilityPlan({ ...SETTINGS, cases: null, budget: 59 }, IDS)).toThrow(/at least 60/);
    // Eleven cases are five of each kind.
    expect(() => new StabilityPlan({ ...SETTINGS, cases: 11, budget: 20 }, IDS)).not.toThrow();
  });

  it("asks for exactly as many with a fixed number", () => {
    const fixed = carryOut({ ...SETTINGS, mode: "fixed", replicates: 12 });
    expect(measured(fixed.audits)).toHaveLength(10 * 2 * 12);
    expect(fixed.passes).toBe(2);
  });

  it("takes a sample of cases without groups when there is no pilot", () => {
    const without = carryOut({ ...SETTINGS, pilot: 0, mode: "fixed", replicates: 3 });
    expect(without.plan.chosen!.size).toBe(10);
    expect([...without.plan.chosen!.values()].every((group) => group === null)).toBe(true);
    expect(without.plan.arms.map(({ name }) => name)).toEqual(["t=0.1", "t=1"]);
    expect(without.audits.size).toBe(60);
  });

  it("takes every candidate of a cohort, told apart by the pilot", () => {
    const all = carryOut({ ...SETTINGS, cases: null, mode: "fixed", replicates: 2 });
    expect(all.plan.chosen!.size).toBe(29);
  });

  it("varies templates, and lets probabilities count where that is asked for", () => {
    const soft = carryOut({ ...SETTINGS, moreTemplates: ["extended"], temperatures: [1], evidence: "probabilities" });
    expect(soft.plan.arms.map(({ name }) => name)).toEqual(["pilot", "t=1", "t=1 template=extended"]);
    // The probabilities are those of the case itself: 2% or 40% of level 3, settled alike in all cases of a kind.
    const sizes = [...soft.plan.chosen!.keys()].map((id) => soft.plan.replicatesFor(id, "t=1"));
    expect(new Set(sizes).size).toBeLessThanOrEqual(3);
  });
});
