import { describe, expect, it } from "vitest";
import { identicalReplicates } from "../../measures/stability/allocate.js";
import { stability } from "./experiment.js";
import { planNotes, planWords } from "./run-stability.js";
import { type PlanSettings, StabilityPlan } from "./stability-plan.js";

const SETTINGS: PlanSettings = {
  temperatures: [0.2, 1],
  moreTemplates: [],
  mode: "sequential",
  replicates: 300,
  stop: "boundary",
  alpha: 0.05,
  evidence: "labels",
  budget: null,
  order: "nearest",
  pilot: 10,
  pilotTemperature: 0.2,
  rule: "level",
  cases: 10,
  seed: 1,
};

function words(settings: PlanSettings, candidates = 50): string {
  const ids = Array.from({ length: candidates }, (_, i) => `d${i}`);
  return planWords(new StabilityPlan(settings, ids), settings, candidates);
}

describe("planWords", () => {
  it("adds up: pilot, measured, all", () => {
    expect(words({ ...SETTINGS, replicates: 40 })).toBe(
      "10 pilot audits of each of 50 candidates (500), then up to 40 audits of each of up to 10 cases at 2 temperatures (at most 800): at most 1,300 audits planned",
    );
  });

  it("counts an odd number of cases as what it comes to, and says why", () => {
    const odd = { ...SETTINGS, cases: 5, replicates: 60 };
    expect(words(odd)).toMatch(/up to 4 cases at 2 temperatures \(at most 480\): at most 980/);
    expect(planNotes(odd).join()).toMatch(
      /--cases 5 is odd: half are to be Flippers and half Stable, so at most 2 of each/,
    );
    expect(planNotes({ ...odd, pilot: 0 }).join()).not.toMatch(/odd/);
    expect(words({ ...odd, pilot: 0 })).toMatch(/^up to 60 audits of each of up to 5 cases/);
  });

  it("tells templates and a budget", () => {
    expect(words({ ...SETTINGS, moreTemplates: ["extended"], budget: 1000 })).toMatch(
      /2 temperatures, 2 templates \(--budget 1,000: at most 1,000\): at most 1,500/,
    );
  });
});

describe("planNotes", () => {
  it("warns before anything is asked that a fixed number is too small for a class", () => {
    expect(planNotes({ ...SETTINGS, mode: "fixed", replicates: 20 }).join()).toMatch(/fewer than the 30 verdicts/);
    expect(planNotes({ ...SETTINGS, mode: "fixed", replicates: 30 })).toEqual([]);
  });

  it("says how many identical verdicts settle a case, and whether there can be as many", () => {
    expect(planNotes(SETTINGS)).toEqual([
      "at α = 0.05 a case that gives the same level every time has its boundary state settled after 53 audits",
    ]);
    expect(planNotes({ ...SETTINGS, replicates: 52 }).join()).toMatch(
      /--replicates 52 is fewer: no stable case can be/,
    );
    expect(planNotes({ ...SETTINGS, replicates: 53 }).join()).not.toMatch(/fewer/);
    expect(planNotes({ ...SETTINGS, stop: "class" }).join()).toMatch(
      /boundary state and class settled after 140 audits/,
    );
  });

  it("is said by the help too", () => {
    const help = Object.values(stability.options).map(([does]) => does);
    expect(help.join("\n")).toContain(
      `default 0.05: ${identicalReplicates(0.05, "boundary")} audits with the same level`,
    );
  });
});
