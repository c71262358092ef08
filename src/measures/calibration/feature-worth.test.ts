import { describe, expect, it } from "vitest";
import { studentTQuantile } from "../../stats/distributions/incomplete-beta.js";
import { createRng } from "../../stats/random/create-rng.js";
import { type ChooseOptions, chooseCalibration } from "./choose-calibration.js";
import { type FeatureGroup, type FeatureWorths, featureWorth } from "./feature-worth.js";
import { FEATURES } from "./features.js";
import { crossValidate } from "./fit/methods.js";
import type { ScoreColumns } from "./score-columns.js";
import { allRows, fillRow, syntheticColumns, takeRows } from "./synthetic.suite.js";

function chosen(columns: ScoreColumns, options: Partial<ChooseOptions> = {}) {
  const choice = chooseCalibration(columns, { seed: 1, methods: ["multinomial"], ...options });
  if (choice.refused) throw new Error(choice.reason);
  return choice;
}

const worthOf = (columns: ScoreColumns, maxRows?: number) => featureWorth(columns, chosen(columns), maxRows)!;

function change(worth: FeatureWorths, group: FeatureGroup, loss: "level_log_loss" | "log_loss" = "level_log_loss") {
  const found = worth.drop_one.find((one) => one.group === group)![loss];
  if (found.estimate === null) throw new Error(found.reason);
  return found;
}

/** Probabilities and ρ tell level 3 from the others; H[w] alone tells level 1 from level 2, and nothing of level 3. */
function entropySeparates(n: number, seed: number): ScoreColumns {
  const rng = createRng(seed);
  const columns = syntheticColumns(n, seed, 16);
  for (let i = 0; i < n; i += 1) {
    const target = columns.targetLevel![i]!;
    const p3 = target === 3 ? 0.3 + 0.6 * rng.next() : 0.05 + 0.5 * rng.next();
    const p1 = (1 - p3) * (0.3 + 0.4 * rng.next());
    fillRow(columns, i, {
      probs: [p1, 1 - p3 - p1, p3],
      rho: (target === 3 ? 1 : -1) + 4 * (rng.next() - 0.5),
      weightBits: target === 3 ? 1.5 * rng.next() : (target === 2 ? 0.6 : 0.1) + 0.8 * rng.next(),
      citationBits: rng.next(),
      positive: rng.int(2),
      community: columns.community[i]!,
      target,
    });
  }
  return columns;
}

describe("featureWorth", () => {
  const separable = entropySeparates(2000, 7);
  const worth = worthOf(separable);

  it("finds entropy worth having where it separates level 1 from level 2, which two classes do not show", () => {
    for (const group of ["h_weight", "entropy"] as const) {
      expect(change(worth, group).lower).toBeGreaterThan(0.05);
      expect(change(worth, group).method).toContain("communities");
    }
    expect(change(worth, "h_weight", "log_loss").upper).toBeLessThan(0.01);
    expect(change(worth, "inverse_check", "log_loss").lower).toBeGreaterThan(0);
    expect(worth).toMatchObject({ n: 2000, of: 2000 });
  });

  it("finds nothing in noise", () => {
    for (const group of ["h_citation", "decision"] as const) {
      for (const loss of ["level_log_loss", "log_loss"] as const) {
        const { lower, upper } = change(worth, group, loss);
        expect(lower).toBeLessThanOrEqual(0);
        expect(upper).toBeGreaterThanOrEqual(0);
        expect(upper - lower).toBeLessThan(0.01);
      }
    }
  });

  it("is the paired difference of the losses in the same folds, with communities left out one at a time", () => {
    const weight = Float64Array.from({ length: 600 }, (_, i) => 0.5 + (i % 3) / 2);
    const columns = { ...syntheticColumns(600, 8, 7), targetWeight: weight };
    const choice = chosen(columns);
    const folds = { fold: choice.rowFold, count: choice.folds.count };
    const levelsWith = (features: readonly (typeof FEATURES)[number][]) =>
      crossValidate("multinomial", columns, allRows(columns), folds, { target: "levels", features, dropped: [] })
        .levels;
    const full = levelsWith(FEATURES);
    const without = levelsWith(FEATURES.filter((name) => name !== "inverse_log_odds"));
    const mean = (keep: (community: number) => boolean) => {
      let [sum, total] = [0, 0];
      for (let i = 0; i < 600; i += 1) {
        if (!keep(columns.community[i]!)) continue;
        const at = 3 * i + columns.targetLevel![i]! - 1;
        sum += weight[i]! * Math.log(full[at]! / without[at]!);
        total += weight[i]!;
      }
      return { value: sum / total, total };
    };
    const all = mean(() => true);
    const communities = [0, 1, 2, 3, 4, 5, 6];
    const variance = communities.reduce((sum, c) => sum + (mean((other) => other !== c).value - all.value) ** 2, 0);
    const shares = communities.map((c) => mean((other) => other === c).total / all.total);
    const effective = 1 / shares.reduce((sum, share) => sum + share ** 2, 0);
    const half = studentTQuantile(0.975, effective - 1) * Math.sqrt(variance);
    const got = change(featureWorth(columns, choice)!, "inverse_check");
    expect(got.estimate).toBeCloseTo(all.value, 12);
    expect(got.lower).toBeCloseTo(all.value - half, 12);
    expect(got.upper).toBeCloseTo(all.value + half, 12);
  });

  it("is undefined, with the reason, where a feature is absent or never varies", () => {
    const columns = syntheticColumns(400, 9);
    columns.citationBits.fill(Number.NaN);
    columns.positive.fill(1);
    const { drop_one } = worthOf(columns);
    const reason = (group: FeatureGroup) => drop_one.find((one) => one.group === group)!.log_loss;
    expect(reason("h_citation")).toMatchObject({ estimate: null, reason: "h_citation_bits is on 0 of 400 rows only" });
    expect(reason("entropy")).toMatchObject({ estimate: null });
    expect(reason("decision")).toMatchObject({ estimate: null, reason: "the same on every row fitted" });
    expect(reason("h_weight").estimate).not.toBeNull();
  });

  it("is undefined where folds are of single rows, and of the levels where labels have two classes", () => {
    for (const { level_log_loss } of worthOf(syntheticColumns(200, 10, 1)).drop_one) {
      expect(level_log_loss).toMatchObject({ estimate: null, reason: expect.stringContaining("single rows") });
    }
    const columns = syntheticColumns(400, 11);
    const two = { ...columns, targetLevel: columns.targetLevel!.map((level) => (level === 2 ? 1 : level)) };
    const { level_log_loss, log_loss } = worthOf(two).drop_one[0]!;
    expect(level_log_loss).toMatchObject({ estimate: null, reason: "the labels do not tell three levels apart" });
    expect(log_loss.estimate).not.toBeNull();
  });

  it("is null where the multinomial model was not fitted", () => {
    const columns = syntheticColumns(200, 12);
    expect(featureWorth(columns, chosen(columns, { methods: ["platt"] }))).toBeNull();
  });

  it("refits a sample of many rows, the same whatever their order, and refuses one without a class", () => {
    const part = worthOf(separable, 500);
    expect(part).toMatchObject({ n: 500, of: 2000 });
    const turned = takeRows(
      separable,
      Array.from({ length: 2000 }, (_, i) => 1999 - i),
    );
    expect(change(worthOf(turned, 500), "entropy").estimate).toBeCloseTo(change(part, "entropy").estimate, 5);
    expect(worthOf(separable, 8).drop_one[0]!.log_loss).toMatchObject({
      estimate: null,
      reason: "the sample has too few rows of a class",
    });
  });
});
