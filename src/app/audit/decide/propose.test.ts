import { describe, expect, it } from "vitest";
import type { Generation } from "../../../core/records/case.js";
import { bareGeneration } from "../generation.suite.js";
import { proposedDecision, readProposal } from "./propose.js";

const ACTIONS = ["remove", "approve"];

const generation = (text: string, changes: Partial<Generation> = {}) => bareGeneration({ text, ...changes });

describe("a decider's answer", () => {
  it("is read however it is wrapped, and its last proposal counts", () => {
    const answer = 'So: ```json\n{"rationale":"a \\"b\\"","cited_rule":"R2","decision":"Remove"}\n```';
    expect(readProposal(generation(answer), ACTIONS)).toEqual({
      decision: "remove",
      rationale: 'a "b"',
      cited_rule: "R2",
      confidence: null,
    });
    const two = '{"decision":"approve"} no, {"decision":"remove","cited_rule":null}';
    expect(readProposal(generation(two), ACTIONS)).toMatchObject({ decision: "remove", cited_rule: null });
  });

  it("that names no action is none", () => {
    for (const text of ["", "remove", '{"decision":"escalate"}', '{"decision":1}', '{"decision":"rem', "{{{"]) {
      expect(readProposal(generation(text), ACTIONS)).toBeNull();
    }
  });

  it("is as confident as the tokens of the action, and only where their space is known", () => {
    const texts = ['{"decision', '":"', "rem", "ove", '"}'];
    const tokens = texts.map((text, i) => ({ text, logprob: i === 2 || i === 3 ? Math.log(0.5) : 0, top: [] }));
    const text = texts.join("");
    expect(readProposal(generation(text, { tokens }), ACTIONS)!.confidence).toBeCloseTo(0.25, 12);
    expect(readProposal(generation(text, { tokens, space: "tempered" }), ACTIONS)!.confidence).toBeNull();
  });
});

describe("a proposed decision", () => {
  const earlier = {
    id: "d",
    community: "c",
    content: "x",
    decision: "approve",
    decider: { kind: "human" as const, id: "mod" },
    appeal: { text: "why" },
    rationale: "old",
    gold: { level: 1 as const, inverse: false, rule_ids: ["R1"] },
  };
  const proposal = { decision: "remove", rationale: null, cited_rule: null, confidence: 0.9 };

  it("keeps of the earlier one only what still holds", () => {
    expect(proposedDecision(earlier, { proposal, actions: { remove: 1, approve: 0 } }, "openai:m", 1)).toEqual({
      id: "d",
      community: "c",
      content: "x",
      decision: "remove",
      human_label: "approve",
      decider: { kind: "model", id: "openai:m", confidence: 0.9 },
    });
  });

  it("keeps gold for the same action", () => {
    const same = { ...proposal, decision: "approve" };
    expect(proposedDecision(earlier, { proposal: same, actions: {} }, "m", 1).gold).toEqual(earlier.gold);
  });

  it("says how often each action was proposed, where it was proposed several times", () => {
    const actions = { remove: 7, approve: 3 };
    expect(proposedDecision(earlier, { proposal, actions }, "m", 10).decider).toEqual({
      kind: "model",
      id: "m",
      confidence: 0.9,
      replicates: actions,
    });
  });
});
