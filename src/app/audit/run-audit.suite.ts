import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ask, Auditor } from "../../auditors/auditor.js";
import type { Audit } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import { fileStores } from "../../store/files/stores.js";
import { createWorkspace, type Workspace } from "../../store/files/workspace.js";
import type { AuditRequest } from "./audit-request.js";

/** A verdict without probabilities. */
export const ANSWER: Generation = {
  text: '{"logic_chain":"x","policy_citation":"R1","precedent_weight":"Low","inverse_check":"No","defensibility_level":1}',
  tokens: null,
  finish: "stop",
  space: "raw",
  temperature: 0,
  support: "top_k",
  model: "fake",
  usage: { input_tokens: null, cached_input_tokens: null, output_tokens: null, cost_usd: null },
};

/** An auditor that answers the same to everything; `changes` make it another. */
export function fakeAuditor(changes: Partial<Auditor> = {}): Auditor {
  return {
    name: "fake",
    version: "1",
    signals: ["logprobs", "none"],
    inProcess: false,
    readsPrompt: null,
    answersPerCall: 1,
    maxConcurrency: null,
    ask: ({ wanted }: Ask) => ({ generations: wanted.map(() => ANSWER) }),
    ...changes,
  };
}

/** One rule of the platform. */
export const PLATFORM_RULES = {
  "platform.yaml": "scope: platform\nversion: '1'\nrules:\n  - {id: P1, title: Be kind}\n",
};

/** A workspace whose decisions all have a human label that differs. */
export function workspaceWith(
  decisions: number,
  rules: Readonly<Record<string, string>> = PLATFORM_RULES,
  community: (i: number) => string = () => "c",
): Workspace {
  const workspace = createWorkspace(join(mkdtempSync(join(tmpdir(), "run-audit-")), "ws"), {});
  const lines = Array.from({ length: decisions }, (_, i) =>
    JSON.stringify({
      id: `d${i}`,
      community: community(i),
      content: `content ${i}`,
      decision: "remove",
      human_label: "approve",
    }),
  );
  writeFileSync(workspace.paths.decisions, `${lines.join("\n")}\n`);
  for (const [name, text] of Object.entries(rules)) writeFileSync(join(workspace.paths.rules, name), text);
  return workspace;
}

export function request(auditor: Auditor, changes: Partial<AuditRequest> = {}): AuditRequest {
  return {
    auditor,
    template: "paper",
    tier: "wiki",
    temperature: 0,
    signal: "none",
    replicates: 1,
    humans: false,
    seed: 1,
    selection: {},
    concurrency: 4,
    retryErrors: false,
    fresh: false,
    dryRun: false,
    samples: 10,
    maxCost: null,
    batch: false,
    keepRaw: false,
    cache: false,
    scrub: null,
    endpoint: null,
    contextTokens: null,
    stop: new AbortController().signal,
    progress: () => {},
    estimated: () => {},
    notice: () => {},
    ...changes,
  };
}

export async function audits(workspace: Workspace, runId: string): Promise<Audit[]> {
  const all: Audit[] = [];
  for await (const batch of fileStores(workspace).runs.audits(runId)) all.push(...batch);
  return all;
}
