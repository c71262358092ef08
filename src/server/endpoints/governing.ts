import { z } from "zod";
import { closeEveryGate, gateHistory, openEveryGate, reinstateCommunity } from "../../app/gate/gate-switch.js";
import { createKey, listActivity, listKeys, noteActivity, revokeKey } from "../../store/postgres/access.js";
import { keptPage } from "../../store/postgres/live.js";
import { SCOPES } from "../auth.js";
import { Problem } from "../problems.js";
import { type Call, endpoint } from "./endpoint.js";
import { page, readCursor, writeCursor } from "./routing.js";

const WAITING = `<!doctype html><meta http-equiv="refresh" content="3"><title>defensible</title>
<p>The report is being made. It appears here within a minute.</p>`;

const reason = z.object({ reason: z.string().min(1).max(2000) });

export const GOVERNING = [
  endpoint({
    method: "GET",
    url: "/",
    summary: "The report of the live run, as a page.",
    scope: "reports:read",
    async handle({ service, actor, reply }) {
      const page = await keptPage(service.database, actor.workspace);
      reply.type("text/html; charset=utf-8");
      if (!page) return WAITING;
      // The page brings a policy of its own, which lets its own script run and nothing else.
      reply.header("content-security-policy", "frame-ancestors 'none'");
      reply.header("content-encoding", "gzip");
      return page.html;
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/gate",
    summary: "The active gate with its suspensions, without its secrets. The ETag is the epoch.",
    scope: "gate:read",
    async handle({ service, actor, reply }) {
      const { gate } = await service.context(actor.workspace);
      const epoch = await gate.epoch();
      const [active, closure] = [await gate.active(), await gate.closure()];
      reply.header("etag", `"${epoch}"`);
      return { epoch, closed: closure, gate: active?.gate ?? null, in_force_since: active?.in_force_since ?? null };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/gate/history",
    summary: "Everything that happened to the gate, oldest first.",
    scope: "gate:read",
    async handle({ service, actor }) {
      return gateHistory((await service.context(actor.workspace)).gate);
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/gate/close",
    summary: "The kill switch: nothing is automated from here on, on any node.",
    scope: "gate:close",
    body: reason,
    async handle(call) {
      const { gate, now } = await call.service.context(call.actor.workspace);
      await closeEveryGate(gate, { since: now().toISOString(), reason: call.body.reason });
      await noted(call, "gate.close", call.body.reason);
      return { epoch: await gate.epoch(), closed: await gate.closure() };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/gate/open",
    summary: "Opens the gates again.",
    scope: "gate:write",
    body: reason,
    async handle(call) {
      const { gate, now } = await call.service.context(call.actor.workspace);
      await openEveryGate(gate, now().toISOString());
      await noted(call, "gate.open", call.body.reason);
      return { epoch: await gate.epoch(), closed: null };
    },
  }),
  endpoint({
    method: "DELETE",
    url: "/v1/gate/suspensions/:community",
    summary: "Ends the suspension of a community.",
    scope: "gate:write",
    params: z.object({ community: z.string().min(1).max(512) }),
    query: z.object({ reason: z.string().min(1).max(2000) }),
    async handle(call) {
      const { gate, now } = await call.service.context(call.actor.workspace);
      await reinstateCommunity(gate, {
        community: call.params.community,
        at: now().toISOString(),
        reason: call.query.reason,
      });
      await noted(call, "gate.reinstate", call.params.community);
      return { epoch: await gate.epoch() };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/runs",
    summary: "Runs, newest first.",
    scope: "audits:read",
    async handle({ service, actor }) {
      return { items: await (await service.context(actor.workspace)).runs.list() };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/jobs",
    summary: "What waits, runs and has failed for good, by task.",
    scope: "jobs:read",
    async handle({ service }) {
      return { items: await service.queue.depth() };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/keys",
    summary: "Keys, without their secrets.",
    scope: "admin",
    async handle({ service, actor }) {
      return { items: await listKeys(service.database, actor.workspace) };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/keys",
    summary: "Makes a key. It is shown once.",
    scope: "admin",
    body: z.object({
      name: z.string().min(1).max(100),
      scopes: z.array(z.enum(SCOPES)).min(1),
      days: z.number().int().min(1).max(3650).optional(),
    }),
    async handle(call) {
      const { name, scopes, days } = call.body;
      const made = await createKey(call.service.database, {
        workspace: call.actor.workspace,
        name,
        scopes,
        ...(days === undefined ? {} : { days }),
      });
      await noted(call, "key.create", made.key_id);
      call.reply.code(201);
      return made;
    },
  }),
  endpoint({
    method: "DELETE",
    url: "/v1/keys/:id",
    summary: "Revokes a key. Every node refuses it within two seconds.",
    scope: "admin",
    params: z.object({ id: z.string().min(1).max(64) }),
    async handle(call) {
      if (!(await revokeKey(call.service.database, call.actor.workspace, call.params.id))) {
        throw new Problem(404, "unknown_key", "There is no such key, or it was revoked before.");
      }
      await noted(call, "key.revoke", call.params.id);
      return { key_id: call.params.id, revoked: true };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/activity",
    summary: "Who did what, newest first.",
    scope: "admin",
    query: page,
    async handle({ service, actor, query }) {
      const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(query.cursor);
      const items = await listActivity(service.database, actor.workspace, before, query.limit);
      return { items, next_cursor: items.length < query.limit ? null : writeCursor(items.at(-1)!.seq) };
    },
  }),
];

async function noted(
  { service, actor }: Pick<Call<never, never, never>, "service" | "actor">,
  action: string,
  subject: string,
) {
  await noteActivity(service.database, actor.workspace, { actor: actor.name, action, subject: subject.slice(0, 500) });
}
