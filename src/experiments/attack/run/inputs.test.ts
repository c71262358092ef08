import { describe, expect, it } from "vitest";
import { attackInputs } from "./read-cases.js";
import { makeCase } from "./scored.suite.js";

describe("attackInputs", () => {
  it("shows an auditor the case and nothing of the attack or the truth", () => {
    const { decisions } = attackInputs([makeCase({ decided_at: "2026-01-01", tags: ["attack"] })]);
    expect(decisions).toEqual([
      {
        id: "d1",
        community: "pottery",
        content: makeCase().content,
        decision: "approve",
        decided_at: "2026-01-01",
      },
    ]);
  });

  it("audits a case under its decision's id, or its own where two cases share a decision", () => {
    const one = attackInputs([makeCase({ id: "a" }), makeCase({ id: "b", decision_id: "d2" })]);
    expect([...one.auditIds]).toEqual([
      ["a", "d1"],
      ["b", "d2"],
    ]);
    const shared = attackInputs([makeCase({ id: "a" }), makeCase({ id: "b" })]);
    expect([...shared.auditIds.values()]).toEqual(["a", "b"]);
    const crossed = attackInputs([makeCase({ id: "d2" }), makeCase({ id: "x", decision_id: "d2" })]);
    expect(new Set(crossed.auditIds.values()).size).toBe(2);
  });

  it("lets a trace attack share the audit of the clean case it names, and audits it itself otherwise", () => {
    const clean = makeCase({ id: "c", kind: "clean", decision: "remove" });
    const trace = makeCase({ id: "t", target: "trace", kind: "citation_splice", decision: "remove", base_case: "c" });
    expect(attackInputs([clean, trace])).toMatchObject({ decisions: [{ id: "d1" }] });
    expect(attackInputs([clean, trace]).auditIds.get("t")).toBe("d1");
    expect(attackInputs([clean, { ...trace, decision: "approve" }]).decisions).toHaveLength(2);
    expect(attackInputs([{ ...trace, base_case: null }]).decisions).toHaveLength(1);
  });

  it("has another hash when anything that is audited changes, and the same when nothing does", () => {
    const { hash } = attackInputs([makeCase()]);
    expect(attackInputs([makeCase({ ground_truth: null, attack: null, archetype: "x" })]).hash).toBe(hash);
    expect(attackInputs([makeCase({ decision: "remove" })]).hash).not.toBe(hash);
  });
});
