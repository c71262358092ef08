import { describe, expect, it } from "vitest";
import { createPrompter } from "../../src/audit/prompt/audit-prompt.js";
import { byLength } from "../../src/auditors/prompt.suite.js";
import { developmentCases, PLACES, withPayload } from "./cases.js";
import { PAYLOADS } from "./payloads.js";

describe.each(["paper", "guided"] as const)("a payload in the prompt, template %s", (template) => {
  const prompter = createPrompter({ template, counter: byLength, budget: 100_000, scrub: null });
  const cases = developmentCases().filter((_, i) => i % 40 === 0);

  it("comes from a corpus worth the name", () => {
    expect(PAYLOADS.length).toBeGreaterThanOrEqual(60);
    expect(cases.length).toBeGreaterThan(4);
  });

  it.each(PLACES)("never leaves its frame: %s", (place) => {
    for (const payload of PAYLOADS) {
      for (const auditCase of cases) {
        const clean = prompter(auditCase);
        const hostile = withPayload(auditCase, payload, place);
        const { system, shared, own } = prompter(hostile);
        expect([system, shared]).toEqual([clean.system, clean.shared]);
        const lines = own.split("\n");
        const nonce = /^BEGIN CONTENT ([0-9a-f]{16})$/.exec(
          lines.find((line) => line.startsWith("BEGIN CONTENT "))!,
        )![1]!;
        // The code stands at the two fence lines, once each, and nowhere else.
        expect(lines.filter((line) => line.includes(nonce))).toEqual([
          `BEGIN CONTENT ${nonce}`,
          `END CONTENT ${nonce}`,
        ]);
        expect(shared + system).not.toContain(nonce);
        const inside = lines.slice(lines.indexOf(`BEGIN CONTENT ${nonce}`) + 1, lines.indexOf(`END CONTENT ${nonce}`));
        const body = inside.find((line) => line.startsWith("body: "))!;
        expect(JSON.parse(body.slice("body: ".length))).toBe(hostile.content.body);
        for (const line of inside) {
          expect(line).toMatch(/^(?:kind|language|url|title|body|context \d+ of \d+): "/);
          expect(line).not.toMatch(/[<>\p{Cc}\p{Cf}]/u);
        }
        expect(lines.slice(lines.indexOf(`END CONTENT ${nonce}`) + 1)).toEqual(clean.own.split("\n").slice(-1));
      }
    }
  });
});
