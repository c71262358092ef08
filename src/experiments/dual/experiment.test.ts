import { describe, expect, it } from "vitest";
import type { Manifest } from "../../core/records/manifest.js";
import { checkCorrection, correctionNotes } from "./experiment.js";

const RUN = {
  ...{ run_id: "r", auditor: "baseline", tier: "wiki", template: "paper", selection: {}, status: "sealed" },
  ...{ temperature: 0, auditor_version: "1", prompt_version: "none", hashes: { rules: "a", precedents: "b" } },
} as unknown as Manifest;

const sample = { size: 20, seed: 1 };

describe("a dual audit that is to correct a run", () => {
  it.each([
    ["a sample of everything", { sample }, {}],
    ["everything", {}, { sample }],
    ["the run's own selection", { limit: 5 }, { limit: 5 }],
    ["a sample under the run's conditions", { sample, communities: ["b", "a"] }, { communities: ["a", "b"] }],
    ["a sample of more than the run's", { sample }, { communities: ["a"] }],
    ["a sample, with conditions that were not given", { sample, filters: [], cohort: undefined }, {}],
  ])("may be %s", (_, dual, run) => {
    expect(() => checkCorrection({ ...RUN, selection: dual }, { ...RUN, selection: run })).not.toThrow();
  });

  it.each([
    ["the first ones", { limit: 100 }, {}],
    ["the first ones of a sample", { sample, limit: 5 }, {}],
    ["one community", { communities: ["a"] }, {}],
    ["a sample of one community", { sample, communities: ["a"] }, {}],
    ["a filter's", { filters: ["language=en"], sample }, { filters: ["language=de"] }],
    ["a cohort's", { cohort: "c" }, { communities: ["a"] }],
  ])("must not be %s", (_, dual, run) => {
    expect(() => checkCorrection({ ...RUN, selection: dual }, { ...RUN, selection: run })).toThrow(
      /not drawn at random among those of run r/,
    );
  });

  it.each([
    ["auditor", { auditor: "simulated" }],
    ["tier", { tier: "title" as const }],
    ["template", { template: "extended" as const }],
  ])("must have the run's %s, and says so", (name, other) => {
    expect(() => checkCorrection({ ...RUN, ...other }, RUN)).toThrow(
      new RegExp(`${name} ${Object.values(other)[0]} instead of`),
    );
  });

  it("may differ in temperature, versions and rules, which is noted", () => {
    expect(correctionNotes(RUN, RUN)).toEqual([]);
    const other = { ...RUN, temperature: 1, hashes: { ...RUN.hashes, rules: "c" }, status: "open" as const };
    const [differs, open] = correctionNotes(other, RUN);
    expect(differs).toMatch(/in temperature, rules:/);
    expect(open).toMatch(/interrupted/);
  });
});
