import { describe, expect, it } from "vitest";
import { makeAudit, makeDecision, makePage, written } from "../../measures/decision.suite.js";
import {
  citedRuleKey,
  type DecisionFilters,
  filterDecisions,
  lacksDecisions,
  listedSentence,
  NO_FILTERS,
} from "./decision-list.js";
import { agreementSentence, verdictSentence } from "./decision-signal.js";
import { sentenceText } from "./sentence.js";
import { showCommand } from "./words.js";

const platform = { scope: "platform", rule_id: "P2", overlap: 1, grounded: true } as const;
const decisions = [
  makeDecision({ id: "a-1", human_label: "approve", reasons: ["disagreement_defensible", "unsure"] }),
  makeDecision({
    id: "b/2",
    community: "kilns",
    human_label: null,
    title: written("Glaze recipe"),
    audit: makeAudit({ level: 3, inverse: true, flags: ["tie"], citation: platform }),
  }),
  makeDecision({
    id: "c",
    decision: "approve",
    audit: makeAudit({ outcome: "error", level: null, inverse: null, citation: null }),
  }),
];
const found = (filters: Partial<DecisionFilters>) =>
  filterDecisions(decisions, { ...NO_FILTERS, ...filters }).map(({ id }) => id);

describe("filterDecisions", () => {
  it("passes everything without filters, in its order", () => {
    expect(found({})).toEqual(["a-1", "b/2", "c"]);
  });

  it.each<[Partial<DecisionFilters>, string[]]>([
    [{ community: "kilns" }, ["b/2"]],
    [{ decision: "approve" }, ["c"]],
    [{ level: "3" }, ["b/2"]],
    [{ level: "defensible" }, ["a-1"]],
    [{ level: "none" }, ["c"]],
    [{ inverse: "yes" }, ["b/2"]],
    [{ inverse: "no" }, ["a-1"]],
    [{ agreement: "disagrees" }, ["a-1", "c"]],
    [{ agreement: "none" }, ["b/2"]],
    [{ reason: "disagreement_defensible" }, ["a-1"]],
    // Every reason counts: what the summary counts must all be found.
    [{ reason: "unsure" }, ["a-1"]],
    [{ flag: "tie" }, ["b/2"]],
    [{ rule: "platform//P2" }, ["b/2"]],
    [{ rule: "community/pottery/R3" }, ["a-1"]],
    [{ search: " B/ " }, ["b/2"]],
    [{ search: "glaze" }, ["b/2"]],
    [{ search: "glaze", level: "1" }, []],
    [{ level: "3", community: "pottery" }, []],
  ])("narrows to %j", (filters, ids) => {
    expect(found(filters)).toEqual(ids);
  });

  it("names the platform's rules without a community, as the ledger of rules does", () => {
    expect(decisions.map(citedRuleKey)).toEqual(["community/pottery/R3", "platform//P2", null]);
  });
});

describe("listedSentence", () => {
  it("says how many of how many are listed, and which", () => {
    expect(listedSentence(makePage({ decisions, decisions_of: 3 }))).toMatch(/^All 3 decisions are listed/);
    expect(listedSentence(makePage({ decisions, decisions_of: 24_000 }))).toMatch(
      /^3 of 24,000 decisions are listed: the most urgent/,
    );
    expect(listedSentence(makePage({ decisions_of: null }))).toMatch(/left out.*--no-decisions/);
    expect([3, 4, null].map((decisions_of) => lacksDecisions({ decisions, decisions_of }))).toEqual([
      false,
      true,
      true,
    ]);
    expect(listedSentence(makePage())).toBe("This report has no audited decisions.");
  });
});

describe("verdictSentence", () => {
  const say = (decision: (typeof decisions)[number]) =>
    sentenceText(makePage({ decisions: [decision] }), verdictSentence(decision, "/decisions/0"));

  it("says level and opposite in plain words", () => {
    expect(say(decisions[0]!)).toBe(
      "Level 1, robustly defensible: an explicit rule directly and plainly supports the decision, and the opposite decision could not be derived from the rules (No; probability of Yes 12%).",
    );
    expect(say(decisions[1]!)).toMatch(
      /^Level 3, indefensible: no rule .*; only the opposite decision could be derived .*\(Yes;/,
    );
    expect(say(makeDecision({ audit: makeAudit({ inverse_yes_prob: null }) }))).toMatch(/\(No\)\.$/);
  });

  it("says why there is no verdict", () => {
    expect(say(decisions[2]!)).toMatch(/^Failed: .*It is unknown/);
    const unscored = makeAudit({ outcome: "unscored", level: null, error: { code: "refused", message: "" } });
    expect(say(makeDecision({ audit: unscored }))).toMatch(/^Not scored: The model refused to answer\. It is unknown/);
    const odd = makeAudit({ outcome: "error", level: null, error: { code: "rate\u202elimit", message: "" } });
    expect(say(makeDecision({ audit: odd }))).not.toContain("\u202e");
  });

  it("sets it against what a person decided", () => {
    expect(decisions.map(agreementSentence)).toEqual([
      "A person decided otherwise: approve.",
      null,
      "A person decided otherwise: remove.",
    ]);
  });
});

describe("showCommand", () => {
  it("can be typed as it stands, whatever the id", () => {
    expect(showCommand("film-club-008", { run_id: "r1" })).toBe("defensible show film-club-008 --run r1");
    expect(showCommand("it's; rm -rf ~", { run_id: null })).toBe("defensible show 'it'\\''s; rm -rf ~'");
    expect(showCommand("-x", { run_id: "r1" })).toBe("defensible show --run r1 -- -x");
    expect(showCommand("a\u202eb", { run_id: null })).toBe("defensible show 'a[U+202E]b'");
  });
});
