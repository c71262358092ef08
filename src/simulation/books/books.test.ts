import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { BOOKS, bookCalled, fill, RULE_RELATIONS } from "./books.js";

const REMOVES = ["core", "described", "detailed", "implied"] as const;
const books = Object.entries(BOOKS);

describe.each(books)("phrase book %s", (_, book) => {
  const rng = createRng(1);
  const rules = [...book.rules, ...book.platform];
  const numbers = Object.fromEntries(Object.entries(book.numbers).map(([name, [least]]) => [name, least]));

  it("has eight topics and for each eight rules or more, with two about taste and a vague one among them", () => {
    expect(book.topics).toHaveLength(8);
    expect(book.rules.length).toBeGreaterThanOrEqual(8);
    const kinds = book.rules.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "subjective_content").length).toBeGreaterThanOrEqual(2);
    expect(kinds).toContain("vague_directive");
  });

  it("fills every slot of every text in every topic", () => {
    const texts = rules.flatMap(({ titles, description, detail, cases, foreign }) => [
      ...titles,
      description,
      detail,
      ...[cases, ...Object.values(foreign ?? {})].flatMap((one) => Object.values(one).flat()),
    ]);
    const talk = [book, ...Object.values(book.foreign)].flatMap(({ neutral, unwelcome, openers, closers }) => [
      ...neutral,
      ...unwelcome,
      ...openers,
      ...closers,
    ]);
    const all = [...texts, ...talk, ...book.titles, ...book.forbidden.texts, ...book.protected.texts];
    for (const topic of book.topics) {
      for (const text of all) {
        const filled = fill(text, { topic, book, numbers }, rng);
        expect(filled).not.toMatch(/[{}]|undefined|NaN/);
        expect(filled.trim()).not.toBe("");
      }
    }
  });

  it("has platform rules that speak of no topic and of no community's number", () => {
    const nowhere = { slug: "", words: {}, lists: {} };
    for (const { titles, description, detail } of book.platform) {
      for (const text of [...titles, description, detail]) fill(text, { topic: nowhere, book, numbers: {} }, rng);
    }
  });

  it("has words for each way to stand to a rule, in rules of both scopes", () => {
    for (const relation of RULE_RELATIONS) {
      if (relation === "void") continue;
      expect(book.rules.filter(({ cases }) => cases[relation]?.length).length, relation).toBeGreaterThan(4);
    }
    for (const relation of [...REMOVES, "cleared", "excepted", "open", "void"] as const) {
      expect(
        book.platform.some(({ cases }) => cases[relation]?.length),
        relation,
      ).toBe(true);
    }
  });

  it("uses no text twice: what is settled one way is never the text of what is not", () => {
    const texts = rules.flatMap(({ cases }) => Object.values(cases).flat());
    const every = [...texts, ...book.neutral, ...book.unwelcome, ...book.forbidden.texts, ...book.protected.texts];
    expect(new Set(every).size).toBe(every.length);
  });

  it("has keys once, and the rules that its conflicts of scope name", () => {
    const keys = rules.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { platform, community } of [book.forbidden, book.protected]) {
      expect(book.platform.some(({ key }) => key === platform)).toBe(true);
      expect(book.rules.some(({ key }) => key === community)).toBe(true);
    }
  });

  it("draws numbers above and below the rule's own", () => {
    const topic = book.topics[0]!;
    const wording = { topic, book, numbers: { limit: 10 } };
    for (let i = 0; i < 200; i += 1) {
      expect(Number(fill("{limit+}", wording, rng))).toBeGreaterThan(10);
      expect(Number(fill("{limit-}", wording, rng))).toBeLessThan(10);
    }
    expect(fill("{limit}", wording, rng)).toBe("10");
  });
});

describe("phrase books", () => {
  const shingles = (text: string) => {
    const words = text.toLowerCase().match(/[a-zà-ÿ]+/g) ?? [];
    return words.slice(3).map((_, i) => words.slice(i, i + 4).join(" "));
  };

  it("share hardly a phrase of four words in their rules, and no topic", () => {
    const of = (name: string) => {
      const { rules, platform } = bookCalled(name);
      return new Set(
        [...rules, ...platform].flatMap((rule) => [...rule.titles, rule.description, rule.detail].flatMap(shingles)),
      );
    };
    for (const [a] of books) {
      for (const [b] of books) {
        if (a >= b) continue;
        const [left, right] = [of(a), of(b)];
        const common = [...left].filter((phrase) => right.has(phrase));
        expect(common.length / Math.min(left.size, right.size), `${a}, ${b}: ${common.join("; ")}`).toBeLessThan(0.03);
        const slugs = new Set(bookCalled(a).topics.map(({ slug }) => slug));
        expect(bookCalled(b).topics.filter(({ slug }) => slugs.has(slug))).toEqual([]);
      }
    }
  });

  it("are known by name", () => {
    expect(() => bookCalled("toString")).toThrow(/unknown book/);
  });
});
