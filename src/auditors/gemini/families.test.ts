import { describe, expect, it } from "vitest";
import { geminiFamily } from "./probe.js";

describe("geminiFamily", () => {
  it("keeps each model to the least thinking that it accepts", () => {
    const least = {
      "gemini-2.0-flash": null,
      "gemini-2.5-flash": { thinkingBudget: 0 },
      "gemini-2.5-flash-lite": { thinkingBudget: 0 },
      "gemini-2.5-pro": { thinkingBudget: 128 },
      "gemini-3-flash-preview": { thinkingLevel: "MINIMAL" },
      "gemini-3.1-flash-lite": { thinkingLevel: "MINIMAL" },
      "gemini-3.5-flash-lite": { thinkingLevel: "MINIMAL" },
      "gemini-3.1-pro-preview": { thinkingLevel: "LOW" },
    };
    for (const [model, thinking] of Object.entries(least)) expect(geminiFamily(model)!.thinking).toEqual(thinking);
  });

  it("expects probabilities of Gemini 2.5 on Vertex AI alone, and none of Gemini 3", () => {
    expect(geminiFamily("gemini-2.5-flash")!.logprobs).toEqual({ gemini: false, vertex: true });
    expect(geminiFamily("gemini-3.8-flash")!.logprobs).toEqual({ gemini: false, vertex: false });
  });

  it("reads every way to write a name, and leaves strangers to the probe", () => {
    for (const prefix of ["", "models/", "google/", "publishers/google/models/"]) {
      expect(geminiFamily(`${prefix}gemini-2.5-pro`)!.thinking).toEqual({ thinkingBudget: 128 });
    }
    for (const model of ["gemini-flash-latest", "gemini-4-pro", "gemma-3-27b-it", "tunedModels/mine", ""]) {
      expect(geminiFamily(model)).toBeNull();
    }
  });
});
