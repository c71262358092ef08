import fc from "fast-check";
import { describe, expect, it } from "vitest";
import values from "../../../data/dsa-values.json" with { type: "json" };
import { makeAudit } from "../../../test/support/make-audit.js";
import { routedBy } from "../../app/evidence/statements.js";
import { severalActions } from "../../core/records/actions.js";
import type { Decision } from "../../core/records/decision.js";
import type { Rule } from "../../core/records/rule-set.js";
import { frameOf } from "../../measures/grounding/frame.suite.js";
import { draftStatement, refusalOf, type StatementBasis } from "./draft.js";
import { statementDraftSchema } from "./draft-schema.js";
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

const MODEL = "openai:gpt-4.1-mini";

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
    ...{ decision, audit: makeAudit({ trace, community: "pottery", auditor: MODEL }), frame, actions, settings: {} },
    ...{ rules: { community, platform: { version: "7", rules: [LAW] } }, route: null, outcome: null, reviewed: false },
    ...{ withReasoning: true, today: "2026-11-18", ...changes },
  };
}

const withChain = (logic_chain: string) =>
  basis({ audit: makeAudit({ auditor: MODEL, trace: { ...basis().audit.trace, logic_chain } as never }) });

const COMPLETE = {
  territorial_scope: "EU",
  source_type: "SOURCE_VOLUNTARY",
  complaint: "https://example.org/complain",
  duration: "indefinite",
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
      "end_date_visibility_restriction:not_recorded",
      "complaint:not_configured",
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

  const READY = { content_date: "2026-05-31", automated_detection: "No" };
  const ready = (more: Partial<StatementBasis>, statement: object = {}) =>
    basis({
      settings: COMPLETE,
      ...more,
      decision: { ...decision, ...more.decision, statement: { ...READY, ...statement } },
    });

  it("says of each of several actions what it does, by its own setting", () => {
    const several = severalActions(["allow", "label", "remove", "ban"]);
    const settings = {
      ...COMPLETE,
      decision_visibility: ["DECISION_VISIBILITY_CONTENT_LABELLED"],
      actions: { ban: { decision_account: "DECISION_ACCOUNT_TERMINATED" } },
    };
    const of = (action: string) => {
      const one = ready({ actions: several, settings, decision: { ...decision, decision: action } });
      const { statement, ready: isReady } = draftStatement(one);
      return [statement.decision_visibility?.[0] ?? statement.decision_account, isReady];
    };
    expect(of("label")).toEqual(["DECISION_VISIBILITY_CONTENT_LABELLED", true]);
    expect(of("remove")).toEqual(["DECISION_VISIBILITY_CONTENT_REMOVED", true]);
    expect(of("ban")).toEqual(["DECISION_ACCOUNT_TERMINATED", true]);
    const unknown = ready({ actions: several, decision: { ...decision, decision: "ban" } });
    expect(missing(unknown)).toEqual(["decision_visibility:not_configured"]);
  });

  it.each([
    ["other_reason", { decision: { ...decision, cited_rule: "P1" } }],
    ["other_reason", { decision: { ...decision, cited_rule: "R9" } }],
    ["ambiguous", { audit: { ...basis().audit, inverse: true } }],
    ["verdicts_differ", { verdictsDiffer: true }],
    ["overturned", { outcome: "overturn" as const }],
    ["baseline_auditor", { audit: { ...basis().audit, auditor: "baseline" } }],
    ["simulated_auditor", { audit: { ...basis().audit, auditor: "simulated:columns" } }],
    ["baseline_auditor", { audit: { ...basis().audit, auditor: "replay:a", auditor_version: "baseline@5#0a1b" } }],
  ])("is not ready where a person must decide: %s", (note, more) => {
    const draft = draftStatement(ready(more));
    expect([draft.ready, draft.missing]).toEqual([false, []]);
    expect(draft.notes).toContain(note);
    expect(draftStatement(ready({ decision: { ...decision, cited_rule: "R1" } })).ready).toBe(true);
  });

  it.each<[string, "upheld" | "overturned" | "pending", Partial<StatementBasis>, string[]]>([
    ["a later review", "upheld", { outcome: "overturn" as const, reviewed: true }, []],
    ["a later review", "overturned", { outcome: "uphold" as const, reviewed: true }, ["overturned"]],
    ["another appeal", "overturned", { outcome: "uphold" as const, appealed: true }, []],
    ["another appeal", "upheld", { outcome: "overturn" as const, appealed: true }, ["overturned"]],
    ["a review", "pending", { outcome: "overturn" as const, reviewed: true }, ["overturned", "appeal_pending"]],
  ])("has the last word of an appeal: %s after one recorded as %s", (_, outcome, more, notes) => {
    const draft = draftStatement(ready({ ...more, decision: { ...decision, cited_rule: "R1", appeal: { outcome } } }));
    expect(draft.notes.filter((note) => /overturned|appeal/.test(note))).toEqual(notes);
  });

  it("has no dates that cannot be, no language that is none, and no category twice", () => {
    const faults = (statement: object, decided_at = decision.decided_at) => {
      const one = ready({ decision: { ...decision, decided_at: decided_at! } }, statement);
      return [draftStatement(one).ready, ...missing(one)];
    };
    expect(faults({}, "2019-03-01")).toEqual([false, "application_date:invalid"]);
    expect(faults({}, "2039-03-01")).toEqual([false, "application_date:invalid"]);
    expect(faults({ application_date: "2030-01-01" })).toEqual([false, "application_date:invalid"]);
    expect(faults({ content_date: "2026-06-09" })).toEqual([false, "content_date:invalid"]);
    expect(faults({ content_date: "2026-06-03" })).toEqual([true]);
    expect(faults({ end_date_visibility_restriction: "2026-01-01" })).toEqual([
      ...[false, "end_date_visibility_restriction:invalid"],
    ]);
    const [violence, fraud] = ["STATEMENT_CATEGORY_VIOLENCE", "STATEMENT_CATEGORY_SCAMS_AND_FRAUD"];
    const added = (category_addition: unknown[]) =>
      draftStatement(ready({}, { category: violence, category_addition })).statement.category_addition;
    expect([added([violence, fraud, fraud]), added([violence])]).toEqual([[fraud], undefined]);
    const unspoken = { ...decision, content: "Mugs" };
    const draft = draftStatement(
      ready({ decision: unspoken, audit: { ...basis().audit, language: null } }, { content_language: "XX" }),
    );
    expect([draft.ready, draft.missing]).toEqual([false, [{ field: "content_language", reason: "invalid" }]]);
  });

  it("quotes a rule without its title and ends each sentence once", () => {
    const { trace } = basis().audit;
    const policy_citation = "community rule R1: No links to shops. Links to a shop, your own or another, are removed.";
    const draft = draftStatement(
      basis({ audit: makeAudit({ auditor: MODEL, trace: { ...trace!, policy_citation } }) }),
    );
    expect(draft.statement.incompatible_content_explanation).toMatch(
      /^Rule R1: “Links to a shop, your own or another, are removed”\. An audit/,
    );
    expect(draft.statement.decision_facts).toContain(
      "Rules in force: platform rules, version 7; community rules, version 3.",
    );
    const one = basis({ rules: { community: basis().rules.community, platform: null } });
    expect(draftStatement(one).statement.decision_facts).toContain("Rules in force: community rules, version 3.");
  });

  it.each([
    [
      'A listing must name a price in pounds. "Make me an offer" and "PM for price" are not prices and the listing is removed.',
      "R1: 'Make me an offer' and 'PM for price' are not prices and the listing is removed",
      ['"Make me an offer" and "PM for price" are not prices and the listing is removed.'],
    ],
    [
      "Do not post telephone numbers, e-mail addresses, street addresses or bank details in listings. Use private messages.",
      "R1: Do not post telephone numbers, e-mail addresses, street addresses or bank ...",
      ["Do not post telephone numbers, e-mail addresses, street addresses or bank details in listings."],
    ],
    [
      'Links are removed. Write "No links. Not one." in the title of a post, e.g. Yours. Ask first. Shops may not post links here.',
      "R1: no links, not one, in the title; shops may not post links",
      ['Write "No links. Not one." in the title of a post, e.g. Yours.', "Shops may not post links here."],
    ],
    ["- All shops are banned here\n- Swaps are welcome here", "R1: swaps are welcome", ["Swaps are welcome here"]],
    [
      "Say what it is. Name one price only. Ask first.",
      "say what it is, name one price",
      ["Say what it is. Name one price only."],
    ],
    [`A. ${"Many words here. ".repeat(60)}`, "R1", [expect.stringMatching(/^A\. (?:Many words here\. )+…$/)]],
  ])("quotes whole sentences of a rule: %s", (description, cited, expected) => {
    const { trace } = basis().audit;
    const audit = makeAudit({ auditor: MODEL, trace: { ...trace!, policy_citation: `community rule ${cited}` } });
    const rule = { ...LINKS, description };
    const frame = frameOf([["community", "R1", LINKS.title, description]]);
    const draft = draftStatement(basis({ audit, frame }, rule));
    expect(draft.rules[0]!.words).toEqual(expected);
    const [, quoted] = /^Rule R1: “(.*)”\. An audit/.exec(draft.statement.incompatible_content_explanation!)!;
    expect(quoted!.split('"').length % 2).toBe(1);
  });

  it("drops a given value that the database would not take, and says so", () => {
    const statement = { content_date: "31.05.2026", source_type: "SOURCE_GUESS", automated_detection: "yes" };
    expect(missing(basis({ settings: COMPLETE, decision: { ...decision, statement } }))).toEqual([
      ...["content_date:invalid", "source_type:invalid", "automated_detection:invalid"],
    ]);
    expect(draftStatement(basis({ decision: { ...decision, statement: "x" } })).statement.content_date).toBeUndefined();
    const whole = basis({ settings: COMPLETE, decision: { ...decision, statement: "x" } });
    expect(missing(whole)).toContain("statement:invalid");
  });

  it.each([
    ["territorial_scope", ["UK"]],
    ["territorial_scope", ["DE", "UK"]],
    ["territorial_scope", 5],
    ["decision_visibility", ["X"]],
    ["category", "STATEMENT_CATEGORY_FOO"],
    ["category_specification", ["KEYWORD_FOO"]],
    ["source_type", "SOURCE_GUESS"],
    ["automated_decision", "Yes"],
    ["content_type", ["text"]],
    ["content_language", "german"],
    ["application_date", "2026-13-01"],
  ])("puts no default in place of an invalid %s: %j", (field, value) => {
    const draft = draftStatement(ready({}, { [field]: value }));
    expect([draft.ready, draft.missing]).toEqual([false, [{ field, reason: "invalid" }]]);
    expect(draft.statement).not.toHaveProperty(field);
  });

  it("is not ready where a given member is unknown, and lists a value once", () => {
    const faults = (statement: object) => missing(ready({}, statement));
    expect(faults({ content_dat: "2026-05-31" })).toEqual(["statement.content_dat:invalid"]);
    expect(faults({ constructor: 1 })).toEqual(["statement.constructor:invalid"]);
    expect(faults({ "\u001b[31m": 1, "<b>": 1 })).toEqual(["statement:invalid"]);
    expect(faults({ account_language: 5 })).toEqual(["statement.account_language:invalid"]);
    expect(faults({ account_language: "pt-BR", content_dat: null })).toEqual([]);
    expect(draftStatement(ready({}, { content_dat: 1 })).ready).toBe(false);
    const twice = draftStatement(ready({}, { territorial_scope: ["DE", "DE"] }));
    expect([twice.ready, twice.statement.territorial_scope]).toEqual([true, ["DE"]]);
  });

  it("names no ground where no rule supports the decision", () => {
    const { statement, rules, notes } = draftStatement(
      basis({ audit: makeAudit({ auditor: MODEL, level: 3, inverse: true }) }),
    );
    expect([statement.decision_ground, statement.category, rules]).toEqual([undefined, undefined, []]);
    expect(notes).toEqual(["indefensible", "ambiguous"]);
  });

  it("says what was restricted: content, an account, the service, payments", () => {
    const facts = (statement: object, decided_at: string | null = "2026-06-01") =>
      draftStatement(basis({ decision: { ...decision, decision: "ban", decided_at, statement }, actions: several }))
        .statement.decision_facts;
    const several = severalActions(["allow", "remove", "ban"]);
    const where = "in the community “pottery”";
    const account = { decision_account: "DECISION_ACCOUNT_TERMINATED" };
    expect(facts(account)).toMatch(`An account ${where} was restricted on 2026-06-01 (recorded action: ban).`);
    expect(facts(account)).not.toContain("Content in");
    expect(facts({ decision_provision: "DECISION_PROVISION_TOTAL_SUSPENSION" })).toContain(
      `The provision of the service ${where} was`,
    );
    expect(facts({ decision_monetary: "DECISION_MONETARY_SUSPENSION" })).toContain(`Payments ${where} were restricted`);
    expect(facts({ decision_visibility: ["DECISION_VISIBILITY_CONTENT_REMOVED"] })).toContain(
      `Content ${where} was restricted`,
    );
    expect(facts({}, null)).toContain(`A restriction was imposed ${where} (recorded action: ban); the date is not`);
  });

  describe("of a duration", () => {
    const several = severalActions(["allow", "remove", "ban"]);
    const { duration: _, ...untimed } = COMPLETE;
    const of = (statement: object, settings: object = untimed) => {
      const one = ready({ settings, actions: several, decision: { ...decision, decision: "ban" } }, statement);
      const draft = draftStatement(one);
      return { ...draft, missing: missing(one), facts: draft.statement.decision_facts! };
    };
    const suspended = { decision_account: "DECISION_ACCOUNT_SUSPENDED" };

    it("is not ready while it is not stated: the database would read an empty end as none", () => {
      const { ready: isReady, missing: fields, facts } = of(suspended);
      expect([isReady, fields]).toEqual([false, ["end_date_account_restriction:not_recorded"]]);
      expect(facts).not.toContain("end date");
      const both = { ...suspended, decision_visibility: ["DECISION_VISIBILITY_CONTENT_REMOVED"] };
      const one = of({ ...both, end_date_account_restriction: "2026-07-01" });
      expect([one.ready, one.missing]).toEqual([false, ["end_date_visibility_restriction:not_recorded"]]);
    });

    it("says how long and where", () => {
      const ended = of({ ...suspended, end_date_account_restriction: "2026-07-01", territorial_scope: ["DE", "FR"] });
      expect([ended.ready, ended.missing]).toEqual([true, []]);
      expect(ended.facts).toContain("The restriction of the account ends on 2026-07-01. It applies in DE, FR.");
      const endless = of({ ...suspended, end_date_account_restriction: "indefinite" });
      expect([endless.ready, endless.statement.end_date_account_restriction]).toEqual([true, undefined]);
      expect(endless.facts).toContain(
        "The restriction of the account has no end date. It applies in the European Union.",
      );
      expect(of({ ...suspended, end_date_account_restriction: "forever" }).missing).toContain(
        "end_date_account_restriction:invalid",
      );
    });

    it("is stated by a setting, for all or for an action, and by a termination", () => {
      expect(of(suspended, COMPLETE).facts).toContain("has no end date");
      const own = { ...untimed, actions: { ban: { ...suspended, duration: "indefinite" } } };
      expect([of({}, own).ready, of({}, own).missing]).toEqual([true, []]);
      expect(of({ decision_account: "DECISION_ACCOUNT_TERMINATED" })).toMatchObject({ ready: true, missing: [] });
      const dated = of({ ...suspended, end_date_account_restriction: "2026-07-01" }, own);
      expect(dated.statement.end_date_account_restriction).toBe("2026-07-01");
      expect(dated.facts).not.toContain("no end date");
    });
  });

  it("promises no redress that the platform need not offer, and is not ready without the place of a complaint", () => {
    const { complaint, ...without } = COMPLETE;
    const of = (settings: object) => {
      const { redress, ready: isReady, missing: fields } = draftStatement(ready({ settings }));
      return [isReady, fields.map(({ field }) => field), redress];
    };
    expect(of(without)).toEqual([false, ["complaint"], expect.stringMatching(/Article 20.*Article 21.*court/)]);
    expect(of(COMPLETE)).toEqual([true, [], expect.stringMatching(/Article 20.*Article 21.*court/)]);
    expect(of({ ...without, redress: ["court"] })).toEqual([true, [], "You can go to court at any time."]);
    expect(of({ complaint, ...without, redress: ["court"] })[2]).toBe(
      `You can complain to the provider: ${complaint}. You can go to court at any time.`,
    );
    expect(of({ complaint, ...without, redress: ["court", "complaint"] })[2]).not.toContain("Article 21");
  });

  it("says that the audit is later only where it is", () => {
    const said = (created_at: string, decided_at: string | null) =>
      /(An|A later) audit found/.exec(
        draftStatement(basis({ decision: { ...decision, decided_at }, audit: { ...basis().audit, created_at } }))
          .statement.incompatible_content_explanation!,
      )![1];
    expect(said("2026-06-02T10:00:00Z", "2026-06-01")).toBe("A later");
    expect(said("2026-06-01T10:00:00Z", "2026-06-01")).toBe("An");
    expect(said("2026-06-01T10:00:00Z", "2026-06-01T12:00:00Z")).toBe("An");
    expect(said("2026-06-01T10:00:00Z", null)).toBe("An");
  });

  it("says who decided by the decider, the route and the review", () => {
    const by = (
      kind: "human" | "model" | "rule" | null,
      route: StatementBasis["route"],
      reviewed = false,
      outcome: StatementBasis["outcome"] = null,
    ) => {
      const { automated_decision: taken, automated_detection: found } = draftStatement(
        basis({ decision: { ...decision, decider: kind && { kind } }, route, reviewed, outcome }),
      ).statement;
      return [taken?.replace("AUTOMATED_DECISION_", ""), found];
    };
    expect(by(null, "automate")).toEqual([undefined, undefined]);
    expect(by("human", null)).toEqual(["NOT_AUTOMATED", undefined]);
    expect(by("human", "automate")).toEqual(["PARTIALLY", undefined]);
    expect(by("human", null, false, "uphold")).toEqual(["NOT_AUTOMATED", undefined]);
    expect(by("human", null, true, "overturn")).toEqual(["NOT_AUTOMATED", undefined]);
    expect(by("model", null)).toEqual([undefined, undefined]);
    expect(by("model", null, true, "uphold")).toEqual([undefined, undefined]);
    expect(by("model", "automate")).toEqual(["FULLY", undefined]);
    expect(by("model", "automate", false, "uphold")).toEqual(["FULLY", undefined]);
    expect(by("model", "review")).toEqual([undefined, undefined]);
    expect(by("model", "review", false, "uphold")).toEqual([undefined, undefined]);
    expect(by("model", "review", true, "uphold")).toEqual(["PARTIALLY", undefined]);
    expect(by("rule", null)).toEqual(["FULLY", "Yes"]);
    expect(by("rule", "automate")).toEqual(["FULLY", "Yes"]);
    expect(by("rule", "review")).toEqual([undefined, "Yes"]);
    const model = { decision: { ...decision, decider: { kind: "model" as const } } };
    expect(missing(basis(model))).toContain("automated_decision:not_recorded");
    expect(missing(basis({ decision: { ...decision, decider: { kind: "model" } }, route: "review" }))).toContain(
      "automated_decision:under_review",
    );
  });

  it("has no part in a decision of a person if it was routed only later", () => {
    const taken = (routed_at: string, decided_at: string | null = "2026-06-02T10:00:00Z") =>
      draftStatement(basis({ decision: { ...decision, decided_at }, route: "review", routed_at })).statement
        .automated_decision;
    expect(taken("2026-11-19T00:00:00Z")).toBe("AUTOMATED_DECISION_NOT_AUTOMATED");
    expect(taken("2026-06-02T09:00:00Z")).toBe("AUTOMATED_DECISION_PARTIALLY");
    expect(taken("2026-06-02T22:00:00Z", "2026-06-02")).toBe("AUTOMATED_DECISION_PARTIALLY");
    expect(taken("2026-06-03T00:00:01Z", "2026-06-02")).toBe("AUTOMATED_DECISION_NOT_AUTOMATED");
    expect(taken("2026-06-03T00:00:01Z", null)).toBeUndefined();
    // The first routing counts, not a repeated one; a model's decision is taken by its routing.
    const routes = [
      { route: "review", shadow: true, at: "2026-06-01T00:00:00Z" },
      { route: "review", shadow: false, at: "2026-06-02T09:00:00Z" },
      { route: "automate", shadow: false, at: "2026-11-19T00:00:00Z" },
    ] as const;
    expect(routedBy(routes)).toEqual({ route: "automate", routed_at: "2026-06-02T09:00:00Z" });
    const model = { decision: { ...decision, decider: { kind: "model" as const } }, route: "automate" as const };
    expect(draftStatement(basis({ ...model, routed_at: "2026-11-19T00:00:00Z" })).statement.automated_decision).toBe(
      "AUTOMATED_DECISION_FULLY",
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
    expect(draft.statement.incompatible_content_ground).toMatch(/very …”$/);
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

  it("is for none of several actions that restrict", () => {
    const several = severalActions(["allow", "label", "limit", "ban"], "limit");
    const found = ["allow", "label", "limit", "ban", "gone"].map((action) =>
      refusalOf({ decision: { ...decision, decision: action }, actions: several }, { level: 1, inverse: false }),
    );
    expect(found).toEqual(["not_a_restriction", "not_a_restriction", null, null, "not_a_restriction"]);
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

  it("is the name of a community that is an account's own page", () => {
    const one = basis();
    const draft = draftStatement({ ...one, frame: { ...one.frame, community: "u_annaschmidt" } });
    expect(JSON.stringify(draft.statement)).not.toContain("schmidt");
    expect(draft.statement.decision_facts).toContain("in the community “[account]”");
  });

  it("in a rule or a version is removed too", () => {
    const one = basis({}, { title: "Ask carl@example.org first" });
    const draft = draftStatement({ ...one, audit: { ...one.audit, ruleset_version: "7+by dora@example.org" } });
    expect(JSON.stringify(draft)).not.toMatch(/carl@|dora@/);
    const community = { version: "7 by dora@example.org", rules: [LINKS] };
    const facts = draftStatement(basis({ rules: { community, platform: null } })).statement.decision_facts;
    expect(facts).toContain("version 7 by [e-mail]");
  });

  const plain = new Hider({ content: [], allowed: ["R2 No shop links"], names: [] });
  it.each([
    ...["karl＠example.com", "karl @ example.com", "karl(at)example.com", "karl [at] example [dot] com"],
    ...["karl at example dot com", "karl@example。com", "ann@[192.168.1.1]"],
  ])("is an e-mail address when written %s", (text) =>
    expect(plain.clean(`Write to ${text}.`)).toBe("Write to [e-mail]."),
  );

  it.each([
    ...[
      "born on May 1, 1980",
      "born May 1st 1980",
      "DOB 01-May-1980",
      "born on the 1st of May 1980",
      "born 1 May 1980",
    ],
    ...[
      "née le 1er mai 1980",
      "nacido el 1 de mayo de 1980",
      "geboren am 1. Mai 1980",
      "born in May 1980",
      "nato il 1 maggio 1980",
    ],
    ...["birthday: May 1", "date of birth is 05/01/1980", "date of birth: 1980-05-01", "birthday is on 3rd June"],
  ])("is a birth when written %s", (text) => {
    const rest = plain.clean(`The author, ${text}, sells.`)!;
    expect(rest).toBe("The author, [date of birth], sells.");
    expect(plain.isDoubtful(rest)).toBe(false);
  });

  it.each([
    ...[
      "ann at example.org",
      "ann(dot)b(at)example(dot)org",
      "ann%40example.org",
      "ann&#64;example.org",
      "ann&#x40;example.org",
    ],
    ...["ann dot b at example.org", "ann [dot] b@example.org", "ann.b at mail.example dot org"],
  ])("is the whole of an e-mail address when written %s", (text) =>
    expect(plain.clean(`Write to ${text}, please.`)).toBe("Write to [e-mail], please."),
  );

  it.each(["ann.bsky.social", "ann.bsky.team", "ann.page"])("is a domain with the ending of %s", (text) =>
    expect(plain.clean(`See ${text}, please.`)).toBe("See [address], please."),
  );

  it.each(["lat 48.8566 lon 2.3522", "lat=48.8566&lon=2.3522", "latitude: 48.85, longitude: 2.35", "lat 48 lng 2"])(
    "is a place when written %s",
    (text) => expect(plain.clean(`It is at ${text}, here.`)).toBe("It is at [place], here."),
  );

  it("is doubtful where something touches what was removed", () => {
    for (const text of ["ann~fern@example.org#x", "x%[e-mail]", "ann(dot)[e-mail]", "[address]%2Fann"])
      expect([text, plain.isDoubtful(plain.clean(`Write to ${text} now.`)!)]).toEqual([text, true]);
    for (const text of [
      "Write to ann@example.org.",
      "(ann@example.org)",
      "“ann@example.org”,",
      "See ann@example.org; go.",
    ])
      expect([text, plain.isDoubtful(plain.clean(text)!)]).toEqual([text, false]);
  });

  it("is nothing that words of a sentence are", () => {
    const texts = [
      ...[
        "The rules, born of need, apply.",
        "The post is at rule two. It offers goods.",
        "It was removed on May 1, 2026.",
      ],
      ...[
        "The team looked at example sentences.",
        "It is a birthday post. May one post so?",
        "Look at this. It sells.",
      ],
    ];
    expect(texts.map((text) => plain.clean(text))).toEqual(texts);
  });

  it.each([
    "fernfan#1234",
    "U/fernfan",
    "u_annaschmidt",
    "/u_anna-schmidt",
    "/USER/fernfan",
    "user:fernfan",
    "＠fernfan",
    "Author ID 55512345",
  ])("is an account when written %s", (text) =>
    expect(plain.clean(`Ask ${text}, please.`)).toBe("Ask [account], please."),
  );

  it.each([
    ...["example.com", "EXAMPLE.COM", "example[.]org/ann", "hxxps://example.org/ann", "https：//example.org/ann"],
    ...[
      "192.168.44.41",
      "2001:DB8:0:0:0:FF00:42:8329",
      "2001:db8::ff00:42:8329",
      "::ffff:10.0.0.1",
      "00:1a:2b:3c:4d:5e",
    ],
  ])("is an address when written %s", (text) =>
    expect(plain.clean(`See ${text}, please.`)).toBe("See [address], please."),
  );

  it.each([
    ["IBAN DE89 3704 0044 0532 0130 00 now", "IBAN [number] now"],
    ["IBAN DE89370400440532013000.", "IBAN [number]."],
    ["card 4111 1111 1111 1111", "card [number]"],
    ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "[number]"],
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "[number]"],
    ["at 52.520008, 13.404954 there", "at [place] there"],
    ["at 52°31'12\"N, 13°24'18\"E there", "at [place] there"],
    ["She was born on 12.03.1985.", "She was [date of birth]."],
    ["a number (+49 151 23456789).", "a number ([phone])."],
  ])("is removed from %s", (text, expected) => expect(plain.public(text)).toBe(expected));

  it.each([
    "On 20 June, a Saturday at 12:30:45, e.g. 2026-06-02 or 01.02.2024, it cost $1,250 and 3.5 km.",
    "It is done.No rule R1.2 says so; and/or rules 1-3, version 1.2.3.4, 24/7.",
    "The account: it links to nothing. An id 12 and 100,000 views.",
  ])("is not seen in ordinary prose: %s", (text) => {
    expect([plain.clean(text), plain.isDoubtful(text)]).toEqual([text, false]);
  });

  it.each([
    ...[
      "DE88 3704 0044 0532 0130 00",
      "0 1 7 1 2 3 4 5 6 7 8",
      "123-45-6789",
      "karl@localhost",
      "fernfan99",
      "knife_man",
    ],
    ...["musterstrasse 12", "12 Elm street", "plate B-AB 1234"],
  ])("may be in %s, so that a person must look", (text) => {
    const draft = draftStatement(withChain(`The post shows ${text} here.`));
    expect([draft.personal_data, draft.ready]).toEqual(["check", false]);
    expect(draftStatement(basis()).personal_data).toBe("none_found");
  });

  it.each([
    ["The shop of Anna Schmidt is linked.", "check"],
    ["It is by J. Smith.", "check"],
    ["It names Obermaier. Links are removed.", "check"],
    ["The rule says so. This follows: Links to a shop are removed.", "none_found"],
    ["I think that the Shop is linked on Monday.", "none_found"],
    ["The post sells mugs, in English.", "check"],
  ])("may be in a capitalised word inside a sentence that no rule has: %s", (chain, expected) => {
    const one = withChain(chain);
    const plain = { ...decision, content: "mugs" };
    expect(draftStatement({ ...one, decision: plain }).personal_data).toBe(expected);
  });

  it("is a name with an apostrophe, a dash or a genitive too, but no month and no day", () => {
    const hider = new Hider({
      content: ["Karl Müller sells ferns. Obermaier's store. Don't. Jean-Luc. On Saturday, 20 June"],
      ...{ allowed: [], names: [] },
    });
    expect(hider.clean("Müller's post, Karl’s link, the shop of Obermaier, Müllers, Luc.")).toBe(
      "[name]'s post, [name]’s link, the shop of [name], [name], [name].",
    );
    expect(hider.clean("Don't say it was on a Saturday in June.")).toBe("Don't say it was on a Saturday in June.");
  });

  it.each([
    ["/USER/fernfan", "/USER/fernfan", "[account]"],
    ["User: me", "User:fernfan", "[account]"],
    ["Born here", "Born 12.03.1985", "[date of birth]"],
    ["Www", "WWW.ann-smith.example", "[address]"],
    ["IBAN DE89 is mine", "DE89 3704 0044 0532 0130 00", "[number]"],
    ["Weber", "anna.Weber@example.org", "[e-mail]"],
    ["", "N 52.5200, E 13.4050", "[place]"],
  ])("is recognised by its form where the content is %s: %s", (content, text, expected) => {
    const hider = new Hider({ content: [content], allowed: [], names: [] });
    expect(hider.clean(`it says ${text} there`)).toBe(`it says ${expected} there`);
  });

  it("is each part of a recorded name, but no word of a rule", () => {
    const hider = new Hider({ content: [], allowed: ["No shop links"], names: ["Anna Müller", "Shop Name Will"] });
    expect(hider.clean("Müller and anna, says müllers friend.")).toBe("[name] and [name], says [name] friend.");
    expect(hider.clean("A shop will name it.")).toBe("A shop will name it.");
    const author = { ...decision, author: "Anna Müller", content: "mugs" };
    const draft = draftStatement({ ...withChain("As müller says, it is so."), decision: author });
    expect(draft.statement.incompatible_content_explanation).toContain("As [name] says, it is so.");
  });

  it("is a telephone number in full-width digits too", () => {
    expect(plain.clean("call ＋４９ １７１ ２３４５６７８ now")).not.toMatch(/[\d０-９]/);
    expect(plain.clean("call ５５５-０１９９ ５５５５ now")).toBe("call [phone] now");
  });

  it("leaves whole brackets and one mark for a list of quotations", () => {
    const hider = new Hider({ content: ["call +1 23 45 now, or 7 8 9 then"], allowed: [], names: [] });
    expect(hider.clean("It says (+1 23 45 now) here.")).toBe("It says ([quote]) here.");
    expect(hider.clean('It shares "ab cd", "ef" and "gh" with it.')).toBe("It shares [quote] with it.");
    expect(hider.clean('It ("ab cd",) is so.')).toBe("It ([quote]) is so.");
  });

  it("that is split by characters that are not seen is found", () => {
    expect(hidden("Write to ca\u200brl@exam\u200bple.org now.")).toContain("Write to [e-mail] now.");
    // These are words of the content.
    expect(hidden("Write to an\u200bna@exam\u200bple.org now.")).toContain(": [quote] now.");
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
    // Of the processor: others may use it too.
    const begin = process.cpuUsage();
    hider.clean(`'${"a' ".repeat(3000)} ${"“".repeat(3000)} ${"x.".repeat(3000)} ${"http:/".repeat(1000)}`);
    for (const unit of ["a", "#", "+", "1A", "1 ", "a.", "a@", "0:", "DE89", "a dot ", "[quote], "]) {
      const clean = hider.clean(unit.repeat(20_000 / unit.length));
      if (clean !== null) hider.isDoubtful(clean);
    }
    expect(process.cpuUsage(begin).user / 1000).toBeLessThan(5000);
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
