import fc from "fast-check";
import { describe, expect, it } from "vitest";
import values from "../../../data/dsa-values.json" with { type: "json" };
import { makeAudit } from "../../../test/support/make-audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { Rule } from "../../core/records/rule-set.js";
import { frameOf } from "../../measures/grounding/frame.suite.js";
import { draftStatement, refusalOf, type StatementBasis, statementDraftSchema } from "./draft.js";
import { dsaStatementSchema } from "./dsa-schema.js";
import { Hider } from "./hide.js";

const actions = { positive: "remove", negative: "approve" };
const LINKS: Rule = {
  ...{ id: "R1", title: "No links to shops", description: "Links to a shop, your own or another, are removed." },
  url: "https://example.org/rules#1",
};
const LAW: Rule = { id: "P1", title: "Hate speech", description: "Calls to hatred are removed." };

const decision: Decision = {
  ...{ id: "d1", community: "pottery", decision: "remove", decided_at: "2026-06-01T23:30:00-02:00" },
  content: {
    title: "New mugs",
    body: "Anna Weber sells mugs, write to anna@example.org or call +49 171 2345678.",
    language: "de",
  },
  decider: { kind: "human", id: "mod_frieda" },
};

function basis(changes: Partial<StatementBasis> = {}, rule: Partial<Rule> = {}): StatementBasis {
  const community = { version: "3", rules: [{ ...LINKS, ...rule }] };
  const frame = frameOf([
    ["community", "R1", LINKS.title, LINKS.description!],
    ["platform", "P1", LAW.title, LAW.description!],
  ]);
  const trace = {
    ...makeAudit().trace!,
    policy_citation: "community rule R1: Links to a shop are removed",
    logic_chain: "The post offers mugs of a shop. Links to a shop are removed.",
  };
  return {
    ...{ decision, audit: makeAudit({ trace, community: "pottery" }), frame, actions, settings: {} },
    ...{ rules: { community, platform: { version: "7", rules: [LAW] } }, route: null, outcome: null },
    ...{ withReasoning: true, ...changes },
  };
}

const withChain = (logic_chain: string) =>
  basis({ audit: makeAudit({ trace: { ...basis().audit.trace, logic_chain } as never }) });

const COMPLETE = {
  territorial_scope: "EU",
  source_type: "SOURCE_VOLUNTARY",
  complaint: "https://example.org/complain",
} as const;
const missing = (one: StatementBasis) => draftStatement(one).missing.map(({ field, reason }) => `${field}:${reason}`);

describe("a draft", () => {
  it("has what the records say and lists what they do not", () => {
    const draft = draftStatement(basis());
    expect(statementDraftSchema.parse(draft)).toEqual(draft);
    expect(draft.statement).toMatchObject({
      decision_visibility: ["DECISION_VISIBILITY_CONTENT_REMOVED"],
      decision_ground: "DECISION_GROUND_INCOMPATIBLE_CONTENT",
      incompatible_content_ground: "Rule R1, “No links to shops” (community rules, version 3)",
      decision_ground_reference_url: "https://example.org/rules#1",
      content_type: ["CONTENT_TYPE_TEXT"],
      category: "STATEMENT_CATEGORY_OTHER_VIOLATION_TC",
      content_language: "DE",
      application_date: "2026-06-02",
      automated_decision: "AUTOMATED_DECISION_NOT_AUTOMATED",
    });
    expect(draft.statement.incompatible_content_explanation).toContain("Links to a shop");
    expect(draft.notes).toEqual(["default_category"]);
    expect(draft.ready).toBe(false);
    expect(missing(basis())).toEqual([
      "territorial_scope:not_configured",
      "content_date:not_recorded",
      "source_type:not_recorded",
      "automated_detection:not_recorded",
      "redress:not_configured",
    ]);
  });

  it("passes the published schema once the platform has added what only it knows", () => {
    const statement = { content_date: "2026-05-31", automated_detection: "No", account_language: "pt-BR" };
    const draft = draftStatement(basis({ settings: COMPLETE, decision: { ...decision, statement } }));
    expect([draft.ready, draft.missing]).toEqual([true, []]);
    expect(dsaStatementSchema.parse(draft.statement)).toEqual(draft.statement);
    expect(draft.statement.territorial_scope).toHaveLength(27);
    expect(draft.language).toEqual({ content: "de", account: "pt-BR" });
    expect(draft.redress).toContain("https://example.org/complain");
    expect(draftStatement(basis()).statement.puid).toBe(draft.statement.puid);
  });

  it("takes the category, keywords and law of the rule", () => {
    const statement = {
      category: "STATEMENT_CATEGORY_SCAMS_AND_FRAUD",
      keywords: ["KEYWORD_PHISHING"],
      law: "Section 5 Example Act",
    };
    const draft = draftStatement(basis({}, { statement }));
    expect(draft.statement).toMatchObject({
      category: "STATEMENT_CATEGORY_SCAMS_AND_FRAUD",
      category_specification: ["KEYWORD_PHISHING"],
      decision_ground: "DECISION_GROUND_ILLEGAL_CONTENT",
      illegal_content_legal_ground: "Section 5 Example Act",
    });
    expect(draft.statement.incompatible_content_ground).toBeUndefined();
    expect(draft.notes).toEqual([]);
  });

  it("drops a given value that the database would not take, and says so", () => {
    const statement = { content_date: "31.05.2026", source_type: "SOURCE_GUESS", automated_detection: "yes" };
    expect(missing(basis({ settings: COMPLETE, decision: { ...decision, statement } }))).toEqual([
      ...["content_date:invalid", "automated_detection:invalid"],
    ]);
    expect(draftStatement(basis({ decision: { ...decision, statement: "x" } })).statement.content_date).toBeUndefined();
  });

  it("names no ground where no rule supports the decision", () => {
    const { statement, rules, notes } = draftStatement(basis({ audit: makeAudit({ level: 3, inverse: true }) }));
    expect([statement.decision_ground, statement.category, rules]).toEqual([undefined, undefined, []]);
    expect(notes).toEqual(["indefensible", "ambiguous"]);
  });

  it("says who decided by the decider, the route and the review", () => {
    const by = (
      kind: "human" | "model" | "rule" | null,
      route: StatementBasis["route"],
      outcome: StatementBasis["outcome"] = null,
    ) => {
      const { automated_decision: taken, automated_detection: found } = draftStatement(
        basis({ decision: { ...decision, decider: kind && { kind } }, route, outcome }),
      ).statement;
      return [taken?.replace("AUTOMATED_DECISION_", ""), found];
    };
    expect(by(null, "automate")).toEqual([undefined, undefined]);
    expect(by("human", null)).toEqual(["NOT_AUTOMATED", undefined]);
    expect(by("human", "automate")).toEqual(["PARTIALLY", undefined]);
    expect(by("model", null)).toEqual(["FULLY", undefined]);
    expect(by("model", "review")).toEqual([undefined, undefined]);
    expect(by("model", "review", "uphold")).toEqual(["PARTIALLY", undefined]);
    expect(by("rule", "automate")).toEqual(["FULLY", "Yes"]);
    expect(missing(basis({ decision: { ...decision, decider: { kind: "model" } }, route: "review" }))).toContain(
      "automated_decision:under_review",
    );
  });

  it("leaves the reasoning out for readers who may not see content", () => {
    const draft = draftStatement(basis({ withReasoning: false }));
    expect(draft.statement.incompatible_content_explanation).not.toContain("offers mugs");
    expect(draft.missing).toContainEqual({ field: "reasoning", reason: "withheld" });
  });

  it("keeps within the limits of every field, whatever a rule or an answer is", () => {
    const long = "very ".repeat(2000);
    const draft = draftStatement({ ...withChain(long), ...{ rules: basis({}, { title: long }).rules } });
    expect(draft.notes).toContain("text_cut");
    expect(draft.statement.incompatible_content_explanation!.length).toBeLessThanOrEqual(2000);
    expect(draft.statement.incompatible_content_ground!.length).toBeLessThanOrEqual(500);
  });
});

describe("a refusal", () => {
  const of = (action: string, audit: { level: 1 | 2 | 3; inverse: boolean } | null, include = {}) =>
    refusalOf({ decision: { ...decision, decision: action }, actions }, audit, include);

  it("is for what restricts nothing, follows from no rule, or whose opposite follows too", () => {
    expect(of("approve", { level: 1, inverse: false })).toBe("not_a_restriction");
    expect(of("remove", null)).toBe("not_audited");
    expect(of("remove", { level: 3, inverse: true })).toBe("indefensible");
    expect(of("remove", { level: 2, inverse: true })).toBe("ambiguous");
    expect(of("remove", { level: 2, inverse: false })).toBeNull();
  });

  it("can be lifted one by one, but never for an approval", () => {
    expect(of("remove", { level: 3, inverse: true }, { indefensible: true })).toBe("ambiguous");
    expect(of("remove", { level: 3, inverse: true }, { indefensible: true, ambiguous: true })).toBeNull();
    expect(of("approve", { level: 3, inverse: true }, { indefensible: true, ambiguous: true })).toBe(
      "not_a_restriction",
    );
  });
});

describe("personal data", () => {
  const hidden = (chain: string) => JSON.stringify(draftStatement(withChain(chain)).statement);

  it("of the content, the decider and the auditor's words are in no draft", () => {
    const text = hidden(
      "Anna Weber sells mugs, says mod_frieda; write to anna@example.org or @annamugs, see https://example.org/u/anna or www.anna.example/mugs, call +49 171 2345678.",
    );
    expect(text).not.toMatch(/anna|weber|frieda|2345678|sells mugs/i);
    expect(text).toContain("[quote], says [name]; [quote] [account], see [address] or [address]");
  });

  it("and short quotations of the content are removed, while words of rules stay", () => {
    const text = hidden(
      'It says "sells mugs" and „Neue Becher“. The rule says "Links to a shop". The decision "remove" follows.',
    );
    expect(text).not.toMatch(/sells mugs|Becher/);
    expect(text).toContain('\\"Links to a shop\\"');
    expect(text).toContain('\\"remove\\"');
  });

  it("in a rule or a version is removed too", () => {
    const one = basis({}, { title: "Ask carl@example.org first" });
    const draft = draftStatement({ ...one, audit: { ...one.audit, ruleset_version: "7+by dora@example.org" } });
    expect(JSON.stringify(draft)).not.toMatch(/carl@|dora@/);
  });

  it("that is split by characters that are not seen is found", () => {
    expect(hidden("Write to an\u200bna@exam\u200bple.org now.")).toContain("Write to [e-mail] now.");
  });

  it("is gone from every text, and what is clean stays clean", () => {
    const hider = new Hider({
      content: [(decision.content as { body: string }).body],
      allowed: [],
      names: ["mod_frieda"],
    });
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            "Anna",
            "Weber",
            "sells",
            "mugs",
            "write",
            "to",
            "anna@example.org",
            "“",
            "”",
            "'",
            "mod_frieda",
            "the",
            "@b_c",
            "\u200b",
            "\n",
            ".",
          ),
          { maxLength: 25 },
        ),
        (parts) => {
          const clean = hider.clean(parts.join(" "));
          if (clean === null) return;
          expect(clean).not.toMatch(/Anna|Weber|example\.org|frieda|@b_c|sells mugs write/);
          expect(hider.isClean(clean)).toBe(true);
        },
      ),
    );
  });

  it("takes time that grows with the length alone", () => {
    const body = "Anna sells mugs ".repeat(20_000);
    const hider = new Hider({ content: [body], allowed: [], names: [] });
    const begin = performance.now();
    hider.clean(`'${"a' ".repeat(3000)} ${"“".repeat(3000)} ${"x.".repeat(3000)} ${"http:/".repeat(1000)}`);
    expect(performance.now() - begin).toBeLessThan(5000);
  });
});

describe("the schema of the Transparency Database", () => {
  const valid = {
    ...{
      decision_visibility: ["DECISION_VISIBILITY_CONTENT_LABELLED"],
      decision_ground: "DECISION_GROUND_INCOMPATIBLE_CONTENT",
    },
    ...{
      incompatible_content_ground: "Rule 4",
      incompatible_content_explanation: "Why",
      content_type: ["CONTENT_TYPE_AUDIO"],
    },
    ...{ category: "STATEMENT_CATEGORY_VIOLENCE", territorial_scope: ["NL", "NO"], content_date: "2025-12-07" },
    ...{ application_date: "2025-12-08", decision_facts: "Facts", source_type: "SOURCE_TRUSTED_FLAGGER" },
    ...{ automated_detection: "No", automated_decision: "AUTOMATED_DECISION_PARTIALLY", puid: "TK-421_a" },
  };
  const faults = (changes: object) =>
    dsaStatementSchema.safeParse({ ...valid, ...changes }).error?.issues.map(({ path }) => path.join("."));

  it("has the published values: 16 categories, 69 keywords, 30 countries", () => {
    expect(
      [values.category, values.category_specification, values.eea, values.eu].map((list) => new Set(list).size),
    ).toEqual([...[16, 69, 30, 27]]);
  });

  it("takes a whole statement, and none without a required field", () => {
    expect(faults({})).toBeUndefined();
    for (const name of Object.keys(valid)) expect(faults({ [name]: undefined }), name).toContain(name);
  });

  it("refuses values of the schema before July 2025", () => {
    expect(faults({ category: "STATEMENT_CATEGORY_SCOPE_OF_PLATFORM_SERVICE" })).toEqual(["category"]);
    expect(faults({ category_specification: ["KEYWORD_DISINFORMATION"] })).toEqual(["category_specification.0"]);
    expect(faults({ automated_decision: "Yes" })).toEqual(["automated_decision"]);
    expect(faults({ url: "https://example.org" })).toEqual([""]);
  });

  it("asks for what a choice requires, and for days that can be", () => {
    expect(faults({ decision_ground: "DECISION_GROUND_ILLEGAL_CONTENT" })).toEqual([
      ...["illegal_content_legal_ground", "illegal_content_explanation"],
    ]);
    expect(faults({ decision_visibility: ["DECISION_VISIBILITY_OTHER"] })).toEqual(["decision_visibility_other"]);
    expect(faults({ content_type: ["CONTENT_TYPE_OTHER"] })).toEqual(["content_type_other"]);
    expect(faults({ content_date: "2026-02-30" })).toEqual(["content_date"]);
    expect(faults({ application_date: "2019-12-31" })).toEqual(["application_date"]);
    expect(faults({ end_date_visibility_restriction: "2025-12-07" })).toEqual(["end_date_visibility_restriction"]);
    expect(faults({ puid: "a b" })).toEqual(["puid"]);
    expect(faults({ territorial_scope: ["US"] })).toEqual(["territorial_scope.0"]);
    expect(faults({ decision_facts: "x".repeat(5001) })).toEqual(["decision_facts"]);
    expect(faults({ decision_ground_reference_url: "javascript:alert(1)" })).toEqual(["decision_ground_reference_url"]);
  });
});
