import { describe, expect, it } from "vitest";
import {
  caseOf,
  frameOf,
  insideOf,
  precedent,
  prompterOf,
  RULES,
  rule,
  wholeText,
} from "../../auditors/prompt.suite.js";
import { unscrub } from "./scrub.js";

describe("scrubbing", () => {
  const rules = [rule("R1", "No contact data", "Ask Ann Lee, mods@plants.example, instead.")];
  const precedents = [precedent("p1", "Call 0171 2345678 or @fernfan"), precedent("p2", "Ann Lee said so")];
  const frame = frameOf(rules, precedents);
  const post = {
    title: "Ann Lee",
    body: "Write to me: me@home.example, or mods@plants.example. [EMAIL_1] is not me.",
    url: "https://plants.example/u/annlee",
    context: ["@fernfan: call +49 30 1234567"],
  };
  const SECRETS = /Ann Lee|plants\.example,|me@home|2345678|1234567|fernfan|annlee/;

  it("hides all of it in every part of the prompt, the same thing behind the same placeholder", () => {
    const prompt = prompterOf(100_000, ["Ann Lee"])(caseOf(frame, post));
    expect(wholeText(prompt)).not.toMatch(SECRETS);
    expect(prompt.shared).toContain("Ask [NAME_1], [EMAIL_1], instead.");
    expect(prompt.shared).toContain("Call [PHONE_1] or [HANDLE_1]");
    expect(insideOf(prompt)).toEqual([
      'url: "https://plants.example/[HANDLE_2]"',
      'context 1 of 1: "[HANDLE_1]: call [PHONE_2]"',
      'title: "[NAME_1]"',
      'body: "Write to me: [EMAIL_2], or [EMAIL_1]. [EMAIL_3] is not me."',
    ]);
    expect(prompt.notes.scrubbed).toEqual({
      "[NAME_1]": "Ann Lee",
      "[EMAIL_1]": "mods@plants.example",
      "[EMAIL_2]": "me@home.example",
      "[EMAIL_3]": "[EMAIL_1]",
      "[PHONE_1]": "0171 2345678",
      "[PHONE_2]": "+49 30 1234567",
      "[HANDLE_1]": "@fernfan",
      "[HANDLE_2]": "u/annlee",
    });
  });

  it("can be undone with the notes", () => {
    const prompt = prompterOf(100_000, ["Ann Lee"])(caseOf(frame, post));
    const plain = prompterOf()(caseOf(frame, post));
    const restored = unscrub(insideOf(prompt).join("\n"), prompt.notes.scrubbed!);
    expect(restored).toBe(insideOf(plain).join("\n"));
    expect(unscrub(prompt.shared, prompt.notes.scrubbed!)).toBe(plain.shared);
  });

  it("writes down nothing of another case", () => {
    const prompter = prompterOf(100_000, ["Ann Lee"]);
    prompter(caseOf(frame, post));
    const { notes } = prompter(caseOf(frameOf([]), "Nobody here"));
    expect(notes.scrubbed).toEqual({});
    expect(Object.values(prompter(caseOf(frame, "x@y.example")).notes.scrubbed!)).not.toContain("me@home.example");
  });

  it("writes down only what stands in the prompt where precedents are chosen", () => {
    const many = Array.from({ length: 80 }, (_, i) =>
      precedent(`p${i}`, `fern ${i}: a${i}@b.example ${"word ".repeat(30)}`),
    );
    const prompt = prompterOf(2600, [])(caseOf(frameOf(RULES, many), "fern 3"));
    const used = prompt.notes.precedents_used!;
    expect(used.length).toBeLessThan(80);
    expect(Object.values(prompt.notes.scrubbed!).sort()).toEqual(used.map((id) => `a${id.slice(1)}@b.example`).sort());
  });
});
