import { describe, expect, it } from "vitest";
import { calibrationModelSchema } from "./calibration.js";

const prior = { fitted: [0.6, 0.25, 0.15], deployed: [0.8, 0.15, 0.05] };
const multinomial = {
  kind: "multinomial",
  target: "levels",
  features: ["log_p1_p3", "positive"],
  mean: [1, 0.5],
  sd: [2, 0.5],
  weights: [
    [1, 0],
    [0, 0],
    [-1, 0],
  ],
  bias: [0.1, 0, -0.1],
  l2: 0.001,
  dropped: [{ feature: "h_citation_bits", reason: "on 0 of 9 rows only" }],
};

describe("calibrationModelSchema", () => {
  it("accepts every kind, with and without a prior shift", () => {
    const kinds = [
      { kind: "raw" },
      { kind: "temperature", target: "binary", temperature: 2 },
      { kind: "platt", slope: 0.5, intercept: 1 },
      { kind: "beta", a: 0.5, b: 0, c: -1 },
      { kind: "isotonic", x: [0.1, 0.4, 0.9], y: [0.2, 0.2, 0.8] },
      { kind: "vector", scale: [1, 0.5, -0.1], bias: [0, 0, 0] },
      multinomial,
      { ...multinomial, target: "binary", weights: [[1, 0]], bias: [0.1] },
    ];
    for (const model of kinds) {
      expect(calibrationModelSchema.parse(model)).toEqual(model);
      expect(calibrationModelSchema.parse({ ...model, prior })).toEqual({ ...model, prior });
    }
    const weights = { alpha: 0.6, beta: 0.1, gamma: 0.3, component: "h_w" };
    expect(calibrationModelSchema.parse({ kind: "pds", weights })).toEqual({ kind: "pds", weights });
  });

  it("refuses what could not be applied", () => {
    const wrong = [
      { kind: "magic" },
      { kind: "temperature", target: "levels", temperature: 0 },
      { kind: "temperature", target: "levels", temperature: Number.POSITIVE_INFINITY },
      { kind: "platt", slope: Number.NaN, intercept: 1 },
      { kind: "beta", a: -0.5, b: 0, c: -1 },
      { kind: "isotonic", x: [0.4, 0.1], y: [0.2, 0.8] },
      { kind: "isotonic", x: [0.1, 0.4], y: [0.8, 0.2] },
      { kind: "isotonic", x: [0.1, 0.4], y: [0.2] },
      { kind: "isotonic", x: [], y: [] },
      { kind: "vector", scale: [1, 1], bias: [0, 0, 0] },
      { ...multinomial, mean: [1] },
      { ...multinomial, sd: [1, 0] },
      { ...multinomial, target: "binary" },
      { ...multinomial, features: ["log_p1_p3", "shoe_size"] },
      { kind: "raw", prior: { fitted: [0.5, 0.5], deployed: [1, 0] } },
      { kind: "raw", prior: { fitted: [0.5, 0.5], deployed: [0.5, 0.3, 0.2] } },
    ];
    const accepted = wrong.filter((model) => calibrationModelSchema.safeParse(model).success);
    expect(accepted).toEqual([]);
  });
});
