import type { AuditChoices } from "../app/audit/new-manifest.js";
import { governLive } from "../app/live/govern.js";
import { labelOutcomes } from "../app/outcomes/import-outcomes.js";
import type { Auditor } from "../auditors/auditor.js";
import { gateWords } from "../present/gate/gate-words.js";
import { noticeText } from "../present/words/notices.js";
import type { RunningQueue, RunOptions, Task } from "../queue/queue.js";
import { workspaceNames } from "../store/postgres/live.js";
import { applyRetention } from "../store/postgres/retention.js";
import { sealLive } from "../store/postgres/runs.js";
import { AuditTask } from "./audit-jobs.js";
import { makePages, makeRunPage } from "./page-job.js";
import type { Service } from "./service.js";
import { deliverTask } from "./webhooks.js";

export interface WorkerOptions extends Omit<RunOptions, "concurrency"> {
  /** Jobs at a time. */
  concurrency?: number;
  /** Calls of a model in flight. */
  calls?: number;
  /** Default: made as each workspace names it. */
  auditor?: Auditor;
  choices?: AuditChoices;
}

/** Every worker knows it; each job runs once, whichever worker is awake. */
const CRONTAB = `* * * * * pages ?max=1&jobKey=pages
7 * * * * gates ?max=3&jobKey=gates
23 * * * * retention ?max=1&jobKey=retention`;
const JOBS = 8;
const CALLS = 64;

/** Runs jobs until it is stopped. Any number of processes may. */
export async function startWorker(service: Service, options: WorkerOptions = {}): Promise<RunningQueue> {
  const { concurrency = JOBS, calls = CALLS, auditor, choices, say = () => {}, ...rest } = options;
  const stop = new AbortController();
  const audits = new AuditTask(
    service.database,
    service.queue,
    service.context,
    {
      concurrency: calls,
      notice: (notice, kind) => {
        if (kind !== "technical") say(noticeText(notice));
      },
      stop: stop.signal,
      ...(auditor ? { auditor } : {}),
      ...(choices ? { choices } : {}),
    },
    (workspace, ids) => service.audited(workspace, ids),
  );
  const running = await service.queue.run(
    {
      audit: audits.task,
      pages: () => makePages(service, say),
      page: (payload: { workspace: string; run: string }) => makeRunPage(service, payload),
      ...gateTasks(service, say),
      deliver: deliverTask(service),
      retention: async () => {
        const erased = await applyRetention(service.database);
        if (erased > 0) say(`Erased the content of ${erased} decisions that were kept long enough.`);
      },
      labels: async ({ workspace }: { workspace: string }) => labelOutcomes(await service.context(workspace)),
    },
    { concurrency, say, crontab: CRONTAB, ...rest },
  );
  return {
    lastLook: running.lastLook,
    stop: async () => {
      await running.stop();
      stop.abort();
      await audits.close();
    },
  };
}

/** Jobs of the live gates. `gates` runs on a schedule and orders one `gate` for each workspace, so that one that fails keeps no other waiting. */
function gateTasks(service: Service, say: (message: string) => void): Record<"gates" | "gate", Task> {
  return {
    gates: async () => {
      const workspaces = await workspaceNames(service.database);
      await service.queue.add(
        workspaces.map((workspace) => ({
          task: "gate",
          payload: { workspace },
          key: `gate ${workspace}`,
          attempts: 3,
        })),
      );
    },
    gate: async ({ workspace }: { workspace: string }) => {
      const context = await service.context(workspace);
      await sealLive(service.database, workspace, context.now());
      const { evaluated, applied, suspended } = await governLive(context, gateWords());
      if (evaluated)
        say(`The gate of ${workspace} was evaluated${applied ? " and activated" : ""}: ${evaluated.gate_id}`);
      for (const community of suspended) say(`The watch of ${workspace} suspended ${community}.`);
    },
  };
}
