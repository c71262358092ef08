import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/calibration.js";
import { createRng, shuffle } from "../../../stats/random/create-rng.js";
import { probabilisticDefensibilitySignal } from "../../signals/components.js";
import { baseRateEntropy } from "../errors/weighted-auroc.js";
import { columnsOf, emptyColumns, paperLikeColumns } from "../paper-columns.suite.js";
import { defensibleTargets, paperContributions, paperDesign, paperScores } from "./design.js";
import { fitPaper } from "./fit-paper.js";
import { fitSimplex } from "./fit-simplex.js";
import { fitSoftmax, PAPER_LOSS_EPSILON, paperLoss } from "./loss.js";

const fits = reference.fits.map((fit) => ({ ...fit, design: paperDesign(columnsOf(fit), "h_w") }));

/** Rows with every part at least 0. */
const rows = fc.array(
  fc.record({
    level: fc.constantFrom(1, 2, 3),
    lambda: fc.double({ min: -1, max: 0, noNaN: true }),
    entropy: fc.double({ min: 0, max: 1.585, noNaN: true }),
    sigma: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 40 },
);
const designOf = (list: { level: number; lambda: number; entropy: number; sigma: number }[]) =>
  paperDesign(
    columnsOf({
      level: list.map((row) => row.level),
      lambda: list.map((row) => row.lambda),
      entropy: list.map((row) => row.entropy),
      sigma: list.map((row) => row.sigma),
    }),
    "h_w",
  );

describe("paperLoss", () => {
  it.each(fits)("is the mean cross-entropy computed outside ($kind)", ({ design, equal_loss }) => {
    expect(paperLoss(design, [1 / 3, 1 / 3, 1 / 3])).toBeCloseTo(equal_loss, 12);
  });

  it("has the derivatives it says, and is convex", () => {
    fc.assert(
      fc.property(rows, fc.double({ min: 0.05, max: 0.9, noNaN: true }), (list, share) => {
        const design = designOf(list);
        const w = [share, (1 - share) / 3, (2 * (1 - share)) / 3];
        const gradient = new Float64Array(3);
        const hessian = new Float64Array(6);
        const value = paperLoss(design, w, { gradient, hessian });
        // A convex function lies above its tangent.
        for (const other of [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
          [0.2, 0.3, 0.5],
        ]) {
          const tangent = value + gradient.reduce((sum, g, j) => sum + g * (other[j]! - w[j]!), 0);
          expect(paperLoss(design, other)).toBeGreaterThanOrEqual(tangent - 1e-9);
        }
        expect(Math.min(hessian[0]!, hessian[3]!, hessian[5]!)).toBeGreaterThanOrEqual(0);
      }),
    );
    const { design } = fits[1]!;
    const w = [0.3, 0.5, 0.2];
    const [gradient, hessian, up, down] = [3, 6, 3, 3].map((size) => new Float64Array(size));
    paperLoss(design, w, { gradient: gradient!, hessian: hessian! });
    const at = [
      [0, 1, 2],
      [1, 3, 4],
      [2, 4, 5],
    ];
    for (let j = 0; j < 3; j += 1) {
      const moved = (by: number) => w.map((weight, k) => weight + (k === j ? by : 0));
      const slope =
        (paperLoss(design, moved(1e-5), { gradient: up! }) - paperLoss(design, moved(-1e-5), { gradient: down! })) /
        2e-5;
      expect(slope).toBeCloseTo(gradient![j]!, 8);
      for (let k = 0; k < 3; k += 1) {
        expect((up![k]! - down![k]!) / 2e-5).toBeCloseTo(hessian![at[j]![k]!]!, 5);
      }
    }
  });

  it("stays finite when S = 1 and y = 0, by ε alone", () => {
    const design = paperDesign(columnsOf({ level: [3, 1], lambda: [0, 0], entropy: [0, 0], sigma: [0, 0] }), "h_w");
    const one = -Math.log(-Math.expm1(-PAPER_LOSS_EPSILON));
    expect(paperLoss(design, [1, 0, 0])).toBeCloseTo((one + PAPER_LOSS_EPSILON) / 2, 12);
  });

  it("adds the logarithms of thousands of tiny and large factors without loss", () => {
    const sigma = Array.from({ length: 5000 }, (_, i) => (i % 3 === 0 ? 0 : i % 3 === 1 ? 1 : 1e-7 * i));
    const zero = sigma.map(() => 0);
    const design = paperDesign(columnsOf({ level: sigma.map(() => 3), lambda: zero, entropy: zero, sigma }), "h_w");
    const expected = sigma.reduce((sum, x) => sum - Math.log(-Math.expm1(-(x + PAPER_LOSS_EPSILON))), 0) / 5000;
    expect(paperLoss(design, [0, 0, 1])).toBeCloseTo(expected, 10);
    // z beyond the range of exp.
    expect(
      paperLoss({ n: 1, ones: 0, sumOfOnes: new Float64Array(3), zeros: new Float64Array([2000, 0, 0]) }, [1, 0, 0]),
    ).toBe(0);
  });

  it("is of no rows a mistake", () => {
    expect(() => paperLoss(paperDesign(emptyColumns(0), "h_w"), [1, 0, 0])).toThrow(RangeError);
  });
});

describe("fitSimplex", () => {
  it.each(fits)("finds the optimum that SLSQP and a grid find ($kind, n = $level.length)", (fit) => {
    const found = fitSimplex(fit.design);
    expect(found.converged).toBe(true);
    expect(found.loss).toBeLessThanOrEqual(fit.loss + 1e-12);
    expect(found.loss).toBeCloseTo(fit.loss, 9);
    if (found.unique) for (const [j, weight] of found.weights.entries()) expect(weight).toBeCloseTo(fit.weights[j]!, 6);
    expect(found.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 14);
  });

  it("ends where all parts are so small that the loss cannot tell weights apart", () => {
    const tiny: [number, number, number, number][] = [
      [3, -1.0856273417834816e-112, 5.812048678370304e-21, 1.0258231764283624e-246],
      [2, -2.390217743649719e-114, 2.1717950233118394e-100, 2.916386241501208e-146],
      [2, -4.8727521746124225e-269, 4.715882723983907e-15, 9.061517452774268e-144],
      [1, -5.559381045367765e-273, 8.683368686017651e-69, 7.749859086571451e-120],
      [3, -2.664012911935715e-35, 1.1726863875764448e-68, 1.4872747932025174e-269],
      [3, -1.8184918674290808e-198, 1.2399419124657446e-253, 6.366250335438706e-41],
      [3, -7.181482679094763e-288, 2.021732696304114e-28, 5.131113320173881e-128],
      [1, -1.2448543874466992e-205, 1.5396776658076133e-202, 1.0271992641538361e-13],
      [1, -6.804702716821339e-208, 3.315680868738345e-195, 1.8307831306435516e-172],
    ];
    const list = tiny.map(([level, lambda, entropy, sigma]) => ({ level, lambda, entropy, sigma }));
    expect(fitSimplex(designOf(list)).converged).toBe(true);
  });

  it("meets the conditions of an optimum on any rows: no direction inside the simplex leads down", () => {
    fc.assert(
      fc.property(rows, (list) => {
        const design = designOf(list);
        const { weights, gradient, converged, loss } = fitSimplex(design);
        expect(converged).toBe(true);
        const level = weights.reduce((sum, w, j) => sum + w * gradient[j]!, 0);
        const scale = Math.max(1, ...gradient.map(Math.abs));
        for (const [j, weight] of weights.entries()) {
          expect(gradient[j]! - level).toBeGreaterThanOrEqual(-1e-6 * scale);
          if (weight > 1e-6) expect(Math.abs(gradient[j]! - level) * weight).toBeLessThanOrEqual(1e-6 * scale);
        }
        for (const vertex of [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
          [1 / 3, 1 / 3, 1 / 3],
        ]) {
          expect(loss).toBeLessThanOrEqual(paperLoss(design, vertex) + 1e-9);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("names what is on the boundary and what is not unique", () => {
    const kinds = Object.fromEntries(fits.map((fit) => [`${fit.kind} ${fit.level.length}`, fitSimplex(fit.design)]));
    expect(kinds["inside 200"]).toMatchObject({ active: [], unique: true });
    expect(kinds["paper 120"]).toMatchObject({ active: [0, 1], unique: true });
    expect(kinds["one-class 40"]).toMatchObject({ active: [1, 2], unique: true });
    expect(kinds["certain-l3 60"]).toMatchObject({ active: [1], unique: true });
    expect(kinds["collinear 80"]).toMatchObject({ unique: false });
    expect(kinds["zero 30"]).toMatchObject({ active: [], unique: false });
  });

  it("comes to the same optimum when it begins on a part of many rows", () => {
    const few = paperDesign(paperLikeColumns(3000, 5), "h_w");
    const copies = 60;
    const many = {
      ...few,
      n: few.n * copies,
      ones: few.ones * copies,
      sumOfOnes: few.sumOfOnes.map((s) => s * copies),
    };
    many.zeros = new Float64Array(few.zeros.length * copies);
    for (let c = 0; c < copies; c += 1) many.zeros.set(few.zeros, c * few.zeros.length);
    expect(many.zeros.length / 3).toBeGreaterThan(20_000);
    const [one, other] = [fitSimplex(few), fitSimplex(many)];
    expect(other.iterations).toBeLessThan(one.iterations);
    expect(other.loss).toBeCloseTo(one.loss, 12);
    for (let j = 0; j < 3; j += 1) expect(other.weights[j]).toBeCloseTo(one.weights[j]!, 8);
  });
});

describe("fitSoftmax", () => {
  it.each(fits)("ends where scipy's L-BFGS-B from u = 0 ends ($kind, n = $level.length)", (fit) => {
    const found = fitSoftmax(fit.design);
    expect(found.converged).toBe(true);
    expect(found.loss).toBeCloseTo(fit.softmax_loss, 7);
    for (const [j, weight] of found.weights.entries()) expect(weight).toBeCloseTo(fit.softmax_weights[j]!, 4);
    expect(found.loss).toBeGreaterThanOrEqual(fitSimplex(fit.design).loss - 1e-12);
    expect(Math.min(...found.weights)).toBeGreaterThan(0);
  });
});

describe("fitPaper", () => {
  it("carries both methods, contributions and what is known of the optimum", () => {
    const fit = fits[1]!;
    const found = fitPaper(columnsOf(fit));
    expect(found).toMatchObject({
      component: "h_w",
      target: "emitted",
      method: "closed-simplex",
      calibrated: true,
      reason: null,
      n: 200,
      n_indefensible: fit.level.filter((level) => level === 3).length,
      active_constraints: [],
      unique: true,
      epsilon: 1e-6,
      warnings: fit.level.filter((level) => level === 3).length < 30 ? [expect.stringMatching(/^few rows/)] : [],
    });
    expect(found.methods.map(({ method, converged }) => [method, converged])).toEqual([
      ["closed-simplex", true],
      ["lbfgs-softmax", true],
    ]);
    expect(found.loss).toBe(found.methods[0]!.loss);
    expect(found.base_rate_loss).toBe(baseRateEntropy(found.n_defensible, found.n));
    expect(fitPaper(columnsOf(fit), { method: "lbfgs-softmax" })).toMatchObject({
      method: "lbfgs-softmax",
      weights: found.methods[1]!.weights,
      loss: found.methods[1]!.loss,
    });
  });

  it.each(fits)("says what each part is worth as computed outside ($kind, n = $level.length)", (fit) => {
    const { weights, loss } = fitSimplex(fit.design);
    const found = paperContributions(fit.design, weights, loss);
    expect(found.map(({ part }) => part)).toEqual(["label_confidence", "entropy", "inverse_check"]);
    for (const [j, part] of found.entries()) {
      expect(part.mean).toBeCloseTo(fit.mean[j]!, 12);
      expect(part.sd).toBeCloseTo(fit.sd[j]!, 9);
      expect(part.loss_without).toBeCloseTo(fit.loss_without[j]!, 8);
      if (fit.kind !== "collinear") expect(part.loss_at_mean).toBeCloseTo(fit.loss_at_mean[j]!, 6);
      expect(part.loss_increase_without).toBeGreaterThanOrEqual(-1e-12);
      expect(part.weight_times_sd).toBe(part.weight * part.sd);
    }
  });

  it("shows that α is slack and β a sign constraint on rows as the paper describes them", () => {
    const found = fitPaper(paperLikeColumns(20_000, 3));
    const [confidence, entropy, inverse] = found.contributions as [Part, Part, Part];
    type Part = (typeof found.contributions)[number];
    // λ knows nothing of the level here and still gets most of the weight …
    expect(found.weights.alpha).toBeGreaterThan(0.5);
    // … but its variation is worth nothing, while S without the inverse check is no better than the base rate.
    expect(Math.abs(confidence.loss_increase_at_mean)).toBeLessThan(1e-3);
    expect(confidence.weight_times_sd).toBeLessThan(0.1 * inverse.weight_times_sd);
    expect(inverse.loss_without).toBeGreaterThan(found.base_rate_loss!);
    // H is higher for level 2 than for level 3, so the best β is 0 although H tells the levels apart.
    expect(found.active_constraints).toEqual(["beta = 0"]);
    expect(entropy.loss_increase_without).toBeCloseTo(0, 12);
    expect(found.gradient!.beta).toBeGreaterThan(found.gradient!.alpha + 0.01);
  });

  it("counts rows where ε rather than the data speaks", () => {
    const found = fitPaper(
      columnsOf({ level: [3, 3, 1, 1], lambda: [0, -1, 0, -0.1], entropy: [0, 1, 0, 0.1], sigma: [0, 1, 0, 0.1] }),
    );
    expect(found.rows_below_epsilon).toEqual({ all: 2, indefensible: 1 });
  });

  it("leaves out rows with a part missing and counts them by reason", () => {
    const columns = columnsOf(fits[1]!);
    columns.lambdaNats[0] = Number.NaN;
    columns.weightBits[1] = Number.NaN;
    columns.inverseYesProb[2] = Number.NaN;
    columns.weightBits[2] = Number.NaN;
    columns.level[3] = 0;
    const found = fitPaper(columns);
    expect(found.n).toBe(196);
    expect(found.left_out).toEqual({
      total: 4,
      no_target: 1,
      no_label_confidence: 1,
      no_entropy: 2,
      no_inverse_check: 0,
    });
    expect(found.warnings).toContain("3 rows without all parts of S were left out");
    expect(fitPaper(columns, { component: "h_kappa" }).n).toBe(197);
  });

  it("falls back to equal weights, marked, where nothing can be fitted", () => {
    const fallback = {
      method: "equal-weights",
      calibrated: false,
      weights: { alpha: 1 / 3, beta: 1 / 3, gamma: 1 / 3 },
      loss: null,
      gradient: null,
      methods: [],
    };
    expect(fitPaper(emptyColumns(0))).toMatchObject({ ...fallback, reason: "no rows", base_rate_loss: null });
    const columns = columnsOf(fits[1]!);
    expect(fitPaper(columns, { target: "target" })).toMatchObject({ ...fallback, reason: "no target was loaded" });
    columns.citationBits.fill(Number.NaN, 0, 101);
    expect(fitPaper(columns, { component: "h_kappa" })).toMatchObject({
      ...fallback,
      component: "h_kappa",
      reason:
        "only 99 of 200 rows have all parts of S with H[κ] (without λ: 0, without H[κ]: 101, without σ(ρ): 0), fewer than half",
    });
    expect(fitPaper(columns).calibrated).toBe(true);
    columns.citationBits[0] = 0.5;
    expect(fitPaper(columns, { component: "h_kappa" }).calibrated).toBe(true);
  });

  it("fits against what somebody else said where that is asked for", () => {
    const columns = {
      ...columnsOf(fits[1]!),
      targetLevel: Uint8Array.from(fits[1]!.level, (level) => (level === 3 ? 1 : 3)),
    };
    columns.targetLevel[0] = 0;
    const own = fitPaper(columns);
    const other = fitPaper(columns, { target: "target" });
    expect(other.n).toBe(199);
    expect(other.left_out.no_target).toBe(1);
    expect(other.n_defensible).toBe(own.n_indefensible - (fits[1]!.level[0] === 3 ? 1 : 0));
    expect(other.loss).toBeGreaterThan(own.loss!);
  });

  it("warns of one class, few rows and weights that are not determined", () => {
    const warnings = (kind: string) => fitPaper(columnsOf(fits.find((fit) => fit.kind === kind)!)).warnings.join(" | ");
    expect(warnings("one-class")).toMatch(/^one class: all 40 rows are defensible/);
    expect(warnings("certain-l3")).toMatch(/few rows: \d+ defensible and \d+ indefensible, expected at least 30/);
    expect(warnings("collinear")).toMatch(/other weights have the same loss/);
    const one = fitPaper(columnsOf({ level: [3], lambda: [-0.1], entropy: [0.5], sigma: [0.9] }));
    expect(one).toMatchObject({ n: 1, weights: { alpha: 0, beta: 0, gamma: 1 } });
    expect(one.warnings[0]).toBe(
      "one class: all 1 rows are indefensible, so the weights say nothing of their difference",
    );
  });

  it("does not depend on the order of rows", () => {
    const fit = fits[1]!;
    const order = shuffle(
      fit.level.map((_, i) => i),
      createRng(4),
    );
    const mixed = fitPaper(
      columnsOf({
        level: order.map((i) => fit.level[i]!),
        lambda: order.map((i) => fit.lambda[i]!),
        entropy: order.map((i) => fit.entropy[i]!),
        sigma: order.map((i) => fit.sigma[i]!),
      }),
    );
    const straight = fitPaper(columnsOf(fit));
    expect(mixed.loss).toBeCloseTo(straight.loss!, 12);
    expect(mixed.weights.beta).toBeCloseTo(straight.weights.beta, 9);
  });
});

describe("paperScores", () => {
  it("is S of each row, NaN where a part is absent", () => {
    const columns = columnsOf({
      level: [1, 2, 3],
      lambda: [-0.2, 1e-17, -1],
      entropy: [0.4, 0, Number.NaN],
      sigma: [0.3, 0, 1],
    });
    const weights = { alpha: 0.6, beta: 0.1, gamma: 0.3, component: "h_w" as const };
    const expected = probabilisticDefensibilitySignal(
      { lambda_nats: -0.2, h_weight_bits: 0.4, h_citation_bits: null, inverse_yes_prob: 0.3 },
      weights,
    );
    expect([...paperScores(columns, weights)]).toEqual([expected, 1, Number.NaN]);
  });
});

describe("defensibleTargets", () => {
  it("is 1 for levels 1 and 2, 0 for level 3, 255 for none", () => {
    expect([...defensibleTargets(Uint8Array.of(0, 1, 2, 3))]).toEqual([255, 1, 1, 0]);
  });
});

describe("baseRateEntropy", () => {
  it("is the loss of the base rate: 0.381 nats at the paper's 87.3%", () => {
    expect(baseRateEntropy(873, 1000)).toBeCloseTo(0.381, 3);
    expect(baseRateEntropy(5, 5)).toBe(0);
    expect(baseRateEntropy(0, 5)).toBe(0);
    expect(baseRateEntropy(0, 0)).toBeNull();
  });
});
