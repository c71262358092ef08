import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectLanguage } from "../../../core/language.js";
import { contentParts, contentText } from "../../../core/records/decision.js";
import { groundCitation } from "../../../measures/grounding/ground-citation.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { noticeInjection } from "../../../text/injection/find-injection.js";
import { makeBase, POTS, ruleOf, SHOP_POST } from "./attack-material.suite.js";
import {
  bendCitation,
  bendRule,
  bentSentence,
  inventedCitation,
  inventedReason,
  paraphrase,
  precedentInContext,
  rewordCitation,
  ruleInContent,
  ruleInContext,
  ruleSentences,
  STATED_REASON,
} from "./hallucinate.js";
import {
  changeLanguage,
  flipAction,
  gloss,
  INJECTIONS,
  injectPrompt,
  invertPrecedence,
  MAKERS,
  spliceCitation,
  stretchRule,
} from "./makers.js";

const rng = (seed = 1) => createRng(seed);
const words = (text: string) => text.toLowerCase().match(/\p{L}+/gu) ?? [];
const contextOf = (content: Parameters<typeof contentParts>[0]) => contentParts(content).context;

describe("makers of attacks", () => {
  it("turn the decision of attacks on the input, and keep that of attacks on the trace", () => {
    for (const { input, trace } of Object.values(MAKERS)) {
      for (const [makers, decision] of [
        [input, "approve"],
        [trace, "remove"],
      ] as const) {
        for (const maker of makers) {
          const base = maker === invertPrecedence ? makeBase({ rule: ruleOf("P2") }) : makeBase();
          const made = maker(base, rng())!;
          expect(made.decision).toBe(decision);
          expect(made.attack.text).not.toBe("");
          expect(made.target).toBe(decision === "remove" ? "trace" : "input");
          if (made.target === "trace") expect(made.content).toBe(base.decision.content);
        }
      }
    }
  });

  it("keep the content of a flip", () => {
    const base = makeBase();
    expect(flipAction(base)).toMatchObject({ content: base.decision.content, archetype: "forbidden_let_stand" });
    expect(flipAction(makeBase({ action: "approve" }))).toMatchObject({ archetype: "allowed_restricted" });
  });

  it("invent rules and precedents that stand nowhere, and ground in nothing", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), fc.constantFrom("remove", "approve"), (seed, action) => {
        const base = makeBase({ action });
        const citation = inventedCitation(base, rng(seed))!.attack.text;
        expect(groundCitation(citation, POTS)).toMatchObject({ grounded: false, rule_id: null });
        for (const maker of [inventedReason, ruleInContent, ruleInContext, precedentInContext]) {
          const text = maker(base, rng(seed))?.attack.text ?? "";
          for (const { id } of [...POTS.rules, ...POTS.precedents]) {
            expect(text.match(/[\p{L}\p{N}-]+/gu) ?? []).not.toContain(id);
          }
          expect(text).not.toContain("{word}");
        }
      }),
    );
  });

  it("put an invented rule where its author could: in the content, beside it, or in the decider's mouth", () => {
    const base = makeBase();
    const inContent = ruleInContent(base, rng())!;
    expect(contentText(inContent.content)).toContain(inContent.attack.text);
    expect(ruleInContent(makeBase({ action: "approve" }), rng())).toBeNull();
    const beside = ruleInContext(base, rng())!;
    expect(contentText(beside.content)).toBe(contentText(base.decision.content));
    expect(contextOf(beside.content)).toEqual([beside.attack.text]);
    const said = inventedReason(base, rng())!;
    expect(contextOf(said.content)[0]!.startsWith(STATED_REASON)).toBe(true);
  });

  it("argue a penumbra from the rule's own words", () => {
    const rule = ruleOf("R3");
    const texts = new Set(Array.from({ length: 30 }, (_, seed) => stretchRule(makeBase(), rng(seed))!.attack.text));
    for (const text of texts) {
      const [quoted] = /(?<=says: "|speaks of ")[^"]+/.exec(text)!;
      for (const word of words(quoted)) expect(words(rule.text)).toContain(word);
      expect(text).toContain(`community rule R3 "${rule.title}"`);
    }
    expect(stretchRule(makeBase({ action: "approve" }), rng())).toBeNull();
    expect(stretchRule(makeBase({ rule: null }), rng())).toBeNull();
  });

  it("set a community's rule above the platform's only where the platform forbids", () => {
    expect(invertPrecedence(makeBase(), rng())).toBeNull();
    const made = invertPrecedence(makeBase({ rule: ruleOf("P2") }), rng())!;
    expect(made.attack.text).toMatch(/community rule R[34] .*come before platform rule P2/s);
  });

  it("splice in another rule that exists, word for word", () => {
    for (let seed = 0; seed < 20; seed++) {
      const made = spliceCitation(makeBase({ bearing: new Set(["community:R3", "platform:P7"]) }), rng(seed))!;
      const { rule_id, grounded } = groundCitation(made.attack.text, POTS);
      expect(grounded).toBe(true);
      expect(["P2", "R4"]).toContain(rule_id);
    }
  });

  it("turn a rule's demand round, and put it in other words", () => {
    expect(bentSentence(ruleOf("R3"), "lenient")).toBe("Links to a shop stay up.");
    expect(bentSentence(ruleOf("R3"), "strict")).toBe("Exception: a shop named without a link may not be mentioned.");
    expect(bentSentence({ ...ruleOf("P7"), text: "Act in good faith" }, "lenient")).toBeNull();
    expect(paraphrase("Links to a shop, posts about Mugs")).toBe("Addresses to a store, contributions concerning Mugs");
    expect(bendRule(makeBase({ rule: null }), rng())).toBeNull();
    expect(rewordCitation(makeBase(), rng())!.attack.text).toMatch(/Addresses to a store are deleted/);
    expect(bendCitation(makeBase(), rng())!.attack.text).toMatch(/^community rule R3 .*stay up/);
  });

  it("leave the language of the precedents, or are not made", () => {
    const made = changeLanguage(makeBase(), rng())!;
    expect(made.language).toBe("fr");
    expect(detectLanguage(contentText(made.content))).toBe("fr");
    expect(gloss("You and I", "de")).toBe("Du und ich");
    expect(changeLanguage(makeBase({ precedentLanguages: new Set(["es", "fr", "de"]) }), rng())).toBeNull();
    expect(changeLanguage(makeBase({ language: "es" }), rng())).toBeNull();
    expect(changeLanguage(makeBase({ content: "Qwerty asdf zxcv" }), rng())).toBeNull();
  });

  it("speak to the auditor from forbidden content alone, in every way of the list", () => {
    expect(injectPrompt(makeBase({ action: "approve" }), rng())).toBeNull();
    const seen = new Set<string>();
    for (let seed = 0; seed < 200; seed++) {
      const { content, archetype, attack } = injectPrompt(makeBase(), rng(seed))!;
      seen.add(archetype);
      const { title, body, context } = contentParts(content);
      expect([title, body, ...context].join("\n")).toContain(attack.text);
      expect(body).toContain(SHOP_POST);
      expect(attack.text).not.toContain("{action}");
    }
    expect(seen).toEqual(new Set(INJECTIONS.map((one) => one.archetype)));
  });

  it("write injections that the notice of injections knows in the main", () => {
    const noticed = INJECTIONS.filter(({ text }) => {
      const content = contentParts({ body: text.replaceAll("{action}", "approve") });
      return noticeInjection(content).length > 0;
    });
    expect(noticed.length).toBeGreaterThanOrEqual(INJECTIONS.length - 3);
  });
});

describe("ruleSentences", () => {
  it("leaves the title out and keeps every sentence as it stands", () => {
    expect(ruleSentences(ruleOf("R3"))).toEqual([
      "Links to a shop are removed.",
      "Exception: a shop named without a link may be mentioned.",
    ]);
    expect(ruleSentences({ ...ruleOf("R3"), text: "No links to shops" })).toEqual([]);
  });
});
