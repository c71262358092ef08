import { expect } from "vitest";
import type { DefinedEstimate, Estimate } from "../core/estimate.js";
import { estimateSchema } from "../core/estimate-schema.js";

/** What every defined estimate must keep: it survives JSON, its schema accepts it, its interval encloses it. */
export function expectDefined(estimate: Estimate): DefinedEstimate {
  expect(estimateSchema.parse(JSON.parse(JSON.stringify(estimate)))).toEqual(estimate);
  if (estimate.estimate === null) throw new Error(`undefined: ${estimate.reason}`);
  expect(estimate.lower).toBeLessThanOrEqual(estimate.estimate + 1e-15);
  expect(estimate.upper).toBeGreaterThanOrEqual(estimate.estimate - 1e-15);
  return estimate;
}

export function expectClose(got: Estimate, want: { estimate: number; lower: number; upper: number }): void {
  const { estimate, lower, upper } = expectDefined(got);
  expect(estimate).toBeCloseTo(want.estimate, 12);
  expect(lower).toBeCloseTo(want.lower, 12);
  expect(upper).toBeCloseTo(want.upper, 12);
}
