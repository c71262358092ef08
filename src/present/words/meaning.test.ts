import { describe, expect, it } from "vitest";
import { undefinedEstimate } from "../../core/estimate.js";
import type { Report } from "../../core/results/report.js";
import { BOTH, type Decisions, MISSED, makeReport, makeReportPage, NEITHER } from "../../measures/report.suite.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { trapTitle } from "../figures/agreement-trap.js";
import { whatItMeans } from "./meaning.js";
import { sentenceText, valueAt } from "./sentence.js";

/** The three sentences as text; each must be one sentence, and each of its numbers must be there. */
function said(of: readonly Decisions[], parts: Partial<Report> = {}): string[] {
  const page = makeReportPage(makeReport(of, parts));
  return whatItMeans(page).map((sentence) => {
    for (const part of sentence) {
      if (typeof part === "object" && "at" in part) expect(valueAt(page, part.at), part.at).toBeTypeOf("number");
    }
    const text = sentenceText(page, sentence);
    expect(text.match(/[.!?](?=\s|$)/g), text).toHaveLength(1);
    expect(text).not.toMatch(/–|NaN|null|\[object/);
    return text;
  });
}

/** 60 decisions that both restrict, 40 that the person alone does and the rules leave open, 300 that neither does. */
const TRAP: Decisions[] = [
  { ...BOTH, n: 60 },
  { ...MISSED, n: 40, level: 2, inverse: true },
  { ...NEITHER, n: 300 },
];

describe("the first sentence, on agreement and rules", () => {
  it("speaks of a gap where the decisions are derivable and agreement is low", () => {
    const [first] = said(TRAP);
    expect(first).toContain("F1 75% (accuracy 90%), yet 100% of its decisions");
    expect(first).toContain("a gap of +25.0 pp that agreement cannot see");
  });

  it("calls a small difference beyond chance small", () => {
    const [first] = said([
      { ...BOTH, n: 9_200 },
      { ...MISSED, n: 800 },
      { ...NEITHER, n: 1_000 },
    ]);
    expect(first).toContain("a difference of +4.2 pp, small but beyond chance");
  });

  it("lays a gap that accuracy does not show to F1", () => {
    const [first] = said([
      { ...BOTH, n: 40 },
      { ...MISSED, n: 40 },
      { ...NEITHER, n: 3_920, level: 1 },
      { ...NEITHER, n: 60, level: 3 },
    ]);
    expect(first).toContain("which against accuracy turns round (−1.0 pp to 0.0 pp), so that it may lie in how F1");
    const few = said([
      { ...BOTH, n: 8 },
      { ...MISSED, n: 6 },
      { ...NEITHER, n: 60 },
      { ...NEITHER, n: 2, level: 3 },
    ])[0];
    expect(few).toMatch(/which against accuracy is not significant \(−.* to \+.*\), so that it may lie/);
  });

  it("claims nothing of a difference from decisions that are all alike", () => {
    const two = [
      { n: 1, positive: true, humanPositive: false },
      { n: 1, positive: false, humanPositive: false },
    ];
    expect(said(two)[0]).toContain("the difference, +100.0 pp (−10.2 pp to +100.0 pp), is too close to call");
    expect(trapTitle(makeReport(two))).toMatch(/^Too close to call/);
  });

  it("says that agreement flatters where fewer decisions are derivable", () => {
    const [first] = said([
      { ...BOTH, n: 100, level: 3 },
      { ...BOTH, n: 100 },
    ]);
    expect(first).toContain("but only 50% of its decisions");
    expect(first).toContain("agreement makes it look better than the rules do (defensibility minus F1 is −50.0 pp)");
  });

  it("lays a gap below F1 that accuracy does not show to F1 too", () => {
    // Accuracy 93%, DI 95%, F1 96%: below the one and above the other.
    const of = [
      { ...BOTH, n: 9_000 },
      { ...BOTH, n: 500, level: 3 },
      { ...MISSED, n: 300 },
      { n: 400, positive: true, humanPositive: false },
    ] as const;
    const [first] = said(of);
    expect(first).toContain("a gap of −1.3 pp to F1, which against accuracy turns round (+1.3 pp to +2.6 pp)");
    expect(first).not.toMatch(/but only|look better/);
    expect(trapTitle(makeReport(of))).toBe(
      "F1 says 96.4% and accuracy 93.1%; 95.1% of the decisions can be derived from the rules",
    );
  });

  it("compares agreement with the decisions that people labelled, where these are a part", () => {
    const of = [
      { ...BOTH, n: 600 },
      { n: 40, positive: true, humanPositive: false },
      { n: 800, positive: true, humanPositive: null, level: 3 },
    ] as const;
    const [first] = said(of);
    expect(first).toContain("on the 640 of 1,440 decisions that they labelled, the decider scores F1 97%");
    expect(first).toContain("100% of these decisions can be derived from the written rules: a difference of +3.2 pp");
    expect(first).toMatch(/; of all decisions, labelled or not, 44% can\.$/);
    expect(trapTitle(makeReport(of))).toBe(
      "F1 says 96.8%, yet 100.0% of the labelled decisions can be derived from the rules",
    );
  });

  it("calls about the same what would be shown as the same, and no share whole that is not", () => {
    const of = [
      { ...BOTH, n: 9_996 },
      { ...BOTH, n: 4, level: 3 },
    ] as const;
    expect(said(of)[0]).toContain("F1 100% (accuracy 100%), and about as many, 99.96% of its decisions");
    expect(trapTitle(makeReport(of))).toBe(
      "F1 says 100.0%, and about as many, 99.96% of the decisions can be derived from the rules",
    );
  });

  it("calls the greatest trap by its name: everybody agrees, and nothing follows from the rules", () => {
    const of = [
      { ...BOTH, n: 50, level: 3 },
      { ...NEITHER, n: 50, level: 3 },
    ] as const;
    expect(said(of)[0]).toContain("but only 0% of its decisions");
    expect(trapTitle(makeReport(of))).toMatch(/^F1 says 100\.0%, but only 0\.0% of the decisions/);
  });

  it("does not call what is too close, and gives the interval of the difference", () => {
    const [first] = said([
      { ...BOTH, n: 80 },
      { ...MISSED, n: 20, level: 3 },
      { ...NEITHER, n: 60 },
    ]);
    expect(first).toMatch(/the difference, −1\.4 pp \(−\d+\.\d pp to \+\d+\.\d pp\), is too close to call/);
  });
});

describe("the second sentence, on disagreements", () => {
  it("counts the causes, and what agreement takes for a success", () => {
    const [, second] = said([...TRAP, { ...MISSED, n: 7, level: 3 }, { ...BOTH, n: 5, level: 3 }]);
    expect(second).toContain(
      "Of 47 disagreements with people, 7 are errors of the decider, and the other 40 (85%) can",
    );
    expect(second).toContain("be defended: in 40 the rules allow both, in 0 people followed");
    expect(second).toContain("5 decisions on which both agree follow from no rule");
  });

  it("speaks of one disagreement in the singular, and of agreements that the rules carry", () => {
    const [, second] = said([
      { ...BOTH, n: 30 },
      { ...MISSED, n: 1 },
    ]);
    expect(second).toContain("The one disagreement with people is no error of the decider: people followed a norm");
    expect(second).toContain("every decision on which both agree follows from the rules");
  });

  it("finds what agreement cannot see where nobody disagrees", () => {
    expect(said([{ ...BOTH, n: 90 }])[1]).toBe(
      "Decider and people agree on all 90 labelled decisions, and every one of them follows from the rules.",
    );
    expect(
      said([
        { ...BOTH, n: 90 },
        { ...BOTH, n: 10, level: 3 },
      ])[1],
    ).toContain("and still 10 of them follow from no rule");
  });

  it("says nothing of agreements where there is none", () => {
    const apart = { positive: true, humanPositive: false };
    expect(said([{ ...apart, n: 10 }])[1]).toBe(
      "None of 10 disagreements with people is an error of the decider: in 0 the rules allow both, in 10 people followed a norm that is not written; and there is no decision on which both agree.",
    );
    expect(said([{ ...apart, n: 10, level: 3 }])[1]).toContain(
      "All 10 disagreements with people are errors of the decider; and there is no",
    );
    expect(said([{ ...apart, n: 1, level: 3 }])[1]).toContain("The one disagreement with people is an error");
  });

  it("speaks of one decision in the singular", () => {
    expect(said([{ ...BOTH, n: 1, level: 3 }])[1]).toContain(
      "agree on the one labelled decision, and it follows from no rule",
    );
    const [, one] = said([
      { ...BOTH, n: 30 },
      { ...BOTH, n: 1, level: 3 },
      { ...MISSED, n: 3 },
      { ...MISSED, n: 1, level: 3 },
    ]);
    expect(one).toContain("1 is an error of the decider, and the other 3 (75%)");
    expect(one).toContain("; and 1 decision on which both agree follows from no rule");
    expect(said([{ ...BOTH, n: 1 }])[2]).toContain("With only 1 verdict,");
  });

  it("speaks of ambiguity where nobody labelled anything", () => {
    const [first, second] = said([
      { n: 80, humanPositive: null },
      { n: 20, humanPositive: null, inverse: true },
    ]);
    expect(first).toBe("The auditor finds that 100% of 100 decisions can be derived from the written rules.");
    expect(second).toContain("No decision has a person's label");
    expect(second).toContain("20% of the decisions could have gone the other way");
  });
});

describe("the third sentence, on targets and trust", () => {
  const model = { run: { run_id: "r", auditor: "openai:gpt-4.1-mini" } };

  it("says of both targets at once what holds of both", () => {
    expect(said([{ ...BOTH, n: 400 }], model)[2]).toMatch(
      /^Both targets are met \(defensibility at least 90%, ambiguity at most 15%\), and how far/,
    );
    expect(said([{ ...BOTH, n: 400, level: 3, inverse: true }], model)[2]).toMatch(/^Neither target is met/);
    expect(said([{ ...BOTH, n: 12 }], model)[2]).toMatch(/^With only 12 verdicts, whether the targets .* is undecided/);
  });

  it("tells targets apart that stand apart", () => {
    expect(said([{ ...BOTH, n: 400, inverse: true }], model)[2]).toMatch(
      /^Of the targets, defensibility at least 90% is met and ambiguity at most 15% is not met/,
    );
  });

  it("names few verdicts only where they are few", () => {
    expect(said([{ ...BOTH, n: 99 }], model)[2]).toContain("With only 99 verdicts");
    expect(said([{ ...BOTH, n: 100 }], model)[2]).not.toContain("With only");
  });

  it("calls the baseline and a simulated auditor by their names", () => {
    const by = (auditor: string) => said(TRAP, { run: { run_id: "r", auditor } })[2];
    expect(by("baseline")).toContain("verdicts of the built-in baseline, which reads words and not meaning");
    expect(by("simulated:columns,bias=0.3")).toContain("verdicts of a simulated auditor");
    expect(by("openai:baseline")).toContain("and how far the auditor can be trusted is not checked here");
  });

  it("says how often the auditor agrees with who judged the same decisions", () => {
    const none = undefinedEstimate("none");
    const against = { target: "gold\u202e", n: 50, n_inverse: 0, levels: [], inverse: [] };
    const estimates = { level_balanced_accuracy: none, level_kappa: none, level3_auroc: none };
    const inverse = { inverse_accuracy: none, inverse_kappa: none };
    const [, , third] = said(TRAP, {
      ...model,
      against: { ...against, ...estimates, ...inverse, level_accuracy: proportion(40, 50) },
    });
    expect(third).toContain("and the auditor finds the level that gold[U+202E] gives in 80% of 50 decisions");
  });
});

it("speaks of what is missing where no audit gave a verdict", () => {
  const counts = { attempted: 12, verdicts: 0, unscored: 4, errors: 8, no_rules: 0 };
  const sentences = said([], { counts });
  expect(sentences[0]).toBe("None of 12 audits gave a verdict: 4 ended without one and 8 in an error.");
  expect(sentences[1]).toContain("undefined");
});
