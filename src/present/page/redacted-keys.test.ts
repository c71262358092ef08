import { describe, expect, it } from "vitest";
import type { GateKey } from "../../core/gate.js";
import type { Report } from "../../core/results/report.js";
import { cohortKey } from "../../measures/gate/route/reasons.js";
import { redactedKeys } from "./writing.js";

const report = {
  communities: [{ community: "boats" }, { community: "boats and sails" }, { community: "× odd" }],
  rules: [
    { scope: "platform", community: null, rule_id: "No threats", title: "Threats" },
    { scope: "community", community: "boats", rule_id: "Sails only", title: "Sails" },
    { scope: "community", community: "boats", rule_id: "what Bob said", title: null },
  ],
} as unknown as Report;
const hashOf = (text: string) => `<${text.length}>`;
const redact = (by: GateKey[], fields: Parameters<typeof cohortKey>[1]) =>
  redactedKeys(report, by, hashOf)(cohortKey(by, fields));
const cited = (scope: string, rule_id: string) => ({ scope, rule_id });

describe("the name of a cohort in a redacted report", () => {
  it("keeps communities and actions, whatever stands in them", () => {
    expect(redact(["community"], { community: "Bob × Ann said" })).toBe("Bob × Ann said");
    const both = { community: "× odd", decision: "remove" };
    expect(redact(["community", "decision"], both)).toBe(cohortKey(["community", "decision"], both));
  });

  it("keeps a language that is a word, and hashes one that is a sentence as the report's languages are", () => {
    expect(redact(["language"], { language: "pt-BR" })).toBe("pt-BR");
    expect(redact(["language"], {})).toBe("unknown");
    expect(redact(["language"], { language: "as Bob speaks" })).toBe("redacted <13>");
    expect(redact(["community", "language"], { community: "× odd", language: "a × b" })).toBe("×× odd × redacted <5>");
  });

  it("keeps rules of the workspace, and hashes what only audits name unless it is a word", () => {
    const of = (citation: { scope: string; rule_id: string }, community = "boats") => [
      redact(["community", "rule"], { community, citation }),
      redact(["rule"], { community, citation }),
    ];
    expect(of(cited("platform", "No threats"))).toEqual(["boats × platform No threats", "platform No threats"]);
    expect(of(cited("community", "Sails only"))).toEqual(["boats × Sails only", "boats Sails only"]);
    expect(of(cited("mixed", "No threats"))).toEqual(["boats × No threats", "boats No threats"]);
    expect(of(cited("community", "R9"))).toEqual(["boats × R9", "boats R9"]);
    expect(of(cited("community", "what Bob said"))).toEqual(["boats × rule <13>", "boats rule <13>"]);
    expect(of(cited("platform", "what Bob said"))).toEqual(["boats × platform rule <13>", "platform rule <13>"]);
    expect(of(cited("none", "what Bob said"))).toEqual(["boats × no rule", "no rule"]);
    // Another community's rule of that name is not known there, and the longest name is the community's.
    expect(of(cited("community", "Sails only"), "boats and sails")).toEqual([
      "boats and sails × rule <10>",
      "boats and sails rule <10>",
    ]);
  });

  it("says nothing of a cohort by other keys but whether it is a community", () => {
    const keyOf = redactedKeys(report, ["community", "language"], hashOf);
    expect(keyOf("boats")).toBe("boats");
    expect(keyOf("what Bob said")).toBe("redacted <13>");
  });
});
