import { z } from "zod";
import { isArmsOnly } from "../../core/names.js";
import { auditSchema } from "../../core/records/audit.js";
import { manifestSchema } from "../../core/records/manifest.js";
import { keptRunPage, runAuditsAfter, runMark } from "../../store/postgres/live.js";
import type { Actor } from "../auth.js";
import { Problem } from "../problems.js";
import type { Service } from "../service.js";
import { auditAnswer, received, receivedSchema } from "./decisions.js";
import { keepAudits } from "./embedded.js";
import { badCursor, endpoint, listOf, numberAt, page, pageOf, textAt } from "./endpoint.js";
import { heldBy, noteContentSeen, noteReportSeen, noteSeen, refuseHolding } from "./independence.js";
import { shownAudit } from "./shown.js";

const WAITING = `<!doctype html><meta http-equiv="refresh" content="3"><title>defensible</title>
<p>The report is being made. It appears here within a minute.</p>`;

const runId = z.object({ id: z.string().min(1).max(200) });
const html = z.string();

export const RUNS = [
  endpoint({
    method: "GET",
    url: "/v1/runs",
    summary: "Runs, newest first.",
    scope: "audits:read",
    query: page,
    answer: listOf(manifestSchema),
    async handle({ service, actor, query: { limit, cursor } }) {
      const { runs } = await service.context(actor.workspace);
      const all = await runs.list();
      const after = textAt(cursor);
      const last = all.findIndex((run) => run.run_id === after);
      if (after !== null && last < 0) throw badCursor();
      const from = last + 1;
      return pageOf(
        all.slice(from, from + limit),
        limit,
        ({ run_id }) => run_id,
        (run) => run,
      );
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/runs/:id",
    summary: "One run: its settings and progress.",
    scope: "audits:read",
    params: runId,
    answer: manifestSchema,
    async handle({ service, actor, params }) {
      return (await service.context(actor.workspace)).runs.manifest(params.id);
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/runs/:id/audits",
    summary:
      "Audits of a run in the order written, without those of cases that the caller has claimed. Traces need the scope `content:read`.",
    scope: "audits:read",
    params: runId,
    query: page,
    answer: listOf(auditAnswer),
    async handle({ service, actor, params, query: { limit, cursor } }) {
      await (await service.context(actor.workspace)).runs.manifest(params.id);
      const after = numberAt(cursor, 0);
      const without = [...(await heldBy(service, actor))];
      const rows = await runAuditsAfter(service.database, actor.workspace, params.id, { after, limit, without });
      const ids = rows.map(({ decision_id }) => decision_id);
      await noteSeen(service, actor, ids);
      await noteContentSeen(service, actor, ids);
      return pageOf(
        rows,
        limit,
        ({ seq }) => seq,
        ({ line }) => shownAudit(actor, line),
      );
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/runs/:id/report",
    summary:
      "The report of a run, as a page. 202 while it is being made. 403 with code `answer_first` while the caller has claimed a case, 409 with `experiment_run` for a run of an experiment.",
    scope: "content:read",
    params: runId,
    type: "text/html",
    also: { 202: "The report is being made: ask again after `Retry-After` seconds." },
    answer: html,
    async handle({ service, actor, params, reply }) {
      const { workspace } = actor;
      await refuseHolding(service, actor, "the report");
      const { experiment } = await (await service.context(workspace)).runs.manifest(params.id);
      if (isArmsOnly(experiment)) {
        throw new Problem(409, "experiment_run", "The run was made for an experiment and has no report.");
      }
      const [kept, mark] = [
        await keptRunPage(service.database, workspace, params.id),
        await runMark(service.database, workspace, params.id),
      ];
      if (kept?.mark !== mark) {
        const payload = { workspace, run: params.id };
        await service.queue.add([{ task: "page", payload, key: `page ${workspace} ${params.id}`, attempts: 2 }]);
      }
      if (kept) await noteReportSeen(service, actor, params.id);
      else reply.code(202).header("retry-after", "3");
      return pageWith(reply, kept);
    },
  }),
];

function pageWith(
  reply: { type(type: string): unknown; header(name: string, value: string): unknown },
  kept: { html: Buffer } | null,
): string | Buffer {
  reply.type("text/html; charset=utf-8");
  if (!kept) return WAITING;
  // The page has a policy of its own, which lets only its own script run.
  reply.header("content-security-policy", "frame-ancestors 'none'");
  reply.header("content-encoding", "gzip");
  return kept.html;
}

export const AUDITS = [
  endpoint({
    method: "POST",
    url: "/v1/audits",
    summary:
      "Stores an audit by another tool, or a stream of audits as JSON lines, and its sender. The decision must be stored already. If it has an audit, the new one is a duplicate.",
    scope: "audits:write",
    body: auditSchema,
    lines: "too",
    status: 202,
    also: { 200: "A duplicate, or the answers of a stream, line by line." },
    answer: receivedSchema,
    async handle({ service, actor, body, reply }) {
      return received((values) => keepAndRoute(service, actor, values), body, reply);
    },
  }),
];

/** Once audits are kept, their decisions are routed again, as after an audit made here. */
async function keepAndRoute(service: Service, actor: Actor, values: readonly unknown[]) {
  const outcomes = await keepAudits(service, actor, values);
  const fresh = outcomes.flatMap(({ id, status }) => (status === "accepted" ? [id!] : []));
  if (fresh.length > 0) await service.audited(actor.workspace, fresh);
  return outcomes;
}
