import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frameOf, POTTERY } from "./frame.suite.js";
import { tokenOverlap } from "./frame-index.js";
import { GROUNDED_OVERLAP, groundCitation, NAMED_GROUNDED_OVERLAP } from "./ground-citation.js";

const ground = (citation: string) => groundCitation(citation, POTTERY);

describe("tokenOverlap", () => {
  it("is the share of distinct cited words that the rule has", () => {
    expect(tokenOverlap("Links, links and SHOPS!", "no links to shops")).toBeCloseTo(2 / 3, 12);
    expect(tokenOverlap("…", "no links")).toBeNull();
  });

  it("compares scripts without spaces by pairs of characters, and folds full-width forms", () => {
    // 宣伝 伝は は禁 禁止 against 宣伝 伝の の禁 禁止.
    expect(tokenOverlap("宣伝は禁止", "宣伝の禁止")).toBeCloseTo(2 / 4, 12);
    expect(tokenOverlap("Ｎｏ ＬＩＮＫＳ", "no links")).toBe(1);
    expect(tokenOverlap("Été à l'école", "école d'été")).toBeCloseTo(2 / 4, 12);
  });
});

describe("groundCitation", () => {
  it.each([
    ["R3", "community", "R3"],
    ["rule R3", "community", "R3"],
    ["r3: no links to shops", "community", "R3"],
    ["platform rule P2", "platform", "P2"],
    ["community:R1", "community", "R1"],
    ["platform:R1", "platform", "R1"],
    ["Platform Rule R1", "platform", "R1"],
    ["pottery rule R1", "community", "R1"],
    ["R1 (platform)", "platform", "R1"],
    ["R1 of the platform rules", "platform", "R1"],
    ["precedent pottery-p1", "precedent", "pottery-p1"],
  ] as const)("identifies %s exactly", (citation, scope, rule_id) => {
    expect(ground(citation)).toEqual({ scope, rule_id, overlap: 1, grounded: true });
  });

  it("settles an id that both scopes have by the text beside it, and else for the community", () => {
    expect(ground("R1: graphic injury must carry the word Sensitive")).toMatchObject({
      scope: "platform",
      rule_id: "R1",
    });
    expect(ground("R1: every picture names the glaze")).toMatchObject({ scope: "community", rule_id: "R1" });
    expect(ground("R1")).toMatchObject({ scope: "community", rule_id: "R1" });
  });

  it("prefers a scope that was said to the text", () => {
    expect(ground("platform rule R1: every picture names the glaze")).toMatchObject({
      scope: "platform",
      rule_id: "R1",
    });
  });

  it("takes the only rule of that id where the scope that was said has none", () => {
    expect(ground("platform rule R3")).toMatchObject({ scope: "community", rule_id: "R3" });
  });

  it("is mixed where rules of both scopes are named, and the first is the rule", () => {
    expect(ground("P2 and R3: no links, no phone numbers")).toMatchObject({
      scope: "mixed",
      rule_id: "P2",
      grounded: true,
    });
    expect(ground("platform rules P1 and R1")).toMatchObject({ scope: "platform", rule_id: "P1" });
    expect(ground("community rule R3, platform rule P2")).toMatchObject({ scope: "mixed", rule_id: "R3" });
  });

  it("keeps the scope of a rule beside which a precedent is named", () => {
    expect(ground("precedent pottery-p1 and R3")).toMatchObject({ scope: "community", rule_id: "R3" });
  });

  it("grounds an approval on the nearest prohibitions it names", () => {
    expect(ground('No rule prohibits this; nearest: R3 "No links to shops"')).toMatchObject({
      ...{ scope: "community", rule_id: "R3", grounded: true },
    });
    expect(ground("No prohibition applies; nearest: R3, R1 (links to shops; glaze recipe)")).toMatchObject({
      ...{ scope: "community", rule_id: "R3", grounded: true },
    });
    expect(ground("No rule prohibits this; nearest: R3")).toEqual({
      ...{ scope: "community", rule_id: "R3", overlap: 1, grounded: true },
    });
    expect(ground("No rule prohibits this; nearest: No links to shops")).toMatchObject({
      rule_id: "R3",
      grounded: true,
    });
  });

  it("finds the rule of a quotation without an id", () => {
    expect(ground("Links to a shop, your own or another, are removed")).toEqual({
      ...{ scope: "community", rule_id: "R3", overlap: 1, grounded: true },
    });
    expect(ground("new mugs in my etsy store")).toMatchObject({ scope: "precedent", rule_id: "pottery-p1" });
  });

  it("does not ground an invented citation, nor invented text behind a real id", () => {
    expect(ground("Members shall bow before the king every morning")).toMatchObject({
      ...{ scope: "none", rule_id: null, grounded: false },
    });
    const behindId = ground("R3: Members shall bow before the king every morning");
    expect(behindId).toMatchObject({ scope: "community", rule_id: "R3", grounded: false });
    expect(behindId.overlap).toBeLessThan(NAMED_GROUNDED_OVERLAP);
    expect(ground("P1: Links to a shop, your own or another, are removed")).toMatchObject({
      rule_id: "P1",
      grounded: false,
    });
    expect(ground("Rule R99: bow before kings")).toMatchObject({ scope: "none", rule_id: null, grounded: false });
  });

  it("takes the threshold as reached at exactly one half", () => {
    expect(GROUNDED_OVERLAP).toBe(0.5);
    expect(ground("kiln temperature purple elephants")).toMatchObject({ overlap: 0.5, grounded: true, rule_id: "R1" });
    expect(ground("kiln temperature purple elephants dancing").grounded).toBe(false);
  });

  it.each(["None", "N/A", "n/a.", "No rule applies", "No explicit rule on links", "Not applicable"])(
    "does not ground %s in a rule that happens to have these words",
    (citation) => {
      const frame = frameOf([
        ["platform", "P1", "Any title", "No explicit rule on links applies, a not applicable none n."],
      ]);
      expect(groundCitation(citation, frame)).toMatchObject({ scope: "none", rule_id: null, grounded: false });
    },
  );

  it("is undefined for a citation without words", () => {
    for (const citation of ["", " ", "—", '"…"']) {
      expect(ground(citation)).toEqual({ scope: "none", rule_id: null, overlap: null, grounded: false });
    }
  });

  it("takes a bare number or plain word for an id only where it is referred to", () => {
    const frame = frameOf([
      ["community", "3", "No spam", "The same text in 3 or more places."],
      ["community", "4", "Be kind", "Insults are removed."],
      ["community", "links", "Shops", "No links to shops."],
    ]);
    for (const citation of [
      "rule 3",
      "Rule #3",
      "#3",
      "[3]",
      "3",
      "3: no spam",
      "community:3",
      "Rule no. 3",
      "rule 3.",
    ]) {
      expect(groundCitation(citation, frame)).toMatchObject({ rule_id: "3", grounded: true });
    }
    expect(groundCitation("rules 4, 3", frame).rule_id).toBe("4");
    expect(groundCitation("insults are removed in 3 hours", frame).rule_id).toBe("4");
    expect(groundCitation("links: no links", frame).rule_id).toBe("links");
    expect(groundCitation("insults and links are removed", frame).rule_id).toBe("4");
  });

  it("finds ids that are no single word", () => {
    const frame = frameOf([
      ["community", "4.2(b)", "Hate speech", "Slurs are removed."],
      ["community", "4.2", "Tone", "Be kind."],
    ]);
    expect(groundCitation("Section 4.2(b) Hate speech", frame)).toMatchObject({ rule_id: "4.2(b)", grounded: true });
    expect(groundCitation("Section 4.2: be kind", frame).rule_id).toBe("4.2");
    expect(groundCitation("Section 14.25", frame).rule_id).toBeNull();
  });

  it("reads citations in other scripts", () => {
    const frame = frameOf([
      ["community", "R2", "宣伝禁止", "自分の店の宣伝は禁止です。"],
      ["community", "R5", "Уважайте других", "Оскорбления удаляются."],
    ]);
    expect(groundCitation("規則Ｒ２「宣伝禁止」", frame)).toMatchObject({ grounded: true, rule_id: "R2" });
    expect(groundCitation("ОСКОРБЛЕНИЯ УДАЛЯЮТСЯ", frame)).toMatchObject({ rule_id: "R5", overlap: 1 });
  });

  it("has the overlap of the best rule or precedent where no id is named", () => {
    const word = fc.constantFrom(
      "links",
      "shop",
      "glaze",
      "insult",
      "mugs",
      "phone",
      "king",
      "bow",
      "picture",
      "pot",
      "private",
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        const citation = words.join(" ");
        const texts = [...POTTERY.rules, ...POTTERY.precedents].map((source) => source.text);
        expect(ground(citation).overlap).toBe(Math.max(...texts.map((text) => tokenOverlap(citation, text)!)));
      }),
    );
  });

  it("never throws and always keeps overlap in [0, 1]", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" })), (citation) => {
        const { overlap } = ground(citation);
        if (overlap !== null) expect(overlap).toBeGreaterThanOrEqual(0);
        if (overlap !== null) expect(overlap).toBeLessThanOrEqual(1);
      }),
    );
  });
});
