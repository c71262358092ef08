import { describe, expect, it } from "vitest";
import { resolved } from "../../present/document/document.js";
import { stepNames } from "../registry.js";
import { buildReplicate, type ReplicateInputs, type StepResults, takeOver } from "./build-replicate.js";
import type { CohortNames } from "./datasets.js";
import { replicateDocument } from "./document.js";
import { type ReplicateStep, replicateSchema, type StepRecord } from "./result.js";

const NO_COHORTS = Object.fromEntries(
  ["random", "balanced", "tiers", "fleet", "stability", "attack", "human", "expert"].map((role) => [role, null]),
) as CohortNames;

const steps = (done: readonly ReplicateStep[]): StepRecord[] =>
  stepNames().map((step) => ({
    step,
    status: done.includes(step) ? "done" : "left_out",
    reason: done.includes(step) ? null : "the step was left out",
    command: null,
    runs: done.includes(step) ? [`run-${step}`] : [],
    audits: done.includes(step) ? 10 : 0,
    cost_usd: 0,
  }));

const weight = { estimate: 0.4, lower: 0.3, upper: 0.5, level: 0.95, method: "test", n: 9 };
const CALIBRATED: StepResults = {
  calibration: {
    weights: null,
    reason: null,
    h_w: { alpha: weight, beta: weight, gamma: weight, loss: weight },
    h_kappa: null,
    ece: { plain: 0.1, n: 9 },
  },
};

const replicate = (change: Partial<ReplicateInputs> = {}) =>
  buildReplicate({
    auditor: "baseline",
    simulation: null,
    seed: 1,
    cohorts: NO_COHORTS,
    steps: steps([]),
    results: {},
    expert: null,
    raters: null,
    warnings: [],
    ...change,
  });

const whole = replicate({ steps: steps(["calibration"]), results: CALIBRATED });

describe("buildReplicate", () => {
  it("gives what the format says, also where nothing was done", () => {
    expect(replicateSchema.parse(replicate())).toEqual(replicate());
    expect(replicateSchema.parse(whole).audits).toBe(10);
  });

  it("says that all decisions are used for the cohorts, or for those that are missing", () => {
    expect(replicate().warnings.join()).toContain("no cohort of the paper's names is there");
    const some = { ...NO_COHORTS, random: "a", balanced: "b", tiers: "c", stability: "d", attack: "e" };
    expect(replicate({ cohorts: some }).warnings.join()).toContain("all decisions are used for fleet");
    expect(replicate({ cohorts: { ...some, fleet: "f" } }).warnings.join()).not.toContain("stand for");
  });

  it("compares counts only where the world has the paper's sizes", () => {
    const gate = { communities: 5, eligible: 2, decisions: 100, states: [], scenarios: [] };
    const row = (decisions: number) =>
      replicate({
        simulation: { preset: "paper", seed: 1, decisions },
        steps: steps(["gate"]),
        results: { gate: { ...gate, states: STATES, scenarios: SCENARIOS } } as StepResults,
      }).compared.find(({ id }) => id === "states.earned_autonomy.communities")!;
    expect(row(1000)).toMatchObject({ role: "input", within: null });
    expect(row(193_355).within).toBe(false);
  });
});

const share = { estimate: 0.5, lower: 0.1, upper: 0.9, level: 0.95, method: "wilson", n: 2 };
const STATES = ["earned_autonomy", "policy_gaps", "normative_complexity"].map((state) => ({
  state,
  share,
  communities: 1,
  di: share,
  ai: share,
}));
const SCENARIOS = ["Lenient", "Moderate", "Standard", "Strict"].map((name) => ({
  name,
  reduction: share,
  counts: { decisions: 100 },
  estimates: {
    decision_coverage_eligible: share,
    fleet_di: share,
    fleet_ai: share,
    automated_indefensible_rate: share,
  },
}));

describe("takeOver", () => {
  it("keeps what was left out this time", () => {
    const now = takeOver(replicate(), whole);
    expect(now.steps.find(({ step }) => step === "calibration")).toMatchObject({ status: "kept", audits: 10 });
    expect(now.compared).toEqual(whole.compared);
    expect(now).toMatchObject({ audits: 10, runs: ["run-calibration"] });
    expect(takeOver(replicate(), now).compared).toEqual(whole.compared);
  });

  it("takes nothing from another auditor or another world, and nothing for what was tried", () => {
    expect(takeOver(replicate({ auditor: "simulated" }), whole).compared).not.toEqual(whole.compared);
    const elsewhere = replicate({ simulation: { preset: "small", seed: 1, decisions: 600 } });
    expect(takeOver(elsewhere, whole)).toEqual(elsewhere);
    const failed = replicate({
      steps: steps([]).map((one) => (one.step === "calibration" ? { ...one, status: "not_done" } : one)),
    });
    expect(takeOver(failed, whole)).toEqual(failed);
    expect(takeOver(whole, null)).toEqual(whole);
  });
});

describe("the headline of a study", () => {
  const headline = (of: typeof whole) => resolved(replicateDocument(of)).blocks[0] as { value: string; under: string };

  it("counts what is compared, and shows its counts by their place in the result", () => {
    const { compared, counts } = whole;
    const judged = compared.filter(({ verdict }) => verdict);
    expect(counts).toMatchObject({ compared: compared.length, found: { numbers: judged.length }, fed_in: null });
    expect(counts!.found.same + counts!.found.different + counts!.found.undecided).toBe(judged.length);
    expect(counts!.without_value).toBeGreaterThan(0);
    expect(headline(whole).value).toBe(`${counts!.found.same} of ${counts!.found.numbers}`);
    expect(JSON.stringify(replicateDocument(whole).blocks[0])).toContain('"/counts/without_value"');
  });

  it("is the same of a result of an earlier build, which has no counts", () => {
    const { counts: _, ...earlier } = whole;
    expect(headline(earlier)).toEqual(headline(whole));
  });

  it("counts nothing where nothing was compared", () => {
    expect(replicate({ reference: null })).not.toHaveProperty("counts");
  });
});
