import { describe, expect, it } from "vitest";
import { makeAudit, makeDecision, makePage, written } from "../../measures/decision.suite.js";
import { decisionCitation, groundingSentence } from "./decision-list.js";
import { citedRules, rulesInForce } from "./decision-rules.js";
import { sentenceText } from "./sentence.js";

const page = makePage();
const decision = makeDecision();
const ids = (rules: readonly { scope: string; rule: { id: string } }[]) =>
  rules.map(({ scope, rule }) => `${scope} ${rule.id}`);

describe("rulesInForce", () => {
  it("has the rules of the version that the audit names, and of no other", () => {
    const { rules, frame } = rulesInForce(page, decision, makeAudit())!;
    expect(ids(rules)).toEqual(["platform P2", "platform R3", "community R3"]);
    expect(frame.rules.at(-1)!.text).toBe("No links to shops\nLinks to a shop are removed.");
    expect(rulesInForce(page, decision, makeAudit({ ruleset_version: "1+1" }))!.rules.at(-1)!.rule.title).toBe(
      "No links",
    );
    expect(ids(rulesInForce(page, decision, makeAudit({ ruleset_version: "-+2" }))!.rules)).toEqual(["community R3"]);
    expect(ids(rulesInForce(page, decision, makeAudit({ ruleset_version: "1+-" }))!.rules)).toEqual([
      "platform P2",
      "platform R3",
    ]);
  });

  it("is null where the page lacks the version, or the audit names none", () => {
    expect(rulesInForce(page, decision, makeAudit({ ruleset_version: "1+3" }))).toBeNull();
    expect(rulesInForce(page, decision, makeAudit({ ruleset_version: null }))).toBeNull();
    expect(rulesInForce(page, makeDecision({ community: "other" }), makeAudit())).toBeNull();
  });

  it("reads a version with a plus in it", () => {
    const sets = [{ ...page.rule_sets[0]!, version: "1+beta" }, page.rule_sets[2]!];
    const { rules } = rulesInForce({ rule_sets: sets }, decision, makeAudit({ ruleset_version: "1+beta+2" }))!;
    expect(rules).toHaveLength(3);
  });

  it("shows of a rule what the tier showed to the auditor", () => {
    const parts = (tier: "title" | "sidebar" | "wiki") =>
      rulesInForce(page, decision, makeAudit({ tier }))!.rules[0]!.parts.map(({ text }) => text);
    expect(parts("title")).toEqual(["No private information"]);
    expect(parts("sidebar")).toEqual(["No private information", "No phone numbers."]);
    expect(parts("wiki")).toEqual(["No private information", "No phone numbers.", "Nor street addresses."]);
  });
});

describe("citedRules", () => {
  const inForce = rulesInForce(page, decision, makeAudit())!;

  it("tells rules of one id apart by their scope", () => {
    expect(ids(citedRules(inForce, makeAudit()))).toEqual(["community R3"]);
    const platform = { scope: "platform", rule_id: "R3", overlap: 1, grounded: true } as const;
    expect(ids(citedRules(inForce, makeAudit({ citation: platform })))).toEqual(["platform R3"]);
  });

  it("has all rules that a citation of both scopes names", () => {
    const mixed = { scope: "mixed", rule_id: "P2", overlap: 1, grounded: true } as const;
    const audit = makeAudit({ citation: mixed, policy_citation: written("P2 and community rule R3") });
    expect(ids(citedRules(inForce, audit))).toEqual(["platform P2", "community R3"]);
    // Redacted: the first is still known by its id.
    const redacted = makeAudit({ citation: mixed, policy_citation: { text: null, length: 24, hash: "x" } });
    expect(ids(citedRules(inForce, redacted))).toEqual(["platform P2"]);
  });

  it("has none where a precedent or nothing is cited", () => {
    const precedent = { scope: "precedent", rule_id: "R3", overlap: 1, grounded: true } as const;
    expect(citedRules(inForce, makeAudit({ citation: precedent }))).toEqual([]);
    expect(citedRules(inForce, makeAudit({ citation: null }))).toEqual([]);
  });
});

describe("decisionCitation", () => {
  it("marks the cited rule, and leaves the others", () => {
    const { cited, others, found } = decisionCitation(page, decision);
    expect(ids(cited)).toEqual(["community R3"]);
    expect(ids(others)).toEqual(["platform P2", "platform R3"]);
    // "Links to a shop" in the description; "links" alone in the title.
    expect(found!.passages).toEqual([[], [[0, 15]]]);
    expect(found!.words).toEqual([[[3, 8]], []]);
    expect(found!.citation.nowhere).toEqual([]);
  });

  it("compares with every rule where none is cited, and with nothing where the text is redacted", () => {
    const none = { scope: "none", rule_id: null, overlap: 0.2, grounded: false } as const;
    const invented = makeAudit({ citation: none, policy_citation: written("phone numbers of kings") });
    const text = "phone numbers of kings";
    const { found, cited } = decisionCitation(page, makeDecision({ audit: invented }));
    expect(cited).toEqual([]);
    expect(found!.citation.nowhere.map(([start, end]) => text.slice(start, end))).toEqual(["of", "kings"]);
    const redacted = makeAudit({ policy_citation: { text: null, length: 9, hash: "x" } });
    expect(decisionCitation(page, makeDecision({ audit: redacted })).found).toBeNull();
  });
});

describe("groundingSentence", () => {
  const say = (citation: Parameters<typeof groundingSentence>[0]) =>
    sentenceText(
      makePage({ decisions: [makeDecision({ audit: makeAudit({ citation }) })] }),
      groundingSentence(citation, "/decisions/0/audit/citation"),
    );

  it("says where it was found, how far, and what would count", () => {
    expect(say({ scope: "community", rule_id: "R3", overlap: 0.8, grounded: true })).toBe(
      "Grounded in community rule R3: 80% of the cited words are there.",
    );
    expect(say({ scope: "community", rule_id: "R3", overlap: 0.1, grounded: false })).toMatch(
      /^Not grounded: it names community rule R3, but only 10%.*40% would count\.$/,
    );
    expect(say({ scope: "none", rule_id: null, overlap: 0.3, grounded: false })).toMatch(/30%.*50% would count/);
    expect(say({ scope: "none", rule_id: null, overlap: null, grounded: false })).toMatch(/no words/);
    expect(say(null)).toMatch(/It was not checked/);
  });
});
