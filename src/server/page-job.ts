import { gzipSync } from "node:zlib";
import { PAGE_COLUMNS } from "../analysis/decision-scores.js";
import { runReport } from "../app/report/run-report.js";
import { gateWords } from "../present/gate/gate-words.js";
import { reportPage } from "../present/page/build-page.js";
import { fitPage } from "../present/page/fit-page.js";
import { htmlFile, htmlShell, shellBytes } from "../present/page/html-file.js";
import { faultOf } from "../queue/graphile-queue.js";
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
import type { Service } from "./service.js";

/** Decisions that a page knows: the most urgent. The file takes as many of them as it has room for. */
const LISTED = 2000;

/** Makes the report page of each workspace in which something has changed. Seconds of work, so never while a request waits. */
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

/** Makes the report page of one run, unless nothing has changed since. */
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
      // The file is for everyone who may read content: a reviewer must not find the known answers in it.
      const blind = { ...page, decisions: page.decisions.map((one) => ({ ...one, gold: null })) };
      return {
        html: gzipSync(htmlFile(fitPage(blind, shellBytes(shell)), shell)),
        data: gzipSync(JSON.stringify(page)),
      };
    },
    { ordered: false },
  );
}
