import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Rule, RuleSet } from "../../../core/records/rule-set.js";
import { sharedShare } from "./finding.js";
import { lintRules, ruleKey } from "./lint-rules.js";
import type { RuleUse } from "./wording.js";

const CLEAR = {
  description: "A link to a shop, a referral code or a price is advertising.",
  detail: "A price told as part of a story is not advertising. Two links to the same shop are advertising.",
};

function community(...rules: Partial<Rule>[]): RuleSet {
  return {
    scope: "community",
    community: "garden",
    version: "1",
    rules: rules.map((rule, i) => ({ id: `R${i + 1}`, title: `Rule about topic ${i}`, ...CLEAR, ...rule })),
  };
}

function platform(...rules: Partial<Rule>[]): RuleSet {
  const { version, rules: all } = community(...rules);
  return { scope: "platform", version, rules: all.map((rule, i) => ({ ...rule, id: `P${i + 1}` })) };
}

function checksOf(...sets: RuleSet[]): string[] {
  return lintRules(sets).map(({ check, rule_id, severity }) => `${rule_id} ${check} ${severity}`);
}

describe("lintRules", () => {
  it("has nothing to say about a rule with three tiers in plain words", () => {
    expect(checksOf(community({ title: "No advertising" }))).toEqual([]);
    expect(lintRules([])).toEqual([]);
    expect(lintRules([{ scope: "platform", version: "1", rules: [] }])).toEqual([]);
  });

  it("finds tiers that are empty or repeat the tier before", () => {
    expect(checksOf(community({ title: "No advertising", description: "", detail: null }))).toEqual([
      "R1 empty_tier warning",
    ]);
    expect(checksOf(community({ title: "No advertising", detail: "  " }))).toEqual(["R1 empty_tier note"]);
    const same = { title: "Links to shops and referral codes", description: "Referral codes and links to shops." };
    expect(lintRules([community({ ...same, detail: CLEAR.detail })])[0]).toMatchObject({
      check: "empty_tier",
      part: "description",
      message: "its description says what its title said",
    });
  });

  it.each([
    ["Posts are removed at the moderators' discretion.", "at the moderators' discretion"],
    ["We may remove anything for any reason.", "for any reason"],
    ["Moderators reserve the right to remove posts.", "Moderators reserve the right"],
    ["Content that mods deem inappropriate is removed.", "mods deem inappropriate"],
    ["Where it is not clear who made it, the moderators decide.", "moderators decide"],
    ["In doubt the moderator on duty decides.", "moderator on duty decides"],
    ["Replies are removed if the moderators think it necessary.", "moderators think it necessary"],
    ["Moderators may remove anything they consider unsuitable.", "Moderators may remove anything"],
    ["What counts as rude is up to the moderators.", "is up to the moderators"],
  ])("finds catch-all discretion: %s", (description, quote) => {
    const found = lintRules([community({ title: "Good posts", description })]).filter(
      (one) => one.check === "catch_all",
    );
    expect(found).toMatchObject([{ severity: "warning", part: "description", quote }]);
  });

  it.each([
    "Do not post for any reason after midnight.",
    "Links to shops are not allowed for any reason.",
    "We do not allow spoilers for any reason.",
    "Never share an address for any reason.",
  ])("takes a prohibition without exceptions for no catch-all: %s", (description) => {
    expect(checksOf(community({ title: "Night", description }))).toEqual([]);
  });

  it.each([
    "Posts that do not keep to the topic may be removed for any reason.",
    "Do not argue: we remove posts for any reason.",
    "Do not post for any or no reason.",
  ])("still finds what is given away in a sentence with a negation: %s", (description) => {
    expect(checksOf(community({ title: "Night", description }))).toContain("R1 catch_all warning");
  });

  it("takes an id for a reference where the words say so, and else remarks on it only", () => {
    const found = (detail: string) =>
      lintRules([community({ title: "Parts", detail })])
        .filter(({ check }) => check === "dangling_reference")
        .map(({ quote, severity }) => `${quote} ${severity}`);
    expect(found("R5 resistors and the Audi R8 are on topic.")).toEqual(["R5 note", "R8 note"]);
    for (const text of [
      "see R5",
      "under R5",
      "as per R5",
      "section R5",
      "rule R5",
      "R5 of the rules",
      "R5 of our rules",
    ])
      expect(found(`Posts are removed (${text}).`)).toEqual(["R5 error"]);
    expect(found("The R5 is a part. Posts are removed under R5 and R8.")).toEqual(["R5 error", "R8 error"]);
    expect(found("Posts are removed under rule 7, see R1.")).toEqual(["7 error"]);
  });

  it("takes a catch-all for a note in a rule that calls itself discretion", () => {
    const rule = { title: "Last resort", kind: "discretion" as const, detail: "For any reason at all." };
    expect(checksOf(community(rule))).toEqual(["R1 catch_all note"]);
  });

  it("tells cases of doubt from whole rules that are given away", () => {
    const messages = (detail: string) =>
      lintRules([community({ title: "Files", detail })]).map(({ message }) => message);
    expect(messages("In doubt the moderators decide.")[0]).toMatch(/^gives cases of doubt/);
    expect(messages("The moderators decide.")[0]).toMatch(/^gives the decision/);
    expect(messages("The moderators decided last year to allow files. Members decide what they read.")).toEqual([]);
  });

  it("finds hedges, and weighs them less in a detail", () => {
    expect(checksOf(community({ description: "Links are generally removed." }))).toEqual(["R1 hedge warning"]);
    expect(checksOf(community({ detail: "Photos, drawings, etc. count as pictures." }))).toEqual(["R1 hedge note"]);
  });

  it("leaves quoted examples alone", () => {
    const detail = 'A title such as "usually I would ask this elsewhere" is fine. “For any reason” is fine too.';
    expect(checksOf(community({ title: "Titles", detail }))).toEqual([]);
  });

  it("finds words of judgement without an explanation, and says no more than that none was found", () => {
    const found = lintRules([community({ title: "No low-effort posts" })]);
    expect(found).toMatchObject([{ check: "undefined_term", part: "title", quote: "low-effort" }]);
    expect(found[0]!.message).toMatch(/no explanation of it was found/);
    const explained = "A low-effort post is a post of fewer than five words.";
    expect(checksOf(community({ title: "No low-effort posts", detail: explained }))).toEqual([]);
  });

  it.each([
    [
      "what is removed and allowed",
      { detail: 'Removed: sneering at members ("only children laugh"). Allowed: dislike.' },
    ],
    ["quoted examples", { description: 'We do not want "you have never seen a real film".' }],
    ["a number", { description: "Your own work may be shown once a week." }],
    ["a condition", { description: "You may link your own work if somebody asked for it." }],
    ["conditions in its detail", { detail: "Links are removed unless the author has asked for them." }],
    ["what counts in its detail", { detail: "A second link within the thread counts too." }],
  ])("is content with a word of judgement whose rule gives %s", (_, parts) => {
    const bare = { description: "We are all guests here.", detail: "Mind the others." };
    const found = (rule: Partial<Rule>) =>
      lintRules([community({ title: "Be respectful: no self-promotion", ...bare, ...rule })]).filter(
        ({ check }) => check === "undefined_term",
      );
    expect(found({}).length).toBe(2);
    expect(found(parts)).toEqual([]);
  });

  it("takes no condition for an explanation that stands in the moderators' head", () => {
    const vague = { description: "Stay calm.", detail: "Comments are removed if the moderators think it necessary." };
    expect(checksOf(community({ title: "Be respectful", ...vague }))).toContain("R1 undefined_term warning");
    const open = { description: "Stay calm.", detail: "Comments may be removed if they upset people." };
    expect(checksOf(community({ title: "Be respectful", ...open }))).toContain("R1 undefined_term warning");
  });

  it("does not take a tag in brackets for a word of judgement", () => {
    const rule = { description: "Pictures of wounds carry the word [Sensitive].", detail: "The word comes first." };
    expect(checksOf(community({ title: "Warnings", ...rule }))).toEqual([]);
    const used = { ...rule, description: "Sensitive pictures carry the word [Sensitive]." };
    expect(checksOf(community({ title: "Warnings", ...used }))).toEqual(["R1 undefined_term warning"]);
  });

  it("finds rules that say the same", () => {
    const twins = [{ title: "No advertising" }, { title: "No advertising" }];
    expect(checksOf(community(...twins))).toEqual(["R2 duplicate warning"]);
    const reworded = community(
      { title: "No links to online shops", description: "Links to shops that sell seeds or tools." },
      { title: "Links to shops", description: "No links to online shops that sell tools or seeds." },
    );
    expect(lintRules([reworded]).filter(({ check }) => check === "duplicate")).toMatchObject([
      { rule_id: "R2", other: { scope: "community", community: "garden", rule_id: "R1" } },
    ]);
  });

  it("tells boilerplate that many rules repeat once, and a pair as before", () => {
    const boilerplate = "Report posts that break this rule to the moderators by the report button under the post.";
    const rules = Array.from({ length: 9 }, () => ({ title: "About reports", description: boilerplate }));
    const found = lintRules([community(...rules)]).filter(({ check }) => check === "duplicate");
    expect(found).toHaveLength(1);
    expect(found[0]!.message).toMatch(/^says what 8 other rules say \(R\d, /);
    expect(lintRules([community(rules[0]!, rules[1]!)]).filter(({ check }) => check === "duplicate")).toHaveLength(1);
  });

  it("takes neither a phrase nor the number in a rule's title for a reference to nowhere", () => {
    const dangling = (set: RuleSet) => lintRules([set]).filter(({ check }) => check === "dangling_reference");
    expect(dangling(community({ title: "No pornography", description: "Rule 34 drawings are removed." }))).toEqual([]);
    const zero = {
      ...community({ title: "Rule 0 – Be kind" }, { title: "Links", description: "Links fall under rule 0." }),
    };
    expect(dangling(zero)).toEqual([]);
    expect(dangling(community({ title: "Links", description: "See rule 12." }))).toMatchObject([{ quote: "12" }]);
  });

  it("finds what one rule forbids and another allows", () => {
    const set = community(
      { title: "Plant sales", detail: "Selling cuttings is allowed." },
      { title: "Nothing for sale", detail: "Selling cuttings is forbidden." },
    );
    expect(lintRules([set])).toMatchObject([
      { check: "contradiction", severity: "error", rule_id: "R2", other: { rule_id: "R1" } },
    ]);
  });

  it("says that the platform's rule goes before", () => {
    const found = lintRules([
      platform({ title: "No phone numbers", description: "Private data stays private." }),
      community({ title: "Meeting up", description: "Phone numbers are welcome.", detail: "Meet in daylight." }),
    ]);
    expect(found).toMatchObject([{ check: "contradiction", rule_id: "R1", other: { scope: "platform" } }]);
    expect(found[0]!.message).toContain("platform's rule goes before");
  });

  describe("of a community against the platform", () => {
    const privacy = {
      title: "Privacy",
      description: "Posts may not contain phone numbers, e-mail addresses or passports.",
    };
    const conflicts = (own: Partial<Rule>, theirs: Partial<Rule> = privacy) =>
      lintRules([platform({ detail: "", ...theirs }), community({ title: "Helpers", detail: "", ...own })]).filter(
        ({ check }) => check === "contradiction",
      );

    it("finds what the one asks for and the other forbids, in other words", () => {
      const found = conflicts({ description: "Whoever offers help puts a number or an e-mail address into the post." });
      expect(found).toMatchObject([
        { severity: "warning", rule_id: "R1", part: "description", other: { rule_id: "P1" } },
      ]);
      expect(found[0]!.message).toMatch(/platform rule P1 forbids/);
    });

    it("finds an allowance under a condition of what the platform forbids outright", () => {
      const sales = { title: "No sales of cuttings", description: "There are shops for that." };
      expect(conflicts({ description: "Sales of cuttings are allowed if they are your own." }, sales)).toMatchObject([
        { severity: "warning", rule_id: "R1" },
      ]);
    });

    it("leaves alone what is forbidden too, shares single words, or is the platform's own exception", () => {
      expect(conflicts({ description: "An offer must not contain an e-mail address." })).toEqual([]);
      expect(
        conflicts({ description: "An offer states the number of the house and the address of the event." }),
      ).toEqual([]);
      expect(conflicts({ description: "Nobody has to put an e-mail address without need." })).toEqual([]);
      const excepted = { ...privacy, detail: "The e-mail address of a business may be posted." };
      expect(conflicts({ description: "An offer states the e-mail address of the shop." }, excepted)).toEqual([]);
    });
  });

  it("does not take an exception with a condition for a contradiction", () => {
    const set = community(
      {
        title: "Plant sales",
        description: "Swaps first.",
        detail: "Selling cuttings is allowed when they are your own.",
      },
      { title: "Nothing for sale", detail: "Selling cuttings is forbidden." },
    );
    expect(checksOf(set)).toEqual([]);
  });

  it("does not hold one community's rules against another's", () => {
    const other = { ...community({ title: "Sales", detail: "Selling cuttings is allowed." }), community: "market" };
    expect(checksOf(community({ title: "Shop", detail: "Selling cuttings is forbidden." }), other)).toEqual([]);
  });

  it("finds references to rules that do not exist", () => {
    const set = community({ title: "Titles", detail: "See R1 and R7. Rule 2 does not help, rule 1 does." });
    expect(lintRules([set]).map(({ quote }) => quote)).toEqual(["2", "R7"]);
  });

  it("finds text that stands elsewhere", () => {
    expect(checksOf(community({ description: "The list of shops is in the wiki.", detail: null }))).toEqual([
      "R1 elsewhere warning",
      "R1 empty_tier note",
    ]);
  });

  it("says that it does not read other languages", () => {
    const spanish = {
      title: "Sin publicidad",
      description: "Los mensajes que venden algo se retiran de la comunidad, también los enlaces a las tiendas.",
      detail: "Los precios que se cuentan como parte de una historia están permitidos en todos los casos.",
    };
    expect(checksOf(community(spanish))).toEqual(["R1 language_not_read note"]);
  });

  it("tells from a run which rules are never cited and which leave decisions open", () => {
    const set = community(
      { title: "Titles", description: "A title names the plant." },
      { title: "Seeds", description: "Swaps happen on Sundays." },
      { title: "Photographs" },
    );
    const open = (k: number, lower: number): RuleUse["open"] => ({
      estimate: k / 20,
      lower,
      upper: 1,
      level: 0.95,
      method: "wilson",
      k,
      n: 20,
    });
    const use = new Map(
      set.rules.map((rule, i) => {
        const uses: RuleUse[] = [
          { cited: 20, open: open(1, 0.01), verdicts: 40 },
          { cited: 0, open: { estimate: null, reason: "never cited", n: 0 }, verdicts: 40 },
          { cited: 20, open: open(15, 0.53), verdicts: 40 },
        ];
        return [ruleKey({ set, rule }), uses[i]!];
      }),
    );
    const found = lintRules([set], { use });
    expect(found.map(({ check, rule_id }) => `${rule_id} ${check}`)).toEqual(["R3 often_open", "R2 never_cited"]);
    expect(found[1]!.message).toBe("none of 40 audits cites it");
    expect(found[0]!.message).toBe("15 of 20 decisions citing it are open (53–100%)");
  });

  it("calls no rule often open by fewer than ten decisions", () => {
    const set = community({ title: "Titles" });
    const used = (n: number) => {
      const open = { estimate: 1, lower: 0.66, upper: 1, level: 0.95, method: "wilson", k: n, n };
      return lintRules([set], {
        use: new Map([[ruleKey({ set, rule: set.rules[0]! }), { cited: n, open, verdicts: 40 }]]),
      });
    };
    expect(used(9)).toEqual([]);
    expect(used(10).map(({ check }) => check)).toEqual(["often_open"]);
  });

  it("stands any text, and never quotes what is not there", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    fc.assert(
      fc.property(fc.array(fc.record({ title: text, description: text, detail: text }), { maxLength: 5 }), (rules) => {
        const sets = [community(...rules), platform(...rules)];
        for (const { quote, rule_id, scope, part } of lintRules(sets)) {
          if (quote === null || part === null) continue;
          const rule = sets.find((set) => set.scope === scope)!.rules.find(({ id }) => id === rule_id)!;
          expect(rule[part]).toContain(quote);
        }
      }),
    );
  });
});

describe("sharedShare", () => {
  it("is 1 for equal sets, 0 for none in common, and symmetric", () => {
    const words = fc.array(fc.constantFrom("a", "b", "c", "d", "e")).map((list) => new Set(list));
    fc.assert(
      fc.property(words, words, (a, b) => {
        expect(sharedShare(a, b)).toBe(sharedShare(b, a));
        if (a.size > 0) expect(sharedShare(a, a)).toBe(1);
      }),
    );
    expect(sharedShare(new Set(), new Set())).toBe(0);
  });
});
