import { describe, expect, it } from "vitest";
import { stepNames } from "../registry.js";
import type { StepResults } from "./build-replicate.js";
import { comparePaper } from "./compare.js";
import type { StepRecord } from "./result.js";
import { ACCESSORS, PAPER_VALUES } from "./values.js";

const steps = (change: Partial<StepRecord> = {}): StepRecord[] =>
  stepNames().map((step) => ({
    step,
    status: "done",
    reason: null,
    command: null,
    runs: [],
    audits: 0,
    cost_usd: 0,
    ...change,
  }));

const SETTINGS = { paperRates: true, paperSizes: true, steps: steps() };

/** Results in which only the fitted weights are known. */
const fitted = (estimate: number, lower: number, upper: number): StepResults => {
  const one = { estimate, lower, upper, level: 0.95, method: "test", n: 10 };
  return {
    calibration: {
      weights: null,
      reason: null,
      h_w: { alpha: one, beta: one, gamma: one, loss: one },
      h_kappa: null,
      ece: { plain: 0.05, n: 10 },
    },
  };
};

const row = (results: StepResults, id: string, settings: Partial<typeof SETTINGS> = {}) =>
  comparePaper(results, { ...SETTINGS, ...settings }).find((one) => one.id === id)!;

describe("the printed numbers", () => {
  it("have one accessor each, and no accessor is of a number that is not printed", () => {
    expect(Object.keys(ACCESSORS).sort()).toEqual(PAPER_VALUES.map(({ id }) => id).sort());
  });

  it("have ids of their own", () => {
    const ids = PAPER_VALUES.map(({ id }) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  it("are shares from 0 to 1 where they are called shares", () => {
    expect(PAPER_VALUES.filter(({ unit, value }) => unit === "share" && !(value >= 0 && value <= 1))).toEqual([]);
  });
});

describe("comparePaper", () => {
  it("gives every number without results a reason and a command", () => {
    const rows = comparePaper({}, { ...SETTINGS, steps: steps({ status: "not_done", reason: "no labels" }) });
    expect(rows).toHaveLength(PAPER_VALUES.length);
    expect(rows.filter(({ ours, command }) => ours.value !== null || ours.reason !== "no labels" || !command)).toEqual(
      [],
    );
    expect(rows.filter(({ within, difference }) => within !== null || difference !== null)).toEqual([]);
  });

  it("says which numbers were fed in, only of a world that was fed with them", () => {
    expect(row({}, "gap.random.di").role).toBe("input");
    expect(row({}, "gap.random.di", { paperRates: false })).toMatchObject({ role: null, why: null });
  });

  it("knows why a simulated world may differ, for every number", () => {
    expect(comparePaper({}, SETTINGS).filter(({ why }) => why === null)).toEqual([]);
  });

  // γ is printed as 0.360: 0.3595 to 0.3605.
  it.each([
    ["inside", 0.35, 0.37, true],
    ["below, within rounding", 0.3604, 0.4, true],
    ["below", 0.3606, 0.4, false],
    ["above, within rounding", 0.3, 0.3596, true],
    ["above", 0.3, 0.3594, false],
  ])("calls the paper's value %s of the interval", (_, lower, upper, within) => {
    const found = row(fitted((lower + upper) / 2, lower, upper), "weights.h_w.gamma");
    expect(found.within).toBe(within);
    expect(found.difference).toBeCloseTo((lower + upper) / 2 - 0.36, 12);
  });

  it("judges nothing that has no interval", () => {
    expect(row(fitted(0.3, 0.2, 0.4), "weights.h_w.ece")).toMatchObject({ ours: { value: 0.05 }, within: null });
  });

  it("says what is missing of a step that was done", () => {
    expect(row(fitted(0.3, 0.2, 0.4), "weights.h_kappa.beta").ours).toMatchObject({
      value: null,
      reason: "nothing could be fitted with this entropy",
    });
  });
});
