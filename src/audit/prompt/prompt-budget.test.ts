import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  byLength,
  caseOf,
  FRAME,
  frameOf,
  insideOf,
  POST,
  precedent,
  prompterOf,
  RULES,
  rule,
  wholeText,
} from "../../auditors/prompt.suite.js";
import { InputError } from "../../core/errors.js";
import { createPrompter } from "./audit-prompt.js";
import { encodeText } from "./encode.js";
import { createTokenCounter } from "./token-counter.js";

describe("precedents that do not all fit", () => {
  const many = Array.from({ length: 60 }, (_, i) =>
    precedent(`p${i}`, `${i % 2 ? "cactus soil and sand" : "fern leaves in shade"} number ${i} ${"word ".repeat(30)}`),
  );
  const frame = frameOf(RULES, many);
  const budget = 2700;

  it("are chosen by likeness, nearest first, and written down", () => {
    const prompt = prompterOf(budget)(caseOf(frame, "My cactus wants other soil, number 7"));
    const { precedents_used: used, precedents_left_out: left, flags } = prompt.notes;
    expect(used!.length).toBeGreaterThan(3);
    expect(used!.length + left).toBe(60);
    expect(flags).toEqual(["precedents_cut"]);
    expect(used![0]).toBe("p7");
    expect(used!.every((id) => Number(id.slice(1)) % 2 === 1)).toBe(true);
    const shown = [...prompt.own.matchAll(/^\{"precedent":"(p\d+)"/gm)].map((match) => match[1]);
    expect(shown).toEqual(used);
    expect(prompt.own).toContain(`${used!.length} of 60, nearest first:`);
    expect(prompt.shared).not.toContain('{"precedent"');
    expect(prompterOf(budget)(caseOf(frame, "My cactus wants other soil, number 7"))).toEqual(prompt);
  });

  it("keep their order where nothing tells them apart", () => {
    const { notes } = prompterOf(budget)(caseOf(frame, "?"));
    expect(notes.precedents_used!.slice(0, 3)).toEqual(["p0", "p1", "p2"]);
  });

  it("stand in the same place whatever the content is", () => {
    const prompter = prompterOf(budget);
    const shared = prompter(caseOf(frame, "")).shared;
    for (const body of ["x", "cactus ".repeat(5000), "🌱".repeat(300)]) {
      expect(prompter(caseOf(frame, body)).shared).toBe(shared);
    }
  });

  it("give way to a long one only as far as it needs", () => {
    const giant = precedent("giant", `cactus ${"soil ".repeat(20_000)}`);
    const { notes } = prompterOf(budget)(caseOf(frameOf(RULES, [giant, ...many]), "cactus soil"));
    expect(notes.precedents_used).not.toContain("giant");
    expect(notes.precedents_used!.length).toBeGreaterThan(3);
  });
});

describe("the budget", () => {
  const long = fc.constantFrom("word ", "a", "\u200b", "漢", "🌱", "<b>", "12 ", "\n", '"', "\ud800");
  const text = fc.tuple(long, fc.integer({ min: 0, max: 30_000 })).map(([unit, times]) => unit.repeat(times));
  const precedents = Array.from({ length: 20 }, (_, i) => precedent(`p${i}`, `fern number ${i} `.repeat(20)));

  it.each(["o200k", "gemini"])("holds for whatever comes, counted with %s", async (name) => {
    const counter = await createTokenCounter(name);
    const frame = frameOf(RULES, precedents);
    const content = fc.record({
      title: text,
      body: text,
      url: text,
      kind: text,
      context: fc.array(text, { maxLength: 3 }),
      media: fc.constant<unknown[]>([{}]),
    });
    const prompterFor = (budget: number) => createPrompter({ template: "extended", counter, budget, scrub: null });
    let tight = 1000;
    for (; ; tight += 10) {
      try {
        prompterFor(tight)(caseOf(frame, ""));
        break;
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }
    for (const budget of [tight, tight + 150, tight + 400, 2600, 6000]) {
      const prompter = prompterFor(budget);
      fc.assert(
        fc.property(content, (one) => {
          const { system, shared, own } = prompter(caseOf(frame, one));
          expect(counter.count(system) + counter.count(shared) + counter.count(own)).toBeLessThanOrEqual(budget);
        }),
        { numRuns: 25 },
      );
    }
  });

  it("cuts a long body in its middle and says how much is missing, outside of the text", () => {
    const body = `START ${"filler 🌱 ".repeat(12_000)}END`;
    const prompt = prompterOf(4000)(caseOf(FRAME, { ...POST, body }));
    const lines = insideOf(prompt);
    const head = /^body, beginning: (".*")$/.exec(lines.at(-3)!)!;
    const left = /^\((\d+) characters of body left out here to fit\)$/.exec(lines.at(-2)!)!;
    const tail = /^body, end: (".*")$/.exec(lines.at(-1)!)!;
    const [first, last] = [JSON.parse(head[1]!) as string, JSON.parse(tail[1]!) as string];
    expect(body.startsWith(first)).toBe(true);
    expect(body.endsWith(last)).toBe(true);
    expect(first.isWellFormed() && last.isWellFormed()).toBe(true);
    expect([...first].length + [...last].length + Number(left[1])).toBe([...body].length);
    expect(prompt.notes.content_cut).toBe(Number(left[1]));
    expect(prompt.notes.flags).toEqual(["content_cut"]);
    // Most of the room is used: what is cut is cut for want of room.
    expect(byLength.count(wholeText(prompt))).toBeGreaterThan(3500);
  });

  it("cuts the texts around a post before the post", () => {
    const context = Array.from({ length: 40 }, (_, i) => `reply ${i} ${"word ".repeat(100)}`);
    const prompt = prompterOf(4000)(caseOf(FRAME, { title: "A fern?", body: "body ".repeat(500), context }));
    const lines = insideOf(prompt);
    expect(lines.at(-1)).toBe(`body: ${encodeText("body ".repeat(500))}`);
    expect(lines.at(-2)).toBe('title: "A fern?"');
    expect(lines.some((line) => /^\(\d+ characters of context \d+ to 40 left out here to fit\)$/.test(line))).toBe(
      true,
    );
    expect(prompt.notes.content_cut).toBeGreaterThan(10_000);
  });

  it("is not exceeded by a kind, a language, an address or a title without end", () => {
    const endless = "x".repeat(100_000);
    const content = { title: endless, kind: endless, language: endless, url: endless, body: "The body." };
    const prompt = prompterOf(2500)(caseOf(FRAME, content));
    expect(byLength.count(wholeText(prompt))).toBeLessThanOrEqual(2500);
    expect(insideOf(prompt).at(-1)).toBe('body: "The body."');
  });

  it("never cuts rules: too many of them are an error with numbers and a way out", () => {
    const frame = frameOf(Array.from({ length: 200 }, (_, i) => rule(`R${i}`, "Title", "words ".repeat(20))));
    const attempt = () => prompterOf(4000)(caseOf(frame, POST));
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(
      /rules: too long .*got \d{4} tokens .*"plants" at tier wiki, expected at most \d+ next to \d+/,
    );
    try {
      attempt();
    } catch (error) {
      expect((error as InputError).code).toBe("rules_too_long");
      expect((error as InputError).remedy).toMatch(/`tier` \(sidebar.*`context`.*longer context/);
    }
  });

  it("says that there are no precedents also where rules leave little room", () => {
    const frame = frameOf([rule("R1", "Title", "words ".repeat(1400))]);
    const prompt = prompterOf(4000)(caseOf(frame, POST));
    expect(prompt.shared).toContain("Precedents, earlier decisions of the community: none.");
    expect(prompt.notes).toMatchObject({ flags: [], precedents_used: null });
  });

  it.each([
    ["nothing", ""],
    ["emoji", "👩‍🔧🏳️‍🌈🌱"],
    ["right-to-left text", "مرحبا שלום"],
    ["half a pair", "\ud83c"],
  ])("has room for %s", (_, body) => {
    const line = insideOf(prompterOf()(caseOf(FRAME, body))).at(-1)!;
    expect(JSON.parse(line.slice("body: ".length))).toBe(body);
  });

  it("counts the frame once, and a content a few times however long it is", () => {
    let counted = 0;
    const counter = {
      ...byLength,
      count: (one: string) => {
        counted += one.length;
        return byLength.count(one);
      },
    };
    const prompter = createPrompter({ template: "paper", counter, budget: 8000, scrub: null });
    prompter(caseOf(FRAME, "warm"));
    counted = 0;
    prompter(caseOf(FRAME, "short"));
    expect(counted).toBeLessThan(100);
    counted = 0;
    prompter(caseOf(FRAME, "word ".repeat(400_000)));
    expect(counted).toBeLessThan(8 * 32_000);
  });
});
