import { describe, expect, it } from "vitest";
import { type Figure, figureSchema } from "../../core/figure.js";
import type { cohortMetrics } from "../../measures/metrics/report-metrics.js";
import { BOTH, type Decisions, MISSED, makeReport, makeReportPage, NEITHER } from "../../measures/report.suite.js";
import { agreementTrapFigure, trapSide } from "./agreement-trap.js";
import { leadingCause, levelsFigure, rootCausesFigure } from "./community-figures.js";
import { isMissing, type MaybeFigure } from "./missing.js";

function drawn(figure: MaybeFigure): Figure {
  if (isMissing(figure)) throw new Error(figure.missing);
  return figureSchema.parse(figure);
}

const pageOf = (...of: Decisions[]) => makeReportPage(makeReport(of));

describe("the agreement trap", () => {
  const ABOVE: Decisions[] = [
    { ...BOTH, n: 60 },
    { ...MISSED, n: 40, level: 2, inverse: true },
    { ...NEITHER, n: 300 },
  ];

  it("says the finding in the direction of the numbers", () => {
    expect(drawn(agreementTrapFigure(pageOf(...ABOVE))).title).toBe(
      "F1 says 75.0%, yet 100.0% of the decisions can be derived from the rules",
    );
    expect(drawn(agreementTrapFigure(pageOf({ ...BOTH, n: 50 }, { ...BOTH, n: 50, level: 3 }))).title).toBe(
      "F1 says 100.0%, but only 50.0% of the decisions can be derived from the rules",
    );
    const close = pageOf({ ...BOTH, n: 80 }, { ...MISSED, n: 20, level: 3 }, { ...NEITHER, n: 60 });
    expect(drawn(agreementTrapFigure(close)).title).toMatch(/^Too close to call: F1 says 88\.9%, and 87\.5%/);
    const unlabelled = pageOf({ n: 30, humanPositive: null }, { n: 10, humanPositive: null, level: 3 });
    expect(drawn(agreementTrapFigure(unlabelled)).title).toBe(
      "75.0% of the decisions can be derived from the rules; agreement with people is undefined",
    );
  });

  it("judges by the interval of the difference, the wider where communities are clusters", () => {
    const side = (...of: Decisions[]) => trapSide(makeReport(of));
    expect(side(...ABOVE)).toBe("above");
    // The same decisions, but all of the difference in one community of five: that may be chance.
    const spread = ["a", "b", "c", "d", "e"].flatMap((community): Decisions[] => [
      { ...BOTH, n: 12, community },
      { ...NEITHER, n: 60, community },
    ]);
    expect(side(...spread, { ...MISSED, n: 40, level: 2, community: "a" })).toBe("close");
    // Four are too few to speak of others, and are taken as they are.
    const few = spread.map((one) => ({ ...one, community: one.community === "e" ? "d" : one.community! }));
    expect(side(...few, { ...MISSED, n: 40, level: 2, community: "a" })).toBe("above");
    expect(side()).toBe("no_verdicts");
  });

  it("has the four numbers with their intervals, and leaves out what is undefined", () => {
    const { rows, facet } = drawn(agreementTrapFigure(pageOf(...ABOVE)));
    expect(facet).toBeUndefined();
    expect(rows.map(({ measure, value }) => [measure, value])).toEqual([
      ["F1", 0.75],
      ["accuracy", 0.9],
      ["Defensibility Index", 1],
      ["Ambiguity Index", 0.1],
    ]);
    for (const { value, lower, upper } of rows) {
      expect(lower).toBeLessThanOrEqual(value as number);
      expect(upper).toBeGreaterThanOrEqual(value as number);
    }
    const unlabelled = drawn(agreementTrapFigure(pageOf({ n: 30, humanPositive: null })));
    expect(unlabelled.rows.map(({ measure }) => measure)).toEqual(["Defensibility Index", "Ambiguity Index"]);
    expect(unlabelled.caption).toContain("No decision has a person's label");
  });

  it("lays the index of the labelled decisions beside that of all, where people labelled a part", () => {
    const { rows, caption } = drawn(agreementTrapFigure(pageOf(...ABOVE, { n: 100, humanPositive: null, level: 3 })));
    expect(rows.map(({ measure, value }) => [measure, value])).toEqual([
      ["F1", 0.75],
      ["accuracy", 0.9],
      ["Defensibility Index", 0.8],
      ["DI, where labelled", 1],
      ["Ambiguity Index", 0.08],
    ]);
    expect(caption).toContain("People labelled 400 of the 500 decisions, so agreement says nothing of the others");
  });

  it("shows cohorts beside the whole, but not one that is the whole, nor others within one", () => {
    const part = makeReport([{ ...BOTH, n: 20 }]);
    const by_cohort = { sample: cohortOf(part), everything: cohortOf(makeReport(ABOVE)) };
    const figure = drawn(agreementTrapFigure(makeReportPage(makeReport(ABOVE, { by_cohort }))));
    expect(figure.facet).toBe("cohort");
    expect([...new Set(figure.rows.map(({ cohort }) => cohort))]).toEqual(["all decisions", "sample"]);
    const run = { run_id: "r", cohort: "sample" };
    expect(drawn(agreementTrapFigure(makeReportPage(makeReport(ABOVE, { by_cohort, run })))).facet).toBeUndefined();
  });

  it("says what to do where there is no verdict", () => {
    expect(agreementTrapFigure(pageOf())).toMatchObject({ command: "defensible audit" });
  });
});

function cohortOf({
  counts,
  defensibility_index,
  ambiguity_index,
  ambiguity,
  agreement,
  gap,
}: ReturnType<typeof makeReport>) {
  const metrics: ReturnType<typeof cohortMetrics> = {
    counts,
    defensibility_index,
    ambiguity_index,
    ambiguity_pure: ambiguity.pure,
    agreement,
    gap,
  };
  return metrics;
}

describe("levels", () => {
  it("names the share that a rule settles and the share that none carries", () => {
    const figure = drawn(levelsFigure(pageOf({ n: 60 }, { n: 30, level: 2 }, { n: 10, level: 3 })));
    expect(figure.title).toBe("A rule settles 60.0% of the decisions; for 10.0% no rule supports them");
    expect(figure.rows.map(({ level, share, verdicts, of }) => [level, share, verdicts, of])).toEqual([
      ["level 1", 0.6, 60, 100],
      ["level 2", 0.3, 30, 100],
      ["level 3", 0.1, 10, 100],
    ]);
  });

  it("is missing without verdicts", () => {
    expect(isMissing(levelsFigure(pageOf()))).toBe(true);
  });
});

describe("root causes", () => {
  it("names the commonest cause by what it asks for", () => {
    const page = pageOf(
      { ...BOTH, n: 50 },
      { ...MISSED, n: 6 },
      { ...MISSED, n: 3, level: 2, inverse: true },
      { ...MISSED, n: 1, level: 3 },
    );
    expect(leadingCause(page.report)).toBe("implicit_norm");
    const figure = drawn(rootCausesFigure(page));
    expect(figure.title).toBe("60.0% of 10 disagreements with people ask to write the norm down, or stop enforcing it");
    expect(figure.rows.map(({ cause, disagreements }) => [cause, disagreements])).toEqual([
      ["Decider's error", 1],
      ["Ambiguous rules", 3],
      ["Unwritten norm", 6],
    ]);
  });

  it("names none where two share the first place", () => {
    const page = pageOf({ ...MISSED, n: 3 }, { ...MISSED, n: 3, level: 3 });
    expect(leadingCause(page.report)).toBeNull();
    expect(drawn(rootCausesFigure(page)).title).toMatch(/^No cause accounts for more of 6 disagreements/);
  });

  it("says why there is nothing to explain", () => {
    expect(rootCausesFigure(pageOf())).toMatchObject({ missing: expect.stringContaining("no verdict") });
    expect(rootCausesFigure(pageOf({ n: 3, humanPositive: null }))).toMatchObject({
      missing: expect.stringContaining("a person's label"),
    });
    expect(rootCausesFigure(pageOf({ ...BOTH, n: 3 }))).toMatchObject({
      missing: expect.stringContaining("agree on all 3 labelled decisions"),
    });
  });
});
