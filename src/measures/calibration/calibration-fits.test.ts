import { describe, expect, it } from "vitest";
import { calibrationFits } from "./calibration-model.js";

const EVIDENCE = { auditor: "a", auditor_version: "1", prompt_version: "p", template: "paper", signal: "logprobs" };

describe("calibrationFits", () => {
  it("finds nothing to object to audits of the same kind", () => {
    expect(calibrationFits({ evidence: EVIDENCE }, { ...EVIDENCE })).toEqual([]);
  });

  it("names each thing that differs, and what is known on one side only", () => {
    for (const field of Object.keys(EVIDENCE)) {
      for (const value of ["other", null, undefined]) {
        expect(calibrationFits({ evidence: EVIDENCE }, { ...EVIDENCE, [field]: value })).toHaveLength(1);
        expect(calibrationFits({ evidence: { ...EVIDENCE, [field]: value } }, EVIDENCE)).toHaveLength(1);
      }
    }
    expect(calibrationFits({ evidence: EVIDENCE }, {})).toHaveLength(5);
  });

  it("cannot object where neither side says anything", () => {
    expect(calibrationFits({ evidence: {} }, { auditor: null })).toEqual([]);
  });

  it("does not mind another tier or temperature", () => {
    const [wiki, title] = [
      { ...EVIDENCE, tier: "wiki", temperature: 0 },
      { ...EVIDENCE, tier: "title", temperature: 1 },
    ];
    expect(calibrationFits({ evidence: wiki }, title)).toEqual([]);
  });
});
