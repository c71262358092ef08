import { describe, expect, it } from "vitest";
import { POTS } from "../build/attack-material.suite.js";
import { auditOf, makeCase } from "./scored.suite.js";
import { scoreCase } from "./tables.js";

describe("scoreCase", () => {
  it("gives the layers nothing of the truth and nothing of what the attack was", () => {
    const told = scoreCase(makeCase(), auditOf(), null, POTS);
    const silent = makeCase({ ground_truth: null, attack: null, archetype: "other", rule: null, rule_kind: null });
    const untold = scoreCase({ ...silent, kind: "clean" }, auditOf(), null, POTS);
    for (const key of ["scores", "level", "grounded", "scope", "dual", "signals", "input"] as const) {
      expect(untold[key]).toEqual(told[key]);
    }
  });

  it("puts the citation of a trace attack in place of the audit's, and looks for it anew", () => {
    const text = 'community rule R9 "Royal rule": members shall bow';
    const trace = makeCase({ target: "trace", attack: { what: "", text } });
    const scored = scoreCase(trace, auditOf(), null, POTS);
    expect(scored.input.trace).toMatchObject({ policy_citation: text, defensibility_level: 1 });
    expect(scored).toMatchObject({ grounded: false, level: 1 });
    expect(scored.scores.signal).toBeCloseTo(0.03, 12);
    // Its tokens were never drawn.
    expect(scored.signals.h_citation_bits).toBeNull();
  });

  it("takes a missing citation for one that is not found, and a missing probability for unknown", () => {
    const trace = { ...auditOf().trace!, policy_citation: null };
    const audit = auditOf({ trace, citation: null, p_defensible: null, pds: null, lambda_nats: null });
    const scored = scoreCase(makeCase(), audit, null, POTS);
    expect(scored).toMatchObject({ grounded: false, scores: { signal: null, pds: null, grounding: 1 } });
    expect(scored.signals).toMatchObject({ confidence: null, overlap: null });
  });

  it("puts back what was hidden from the model before it looks at its words", () => {
    const trace = { ...auditOf().trace!, policy_citation: "community rule [NAME_1]: Links to a shop" };
    const prompt = { precedents_used: null, precedents_left_out: 0, content_cut: 0, scrubbed: { "[NAME_1]": "R3" } };
    const { input } = scoreCase(makeCase(), auditOf({ trace, prompt }), null, POTS);
    expect(input.trace.policy_citation).toBe("community rule R3: Links to a shop");
  });

  it("compares the decision with its opposite where both were audited", () => {
    const own = auditOf({ level: 3, p_defensible: 0.1 });
    const scored = scoreCase(makeCase(), own, auditOf({ level: 1, p_defensible: 0.9 }), POTS);
    expect(scored.dual).toMatchObject({ flagged: true });
    expect(scored.scores.dual).toBeCloseTo(0.81, 12);
    expect(scoreCase(makeCase(), own, auditOf({ outcome: "error", level: null }), POTS).dual?.flagged).toBe(false);
  });
});
