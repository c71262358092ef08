import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Frames } from "../../audit/frames.js";
import { RuleBook } from "../../audit/rules-in-force.js";
import { contentParts, decisionSchema, precedentSchema } from "../../core/records/decision.js";
import { rulesInText } from "../../measures/grounding/rules-in-text.js";
import { loadRuleSets } from "../../store/files/rule-files.js";
import { openWorkspace } from "../../store/files/workspace.js";
import { generateTrace } from "./baseline-auditor.js";

const SAMPLE = join(import.meta.dirname, "..", "..", "..", "examples", "commons-hard");
const workspace = openWorkspace(SAMPLE);
const lines = (name: string) =>
  readFileSync(join(SAMPLE, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const frames = new Frames(
  lines("precedents.jsonl").map((row) => precedentSchema.parse(row)),
  "wiki",
  workspace.config.actions,
);
const rules = new RuleBook(loadRuleSets(workspace).map(({ set }) => set));
const traces = lines("decisions.jsonl").flatMap((row) => {
  const decision = decisionSchema.parse(row);
  const { frame } = frames.of(decision.community, rules.inForce(decision));
  const auditCase = {
    frame,
    content: contentParts(decision.content),
    decision: decision.decision,
    template: "paper" as const,
  };
  return [0, 0.2].map((temperature) => ({
    frame,
    trace: JSON.parse(generateTrace(auditCase, temperature, decision.id).text) as {
      logic_chain: string;
      policy_citation: string;
      defensibility_level: number;
    },
  }));
});

describe("the baseline on the whole sample", () => {
  it("argues from the rule or precedent that it cites, in every audit", () => {
    for (const { frame, trace } of traces) {
      const cited = rulesInText(trace.policy_citation, frame).named;
      expect(cited).toHaveLength(1);
      const name =
        cited[0]!.scope === "precedent"
          ? "Precedent"
          : cited[0]!.scope === "platform"
            ? "Platform rule"
            : "Community rule";
      expect(trace.logic_chain).toMatch(new RegExp(`^${name} ${cited[0]!.rule_id} `));
    }
  });

  it("never says that no rule prohibits the content where the decision does not follow", () => {
    const indefensible = traces.filter(({ trace }) => trace.defensibility_level === 3);
    expect(indefensible.length).toBeGreaterThan(100);
    for (const { trace } of indefensible) expect(trace.policy_citation).not.toMatch(/no rule prohibits/i);
  });
});
