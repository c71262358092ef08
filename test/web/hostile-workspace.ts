import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Audit } from "../../src/core/records/audit.js";
import type { Decision } from "../../src/core/records/decision.js";
import { createWorkspace } from "../../src/store/files/workspace.js";
import { cliOk } from "../support/cli.js";
import { makeAudit } from "../support/make-audit.js";
import { addRun } from "../support/make-gate-workspace.js";
import { prepared } from "../support/prepared.js";
import { NAME_PAYLOADS, PAYLOADS } from "./payloads.js";

/** Payload of a place: every place gets every one of them over the workspace, and neighbours differ. */
const at = (list: readonly string[], i: number) => list[i % list.length]!;

const decisions = PAYLOADS.map((_, i) => hostileDecision(i));

/**
 * A workspace in which every text that somebody could have written is hostile, audited twice: by the baseline, and by a model that was taken
 * over, whose run is the newest. Several test files use it: copy it before writing into it.
 */
export async function hostileWorkspace(): Promise<{ root: string; decisions: readonly Decision[] }> {
  const folder = await prepared("hostile", makeHostileWorkspace);
  return { root: join(folder, "ws"), decisions };
}

async function makeHostileWorkspace(folder: string): Promise<void> {
  const { root } = createWorkspace(join(folder, "ws"));
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(join(root, "decisions.jsonl"), lines(decisions));
  writeFileSync(join(root, "precedents.jsonl"), lines(decisions.map(hostilePrecedent)));
  writeFileSync(join(root, "labels.jsonl"), lines(decisions.map(hostileLabel)));
  mkdirSync(join(root, "rules"), { recursive: true });
  writeRules(root, "platform", null, 0);
  for (const [i, community] of NAME_PAYLOADS.entries()) writeRules(root, "community", community, i);
  cliOk(["audit", "--workspace", root]);
  await addRun(
    root,
    decisions.map((decision, i) => hostileAudit(decision, i)),
    { run_id: "29990101T000000Z-0666", created_at: "2999-01-01T00:00:00.000Z" },
  );
}

function hostileDecision(i: number): Decision {
  return {
    id: `${at(NAME_PAYLOADS, i)}${i < NAME_PAYLOADS.length ? "" : i}`,
    community: at(NAME_PAYLOADS, i),
    content: {
      title: at(NAME_PAYLOADS, i + 1),
      body: at(PAYLOADS, i),
      context: [at(PAYLOADS, i + 2), at(PAYLOADS, i + 3)],
      url: at(NAME_PAYLOADS, i + 4),
      kind: at(NAME_PAYLOADS, i + 5),
    },
    decision: i % 2 ? "remove" : "approve",
    human_label: i % 3 ? "remove" : "approve",
    decider: { kind: "model", id: at(NAME_PAYLOADS, i + 6), confidence: 0.5 },
    rationale: at(PAYLOADS, i + 7),
    cited_rule: at(NAME_PAYLOADS, i + 8),
    decided_at: new Date(Date.UTC(2026, i % 12, 1)).toISOString(),
    appeal: { outcome: "pending", text: at(PAYLOADS, i + 9) },
    gold: {
      level: ((i % 3) + 1) as 1 | 2 | 3,
      inverse: i % 2 === 0,
      rule_ids: [at(NAME_PAYLOADS, i + 10)],
      note: at(PAYLOADS, i + 11),
    },
  };
}

const precedentId = ({ id }: Decision) => `precedent ${id}`;

const hostilePrecedent = (decision: Decision, i: number) => ({
  id: precedentId(decision),
  community: decision.community,
  content: at(PAYLOADS, i + 1),
  decision: "remove",
  rule_id: at(NAME_PAYLOADS, i),
  rationale: at(PAYLOADS, i + 2),
  decided_at: at(NAME_PAYLOADS, i + 3),
});

const hostileLabel = ({ id }: Decision, i: number) => ({
  decision_id: id,
  level: (i % 3) + 1,
  inverse: i % 2 === 0,
  rater: at(NAME_PAYLOADS, i),
  source: "human",
});

function writeRules(root: string, scope: "platform" | "community", community: string | null, from: number): void {
  const count = scope === "platform" ? 20 : 2;
  const rules = Array.from({ length: count }, (_, j) => ({
    id: at(NAME_PAYLOADS, from + j),
    title: at(NAME_PAYLOADS, from + 3 * j),
    description: at(NAME_PAYLOADS, from + 5 * j + 1),
    detail: at(NAME_PAYLOADS, from + 7 * j + 2),
  }));
  const set = { scope, ...(community === null ? {} : { community }), version: at(NAME_PAYLOADS, from), rules };
  // JSON is YAML.
  writeFileSync(join(root, "rules", `${scope}-${from}.yaml`), JSON.stringify(set));
}

function hostileCitation(decision: Decision, i: number): Audit["citation"] {
  if (i % 5 === 4) return { scope: "precedent", rule_id: precedentId(decision), overlap: 0.5, grounded: true };
  return { scope: "platform", rule_id: at(NAME_PAYLOADS, i % 20), overlap: 0.5, grounded: i % 4 === 0 };
}

/** What a model that was taken over would answer, or an error with such a message. */
function hostileAudit(decision: Decision, i: number): Audit {
  const common = {
    decision_id: decision.id,
    community: decision.community,
    decision: decision.decision,
    human_label: decision.human_label ?? null,
    decided_at: decision.decided_at ?? null,
    auditor: "openai:gpt-4.1-mini",
    ruleset_version: at(NAME_PAYLOADS, i),
    prompt: {
      precedents_used: [precedentId(decision), at(NAME_PAYLOADS, i + 1)],
      precedents_left_out: 1,
      content_cut: 0,
      scrubbed: null,
    },
  };
  if (i % 10 === 9) {
    const error = { code: at(NAME_PAYLOADS, i + 1), message: at(PAYLOADS, i + 2) };
    const none = { level: null, inverse: null, level_probs: null, pds: null, p_defensible: null, trace: null };
    return makeAudit({ ...common, ...none, outcome: "error", error, citation: null, citation_spans: null });
  }
  const level = ((i % 3) + 1) as 1 | 2 | 3;
  return makeAudit({
    ...common,
    level,
    level_map: level,
    inverse: i % 2 === 0,
    trace: {
      logic_chain: at(PAYLOADS, i),
      policy_citation: at(PAYLOADS, i + 1),
      precedent_weight: "Low",
      inverse_check: i % 2 === 0 ? "Yes" : "No",
      inverse_citation: at(PAYLOADS, i + 2),
      defensibility_level: level,
    },
    citation_spans: Array.from({ length: 5 }, (_, j) => [at(NAME_PAYLOADS, i + j), j / 2]),
    citation: hostileCitation(decision, i),
    // The words of its own precedent, and one that is not there.
    inverse_citation: {
      scope: "precedent",
      rule_id: i % 4 === 1 ? at(NAME_PAYLOADS, i) : precedentId(decision),
      overlap: 0.5,
      grounded: true,
    },
    flags: ["injection_suspected"],
  });
}
