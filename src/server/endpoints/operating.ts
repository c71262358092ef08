import { z } from "zod";
import { createKey, listActivity, listKeys, revokeKey } from "../../store/postgres/access.js";
import { eraseContent } from "../../store/postgres/erasure.js";
import { contentDays, setContentDays } from "../../store/postgres/retention.js";
import { SCOPES } from "../auth.js";
import { Problem } from "../problems.js";
import { endpoint, listOf, numberAt, page, pageOf, textAt } from "./endpoint.js";
import { unknownDecision } from "./routing.js";

const retention = z.object({ content_days: z.number().int().min(1).max(3650).nullable() });

export const ERASING = [
  endpoint({
    method: "DELETE",
    url: "/v1/decisions/:id/content",
    summary:
      "Erases what people wrote in a decision, everywhere in the database. Ids, numbers and the log stay. Repeated, it erases what was written about it since.",
    scope: "erase",
    params: z.object({ id: z.string().min(1).max(512) }),
    query: z.object({ reason: z.string().min(1).max(2000) }),
    commits: true,
    answer: z.object({
      decision_id: z.string(),
      erased: z.literal(true),
      before: z.boolean().describe("It was erased before."),
      remainder: z.boolean().describe("Something was written about it since, and is erased now."),
    }),
    async handle({ service, actor, params, query }) {
      const by = { actor: actor.name, reason: query.reason };
      const { first, again, known } = await eraseContent(service.database, actor.workspace, [params.id], by);
      if (known === 0) throw unknownDecision();
      await (await service.context(actor.workspace)).sweep();
      const remainder = again.length > 0;
      return { decision_id: params.id, erased: true as const, before: first.length === 0, remainder };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/retention",
    summary: "Number of days after which contents are erased; null: never.",
    scope: "admin",
    answer: retention,
    async handle({ service, actor }) {
      return { content_days: await contentDays(service.database, actor.workspace) };
    },
  }),
  endpoint({
    method: "PUT",
    url: "/v1/retention",
    summary: "Sets the number of days after which contents are erased; null: never. A worker job applies it each hour.",
    scope: "admin",
    body: retention,
    answer: retention,
    async handle({ service, actor, body }) {
      await setContentDays(service.database, actor.workspace, body.content_days, actor.name);
      return body;
    },
  }),
];

export const OPERATING = [
  endpoint({
    method: "GET",
    url: "/v1/jobs",
    summary: "Waiting, running and permanently failed jobs, by task.",
    scope: "jobs:read",
    answer: z.object({
      items: z.array(
        z.object({
          task: z.string(),
          waiting: z.number().int(),
          running: z.number().int(),
          dead: z.number().int(),
          oldest_seconds: z.number(),
        }),
      ),
    }),
    async handle({ service, actor }) {
      return { items: await service.queue.depth(actor.workspace) };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/keys",
    summary: "Keys, without their secrets.",
    scope: "admin",
    query: page,
    answer: listOf(
      z.object({
        key_id: z.string(),
        name: z.string(),
        scopes: z.array(z.string()),
        created_at: z.string(),
        expires_at: z.string().nullable(),
        revoked_at: z.string().nullable(),
      }),
    ),
    async handle({ service, actor, query: { limit, cursor } }) {
      const rows = await listKeys(service.database, actor.workspace, { after: textAt(cursor), limit });
      return pageOf(
        rows,
        limit,
        ({ key_id }) => key_id,
        (row) => row,
      );
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/keys",
    summary: "Creates a key, which is shown once.",
    scope: "admin",
    body: z.object({
      name: z.string().min(1).max(100),
      scopes: z.array(z.enum(SCOPES)).min(1),
      days: z.number().int().min(1).max(3650).optional(),
    }),
    status: 201,
    answer: z.object({ key_id: z.string(), key: z.string() }),
    async handle(call) {
      const { workspace, name: by } = call.actor;
      return createKey(call.service.database, { ...call.body, workspace, by });
    },
  }),
  endpoint({
    method: "DELETE",
    url: "/v1/keys/:id",
    summary: "Revokes a key. Every node refuses it within two seconds.",
    scope: "admin",
    params: z.object({ id: z.string().min(1).max(64) }),
    answer: z.object({ key_id: z.string(), revoked: z.literal(true) }),
    async handle(call) {
      const { workspace, name } = call.actor;
      if (!(await revokeKey(call.service.database, workspace, call.params.id, name))) {
        throw new Problem(404, "unknown_key", "There is no such key, or it was revoked before.");
      }
      return { key_id: call.params.id, revoked: true as const };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/activity",
    summary: "Who did what, newest first.",
    scope: "admin",
    query: page,
    answer: listOf(
      z.object({
        seq: z.number().int(),
        at: z.string(),
        actor: z.string(),
        action: z.string(),
        subject: z.string(),
        doc: z.looseObject({}).nullable(),
      }),
    ),
    async handle({ service, actor, query: { limit, cursor } }) {
      const before = numberAt(cursor, Number.MAX_SAFE_INTEGER);
      const rows = await listActivity(service.database, actor.workspace, before, limit);
      return pageOf(
        rows,
        limit,
        ({ seq }) => seq,
        (row) => row as typeof row & { doc: Record<string, unknown> | null },
      );
    },
  }),
];
