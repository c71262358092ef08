import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Level } from "../../core/records/level.js";
import { renderTerminal } from "../../present/document/render.js";
import { spearman, weightedSpearman } from "../../stats/ranks/spearman.js";
import { medians, ratingFinding } from "./build-humans.js";
import { humansDocument } from "./document.js";
import type { Humans } from "./result.js";
import { chooseCases, emptyStrata, evenly } from "./run-sample.js";
import type { SheetCase } from "./sheet.js";
import { embeddedJson, sheetCsv, sheetHtml } from "./sheet-html.js";

describe("evenly", () => {
  it("takes all there is or all that is asked for, and never more than a stratum has", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { maxLength: 6 }), fc.nat(200), (available, size) => {
        const counts = evenly(available, size);
        const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
        expect(sum(counts)).toBe(Math.min(size, sum(available)));
        for (const [i, count] of counts.entries()) expect(count).toBeLessThanOrEqual(available[i]!);
        const full = counts.filter((count, i) => count < available[i]!);
        if (full.length > 1) expect(Math.max(...full) - Math.min(...full)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("chooseCases", () => {
  const candidates = Array.from({ length: 90 }, (_, i) => ({
    decision_id: `d${i}`,
    level: ((i % 3) + 1) as Level,
    inverse: i % 2 === 0,
  }));

  it("does not depend on the order of the run, and depends on the seed", () => {
    const chosen = chooseCases(candidates, 12, 1);
    expect(chooseCases([...candidates].reverse(), 12, 1)).toEqual(chosen);
    expect(chooseCases(candidates, 12, 2)).not.toEqual(chosen);
    expect(new Set(chosen.cases.map((one) => one.decision_id)).size).toBe(12);
    expect(chosen.strata.map(({ cases }) => cases)).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it("takes everything where more is asked for than there is, and nothing from nothing", () => {
    expect(chooseCases(candidates, 1000, 1).cases).toHaveLength(90);
    expect(chooseCases([], 5, 1)).toEqual({ drawn: "sheet", population: 0, strata: [], cases: [] });
  });

  it("draws from all verdicts at once where that is asked for, each with the same weight", () => {
    const { drawn, cases, strata } = chooseCases(candidates, 30, 1, "random");
    expect(drawn).toBe("random");
    expect(cases).toHaveLength(30);
    for (const { weight } of cases) expect(weight).toBe(3);
    for (const { level, inverse, cases: count } of strata) {
      const name = `level ${level}, inverse ${inverse ? "Yes" : "No"}`;
      expect(cases.filter(({ stratum }) => stratum === name)).toHaveLength(count);
    }
  });

  it("names the strata that the run has nothing of", () => {
    const { strata } = chooseCases(
      candidates.filter(({ level, inverse }) => level !== 2 || inverse),
      12,
      1,
    );
    expect(emptyStrata(strata)).toEqual(["level 2, inverse No"]);
    expect(emptyStrata(chooseCases(candidates, 12, 1).strata)).toEqual([]);
  });
});

describe("weightedSpearman", () => {
  it("is Spearman's ρ with equal weights, and that of repeated rows with whole ones", () => {
    const x = [1, 2, 2, 5, 4, 7, 7];
    const y = [2, 1, 3, 3, 6, 5, 9];
    const one = weightedSpearman(x, y);
    expect(one(new Float64Array(7).fill(3))).toBeCloseTo(spearman(x, y).estimate!, 12);
    const copies = [1, 3, 2, 1, 2, 1, 2];
    const repeat = (values: number[]) => values.flatMap((value, i) => Array<number>(copies[i]!).fill(value));
    expect(one(Float64Array.from(copies))).toBeCloseTo(spearman(repeat(x), repeat(y)).estimate!, 12);
    expect(one(Float64Array.of(1, 1, 0, 0, 0, 0, 0))).toBeNull();
  });
});

describe("the title of the ratings", () => {
  it("never calls raters people that a simulation made", () => {
    const above = { lower: 0.1, upper: 0.9 };
    expect(ratingFinding("People", above)).toBe("People rate higher what has a higher S");
    expect(ratingFinding("Simulated raters", above)).toBe("Simulated raters rate higher what has a higher S");
    expect(ratingFinding("Simulated raters", { lower: -0.1, upper: 0.9 })).toMatch(/^Simulated ratings and S are not/);
  });
});

describe("medians", () => {
  it("takes the more severe of two in the middle, and nothing from nobody", () => {
    const values = Float64Array.of(1, 0, 0.5, 0.5, Number.NaN, Number.NaN);
    expect(medians({ cases: 3, raters: 2, values }, "lower")).toEqual([0, 0.5, null]);
    expect(medians({ cases: 3, raters: 2, values }, "higher")).toEqual([1, 0.5, null]);
    expect(medians({ cases: 1, raters: 5, values: Float64Array.of(1, 1, 0.5, 0, 0) }, "lower")).toEqual([0.5]);
  });
});

describe("the sheet", () => {
  const hostile: SheetCase = {
    case: "C1",
    community: "x</script><script>alert(1)</script>",
    decision: "remove",
    opposite: "approve",
    restricts: true,
    title: "=HYPERLINK(0)",
    content: "</script><img src=x onerror=alert(1)>\u202e\u2028 <!-- -->",
    context: ["-1+1"],
    media: true,
    rules: [{ scope: "community", id: "R1", title: "<b>", text: "&amp;" }],
    precedents: [{ id: "p1", text: "</script><u>", decision: "approve", rule: "R1", reason: "=1+1" }],
  };

  it("holds no markup of the content, in the form", () => {
    const html = sheetHtml("20260101T000000Z-0000", [hostile]);
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).not.toContain("<img");
    expect(html).not.toContain("<b>");
    const data = /id="sheet">(.*?)<\/script>/s.exec(html)![1]!;
    expect(html).not.toContain("<u>");
    const { precedents, ...shown } = hostile;
    const sheet = JSON.parse(data);
    expect(sheet.cases).toEqual([shown]);
    expect(sheet.precedents[hostile.community]).toEqual(precedents);
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none';/);
  });

  it("embeds any value so that it can be read back and cannot end its element", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const json = embeddedJson({ text });
        expect(json).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });

  it("guards cells against spreadsheets", () => {
    expect(sheetCsv("S1", [hostile])).toContain(`'=HYPERLINK(0)`);
    expect(sheetCsv("S1", [])).toMatch(/^sheet_id,case,rater,level,inverse,comment,/);
  });

  it("says what each level means for the action: a restriction needs a rule, the other needs none", () => {
    const removal = sheetCsv("S1", [hostile]);
    const approval = sheetCsv("S1", [{ ...hostile, decision: "approve", opposite: "remove", restricts: false }]);
    expect(removal).toContain("3 = Not at all: no rule authorises it");
    expect(approval).toContain("3 = Not at all: a rule plainly forbids the content");
    expect(approval).not.toContain("no rule authorises it");
  });

  it("gives precedents with decision, rule and reason, as many as a cell holds, and says what it leaves out", () => {
    expect(sheetCsv("S1", [hostile])).toContain("p1: approve under rule R1\n</script><u>\nReason: =1+1");
    const many = Array.from({ length: 100 }, (_, i) => ({
      ...hostile.precedents[0]!,
      id: `p${i}`,
      text: "x".repeat(1000),
    }));
    const csv = sheetCsv("S1", [{ ...hostile, precedents: many }]);
    expect(csv.length).toBeLessThan(33_000);
    expect(csv).toMatch(/\[7\d more: see the form\]/);
  });
});

describe("the report in a terminal of 80 columns", () => {
  it("cuts no number, also where intervals are negative", () => {
    const wide = { estimate: -0.55, lower: -0.91, upper: -0.12, level: 0.95, method: "", n: 30 };
    const none = { estimate: null, reason: "all cases have the same mean rating", n: 30 };
    const correlation = (signal: string, spearman: object) => {
      return { signal, of_run: wide, spearman: { p_value: 0.0004, ...spearman }, two_way: wide, disattenuated: -1.02 };
    };
    const result = {
      counts: { cases: 30, raters: 2, ratings: 60, ratings_per_case: null },
      runs: [],
      drawn: "sheet",
      correlations: [correlation("pds", wide), correlation("inverse_yes_prob", { ...none, p_value: null })],
      reliability: {
        krippendorff_level: wide,
        krippendorff_inverse: wide,
        icc_single: wide,
        icc_average: wide,
        raters_per_case: 2,
      },
      agreement: { level: wide, defensible: wide, inverse: wide, kappa_level: wide, weighted: null },
      indices: {
        defensible_by_raters: wide,
        defensible_by_auditor: wide,
        inverse_by_raters: wide,
        inverse_by_auditor: wide,
      },
      power: { cases: 30, detectable: 0.5, needed_for_0_3: 85 },
      warnings: [],
    } as object as Humans;
    const lines = renderTerminal(humansDocument(result), { width: 80 }).split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.filter((line) => line.includes("…"))).toEqual([]);
    expect(lines.join(" ")).toContain("all cases have the same mean rating");
    const named = (found: object) =>
      renderTerminal(humansDocument({ ...result, ...found }), { width: 400 }).replace(/\s+/g, " ");
    const pds = (lower: number, upper: number) => ({
      correlations: [
        {
          ...{ signal: "pds", of_run: null, two_way: null, disattenuated: null },
          spearman: { ...wide, estimate: (lower + upper) / 2, lower, upper, p_value: 0.01, p_method: "t" },
        },
      ],
    });
    const equal = { alpha: 1 / 3, beta: 1 / 3, gamma: 1 / 3, component: "h_w", calibrated: false };
    const fitted = { ...equal, alpha: 0.82, beta: 0, gamma: 0.18, calibrated: true };
    expect(named({ ...pds(0.34, 0.72), weights: equal })).toMatch(
      /S \(PDS, equal weights\) with the mean rating is 0\.53 \(0\.34–0\.72\): positively correlated\./,
    );
    expect(named({ ...pds(-0.42, 0.04), weights: fitted })).toMatch(
      /S \(PDS, weights 0\.82, 0\.00, 0\.18\) with the mean rating is −0\.19 .*: not statistically significant\./,
    );
    expect(lines.filter((line) => /−0.91 to −0.12|-0.91 to -0.12/.test(line)).length).toBeGreaterThan(4);
  });
});
