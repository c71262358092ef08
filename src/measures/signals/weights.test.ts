import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import { EQUAL_WEIGHTS } from "./components.js";
import { PAPER_CITATION_WEIGHTS, PAPER_WEIGHTS, PAPER_WEIGHTS_FILE, parseWeights } from "./weights.js";

describe("parseWeights", () => {
  it("reads the paper's file to the letter and renormalises its 1.0001", () => {
    const printed =
      '{"alpha": 0.6289, "beta": 0.0114, "gamma": 0.3598, "component": "h_w", "loss": 0.3127, "n_samples": 19899}';
    const weights = parseWeights(printed);
    expect(weights).toEqual(PAPER_WEIGHTS);
    expect(parseWeights(PAPER_WEIGHTS_FILE)).toEqual(PAPER_WEIGHTS);
    expect(weights.alpha).toBeCloseTo(0.6289 / 1.0001, 12);
    expect(weights.alpha + weights.beta + weights.gamma).toBeCloseTo(1, 12);
    expect(weights).toMatchObject({ component: "h_w", loss: 0.3127, n_samples: 19899, calibrated: true });
  });

  it("accepts a sum within 0.005 of 1, both ends included, and more keys", () => {
    expect(
      parseWeights({ alpha: 0.5, beta: 0.2, gamma: 0.305, component: "h_w", fitted_at: "2026-11-01" }).gamma,
    ).toBeCloseTo(0.305 / 1.005, 12);
    expect(parseWeights({ alpha: 0.5, beta: 0.2, gamma: 0.295, component: "h_kappa" }).component).toBe("h_kappa");
    expect(PAPER_CITATION_WEIGHTS.component).toBe("h_kappa");
  });

  it.each([
    [{ alpha: 0.5, beta: 0.2, gamma: 0.2, component: "h_w" }],
    [{ alpha: 0.5, beta: 0.2, gamma: 0.306, component: "h_w" }],
    [{ alpha: 1.2, beta: -0.2, gamma: 0, component: "h_w" }],
    [{ alpha: Number.NaN, beta: 0.5, gamma: 0.5, component: "h_w" }],
    [{ alpha: "0.5", beta: 0.25, gamma: 0.25, component: "h_w" }],
    [{ alpha: 0.5, beta: 0.5, component: "h_w" }],
    [{ alpha: 0.5, beta: 0.25, gamma: 0.25 }],
    [{ ...PAPER_WEIGHTS_FILE, component: "h_x" }],
    ["{"],
    [null],
  ])("refuses %j", (json) => {
    expect(() => parseWeights(json)).toThrow(InputError);
  });

  it("tells fallback weights from fitted ones", () => {
    expect(EQUAL_WEIGHTS).toMatchObject({ alpha: 1 / 3, beta: 1 / 3, gamma: 1 / 3, calibrated: false });
  });
});
