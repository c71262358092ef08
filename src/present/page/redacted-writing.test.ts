import { describe, expect, it } from "vitest";
import type { Citation } from "../../core/records/audit.js";
import type { PageRuleSet } from "../../measures/report-page.js";
import { redactedWriting } from "./writing.js";

const sets: PageRuleSet[] = [
  {
    scope: "platform",
    community: null,
    version: "1",
    effective_from: null,
    rules: [{ id: "P1", title: "No threats", description: "Threats are removed." }],
  },
  {
    scope: "community",
    community: "boats",
    version: "1",
    effective_from: null,
    rules: [{ id: "R1", title: "Sails only", detail: "Engines, up to 4 hp, are discussed elsewhere." }],
  },
];
const writing = redactedWriting(sets, (text) => `hash of ${text.length}`);
const grounded: Citation = { scope: "community", rule_id: "R1", overlap: 1, grounded: true };
const cited = (text: string, citation: Citation | null = grounded, community = "boats") =>
  writing.cited(text, 1_000, citation, community).text;

describe("redacted writing", () => {
  it("is a length and a hash, and nothing of the text", () => {
    expect(writing.text("my secret", 100, "content")).toEqual({ text: null, length: 9, hash: "hash of 9" });
    expect(writing.message("cannot read: my secret", 100)).toBe("redacted, 22 characters");
    expect(writing.name("Jane Roe", "person")).toBe("person hash of ");
  });

  it("names a rule that only audits know by a hash, unless its id is a plain word", () => {
    expect(writing.citedRule("R9", "boats")).toBe("R9");
    expect(writing.citedRule("as Jane said", "boats")).toBe("rule hash of ");
  });

  it("shows a citation whose every word is a rule's", () => {
    const words = 'Community rule R1 "Sails only": engines, up to 4 hp';
    expect(cited(words)).toBe(words);
    expect(cited("platform rule P1: threats", { ...grounded, scope: "platform" })).not.toBeNull();
  });

  it("hides one that has a word, a number or a sign of its own, or another community's words", () => {
    expect(cited("R1: engines of Jane")).toBeNull();
    expect(cited("R1: engines up to 40 hp")).toBeNull();
    expect(cited("R1: engines 😀")).toBeNull();
    expect(cited("R1: engines", grounded, "kites")).toBeNull();
  });

  it("hides one that does not rest on rules alone", () => {
    for (const change of [{ scope: "precedent" }, { scope: "none" }, { overlap: 0.9 }, { grounded: false }] as const) {
      expect(cited("R1: engines", { ...grounded, ...change })).toBeNull();
    }
    expect(cited("R1: engines", null)).toBeNull();
  });

  it("keeps the bits of tokens and hides their text with the citation's", () => {
    const tokens: [string, number][] = [
      ["R1:", 0.5],
      [" engines", 1],
    ];
    expect(writing.tokens(tokens, grounded, "boats")).toEqual(tokens);
    expect(writing.tokens([...tokens, [" Jane", 2]], grounded, "boats")).toEqual([
      [null, 0.5],
      [null, 1],
      [null, 2],
    ]);
  });

  it("keeps codes, and nothing that somebody made up in their place", () => {
    expect(["post", "jane", "a post by Jane"].map((kind) => writing.code(kind, "kind"))).toEqual(["post", null, null]);
    expect(["pt-BR", "jane"].map((name) => writing.name(name, "language"))).toEqual(["pt-BR", "redacted hash of "]);
    expect(["2026-03-01T10:00:00Z", "2026-03-01, says Jane"].map((date) => writing.code(date, "date"))).toEqual([
      "2026-03-01T10:00:00Z",
      null,
    ]);
    expect(["refused", "jane_said_no"].map((code) => writing.code(code, "error"))).toEqual(["refused", null]);
    expect(["gpt-4o", "janes-bot"].map((id) => writing.code(id, "model"))).toEqual(["gpt-4o", null]);
  });

  it("keeps numbers of versions, and how those of two rule sets make up that of an audit", () => {
    expect(writing.name("2026-02+1", "version")).toBe("2026-02+1");
    const [own, both] = ["jane's", "3+jane's"].map((one) => writing.name(one, "version"));
    expect(own).toMatch(/^version /);
    expect(both).toBe(`3+${own}`);
  });

  it("keeps ids of rules, not sentences in their place", () => {
    expect(writing.ruleId("R1", "boats")).toBe("R1");
    expect(writing.ruleId("because Jane said so", "boats")).toBeNull();
  });
});
