import { expect, it } from "vitest";
import { BOTH, makeReport, makeReportPage } from "../../measures/report.suite.js";
import { named, numberAt, rateAt, sentence, sentenceText, termOf } from "./sentence.js";

const page = makeReportPage(
  makeReport([
    { ...BOTH, n: 1_500 },
    { ...BOTH, n: 500, level: 3 },
  ]),
);

it("writes numbers of the page in their form, and keeps where they come from", () => {
  const made = sentence`${termOf("DI")} is ${rateAt("/report/defensibility_index")} of ${numberAt("/report/counts/verdicts", "whole")}.`;
  expect(sentenceText(page, made)).toBe("DI is 75% of 2,000.");
  expect(made).toContainEqual({ at: "/report/defensibility_index/estimate", as: "rounded" });
});

it("takes a sentence inside a sentence for a part of it", () => {
  const inner = sentence`${numberAt("/report/levels/3/k", "whole")} of them`;
  expect(sentenceText(page, sentence`Here ${inner} are.`)).toBe("Here 500 of them are.");
});

it("writes a dash for a number that the page does not have", () => {
  expect(sentenceText(page, sentence`It is ${rateAt("/report/nothing")}.`)).toBe("It is –.");
});

it("shows what would turn a sentence around by its number", () => {
  expect(named("a\u202eb\u0007")).toBe("a[U+202E]b[U+0007]");
});
