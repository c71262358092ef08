import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentParts } from "../../../core/records/decision.js";
import { CHANCE, nearness, type RuleWord, readFrame } from "./read-frame.js";
import { FRAME } from "./scope.suite.js";
import { nearestPrecedents, nearestRules, ruleNearness } from "./scope-case.js";
import { contentWords, StemIndex, tellingWords } from "./telling-words.js";

const words = (body: string) => contentWords(contentParts(body));
const text = (...list: string[]): RuleWord[] => list.map((word) => ({ word, weight: 1, said: [] }));
const near = (body: string, rule: number) => ruleNearness(readFrame(FRAME).rules[rule]!, words(body));

describe("nearness", () => {
  it("is what is shared beyond chance, in units of its spread", () => {
    // Three telling words, two of four shared: E = 0.005 · 3 · 4 = 0.06; (2 − 0.06) / √1.06.
    const content = words("glaze kiln wheel");
    expect(content.words.size).toBe(3);
    const expected = CHANCE * 3 * 4;
    const found = nearness(content, text("glaz", "kiln", "clai", "pot"));
    expect(found).toBeCloseTo((2 - expected) / Math.sqrt(1 + expected), 12);
  });

  it("is 0 of a text without a telling word, and below it where nothing is shared", () => {
    expect(nearness(words("glaze"), [])).toBe(0);
    expect(nearness(words("glaze"), text("clai"))).toBeLessThan(0);
  });

  it("counts a concept only where none of the words that stand for it is shared", () => {
    const rule: RuleWord[] = [...text("sell"), { word: "#sell", weight: 1, said: ["sell"] }];
    const said = nearness(words("selling"), rule);
    const meant = nearness(words("vendo"), rule);
    expect(Math.abs(said - meant)).toBeLessThan(0.02);
  });

  it("rises with each word that is shared and falls with the length of the content", () => {
    const vocabulary = fc.uniqueArray(fc.stringMatching(/^[bcdfg]{4}[aeiou]k$/), { minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(vocabulary, vocabulary, (rule, filler) => {
        const other = filler.filter((word) => !rule.includes(word));
        const list = rule.map((word) => ({ word, weight: 1, said: [] }));
        const content = (shared: number, more: string[]) => {
          const map = new Map([...rule.slice(0, shared), ...more].map((word) => [word, 1]));
          return { words: map, index: new StemIndex(map) };
        };
        for (let k = 1; k < rule.length; k++) {
          expect(nearness(content(k, []), list)).toBeGreaterThan(nearness(content(k - 1, other.slice(0, 1)), list));
          expect(nearness(content(k, other), list)).toBeLessThanOrEqual(nearness(content(k, []), list));
        }
      }),
    );
  });
});

describe("ruleNearness", () => {
  it("tells forbidden content from neutral content", () => {
    expect(near("Two pots for sale, send me your bids", 0).unexcused).toBeGreaterThan(0.3);
    expect(near("My first teapot survived the firing", 0).unexcused).toBeLessThan(0.3);
  });

  it("counts an exception by the words that the forbidden does not share, and its tag outright", () => {
    const plain = near("I offer one pot for sale", 0);
    const tagged = near("[bazaar] I offer one pot for sale", 0);
    expect(plain.allows.value).toBeLessThan(0.3);
    expect(tagged.allows.value).toBe(1.5);
    expect(tagged.allows.clause!.text).toContain("[bazaar]");
    expect(tagged.unexcused).toBeLessThan(plain.unexcused);
  });

  it("reads what a content shows by its form, and not the mere word for it", () => {
    expect([...words("see https://pots.example").words.keys()]).toContain("#link");
    expect([...words("what a link").words.keys()]).not.toContain("#link");
  });

  it("does not read what stands around the content", () => {
    const parts = { ...contentParts("My first teapot"), context: ["Two pots for sale, bids welcome"] };
    expect(contentWords(parts).words).toEqual(words("My first teapot").words);
  });
});

describe("nearestRules", () => {
  it("names the rule that the content is about first", () => {
    const content = contentParts("Which thermocouple and insulation for the wiring of my kiln?");
    expect(nearestRules({ frame: FRAME, content }, 2).map(({ id }) => id)).toContain("R2");
    expect(nearestRules({ frame: FRAME, content }, 1)).toHaveLength(1);
  });
});

describe("nearestPrecedents", () => {
  it("is the cosine of telling words", () => {
    const [found] = nearestPrecedents(
      words("Selling my wheel and two boxes of clay, make me an offer."),
      readFrame(FRAME),
    );
    expect(found).toMatchObject({ id: "pottery-p1", decision: "remove" });
    expect(found!.likeness).toBeCloseTo(1, 12);
    expect(nearestPrecedents(words("unrelated"), readFrame(FRAME))[0]!.likeness).toBe(0);
  });
});

describe("tellingWords", () => {
  it("leaves out what any text has, and brings words of one kind together", () => {
    const found = tellingWords("I am selling the pot, for sale to you");
    expect(found.get("sell")).toBe(1);
    expect(found.has("#sell")).toBe(true);
    expect(found.has("the")).toBe(false);
    expect(tellingWords("reading").get("read")).toBe(0.3);
  });
});
