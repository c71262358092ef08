import { describe, expect, it } from "vitest";
import type { CohortNames } from "../datasets.js";
import { isColumns, type RequestSettings, requestFor, tokenAuditor } from "./requests.js";

const cohorts: CohortNames = {
  random: "random",
  balanced: null,
  tiers: null,
  fleet: null,
  stability: null,
  attack: null,
  human: null,
  expert: null,
};
const settings: RequestSettings = {
  cohorts,
  sizes: {
    replicates: 40,
    cases: 10,
    pilot: 5,
    draws: 100,
    worlds: 0,
    paired: 50,
    spread: { decisions: 20, replicates: 4 },
  },
  sweep: true,
  auditor: "simulated:columns,bias=0.3",
  decisionsOf: () => 101,
};

describe("the auditor of token streams", () => {
  it.each([
    ["simulated:columns", "simulated"],
    ["simulated:columns,bias=0.3", "simulated:bias=0.3"],
    ["simulated:bias=0.3, columns,noise=0.5", "simulated:bias=0.3,noise=0.5"],
    ["simulated", "simulated"],
  ])("of %s is %s", (name, expected) => expect(tokenAuditor(name)).toBe(expected));

  it("is asked for only where the auditor writes columns", () => {
    expect(isColumns("simulated:columns")).toBe(true);
    expect(isColumns("simulated:bias=0.1, columns")).toBe(true);
    expect(["simulated", "baseline", "openai:columns", "simulated:preset=columns"].filter(isColumns)).toEqual([]);
  });
});

describe("requestFor", () => {
  it("audits the random cohort at all temperatures only where signals are wanted", () => {
    const arms = (sweep: boolean) => requestFor("random", { ...settings, sweep }).arms.map(({ name }) => name);
    expect(arms(true)).toEqual(["", "t=0.1", "t=0.3", "t=0.7", "t=1"]);
    expect(arms(false)).toEqual([""]);
  });

  it("names a cohort where there is one", () => {
    expect(requestFor("random", settings).of).toEqual({ cohort: "random" });
    expect(requestFor("tiers", settings).of).toEqual({ cohort: null });
  });

  it("takes one decision in twenty as tokens, with the same auditor", () => {
    const { of, auditor, arms } = requestFor("tokens_random", settings);
    expect(of).toEqual({ cohort: "random", sample: 6 });
    expect(auditor).toBe("simulated:bias=0.3");
    expect(arms.map(({ name }) => name)).toEqual([""]);
  });
});
