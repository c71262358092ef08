import { expect, it } from "vitest";
import type { Report } from "../../core/results/report.js";
import { sentenceText } from "./sentence.js";
import { misjudgedSentence } from "./trap-examples.js";

const rate = (k: number, n: number) => ({ estimate: k / n, k, n, lower: 0, upper: 1, level: 0.95, method: "test" });

function said(disagreements: object, joint: object): string | null {
  const report = {
    trap: { disagreements_defensible: disagreements, accurate_but_indefensible: { joint } },
    counts: { verdicts: 42 },
    run: {},
  } as unknown as Report;
  const words = misjudgedSentence(report, "", { counted: true });
  return words && sentenceText(report, words);
}

it("counts what agreement misjudges: none as 0, and one as one", () => {
  const none = { estimate: null, reason: "no disagreement", n: 0 };
  expect(said(none, rate(6, 42))).toBe(
    "Agreement with moderators misjudges 6 of the 42: 0 errors that the rules support, 6 successes that no rule supports.",
  );
  expect(said(rate(1, 2), rate(1, 42))).toBe(
    "Agreement with moderators misjudges 2 of the 42: 1 error that the rules support, 1 success that no rule supports.",
  );
  expect(said(none, rate(0, 42))).toBeNull();
});
