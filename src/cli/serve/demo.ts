import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { applyGate } from "../../app/gate/gate-use-cases.js";
import { actingGate } from "../../app/gate/kill-switch.js";
import { copyWorkspace } from "../../app/live/copy-workspace.js";
import { createAuditor } from "../../auditors/create-auditor.js";
import type { Decision } from "../../core/records/decision.js";
import { gateWords } from "../../present/gate/gate-words.js";
import type { Service } from "../../server/service.js";
import { makePages, type WorkerOptions } from "../../server/worker.js";
import { fileContext } from "../../store/files/stores.js";
import { createKey } from "../../store/postgres/access.js";
import { createWorkspace, workspaceConfig } from "../../store/postgres/live.js";
import { prepareDemo, runDemo } from "../demo/steps.js";

export const DEMO_WORKSPACE = "commons";

/** Decisions held back, to arrive while the user watches. */
const STREAMED = 240;
const PER_SECOND = 2;

export interface LiveDemo {
  worker: Pick<WorkerOptions, "auditor" | "choices">;
  /** Decisions that have not arrived yet, oldest first. */
  stream: Decision[];
}

/** Loads the sample into the database except for the newest decisions; existing data stays. */
export async function loadDemo(service: Service, folder: string): Promise<LiveDemo> {
  const workspace = prepareDemo(join(folder, "sample"));
  const auditor = await createAuditor(`answers:${join(workspace.root, "answers.jsonl.gz")}`, {});
  const worker = { auditor, choices: { signal: "sampling", samples: 3 } as const };
  const from = fileContext(workspace);
  const decisions: Decision[] = [];
  for await (const batch of from.records.decisions()) decisions.push(...batch);
  const byTime = decisions.sort((a, b) => (a.decided_at ?? "").localeCompare(b.decided_at ?? ""));
  const stream = byTime.slice(-STREAMED);
  const held = new Set(stream.map(({ id }) => id));
  if ((await workspaceConfig(service.database, DEMO_WORKSPACE)) === null) {
    await runDemo(workspace, join(workspace.root, "report.html"));
    await createWorkspace(service.database, DEMO_WORKSPACE, workspace.config);
    const to = await service.context(DEMO_WORKSPACE);
    await copyWorkspace(from, to, ({ id }) => !held.has(id));
    await applyGate(
      { ...to, gate: actingGate(to.gate, { actor: "demo" }) },
      {
        choices: { mode: "paper" },
        holdout: null,
        slices: [],
        now: new Date().toISOString(),
        words: gateWords(),
      },
    );
    // Otherwise the report's views would be empty for the first minute.
    await makePages(service, () => {});
  }
  const { records } = await service.context(DEMO_WORKSPACE);
  const there = new Set<string>();
  for await (const batch of records.decisions()) for (const { id } of batch) there.add(id);
  return { worker, stream: stream.filter(({ id }) => !there.has(id)) };
}

/** Sends the held-back decisions to the service, a few per second, as a platform would. */
export async function replay(
  service: Service,
  app: FastifyInstance,
  stream: readonly Decision[],
  stop: AbortSignal,
): Promise<void> {
  const { key } = await createKey(service.database, {
    workspace: DEMO_WORKSPACE,
    name: `replayed stream, ${new Date().toISOString()}`,
    scopes: ["route:ask"],
    days: 1,
    by: "demo",
  });
  for (const { gold: _, ...decision } of stream) {
    if (stop.aborted) return;
    const headers = { authorization: `Bearer ${key}` };
    const payload = { ...decision, decided_at: new Date().toISOString() };
    await app.inject({ method: "POST", url: "/v1/route", headers, payload });
    await delay(1000 / PER_SECOND, undefined, { signal: stop }).catch(() => {});
  }
}
