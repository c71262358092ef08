import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AuditedReason,
  auditedReason,
  auditedReasons,
  reasonAccuracy,
  STATED_REASONS,
  type StatedReason,
} from "../metrics/reason-accuracy.js";
import { frameOf, POTTERY } from "./frame.suite.js";
import { type FoundReason, statedReason, statedRules } from "./stated-reason.js";

const LINKS: FoundReason = {
  level: 1,
  citation: { scope: "community", rule_id: "R3", grounded: true },
  policy_citation: "community rule R3: Links to a shop are removed",
};
const cited = (cited_rule: string, found = LINKS, frame = POTTERY) => statedReason({ cited_rule }, found, frame);
const said = (rationale: string, found = LINKS, frame = POTTERY) => statedReason({ rationale }, found, frame);

describe("a cited rule", () => {
  it.each([
    "R3",
    " r3 ",
    "R3.",
    "Rule R3",
    "community rule R3",
    "No links to shops",
    "R3: No links to shops",
    "[R3]",
    "Ｒ３",
  ])("is the right reason when written %s", (text) => expect(cited(text)).toBe("right_reason"));

  it("is another rule where the audit rests on one that was not cited", () => {
    expect(cited("P1")).toBe("other_rule");
    expect(cited("Respect people")).toBe("other_rule");
    expect(cited("P1 and R3")).toBe("right_reason");
  });

  it("may be any of several that the audit rests on", () => {
    const two = { ...LINKS, policy_citation: "community rule R3 and platform rule P2" };
    expect([cited("P2", two), cited("R3", two), cited("P1", two)]).toEqual([
      "right_reason",
      "right_reason",
      "other_rule",
    ]);
  });

  it("does not exist where no rule has the id or title", () => {
    expect(cited("R99")).toBe("unknown_rule");
    expect(cited("12")).toBe("unknown_rule");
    expect(cited("R99", { level: 3 })).toBe("unknown_rule");
    expect(cited("R3", LINKS, frameOf([["platform", "P1", "Respect people", "No insults."]]))).toBe("unknown_rule");
  });

  it("supports nothing where no rule does", () => {
    expect(cited("R3", { ...LINKS, level: 3 })).toBe("no_rule_supports");
    expect(cited("R1", { ...LINKS, level: 3 })).toBe("no_rule_supports");
  });

  it("is not guessed: of an id that both scopes have, only one supports the decision", () => {
    const glaze = { level: 1, citation: { scope: "community", rule_id: "R1", grounded: true } };
    expect(cited("R1", glaze)).toBe("undetermined");
    expect(cited("community rule R1", glaze)).toBe("right_reason");
    expect(cited("platform rule R1", glaze)).toBe("other_rule");
    expect(cited("R1", LINKS)).toBe("other_rule");
  });

  it("is not guessed: words that resemble a rule, precedents, a citation of nothing", () => {
    expect(cited("links to a shop")).toBe("undetermined");
    expect(cited("pottery-p1")).toBe("undetermined");
    expect(cited("R3", { level: 2, citation: { scope: "none", rule_id: null, grounded: false } })).toBe("undetermined");
    expect(cited("R3", { level: 1, policy_citation: "No rule prohibits this; nearest: R3" })).toBe("undetermined");
    expect(statedReason({ cited_rule: "R3" }, LINKS, null)).toBe("undetermined");
  });

  it("is not right where it is denied, or where only a part of the id is one", () => {
    expect([cited("not R3"), cited("R3.2"), said("This is not a violation of R3.")]).not.toContain("right_reason");
    expect(said("Not R3 but P1")).toBe("other_rule");
    expect(said("It does not fit. R3")).toBe("right_reason");
  });

  it("is undetermined where it is denied and no other rule is named", () => {
    const texts = [
      ...[
        "not R3",
        "except R3",
        "R3 does not apply",
        "R3: does not apply",
        "R3 doesn't apply",
        "No R3 violation but rude",
      ],
      ...["R3 nicht verletzt", "kein Verstoß gegen R3", "R3 ne s'applique pas", "R3不适用", "R3 не нарушено"],
    ];
    expect(texts.map((text) => cited(text))).toEqual(texts.map(() => "undetermined"));
    expect(texts.map((text) => said(text))).toEqual(texts.map(() => "undetermined"));
    expect(said("P1 does not apply here")).toBe("undetermined");
    expect([cited("P1 does not apply, R3"), said("P1 nicht verletzt, sondern R3")]).toEqual([
      ...["right_reason", "right_reason"],
    ]);
    // It may also say that R3 was not kept.
    expect(said("R3 nicht beachtet, P1 auch")).toBe("undetermined");
    expect([cited("R3 No links to shops"), said("No recipe, R3"), cited("R3: Notes")]).not.toContain("undetermined");
    const sale = frameOf([["community", "R3", "Not for sale", "Nothing is sold."]]);
    expect(cited("R3 Not for sale", LINKS, sale)).toBe("right_reason");
  });

  describe("in a range", () => {
    const RULES = frameOf([
      ["platform", "P1", "Respect people", "No insults."],
      ...["R1", "R2", "R10", "R12"].map((id) => ["community", id, `Title ${id}`, `Text ${id}.`] as never),
    ]);
    const on = (rule_id: string, level = 1): FoundReason => ({
      ...{ level, citation: { scope: "community", rule_id, grounded: true }, policy_citation: `${rule_id}: Text.` },
    });
    const of = (text: string, found: FoundReason) => [
      cited(text, found, RULES),
      said(`Breaks ${text}, sorry`, found, RULES),
    ];

    it.each([
      ...["R1–R10", "R1-R10", "R1 – R10", "R1–10", "R1 to R10", "R1 bis R10", "R1..R10", "R1…R10", "R1 up to R10"],
      ...["rules R1 through R12", "R1–R99", "R10–R1", "Rules R1 to rule R10", "P1 and R1 à R10", "R1至R10"],
    ])("is not told apart from the others of %s", (text) => {
      expect(of(text, on("R2"))).toEqual(["undetermined", "undetermined"]);
      expect(statedRules({ cited_rule: text }, RULES)).toBeNull();
      expect(of(text, on("R2", 3))).toEqual(["no_rule_supports", "no_rule_supports"]);
    });

    it("is another rule where the range does not have the one that the audit rests on", () => {
      for (const text of ["R1–R10", "R1 to R10", "R1..R10"]) expect(of(text, on("R12"))[0]).toBe("other_rule");
      expect(cited("R1–R10, R12", on("R12"), RULES)).toBe("right_reason");
      expect(cited("not R1–R10", on("R2"), RULES)).toBe("undetermined");
    });

    it("of bare numbers is one where they are called rules", () => {
      const numbered = frameOf(["1", "2", "3", "4.1", "4.2", "4.3"].map((id) => ["community", id, `T ${id}`, "Text."]));
      for (const text of ["rules 1–3", "§§ 1–3", "Regeln 1 bis 3", "rules 1 to 3", "规则1至3"])
        expect([text, cited(text, on("2"), numbered)]).toEqual([text, "undetermined"]);
      expect(cited("rules 4.1–4.3", on("4.2"), numbered)).toBe("undetermined");
      expect(said("Posted 1–3 links, rule 2", on("2"), numbered)).toBe("right_reason");
      expect(said("rule 2 – 10 links", on("2"), numbered)).not.toBe("other_rule");
    });

    it("is none where the words are other ones", () => {
      expect(said("R2 - 10 links posted", on("R2"), RULES)).toBe("right_reason");
      expect(said("R2 and P1", on("R2"), RULES)).toBe("right_reason");
      expect(cited("R2/R10", on("R2"), RULES)).toBe("right_reason");
      expect(cited("community rules R1–R2", on("R2"), RULES)).toBe("undetermined");
      expect(cited("platform rule P1", on("R2"), RULES)).toBe("other_rule");
    });
  });

  it("is denied with others in a list", () => {
    const texts = [
      "Violates none of P1, R3",
      "neither P1 nor R3",
      "not P1 or R3",
      "Does not break any of P1, P2 and R3",
    ];
    expect(texts.map((text) => said(text))).toEqual(texts.map(() => "undetermined"));
    expect([said("Not P1, R3"), said("none of P1, P2. R3")]).toEqual(["right_reason", "right_reason"]);
  });

  it("is the one whose id is the number, in every language of references", () => {
    const numbered = frameOf([
      ["community", "10", "No links to shops", "Links to a shop are removed."],
      ["community", "4", "Respect people", "No insults."],
    ]);
    const ten = { level: 1, citation: { scope: "community", rule_id: "10", grounded: true } };
    const words = ["rule ", "Regel ", "Regel Nr. ", "règle ", "regla ", "regola ", "regra ", "zasada ", "правило "];
    for (const word of [...words, "规则", "規則", "§", "§ ", "Artikel ", "第"]) {
      const codes = [10, 4, 7].map((n) => cited(`${word}${n}`, ten, numbered));
      expect([word, ...codes]).toEqual([word, "right_reason", "other_rule", "unknown_rule"]);
      expect(said(`x ${word}10.`, ten, numbered)).toBe("right_reason");
      expect(said(`x ${word}10.2`, ten, numbered)).not.toBe("right_reason");
    }
    expect([said("Regeln 4 und 10", ten, numbered), said("违反规则4和10", ten, numbered)]).toEqual([
      ...["right_reason", "right_reason"],
    ]);
    expect(said("Regel 10 nicht verletzt", ten, numbered)).toBe("undetermined");
    expect(cited("10", { level: 1, policy_citation: "Regel 10: Links" }, numbered)).toBe("right_reason");
  });

  it("is undetermined by its number alone, however that is written", () => {
    const texts = ["3", "Rule 3", "R03", "R 3", "R-3", "rule3"];
    expect(texts.map((text) => cited(text))).toEqual(texts.map(() => "undetermined"));
    expect([cited("X3"), cited("7"), said("Breaks rule 3.")]).toEqual(["unknown_rule", "unknown_rule", "undetermined"]);
  });

  it("is not stated by a word that says so", () => {
    const texts = ["none", "None", "n/a", "N/A", "-", "?", "unknown", "Other", "not specified"];
    expect(texts.map((text) => cited(text))).toEqual(texts.map(() => "unstated"));
    expect(statedReason({ cited_rule: "n/a", rationale: "rule R3" }, LINKS, POTTERY)).toBe("right_reason");
    const other = { level: 1, citation: { scope: "community", rule_id: "other", grounded: true } };
    expect(cited("Other", other, frameOf([["community", "other", "All else", "Ask."]]))).toBe("right_reason");
  });

  it("goes before what the rationale says", () => {
    expect(statedReason({ cited_rule: "P1", rationale: "R3" }, LINKS, POTTERY)).toBe("other_rule");
    expect(statedReason({ cited_rule: "  ", rationale: "rule R3" }, LINKS, POTTERY)).toBe("right_reason");
  });
});

describe("a rationale", () => {
  it("counts where it names a rule", () => {
    expect(said("Removed under R3, sorry.")).toBe("right_reason");
    expect(said("Please respect people.")).toBe("other_rule");
    expect(said("Breaks rule 12.")).toBe("unknown_rule");
    expect(said("Breaks § 7b")).toBe("unknown_rule");
    expect([said("Verstößt gegen Regel 7"), said("Infracción de la regla 7")]).toEqual([
      "unknown_rule",
      "unknown_rule",
    ]);
    expect([said("违反规则R3"), said("违反规则7")]).toEqual(["right_reason", "unknown_rule"]);
  });

  it("states no rule where it names none, however much it resembles one", () => {
    expect(said("Link to a shop.")).toBe("unstated");
    expect(said("Posted 3 times")).toBe("unstated");
    expect(said("")).toBe("unstated");
    expect(statedReason({}, LINKS, POTTERY)).toBe("unstated");
    expect(said("Link to a shop.", { level: 3 })).toBe("unstated");
  });
});

describe("hostile text", () => {
  it("is one of the codes, in time that grows with its length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(STATED_REASONS).toContain(cited(text));
        expect(STATED_REASONS).toContain(said(text));
      }),
    );
    const begin = performance.now();
    for (const text of [
      "rule ".repeat(20_000),
      "R3 ".repeat(20_000),
      "R3 not ".repeat(20_000),
      "R1–R3 ".repeat(20_000),
      "R1–".repeat(20_000),
      "1.".repeat(40_000),
      "Regel 3 und ".repeat(10_000),
      "((((".repeat(20_000),
      "constructor",
      "__proto__",
    ]) {
      cited(text);
      said(text);
    }
    expect(performance.now() - begin).toBeLessThan(10_000);
  });
});

describe("the rules that a reason states", () => {
  const stated = (cited_rule: string) => statedRules({ cited_rule }, POTTERY)?.map(({ id }) => id) ?? null;

  it("are named by id or title, once each, in the order of the rules", () => {
    expect(stated("R3")).toEqual(["R3"]);
    expect(stated("P1, R3 and R3")).toEqual(stated("R3 and P1"));
    expect(stated("P1, R3 and R3")).toHaveLength(2);
    expect(statedRules({ rationale: "Removed under rule R3." }, POTTERY)).toMatchObject([{ id: "R3" }]);
  });

  it("are none where no rule is stated, it does not exist, it is unclear or only denied", () => {
    for (const text of ["", "n/a", "R99", "R3.7", "not R3", "something vague"]) expect(stated(text)).toBeNull();
  });
});

describe("audited reasons", () => {
  it("compare the audit by the stated rules alone with the one by all rules", () => {
    const table: [StatedReason, number, number | "none" | null, string | null][] = [
      ["right_reason", 1, 2, "carries_alone"],
      ["other_rule", 2, 1, "carries_alone"],
      ["right_reason", 1, 3, "needs_more"],
      ["other_rule", 1, 3, "only_others"],
      ["undetermined", 2, 3, "only_others"],
      ["unknown_rule", 1, null, "unknown_rule"],
      ["unknown_rule", 3, null, "no_rule_supports"],
      ["no_rule_supports", 3, 3, "no_rule_supports"],
      ["no_rule_supports", 3, 1, "not_under_all"],
      ["right_reason", 1, "none", "no_verdict"],
      ["right_reason", 1, null, null],
      ["unstated", 1, null, null],
    ];
    for (const [code, level, alone, expected] of table) expect(auditedReason(code, level, alone)).toBe(expected);
  });

  it("are shares of what follows from the rules, by community", () => {
    const row = (community: string, audited: AuditedReason, n: number) => ({ community, audited, n });
    const found = auditedReasons([
      ...[row("a", "carries_alone", 6), row("a", "only_others", 2), row("a", "no_rule_supports", 5)],
      ...[row("b", "needs_more", 1), row("b", "unknown_rule", 1), row("b", "no_verdict", 3)],
    ]);
    expect(found.counts).toMatchObject({ carries_alone: 6, no_rule_supports: 5, no_verdict: 3, not_under_all: 0 });
    expect(found.wrong_reason).toMatchObject({ k: 3, n: 10, method: "wilson" });
    expect(found.carries_alone).toMatchObject({ k: 6, n: 10 });
    const none = auditedReasons([row("a", "no_rule_supports", 5)]);
    expect(none.wrong_reason).toMatchObject({
      estimate: null,
      n: 0,
      reason: expect.stringContaining("no restriction"),
    });
  });
});

describe("reason accuracy", () => {
  const rows = (community: string, codes: Partial<Record<StatedReason, number>>) =>
    Object.entries(codes).map(([code, n]) => ({ community, code: code as StatedReason, n }));

  it("counts right reasons among those that could be checked, and leaves out the others", () => {
    const { counts, accuracy, accuracy_supported } = reasonAccuracy([
      ...rows("a", { right_reason: 6, other_rule: 2, unknown_rule: 1, undetermined: 5 }),
      ...rows("b", { right_reason: 2, no_rule_supports: 3, unstated: 90 }),
    ]);
    expect(counts).toEqual({
      ...{ right_reason: 8, other_rule: 2, no_rule_supports: 3, unknown_rule: 1, undetermined: 5, unstated: 90 },
    });
    expect(accuracy).toMatchObject({ k: 8, n: 14, cluster: { clusters: 2 } });
    // Wilson (1927): 8 of 10.
    expect(accuracy_supported).toMatchObject({ k: 8, n: 10, lower: expect.closeTo(0.4901625, 6) });
  });

  it("is null with a reason where no reason could be checked, or there are no decisions", () => {
    expect(reasonAccuracy(rows("a", { unstated: 3, undetermined: 2 })).accuracy).toMatchObject({
      estimate: null,
      n: 0,
    });
    expect(reasonAccuracy(null)).toMatchObject({
      counts: null,
      accuracy: { reason: "there are only audits, no decisions" },
    });
  });
});
