import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RatingKey } from "../../domain/humans.js";
import type { Level } from "../../domain/level.js";
import { majorities, stratified } from "./agreement.js";
import { ratingFinding } from "./build-humans.js";
import { chooseCases, emptyStrata, evenly } from "./choose-cases.js";
import type { SheetCase } from "./sheet.js";
import { sheetCsv } from "./sheet-csv.js";
import { embeddedJson, sheetHtml } from "./sheet-html.js";

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

describe("stratified", () => {
  const key = (sizes: number[], cases: number[]): RatingKey => ({
    format: 1,
    sheet_id: "s",
    run_id: "r",
    seed: 1,
    created_at: "",
    population: sizes.reduce((sum, size) => sum + size, 0),
    strata: sizes.map((population, i) => ({ level: (i + 1) as Level, inverse: false, population, cases: cases[i]! })),
    cases: cases.flatMap((count, i) =>
      Array.from({ length: count }, (_, j) => ({
        case: `C${i}${j}`,
        decision_id: `${i}-${j}`,
        stratum: `level ${i + 1}, inverse No`,
        weight: sizes[i]! / count,
      })),
    ),
  });

  it("weighs strata by their size, and takes no stratum for certain", () => {
    const all = new Map([0, 1].flatMap((i) => [0, 1, 2].map((j): [string, boolean] => [`${i}-${j}`, true])));
    const result = stratified(key([90, 10], [3, 3]), all);
    expect(result).toMatchObject({ estimate: 1, upper: 1, n: 6 });
    expect(result.estimate === null ? 1 : result.lower).toBeLessThan(0.7);
  });

  it("is exact where everything was rated, and undefined where a stratum was not", () => {
    const agreed = new Map([
      ["0-0", true],
      ["0-1", false],
    ]);
    expect(stratified(key([2], [2]), agreed)).toMatchObject({ estimate: 0.5, lower: 0.5, upper: 0.5 });
    expect(stratified(key([90, 10], [2, 2]), agreed)).toMatchObject({
      estimate: null,
      reason: "no case of level 2, inverse No was rated",
    });
  });
});

describe("the title of the ratings", () => {
  it("never calls raters people that a simulation made", () => {
    const above = { lower: 0.1, upper: 0.9 };
    expect(ratingFinding("People", above)).toBe("People rate higher what has a higher S");
    expect(ratingFinding("Simulated raters", above)).toBe("Simulated raters rate higher what has a higher S");
    expect(ratingFinding("Simulated raters", { lower: -0.1, upper: 0.9 })).toMatch(
      /^Simulated raters do not rate by S/,
    );
  });
});

describe("majorities", () => {
  it("takes the more severe of equals, and nothing from nobody", () => {
    const values = Float64Array.of(1, 0, 0.5, 0.5, Number.NaN, Number.NaN);
    expect(majorities({ cases: 3, raters: 2, values })).toEqual([0, 0.5, null]);
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
