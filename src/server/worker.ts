import { gzipSync } from "node:zlib";
import { PAGE_COLUMNS } from "../analysis/decision-scores.js";
import type { AuditChoices } from "../app/audit/new-manifest.js";
import { governLive } from "../app/live/gate-preview.js";
import { labelOutcomes } from "../app/outcomes/import-outcomes.js";
import { runReport } from "../app/report/run-report.js";
import type { Auditor } from "../auditors/auditor.js";
import { gateWords } from "../present/gate/gate-words.js";
import { reportPage } from "../present/page/build-page.js";
import { fitPage } from "../present/page/fit-page.js";
import { htmlFile, htmlShell, shellBytes } from "../present/page/html-file.js";
import { noticeText } from "../present/words/route-words.js";
import { faultOf } from "../queue/graphile-queue.js";
import type { RunningQueue, RunOptions, Task } from "../queue/queue.js";
import { withDuckDB } from "../store/files/duckdb.js";
import {
  keepPage,
  keepRunPage,
  keptRunPage,
  pageMark,
  runMark,
  workspaceMark,
  workspaceNames,
} from "../store/postgres/live.js";
import { applyRetention } from "../store/postgres/retention.js";
import { sealLive } from "../store/postgres/runs.js";
import { AuditTask } from "./audit-jobs.js";
import type { Service } from "./service.js";
import { deliverTask } from "./webhooks.js";

export interface WorkerOptions extends Omit<RunOptions, "concurrency"> {
  /** Concurrent jobs. */
  concurrency?: number;
  /** Concurrent calls of a model. */
  calls?: number;
  /** Default: the auditor that each workspace names. */
  auditor?: Auditor;
  choices?: AuditChoices;
}

/** Every worker has this schedule; each job runs once, on whichever worker is awake. */
const CRONTAB = `* * * * * pages ?max=1&jobKey=pages
7 * * * * gates ?max=3&jobKey=gates
23 * * * * retention ?max=1&jobKey=retention`;
const JOBS = 8;
/** Concurrent deliveries. They mostly wait for receivers, and so have slots of their own. */
const DELIVERIES = 16;
const CALLS = 64;

/** Runs jobs until it is stopped. Any number of processes may run at once. */
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
  const main = await service.queue.run(
    {
      audit: audits.task,
      pages: () => makePages(service, say),
      page: (payload: { workspace: string; run: string }) => makeRunPage(service, payload),
      ...gateTasks(service, say),
      retention: async () => {
        const erased = await applyRetention(service.database);
        if (erased > 0) say(`Erased the content of ${erased} decisions that were kept long enough.`);
      },
      labels: async ({ workspace }: { workspace: string }) => labelOutcomes(await service.context(workspace)),
    },
    { concurrency, say, crontab: CRONTAB, ...rest },
  );
  const deliveries = await service.queue.run(
    { deliver: deliverTask(service) },
    { ...rest, concurrency: DELIVERIES, say, crontab: "" },
  );
  return {
    lastLook: () => Math.min(main.lastLook(), deliveries.lastLook()),
    stop: async () => {
      await Promise.all([main.stop(), deliveries.stop()]);
      stop.abort();
      await audits.close();
    },
  };
}

/** Jobs of the live gates. `gates` runs on a schedule and orders one `gate` per workspace, so that a failing workspace delays no other. */
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

/** Decisions in a page: the most urgent. The file includes as many of them as fit. */
const LISTED = 2000;

/** Makes the report page of each workspace in which something has changed. It takes seconds, so it never runs while a request waits. */
export async function makePages(service: Service, say: (message: string) => void): Promise<void> {
  for (const workspace of await workspaceNames(service.database)) {
    const mark = await workspaceMark(service.database, workspace);
    if ((await pageMark(service.database, workspace))?.mark === mark) continue;
    try {
      await keepPage(service.database, workspace, { mark, ...(await pageOf(service, workspace)) });
    } catch (cause) {
      say(`The page of ${workspace} was not made: ${faultOf(cause)}.`);
    }
  }
}

/** Makes the report page of one run, unless nothing has changed since the last one. */
export async function makeRunPage(
  service: Service,
  { workspace, run }: { workspace: string; run: string },
): Promise<void> {
  const { database } = service;
  const mark = await runMark(database, workspace, run);
  if ((await keptRunPage(database, workspace, run))?.mark === mark) return;
  await keepRunPage(database, workspace, run, { mark, html: (await pageOf(service, workspace, run)).html });
}

async function pageOf(service: Service, workspace: string, run?: string): Promise<{ html: Buffer; data: Buffer }> {
  const context = await service.context(workspace);
  return withDuckDB(
    async (db) => {
      const named = run === undefined ? {} : { run };
      const subject = await runReport(db, context, {
        ...named,
        also: PAGE_COLUMNS,
        findings: gateWords(),
        labelled: true,
      });
      const page = await reportPage(subject, { decisions: LISTED });
      const shell = htmlShell();
      // Everyone who may read content can read the file: a reviewer must not find the known answers in it.
      const blind = { ...page, decisions: page.decisions.map((one) => ({ ...one, gold: null })) };
      return {
        html: gzipSync(htmlFile(fitPage(blind, shellBytes(shell)), shell)),
        data: gzipSync(JSON.stringify(page)),
      };
    },
    { ordered: false },
  );
}
