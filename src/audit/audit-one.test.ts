import { describe, expect, it } from "vitest";
import type { Auditor } from "../auditors/auditor.js";
import { auditSchema } from "../core/records/audit.js";
import type { AuditCase, Generation } from "../core/records/case.js";
import type { Decision } from "../core/records/decision.js";
import { EQUAL_WEIGHTS } from "../measures/signals/components.js";
import type { RunSettings } from "./arms.js";
import { type AuditTools, auditOne } from "./audit-one.js";
import { Frames } from "./frames.js";
import { RuleBook } from "./rules-in-force.js";

const SECRET = "zxqv-never-shown";

const decision: Decision = {
  id: "d1",
  community: "alpha",
  content: { title: "Title", body: "Body", language: "en", media: [{ kind: "image" }] },
  decision: "remove",
  human_label: "approve",
  decider: { kind: "model", id: SECRET, confidence: 0.9 },
  rationale: SECRET,
  cited_rule: SECRET,
  decided_at: "2026-01-01T00:00:00Z",
  appeal: { text: SECRET, outcome: "overturned" },
  gold: { level: 3, inverse: true, rule_ids: [SECRET], note: SECRET },
  tags: [SECRET],
};

const settings: RunSettings = {
  runId: "20260101T000000Z-0001",
  promptVersion: "none",
  template: "paper",
  tier: "wiki",
  temperature: 0.2,
  signal: "logprobs",
  samples: 10,
  replicates: 1,
  humans: false,
  seed: 1,
  weights: EQUAL_WEIGHTS,
};

const rules = new RuleBook([
  {
    scope: "community",
    community: "alpha",
    version: "1",
    effective_from: "2026-05-01",
    rules: [{ id: "R1", title: "No links", description: "Links are removed.", url: SECRET }],
  },
]);
const frames = new Frames(
  [
    {
      id: "p1",
      community: "alpha",
      content: "Ein Beitrag über das Wetter und die Stadt",
      decision: "approve",
      language: "de",
    },
  ],
  "wiki",
  { positive: "remove", negative: "approve" },
);
const inForce = rules.inForce(decision);
const entry = frames.of("alpha", inForce);

type Answer = (auditCase: AuditCase) => Generation | Promise<Generation>;

function auditor(): Auditor {
  return {
    name: "spy",
    version: "1",
    signals: ["logprobs", "sampling", "none"],
    inProcess: true,
    readsPrompt: null,
    answersPerCall: 1,
    maxConcurrency: null,
    ask: () => ({ generations: [] }),
  };
}

function answer(text: string, changes: Partial<Generation> = {}): Generation {
  return {
    text,
    tokens: null,
    finish: "stop",
    space: "raw",
    temperature: 0.2,
    support: "top_k",
    model: "spy",
    usage: { input_tokens: 1, cached_input_tokens: null, output_tokens: 1, cost_usd: null },
    ...changes,
  };
}

async function audit(reply: Answer, changes: Partial<RunSettings> = {}) {
  const tools: AuditTools = {
    auditor: auditor(),
    settings: { ...settings, ...changes },
    prompter: null,
    ask: async (ask) => [{ generation: await reply(ask.case!), attempts: 1, cached: false, latencyMs: 1 }],
    keep: null,
  };
  const [record] = await auditOne({ decision, arm: "", replicates: [0], action: "remove" }, inForce, entry, tools);
  return record!;
}

const VERDICT = answer(
  '{"logic_chain":"x","policy_citation":"community rule R1 No links","precedent_weight":"High","inverse_check":"No","defensibility_level":1}',
);

describe("an audit of one decision", () => {
  it("shows the auditor content, rules, precedents and decision, and nothing else of the decision", async () => {
    let seen: AuditCase | null = null;
    await audit((auditCase) => {
      seen = auditCase;
      return VERDICT;
    });
    const text = JSON.stringify(seen);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("human_label");
    expect(text).not.toContain("gold");
    expect(text).toContain("Links are removed.");
    expect(Object.keys(seen!).sort()).toEqual(["content", "decision", "frame", "template"]);
  });

  it("is a whole record in the format, whatever came of it", async () => {
    const outcomes = [
      await audit(() => VERDICT),
      await audit(() => answer("I cannot help with that.", { finish: "refusal" })),
      await audit(() => answer("garbage")),
      await audit(() => answer("")),
      await audit(() => answer('{"logic_chain":"cut off', { finish: "length" })),
      await audit(() => {
        throw new Error("no answer");
      }),
      await audit(() => Promise.reject(new Error("timed out"))),
    ];
    for (const record of outcomes)
      expect(auditSchema.safeParse(JSON.parse(JSON.stringify(record))).error).toBeUndefined();
    expect(outcomes.map((record) => record.outcome)).toEqual([
      "verdict",
      "unscored",
      "unscored",
      "unscored",
      "unscored",
      "error",
      "error",
    ]);
    for (const record of outcomes.slice(1)) {
      expect(record.level).toBeNull();
      expect(record.error?.message).toBeTruthy();
    }
    expect(outcomes[6]!.error).toEqual({ code: "auditor_failed", message: "timed out" });
  });

  it("keeps a verdict without probabilities as a verdict, flagged", async () => {
    const record = await audit(() => VERDICT);
    expect(record).toMatchObject({ outcome: "verdict", level: 1, inverse: false, pds: null });
    expect(record.flags).toContain("no_signal");
  });

  it("flags media nobody saw, a rule younger than the decision, and a language that no precedent has", async () => {
    const { flags } = await audit(() => VERDICT);
    expect(flags).toEqual(expect.arrayContaining(["unseen_media", "retroactive_rule", "language_not_in_precedents"]));
  });

  it("takes no verdict of a trace that a model gone wild has written", async () => {
    const text = JSON.stringify({ ...JSON.parse(VERDICT.text), logic_chain: "x".repeat(1e6) });
    const record = await audit(() => answer(text));
    expect(record).toMatchObject({ outcome: "unscored", error: { code: "too_long" } });
  });
});
