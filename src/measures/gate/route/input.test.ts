import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MODERATION_ACTIONS } from "../../../core/records/actions.js";
import { auditSchema } from "../../../core/records/audit.js";
import { decisionSchema } from "../../../core/records/decision.js";
import { goodAudit } from "../route.suite.js";
import { isAudit, isDecision } from "./input.js";

/** A value that is right nearly always, so that single faults are met. */
const mostly = (right: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 12, arbitrary: right },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null, 7, "", "x", true, [], {}, [1], { body: 1 }, Number.NaN) },
  );
const text = mostly(fc.string());
const name = mostly(fc.string({ minLength: 1 }));

const decision = fc.record({
  id: name,
  community: name,
  content: mostly(
    fc.oneof(
      fc.string(),
      fc.record({ body: text, title: text, media: mostly(fc.array(fc.anything())), context: mostly(fc.array(text)) }),
    ),
  ),
  decision: mostly(fc.constantFrom("remove", "approve")),
  human_label: mostly(fc.constant("remove")),
  decider: mostly(
    fc.record({ kind: mostly(fc.constantFrom("model", "human", "rule")), confidence: mostly(fc.constant(0.5)) }),
  ),
  rationale: text,
  cited_rule: text,
  appeal: mostly(fc.record({ text, outcome: mostly(fc.constantFrom("upheld", "overturned", "pending")) })),
  gold: mostly(
    fc.record({
      level: mostly(fc.constantFrom(1, 2, 3)),
      inverse: mostly(fc.boolean()),
      rule_ids: mostly(fc.array(text)),
      note: text,
    }),
  ),
  tags: mostly(fc.array(text)),
  author: text,
  erased: mostly(fc.boolean()),
});

describe("a decision", () => {
  it("is taken for one exactly where its schema says so and its action is one of the two", () => {
    let right = 0;
    fc.assert(
      fc.property(decision, (value) => {
        const action = value.decision === "remove" || value.decision === "approve";
        const expected = action && decisionSchema.safeParse(value).success;
        if (expected) right++;
        expect(isDecision(value, MODERATION_ACTIONS)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
    // Both answers were met, and often.
    expect(right).toBeGreaterThan(100);
    expect(right).toBeLessThan(2900);
  });

  it("with half a character in its id is none: it could not be given back as it came", () => {
    const whole = { id: "😀", community: "plants", content: "x", decision: "remove" };
    expect(isDecision(whole, MODERATION_ACTIONS)).toBe(true);
    expect(isDecision({ ...whole, id: "\ud83d" }, MODERATION_ACTIONS)).toBe(false);
  });
});

describe("an audit", () => {
  it("of ours is always one", () => {
    const audit = { ...goodAudit(), run_id: "r", temperature: 0.2, attempts: 1, created_at: "2026-11-01T00:00:00Z" };
    const whole = { ...audit, citation: { ...audit.citation, overlap: 1, grounded: true } };
    expect(auditSchema.safeParse(whole).success).toBe(true);
    expect(isAudit(whole)).toBe(true);
  });

  it("with a field that cannot be is none", () => {
    const texts = [
      "arm",
      "auditor",
      "auditor_version",
      "prompt_version",
      "template",
      "ruleset_version",
      "tier",
      "signal",
    ];
    const numbers = ["lambda_nats", "h_weight_bits", "h_citation_bits", "inverse_log_odds"];
    const outside: Record<string, number[]> = {
      lambda_nats: [5, 0.01, -1.2, Number.NEGATIVE_INFINITY],
      h_weight_bits: [1000, 1.6, -0.01, -1000, Number.POSITIVE_INFINITY],
      h_citation_bits: [-1000, -0.01, 1000, Number.POSITIVE_INFINITY],
      inverse_log_odds: [],
    };
    const probabilities = ["inverse_yes_prob", "p_defensible"];
    const wrong: Record<string, unknown[]> = {
      ...Object.fromEntries([...texts, "language"].map((field) => [field, [7, []]])),
      ...Object.fromEntries(numbers.map((field) => [field, ["0.4", Number.NaN, [], true, ...outside[field]!]])),
      ...Object.fromEntries(probabilities.map((field) => [field, [1.1, -0.1, Number.NaN, "0.5"]])),
      ...Object.fromEntries(["decision_id", "community", "decision"].map((field) => [field, [undefined, null, 7]])),
      level: [0, 4, "1", 1.5],
      inverse: ["Yes", 1],
      replicate: [0.5, "0"],
      outcome: ["fine", 7],
      level_probs: [[0.5, 0.5], [0.5, 0.5, 0.5], [2, -1, 0], [Number.NaN, 0.5, 0.5], "0.5", [0.3, 0.3, 0.3]],
      level_map: [0, "1"],
      flags: ["injection_suspected", [7], {}],
      citation: [{ scope: "elsewhere", rule_id: "R1" }, { rule_id: "R1" }, "R1", { scope: "none", rule_id: 7 }],
      inverse_citation: [{ scope: "elsewhere" }, "R1"],
      read: ["text", 7, []],
      trace: ["text", { policy_citation: 7 }, { inverse_citation: [] }],
    };
    const optional = Object.keys(goodAudit()).filter(
      (field) => !["decision_id", "community", "decision"].includes(field),
    );
    expect([...optional, "inverse_citation", "trace"].sort()).toEqual(
      Object.keys(wrong)
        .filter((field) => !["decision_id", "community", "decision"].includes(field))
        .sort(),
    );
    for (const field of optional) expect(isAudit({ ...goodAudit(), [field]: null }), field).toBe(true);
    expect(isAudit(goodAudit())).toBe(true);
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) expect(isAudit({ ...goodAudit(), [field]: value }), field).toBe(false);
    }
  });

  it("whose numbers contradict each other is none", () => {
    const is = (changes: object) => isAudit({ ...goodAudit(), ...changes });
    const three = { level_probs: [0.3, 0.3, 0.4], lambda_nats: null, p_defensible: null };
    expect(is({ ...three, level_map: 1 })).toBe(false);
    expect(is({ ...three, level_map: 3 })).toBe(true);
    expect(is({ ...three, level_map: null })).toBe(true);
    // A level that is worse than the probabilities have it speaks against automation: it is believed.
    expect(is({ level_map: 3 })).toBe(true);
    expect(is({ level_map: 2 })).toBe(false);
    expect(is({ lambda_nats: Math.log(0.5) })).toBe(false);
    expect(is({ lambda_nats: -0.11 })).toBe(true);
    expect(is({ p_defensible: 0.98 })).toBe(true);
    expect(is({ p_defensible: 0.93 })).toBe(false);
    expect(is({ inverse_log_odds: -1e9, inverse_yes_prob: 1 })).toBe(false);
    expect(is({ inverse_log_odds: Number.NEGATIVE_INFINITY, inverse_yes_prob: 0 })).toBe(true);
    expect(is({ inverse_log_odds: null, inverse_yes_prob: 1 })).toBe(true);
  });

  it("with numbers at their bounds, as they are printed, is one", () => {
    const third = { level_probs: [0.333, 0.333, 0.333], level_map: 3, lambda_nats: -1.099, p_defensible: 0.667 };
    expect(isAudit({ ...goodAudit(), ...third, h_weight_bits: 1.585, h_citation_bits: 0 })).toBe(true);
    const sure = { level_probs: [1, 0, 0], lambda_nats: 0, p_defensible: 1, h_weight_bits: 0, h_citation_bits: 17.2 };
    expect(isAudit({ ...goodAudit(), ...sure })).toBe(true);
  });
});
