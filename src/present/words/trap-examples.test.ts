import { describe, expect, it } from "vitest";
import type { Report } from "../../core/results/report.js";
import { makeAudit, makeDecision, makePage } from "../../measures/decision.suite.js";
import type { PageAudit, PageDecision } from "../../measures/report-page.js";
import { sentenceText } from "./sentence.js";
import { lastSentence, misjudgedSentence, quotedWords, trapExamples } from "./trap-examples.js";

const text = (of: string) => ({ text: of, length: of.length });
const CITED = {
  policy_citation: text('community rule R3: "Links to a shop are removed."'),
  logic_chain: text("The post links to a shop. R3 removes such posts, and so the removal follows from it."),
  citation: { scope: "community", rule_id: "R3", overlap: 1, grounded: true },
} as const;

/** A removal of a post with a shop link that is cited well, unless told otherwise. */
function removal(id: string, audit: Partial<PageAudit>, parts: Partial<PageDecision> = {}): PageDecision {
  return makeDecision({
    id,
    community: "pottery",
    decision: "remove",
    human_label: "remove",
    body: text("My shop has glazes, see the link below for the whole range."),
    audit: makeAudit({ ...CITED, level: 1, inverse: false, ruleset_version: "-+2", ...audit }),
    ...parts,
  });
}

const ids = (...decisions: PageDecision[]) =>
  Object.values(trapExamples(makePage({ decisions }))).map((example) => example?.decision.id ?? null);

describe("trapExamples", () => {
  it("finds an error that the rules support, a success that none supports, and one that could go either way", () => {
    const error = removal("error", {}, { human_label: "approve" });
    const success = removal("success", { level: 3, inverse: true });
    const both = removal("both", { level: 2, inverse: true });
    expect(ids(removal("fine", {}), error, success, both)).toEqual(["error", "success", "both"]);
    expect(ids(removal("fine", {}))).toEqual([null, null, null]);
    expect(ids(removal("unlabelled", {}, { human_label: null }))).toEqual([null, null, null]);
    const { error_supported } = trapExamples(makePage({ decisions: [error] }));
    expect(error_supported).toMatchObject({
      quote: "Links to a shop are removed.",
      because: "R3 removes such posts, and so the removal follows from it.",
      text: "My shop has glazes, see the link below for the whole range.",
      confirmed: null,
    });
  });

  it("shows a post once where there is another", () => {
    const twice = removal("a-both", { level: 2, inverse: true }, { human_label: "approve" });
    const other = removal("b-both", { level: 2, inverse: true });
    expect(ids(twice, other)).toEqual(["a-both", null, "b-both"]);
    expect(ids(twice)).toEqual(["a-both", null, "a-both"]);
  });

  it("takes the clearest: grounded, confirmed by the annotation, without a context, short; whatever the order", () => {
    const label = { human_label: "approve" };
    const gold = (level: 1 | 3) => ({ level, inverse: false, rule_ids: [], note: null });
    const all = [
      removal("a-long", {}, { ...label, body: text("word ".repeat(60)) }),
      removal("b-ungrounded", { citation: { ...CITED.citation, grounded: false } }, label),
      removal("c-denied", {}, { ...label, gold: gold(3) }),
      removal("d-context", {}, { ...label, context_of: 1 }),
      removal("e-clear", {}, { ...label, gold: gold(1) }),
      removal("f-clear", {}, { ...label, gold: gold(1) }),
    ];
    expect(ids(...all)[0]).toBe("e-clear");
    expect(ids(...all.toReversed())[0]).toBe("e-clear");
  });

  it("shows no text that is redacted or seems to address the auditor", () => {
    const label = { human_label: "approve" };
    const hidden = { ...label, body: { text: null, length: 9, hash: "h" } };
    expect(ids(removal("a", {}, hidden))[0]).toBeNull();
    expect(ids(removal("b", { flags: ["injection_suspected"] }, label))[0]).toBeNull();
  });
});

it("quotedWords are those of the rule, whichever marks they stand in", () => {
  expect(quotedWords('community rule R2: "Allowed: told afterwards (\\"How was it?\\")"')).toBe(
    "Allowed: told afterwards ('How was it?')",
  );
  expect(quotedWords("community rule R1: 'Two question marks are two questions.'")).toBe(
    "Two question marks are two questions.",
  );
  expect(quotedWords("community rule R1: please don't shout")).toBe("please don't shout");
  expect(quotedWords('R7: "too short"; R2: "needs an explanation of at least 30 words"')).toBe(
    "needs an explanation of at least 30 words",
  );
});

it("lastSentence is the conclusion", () => {
  expect(lastSentence("It says 'Just me?'. No game is named. Both can be argued.")).toBe("Both can be argued.");
  expect(lastSentence("R1 asks for 12.5 words.")).toBe("R1 asks for 12.5 words.");
});

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
