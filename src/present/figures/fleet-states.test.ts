import { describe, expect, it } from "vitest";
import { type Figure, figureSchema } from "../../core/figure.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import { cohort } from "../../measures/gate/fleet.suite.js";
import type { GateCohort } from "../../measures/gate/gate-input.js";
import { type Decisions, makeReport, makeReportPage } from "../../measures/report.suite.js";
import { isMissing, type MaybeFigure } from "./missing.js";
import { fleetFigureOf, fleetStatesFigure } from "./report-figures.js";

function drawn(figure: MaybeFigure): Figure {
  if (isMissing(figure)) throw new Error(figure.missing);
  return figureSchema.parse(figure);
}

const FLEET: Decisions[] = [
  { community: "good", n: 100 },
  { community: "bad", n: 60 },
  { community: "bad", n: 40, level: 3 },
  { community: "open", n: 30 },
  { community: "open", n: 10, level: 2, inverse: true },
  { community: "small", n: 3 },
];

describe("the fleet", () => {
  const page = makeReportPage(makeReport(FLEET));

  it("counts its states in the title and leaves out those that nobody is in", () => {
    expect(drawn(fleetStatesFigure(page)).title).toBe(
      "1 of 3 communities has earned autonomy by the observed rates, against 1 with policy gaps and 1 with normative complexity; 1 more has too few decisions",
    );
    const good = makeReportPage(
      makeReport([
        { community: "good", n: 100 },
        { community: "fine", n: 90 },
      ]),
    );
    expect(drawn(fleetStatesFigure(good)).title).toBe(
      "All of 2 communities have earned autonomy by the observed rates",
    );
    const few = makeReportPage(makeReport([{ n: 3 }]));
    expect(drawn(fleetStatesFigure(few)).title).toBe("The one community has too few decisions to be judged");
    const one = (...of: GateCohort[]) => drawn(fleetFigureOf(evaluateGate(of, { frontier: false }))).title;
    expect(one(cohort(900, 0))).toBe("The one community has earned autonomy by the observed rates");
    expect(one(cohort(40, 2))).toBe(
      "The one community has earned autonomy by the observed rates, but does not pass the cautious gate",
    );
    expect(one(cohort(40, 20, 0, 0, "a"), cohort(3, 0, 0, 0, "b"))).toBe(
      "The one community with enough decisions has policy gaps by the observed rates; 1 more has too few decisions",
    );
  });

  it("has a point for each community, with both rates, their intervals and the number of verdicts", () => {
    const { rows } = drawn(fleetStatesFigure(page));
    const open = rows.find(({ community }) => community === "open")!;
    expect(open).toMatchObject({ state: "normative_complexity", n: 40, di: 1, ai: 0.25, passes: false });
    expect(open.ai_lower).toBeLessThan(0.25);
    expect(open.ai_upper).toBeGreaterThan(0.25);
    expect(rows.map(({ community }) => community)).toEqual(["small", "good", "bad", "open"]);
  });

  it("shades what meets both limits of the settings it is given", () => {
    const limits = { di: 0.85, ai: 0.125, min_decisions: 2, variable: "ai_pure" } as const;
    const figure = drawn(
      fleetFigureOf(evaluateGate(page.gate_input.cohorts, { limits, mode: "paper", frontier: false })),
    );
    expect(figure.zone).toMatchObject({ x: [0.85, 1], y: [0, 0.125] });
    expect(figure.references!.map(({ label }) => label)).toEqual([
      "Defensibility at least 85%",
      "Ambiguity at most 12.5%",
    ]);
    expect(figure.y.label).toContain("Pure");
  });

  it("reaches with its axes over every community that is judged, and its interval", () => {
    const { x, y, rows } = drawn(fleetStatesFigure(page));
    for (const row of rows.filter(({ state }) => state !== "insufficient")) {
      expect(row.di_lower).toBeGreaterThanOrEqual(x.domain![0]);
      expect(row.ai_upper).toBeLessThanOrEqual(y.domain![1]);
    }
  });

  it("draws intervals for all points only where they do not hide each other", () => {
    expect(drawn(fleetStatesFigure(page)).interval).toBe("both");
    const many = Array.from({ length: 41 }, (_, i): Decisions => ({ community: `c${i}`, n: 30 + i }));
    expect(drawn(fleetStatesFigure(makeReportPage(makeReport(many)))).interval).toBe("none");
  });

  it("tells states by rates as seen apart from what passes the gate in its mode", () => {
    const limits = page.gate_input.limits;
    const { cohorts } = makeReportPage(
      makeReport([
        { community: "good", n: 27 },
        { community: "fine", n: 28 },
      ]),
    ).gate_input;
    const title = (mode: "paper" | "certified") =>
      drawn(fleetFigureOf(evaluateGate(cohorts, { limits, mode, frontier: false }))).title;
    expect(title("paper")).not.toContain("the raw gate");
    expect(title("certified")).toMatch(/earned autonomy by the observed rates.*; (none|\d+) pass(es)? the proven gate/);
  });

  it("names every community while they are few, and the outermost ones of many", () => {
    expect(drawn(fleetStatesFigure(page)).label).toBe("community");
    const many = Array.from({ length: 30 }, (_, i): Decisions[] => [
      { community: `c${i}`, n: 60 + i },
      { community: `c${i}`, n: i === 7 ? 20 : 1, level: 3 },
      { community: `c${i}`, n: i === 9 ? 30 : 1, level: 2, inverse: true },
    ]).flat();
    const figure = drawn(fleetStatesFigure(makeReportPage(makeReport(many))));
    const named = figure.rows.flatMap((row) => row[figure.label!] ?? []);
    expect(named).toEqual(expect.arrayContaining(["c7", "c9", "c29"]));
    expect(named.length).toBeLessThanOrEqual(6);
  });

  it("is missing without verdicts", () => {
    expect(fleetStatesFigure(makeReportPage(makeReport([])))).toMatchObject({ command: "defensible audit" });
  });
});
