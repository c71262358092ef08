import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { probabilisticDefensibilitySignal, signalContributions } from "./components.js";
import { PAPER_WEIGHTS } from "./weights.js";

const components = fc.record({
  lambda_nats: fc.double({ min: -Math.log(3), max: 0, noNaN: true }),
  h_weight_bits: fc.double({ min: 0, max: Math.log2(3), noNaN: true }),
  h_citation_bits: fc.double({ min: 0, max: 4, noNaN: true }),
  inverse_yes_prob: fc.double({ min: 0, max: 1, noNaN: true }),
});
const weights = fc
  .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .chain(([a, b]) =>
    fc.record({
      alpha: fc.constant(Math.min(a, b)),
      beta: fc.constant(Math.abs(a - b)),
      gamma: fc.constant(1 - Math.max(a, b)),
      component: fc.constantFrom("h_w" as const, "h_kappa" as const),
    }),
  );

describe("signalContributions", () => {
  it("adds up to ln S, whatever the parts and the weights", () => {
    fc.assert(
      fc.property(components, weights, (parts, by) => {
        const sum = signalContributions(parts, by)!.reduce((total, { nats }) => total + nats, 0);
        expect(sum).toBeCloseTo(Math.log(probabilisticDefensibilitySignal(parts, by)!), 12);
      }),
    );
  });

  it("has a term that is a plain 0 where a part says nothing against the decision", () => {
    const certain = { lambda_nats: 0, h_weight_bits: 0, h_citation_bits: null, inverse_yes_prob: 0 };
    expect(signalContributions(certain, PAPER_WEIGHTS)!.map(({ nats }) => Object.is(nats, 0))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("takes the entropy that the weights were made for, and is undefined without it", () => {
    const parts = { lambda_nats: -0.1, h_weight_bits: 0.4, h_citation_bits: null, inverse_yes_prob: 0.2 };
    expect(signalContributions(parts, PAPER_WEIGHTS)![1].value).toBe(0.4);
    expect(signalContributions(parts, { ...PAPER_WEIGHTS, component: "h_kappa" })).toBeNull();
    expect(signalContributions({ ...parts, lambda_nats: null }, PAPER_WEIGHTS)).toBeNull();
    expect(signalContributions({ ...parts, inverse_yes_prob: null }, PAPER_WEIGHTS)).toBeNull();
  });
});
