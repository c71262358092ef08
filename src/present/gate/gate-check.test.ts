import { describe, expect, it } from "vitest";
import { sliceReport } from "../../measures/gate/slices.js";
import { cohort, gateReport } from "../document/gate-report.suite.js";
import { checkGate, gateCases, parseRequirement, REQUIREMENTS } from "./gate-check.js";

const report = gateReport([cohort("good", 200, 2), cohort("bad", 100, 30), cohort("few", 5, 0)], { mode: "paper" });
const failures = (requirement: string, of = report) => checkGate(of, [requirement])[0]!.failures;

describe("what a check may require", () => {
  it("of all communities that can be judged, or of every one", () => {
    expect(failures("all")).toEqual(["bad: does not pass (30 of 100 indefensible, 30 of 100 ambiguous)"]);
    expect(failures("every")).toHaveLength(2);
    expect(failures("all", gateReport([]))).toEqual(["no community has enough decisions"]);
    expect(failures("every", gateReport([]))).toEqual(["there is no community"]);
  });

  it("of all decisions together, with limits that are met exactly", () => {
    expect(failures("fleet")).toEqual(["fleet: DI 89.5% on 305 decisions is below 90.0%"]);
    expect(failures("fleet", gateReport([cohort("exact", 30, 3)], { mode: "paper" }))).toEqual([]);
    expect(failures("fleet", gateReport([cohort("open", 40, 0, 10)]))).toEqual([
      "fleet: ambiguity 25.0% on 40 decisions is above 15.0%",
    ]);
    expect(failures("fleet", gateReport([]))).toEqual(["fleet: there is no verdict"]);
  });

  it("of communities by name, also of one with a comma in it", () => {
    expect(failures("community:good")).toEqual([]);
    expect(failures("community:good,nobody")).toEqual(["nobody: the gate does not know it"]);
    const commas = gateReport([cohort("a,b", 200, 1), cohort("a", 200, 100)], { mode: "paper" });
    expect(failures("community:a,b", commas)).toEqual([]);
  });

  it("of shares and of risk", () => {
    expect(failures("pass-share:0.5")).toEqual([]);
    expect(failures("pass-share:0.51")).toEqual(["communities that pass: 50.0%, less than 51.0%"]);
    expect(failures("coverage:0.7")).toHaveLength(1);
    expect(failures("risk:0.01")).toEqual([]);
    expect(failures("risk:0.001")).toEqual(["indefensible decisions among the automated: 1.0%, more than 0.1%"]);
    expect(failures("risk:0.1", gateReport([cohort("bad", 100, 50)]))).toHaveLength(1);
  });

  it("of suspensions and the kill switch, and that slices were looked at", () => {
    const since = "2026-01-01T00:00:00Z";
    const suspended = { ...report, closed: { since, reason: "why not" } };
    suspended.communities = report.communities.map((one) => ({ ...one, suspended: { since, reason: "alarm" } }));
    expect(failures("no-suspension")).toEqual([]);
    expect(failures("no-suspension", suspended)).toHaveLength(4);
    expect(failures("community:good", suspended)).toEqual([`good: suspended since ${since}`]);
    expect(failures("no-slice-warning")).toHaveLength(1);
    const counts = { n: 50, indefensible: 1, inverse_yes: 0, automated: 10, automated_indefensible: 0 };
    const slices = (...values: string[]) => ({
      ...report,
      slices: sliceReport(values.map((value) => ({ slice: "tgas", value, ...counts }))),
    });
    expect(failures("no-slice-warning", slices("unknown"))).toEqual(["slices: no decision has a value of tgas"]);
    expect(failures("no-slice-warning", slices())).toEqual(["slices: there is no verdict to look at"]);
    expect(failures("no-slice-warning", slices("unknown", "a"))).toEqual([]);
  });

  it("is refused when nobody knows it, or its argument is none", () => {
    for (const wrong of [
      "",
      "nonsense",
      "all:x",
      "community",
      "pass-share:2",
      "pass-share:",
      "pass-share:0.9%",
      "__proto__",
      "constructor",
    ]) {
      expect(() => parseRequirement(wrong)).toThrow(/--require/);
    }
    for (const [name, { argument }] of Object.entries(REQUIREMENTS)) {
      expect(parseRequirement(argument ? `${name}:0.5` : name).name).toBe(name);
    }
  });
});

describe("the check as test cases", () => {
  it("has every requirement and every community; too few decisions are skipped", () => {
    const cases = gateCases(report, checkGate(report, ["all"]));
    expect(cases.map(({ name, failure, skipped }) => [name, failure !== null, skipped ?? null])).toEqual([
      ["all", true, null],
      ["good", false, null],
      ["bad", true, null],
      ["few", false, "5 of 25 decisions"],
    ]);
  });

  it("has no failure where every requirement holds, whatever else does not pass", () => {
    const checked = checkGate({ ...report, thresholds: { ...report.thresholds, di: 0.5, ai: 0.9 } }, ["fleet"]);
    expect(checked).toEqual([{ requirement: "fleet", failures: [] }]);
    const cases = gateCases(report, checked);
    expect(cases.filter(({ failure }) => failure !== null)).toEqual([]);
    expect(cases.find(({ name }) => name === "bad")!.skipped).toMatch(/^bad: does not pass .*; not required$/);
  });
});
