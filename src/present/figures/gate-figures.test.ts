import { describe, expect, it } from "vitest";
import { type Figure, figureSchema } from "../../core/figure.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import { cohort, drawFleet, limits } from "../../measures/gate/fleet.suite.js";
import { makeReport, makeReportPage } from "../../measures/report.suite.js";
import { createRng } from "../../stats/random/create-rng.js";
import {
  gateModesFigure,
  gateModesOf,
  gateScenariosFigure,
  gateScenariosOf,
  limitsText,
  pageGate,
} from "./gate-modes.js";
import { isMissing, type MaybeFigure } from "./missing.js";
import { coverageRiskFigure, coverageRiskOf } from "./report-figures.js";

const { cohorts } = drawFleet(createRng(3), 120);
const own = makeReportPage(makeReport([{ n: 1 }]));
const page = { ...own, gate_input: { ...own.gate_input, cohorts } };
const gate = pageGate(page);

function drawn(figure: MaybeFigure): Figure {
  if (isMissing(figure)) throw new Error(figure.missing);
  return figureSchema.parse(figure);
}

describe("coverage against risk", () => {
  const figure = drawn(coverageRiskFigure(page));

  it("shows every outcome of the grid once, and every best one on the line", () => {
    const grid = figure.rows.filter((row) => row.what === "other limits" || row.what === "best trade-offs");
    const outcomes = new Set(
      gate.frontier!.points.flatMap(({ coverage, risk }) => (risk === null ? [] : [`${coverage} ${risk}`])),
    );
    expect(new Set(grid.map((row) => `${row.coverage} ${row.risk}`))).toEqual(outcomes);
    expect(figure.curve!.rows).toEqual(figure.rows.filter((row) => row.what === "best trade-offs"));
    const risks = figure.curve!.rows.map((row) => Number(row.risk));
    expect(risks).toEqual([...risks].sort((a, b) => a - b));
  });

  it("marks the knee, the named settings and this gate where the evaluation has them", () => {
    const marks = Object.fromEntries(figure.rows.flatMap((row) => (row.mark ? [[row.mark, row]] : [])));
    expect(marks.knee).toMatchObject(gate.frontier!.knee!);
    expect(marks["Standard, this gate"]).toMatchObject({
      coverage: gate.fleet.decision_coverage_eligible,
      risk: gate.fleet.automated_indefensible_rate,
    });
    expect(Object.keys(marks)).toEqual(expect.arrayContaining(["Lenient", "Moderate", "Strict"]));
  });

  it("does not depend on the limits, apart from the gate's own point and title", () => {
    const other = evaluateGate(cohorts, { limits: limits({ di: 0.8, ai: 0.3 }), frontier: false });
    const moved = drawn(coverageRiskOf(other, gate.frontier!));
    const ground = (of: Figure) => of.rows.filter((row) => row.what === "other limits");
    expect(ground(moved)).toEqual(ground(figure));
    expect(moved.rows.find((row) => row.what === "this gate")).toMatchObject({ di: 0.8, ai: 0.3, mark: "this gate" });
  });

  it("tells the mode of the gate from the rates as seen that the knee is of", () => {
    expect(figure.title).toMatch(
      /^By the observed rates the knee is at defensibility at least .*; the cautious gate covers /,
    );
  });

  it("draws what limits beyond the usual grid let pass", () => {
    const open = [cohort(100, 25, 60, 0, "a"), cohort(100, 5, 65, 0, "b"), cohort(100, 10, 69, 0, "c")];
    const strict = evaluateGate(open, { mode: "paper" });
    expect(coverageRiskOf(strict, strict.frontier!)).toMatchObject({
      missing: expect.stringMatching(
        /no community passes any pair of limits on the grid \(DI 70 to 100%, ambiguity 0 to 40%\)/,
      ),
    });
    const wide = evaluateGate(open, { mode: "paper", limits: limits({ di: 0.65, ai: 0.7 }) });
    expect(wide.fleet.counts.passing_communities).toBe(3);
    expect(drawn(coverageRiskOf(wide, wide.frontier!)).caption).toContain("(DI 65 to 100%, ambiguity 0 to 70%)");
  });

  it("says why there is nothing to draw", () => {
    const few = evaluateGate([cohort(3, 0)]);
    expect(coverageRiskOf(few, few.frontier!)).toMatchObject({
      missing: expect.stringContaining("25 audited decisions"),
    });
    const bad = evaluateGate([cohort(100, 90)]);
    expect(coverageRiskOf(bad, bad.frontier!)).toMatchObject({
      missing: expect.stringContaining("no community passes any pair"),
    });
    const one = evaluateGate([cohort(100, 2)]);
    expect(coverageRiskOf(one, one.frontier!)).toMatchObject({ missing: expect.stringContaining("same best outcome") });
  });
});

describe("named settings", () => {
  it("have the rates of the evaluation, inside their intervals, beside the rate without a gate", () => {
    const { rows, references } = drawn(gateScenariosFigure(page));
    const passing = gate.scenarios.filter((scenario) => scenario.automated_indefensible_rate !== null);
    expect(rows.map((row) => row.rate)).toEqual(passing.map((scenario) => scenario.automated_indefensible_rate));
    for (const row of rows) {
      expect(Number(row.lower)).toBeLessThan(Number(row.rate));
      expect(Number(row.upper)).toBeGreaterThan(Number(row.rate));
    }
    expect(references).toMatchObject([{ axis: "x", value: gate.fleet.base_indefensible_rate }]);
  });

  it("say when none of them lets anybody pass", () => {
    expect(gateScenariosOf(evaluateGate([cohort(100, 90)]))).toMatchObject({
      missing: "No community passes the cautious gate with any of the named settings.",
    });
  });
});

describe("the three modes", () => {
  it("begin with those that pass now and rise to those that decisions could bring in", () => {
    const { rows, x } = drawn(gateModesFigure(page));
    for (const mode of ["paper", "shrunk", "certified"] as const) {
      const line = rows.filter((row) => row.mode === mode);
      expect(line[0]).toEqual({ mode, more: 0, communities: gate.by_mode[mode].passing });
      const edge = Number(line.at(-1)!.more);
      const reached = gate.communities.filter((one) => one[mode].more !== null && one[mode].more <= edge).length;
      expect(line.at(-1)!.communities).toBe(reached);
      const heights = line.map((row) => Number(row.communities));
      expect(heights).toEqual([...heights].sort((a, b) => a - b));
    }
    expect(x.scale).toBe("sqrt");
  });

  it("say how many passes are not proven", () => {
    const lacking = gate.by_mode.paper.passing - gate.by_mode.certified.passing;
    expect(lacking).toBeGreaterThan(0);
    expect(drawn(gateModesFigure(page)).title).toContain(`for ${lacking} of them that is not proven yet`);
  });

  it("say who passes by the fleet's rates alone, and speak of one community in the singular", () => {
    // Half of 300 small communities have one indefensible verdict of 24; `edge` has 5 of 49, and passes in mode shrunk alone.
    const small = Array.from({ length: 300 }, (_, i) => cohort(24, i % 2, 0, 0, `g${i}`));
    const edge = evaluateGate([...small, cohort(49, 5, 0, 0, "edge")]);
    expect([edge.by_mode.paper.passing, edge.by_mode.shrunk.passing]).toEqual([0, 1]);
    expect(drawn(gateModesOf(edge)).title).toBe(
      "1 community passes when drawn towards the fleet, and none by the observed rates",
    );
    const title = (...of: Parameters<typeof evaluateGate>[0]) => drawn(gateModesOf(evaluateGate(of))).title;
    expect(title(cohort(900, 1))).toBe("The one community that passes by the observed rates is certified");
    expect(title(cohort(40, 2))).toBe("1 community passes by the observed rates, and that is not proven yet");
    expect(title(cohort(40, 2, 0, 0, "a"), cohort(40, 2, 0, 0, "b"))).toBe(
      "2 communities pass by the observed rates, and for none of them that is proven yet",
    );
    expect(title(cohort(20, 0))).toBe("No community passes in any mode yet");
  });

  it("leave out who has no verdict: no rate was seen, so nobody knows how many it takes", () => {
    expect(gateModesOf(evaluateGate([cohort(0, 0)]))).toEqual({
      missing: "No community has a verdict yet, so there are no observed rates.",
    });
    const some = drawn(gateModesOf(evaluateGate([cohort(0, 0, 0, 0, "a"), cohort(400, 1, 1, 0, "b")])));
    expect(some.rows.every((row) => Number(row.communities) <= 1)).toBe(true);
    expect(some.caption).toMatch(/Communities: 2\. Left out: 1 community without a verdict\.$/);
  });

  it("say for how many no number helps, and nothing of them where there are none", () => {
    const two = (second: ReturnType<typeof cohort>) => drawn(gateModesOf(evaluateGate([cohort(400, 1, 1), second])));
    expect(two(cohort(100, 90, 0, 0, "b")).caption).toContain(
      "For 1 community no number of decisions helps in any mode.",
    );
    expect(two(cohort(300, 1, 1, 0, "b")).caption).not.toContain("no number");
  });

  it("say when no number of decisions would help", () => {
    expect(gateModesOf(evaluateGate([cohort(100, 90)]))).toMatchObject({
      missing: expect.stringContaining("more decisions will not help"),
    });
    expect(gateModesOf(evaluateGate([]))).toMatchObject({ missing: "There is no audit to judge by." });
  });
});

describe("limits in words", () => {
  it("have no more digits than somebody set", () => {
    expect(limitsText({ di: 0.9, ai: 0.15 }, "ai")).toBe("DI ≥ 90%, ambiguity ≤ 15%");
    expect(limitsText({ di: 0.925, ai: 0.07 }, "ai_pure")).toBe("DI ≥ 92.5%, pure ambiguity ≤ 7%");
  });
});
