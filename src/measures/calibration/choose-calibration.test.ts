import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/recalibration.js";
import { applyToColumns } from "./calibration-model.js";
import { type CalibrationChoice, type ChooseOptions, chooseCalibration } from "./choose-calibration.js";
import { evaluateScore } from "./errors/evaluate-score.js";
import { CALIBRATION_METHODS, type CalibrationMethod } from "./fit/methods.js";
import { groupedFolds } from "./folds.js";
import { referenceColumns } from "./reference-columns.suite.js";
import type { ScoreColumns } from "./score-columns.js";
import { emptyColumns, fillRow, syntheticColumns, takeRows } from "./synthetic.suite.js";

function chosen(columns: ScoreColumns, options: Partial<ChooseOptions> = {}): CalibrationChoice {
  const choice = chooseCalibration(columns, { seed: 1, ...options });
  if (choice.refused) throw new Error(choice.reason);
  return choice;
}

const candidate = (choice: CalibrationChoice, method: string) =>
  choice.candidates.find((entry) => entry.method === method)!;

describe("chooseCalibration", () => {
  it("scores methods as scikit-learn's pipeline does in the same folds", () => {
    const choice = chosen(referenceColumns());
    expect(choice.folds).toEqual({ count: 5, by: "community", communities: 9 });
    for (const method of ["raw", "platt", "multinomial"] as const) {
      const want = reference.cross_validated[method];
      const got = candidate(choice, method);
      expect(got.log_loss).toBeCloseTo(want.log_loss, 5);
      expect(got.log_loss).toBeCloseTo(want.sklearn_log_loss, 5);
      expect(got.brier).toBeCloseTo(want.brier, 6);
      expect(got.auroc.estimate).toBeCloseTo(want.auroc, 6);
    }
    expect(candidate(choice, "multinomial").level_log_loss).toBeCloseTo(reference.cross_validated.level_log_loss, 5);
    expect(choice.chosen).toBe("multinomial");
  });

  it("gives entropy its role back: it separates level 2 from level 3, which no function of p(L3) can", () => {
    const choice = chosen(syntheticColumns(3000, 41));
    const multinomial = candidate(choice, "multinomial");
    for (const method of ["temperature", "platt", "beta", "vector"]) {
      const other = candidate(choice, method);
      expect(multinomial.log_loss!).toBeLessThan(other.log_loss! - 0.1);
      if (other.level_log_loss !== null) expect(multinomial.level_log_loss!).toBeLessThan(other.level_log_loss - 0.3);
    }
    expect(choice.chosen).toBe("multinomial");
    expect(multinomial.beats_baselines).toBe(true);
    expect(multinomial.against.raw).toMatchObject({ upper: expect.any(Number) });
    // More entropy speaks for level 2 and against level 3: a sign that S cannot give it.
    const model = choice.model;
    if (model.kind !== "multinomial") throw new Error(model.kind);
    const place = model.features.indexOf("h_weight_bits");
    expect(model.weights[1]![place]!).toBeGreaterThan(1);
    expect(model.weights[2]![place]!).toBeLessThan(0);
  });

  it("gives probabilities that come true in communities it was not fitted on, which neither baseline does", () => {
    const columns = syntheticColumns(3000, 41);
    const choice = chosen(columns);
    const y = Uint8Array.from(columns.targetLevel!, (level) => (level <= 2 ? 1 : 0));
    const z = (method: CalibrationMethod | "pds") =>
      Math.abs(evaluateScore(choice.predictions.get(method)!, y, { seed: 1, draws: 0 }).spiegelhalter.z!);
    expect(z("multinomial")).toBeLessThan(3);
    expect(z("raw")).toBeGreaterThan(10);
    expect(z("pds")).toBeGreaterThan(3);
  });

  it("always shows 1 − p(L3) and S, whatever may be chosen", () => {
    const choice = chosen(syntheticColumns(400, 42), { methods: ["platt"] });
    expect(choice.candidates.map((entry) => entry.method)).toEqual(["raw", "platt", "pds"]);
    expect(choice.chosen).toBe("platt");
    expect(choice.candidates.filter((entry) => entry.baseline).map((entry) => entry.beats_baselines)).toEqual([
      null,
      null,
    ]);
  });

  it("predicts each row by a model that has not seen its community", () => {
    const columns = syntheticColumns(500, 43, 9);
    const before = chosen(columns);
    const { fold } = groupedFolds(columns.community, columns.communities, 5, 1);
    const changed = { ...columns, targetLevel: columns.targetLevel!.map((t, i) => (fold[i] === 2 ? 4 - t : t)) };
    const after = chosen(changed);
    for (const method of CALIBRATION_METHODS) {
      const [was, is] = [before.predictions.get(method), after.predictions.get(method)];
      if (!was || !is) continue;
      for (let i = 0; i < columns.n; i += 1) if (fold[i] === 2) expect(is[i]).toBe(was[i]);
      if (method !== "raw") expect(is.some((p, i) => fold[i] !== 2 && p !== was[i])).toBe(true);
    }
    expect(before.outOfFold).toBe(before.predictions.get(before.chosen));
  });

  it("returns the model fitted on all rows", () => {
    const columns = syntheticColumns(300, 44);
    const choice = chosen(columns);
    const again = applyToColumns(choice.model, columns);
    expect(again.every((p) => p >= 0 && p <= 1)).toBe(true);
    expect(again).not.toEqual(choice.outOfFold);
    expect(choice).toMatchObject({ refused: false, n: 300, seed: 1, target: "levels" });
    expect(choice.fitted_prior.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it("does not depend on the order of rows or the numbering of communities", () => {
    const columns = syntheticColumns(400, 45, 7);
    const order = Array.from({ length: 400 }, (_, i) => (i * 173) % 400);
    const turned = takeRows(columns, order);
    const renumbered = {
      ...turned,
      community: turned.community.map((c) => 6 - c),
      communities: columns.communities.toReversed(),
    };
    const [before, after] = [chosen(columns), chosen(renumbered)];
    expect(after.chosen).toBe(before.chosen);
    for (const [i, entry] of before.candidates.entries()) {
      if (entry.log_loss === null) continue;
      expect(after.candidates[i]!.log_loss).toBeCloseTo(entry.log_loss, 6);
      expect(after.candidates[i]!.log_loss_se).toBeCloseTo(entry.log_loss_se!, 6);
    }
    for (const [i, from] of order.entries()) expect(after.outOfFold[i]).toBeCloseTo(before.outOfFold[from]!, 5);
  });

  it("is the same for the same seed", () => {
    const columns = syntheticColumns(200, 46, 1);
    expect(chosen(columns)).toEqual(chosen(columns));
    expect(chosen(columns, { seed: 2 }).outOfFold).not.toEqual(chosen(columns).outOfFold);
  });

  it("takes the simpler of two methods with the same loss", () => {
    const flat = emptyColumns(60, ["a", "b", "c"]);
    for (let i = 0; i < 60; i += 1) {
      const row = {
        rho: 0,
        weightBits: 1,
        citationBits: 1,
        positive: 1,
        community: i % 3,
        target: i % 4 === 0 ? 3 : 1,
      };
      fillRow(flat, i, { ...row, probs: [0.5, 0.1, 0.4] });
    }
    const choice = chosen(flat, { methods: ["multinomial", "beta", "platt"] });
    expect(candidate(choice, "beta").log_loss).toBeCloseTo(candidate(choice, "platt").log_loss!, 9);
    expect(choice.chosen).toBe("platt");
  });

  it("chooses 1 − p(L3) itself where fitting gains nothing, and says so", () => {
    // Probabilities that are right as they are: one in ten of the 0.9, nine in ten of the 0.1, in every community.
    const right = emptyColumns(400, ["a", "b", "c", "d"]);
    for (let i = 0; i < 400; i += 1) {
      const sure = i % 8 < 4;
      const wrong = Math.floor(i / 8) % 10 === 0;
      const row = {
        rho: 0,
        weightBits: 1,
        citationBits: 1,
        positive: 1,
        community: i % 4,
        target: sure === wrong ? 3 : 1,
      };
      fillRow(right, i, { ...row, probs: sure ? [0.9, 0, 0.1] : [0.1, 0, 0.9] });
    }
    const choice = chosen(right);
    expect(choice.chosen).toBe("raw");
    expect(choice.model).toEqual({ kind: "raw" });
    expect(choice.warnings).toContain("no method predicts better than 1 − p(L3) does unfitted");
  });

  it("warns of a calibration that knows less than the base rate", () => {
    // Scores that have nothing to do with the target, which is 1 in 4 everywhere.
    const noise = emptyColumns(320, ["a", "b", "c", "d"]);
    for (let i = 0; i < 320; i += 1) {
      const sure = [0.95, 0.4, 0.7, 0.85, 0.2][i % 5]!;
      const target = (i * 7919) % 13 < 3 ? 3 : 1;
      const row = { rho: 0, weightBits: 1, citationBits: 1, positive: 1, community: i % 4, target };
      fillRow(noise, i, { ...row, probs: [sure, 0, 1 - sure] });
    }
    expect(chosen(noise).warnings.join()).toContain("do not automate by it");
  });

  it("drops a feature that is missing for the run, and rows that lack one the others have", () => {
    const columns = syntheticColumns(400, 47);
    columns.citationBits.fill(Number.NaN);
    columns.weightBits[3] = Number.NaN;
    columns.p1[5] = Number.NaN;
    columns.targetLevel![7] = 0;
    const choice = chosen(columns);
    expect(choice.features.dropped).toEqual([{ feature: "h_citation_bits", reason: "on 0 of 398 rows only" }]);
    expect(choice.skipped).toEqual({ no_target: 1, no_probabilities: 1, missing_feature: 1 });
    expect(choice.n).toBe(397);
    expect([3, 5, 7].map((i) => choice.outOfFold[i])).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    const model = choice.model;
    expect(model.kind === "multinomial" && model.dropped[0]!.feature).toBe("h_citation_bits");
  });

  it("shows S as absent where the run has none, and compares on shared rows where some have", () => {
    const columns = syntheticColumns(300, 48);
    const partly = { ...columns, pds: columns.pds.map((s, i) => (i < 100 ? Number.NaN : s)) };
    const shared = chosen(partly);
    expect(candidate(shared, "pds").n).toBe(200);
    expect(candidate(shared, "multinomial").against.pds).toMatchObject({ n: 200 });
    const none = chosen({ ...columns, pds: columns.pds.map(() => Number.NaN) });
    expect(candidate(none, "pds")).toMatchObject({ log_loss: null, reason: "S is absent: no rows" });
    expect(none.chosen).toBe("multinomial");
  });

  it("fits a sample of very many rows, the same whatever their order", () => {
    const columns = syntheticColumns(3000, 49);
    const part = chosen(columns, { maxRows: 500, methods: ["platt"] });
    expect(part.n).toBe(500);
    expect(part.warnings).toContain("fitted on a random 500 of 3000 rows");
    const turned = takeRows(
      columns,
      Array.from({ length: 3000 }, (_, i) => 2999 - i),
    );
    const again = chosen(turned, { maxRows: 500, methods: ["platt"] });
    expect(again.n).toBe(500);
    expect(again.outOfFold.toReversed().every((p, i) => Number.isNaN(p) === Number.isNaN(part.outOfFold[i]!))).toBe(
      true,
    );
  });
});
