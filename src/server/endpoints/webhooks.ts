import { PassThrough } from "node:stream";
import { z } from "zod";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  deliveriesOf,
  EVENT_TYPES,
  listWebhooks,
  newSecret,
  rotateSecret,
} from "../../store/postgres/webhooks.js";
import { HINT_SUBJECTS, type Hint } from "../hints.js";
import { OutgoingError } from "../outgoing.js";
import { Problem } from "../problems.js";
import type { Service } from "../service.js";
import { pingWebhook } from "../webhooks.js";
import { endpoint, listOf, noted, numberAt, page, pageOf } from "./endpoint.js";

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 2000;
/** Streams that one key or person may have open on one process. */
const MOST_STREAMS = 20;
const MOST_WAITING = 1 << 16;

const open = new Map<string, number>();

export const EVENTS = [
  endpoint({
    method: "GET",
    url: "/v1/events",
    summary:
      "Server-sent events `hint`: something about a subject may have changed. They contain no content; fetch what you show. `all`: events were missed.",
    scope: "reports:read",
    type: "text/event-stream",
    headers: { "last-event-id": "The id of the last event that was heard: brings what was missed." },
    answer: z.object({ subject: z.enum(HINT_SUBJECTS) }),
    async handle({ service: { hints }, actor, request, reply, recheck }) {
      const owner = JSON.stringify([actor.workspace, actor.by, actor.id]);
      const streams = open.get(owner) ?? 0;
      if (streams >= MOST_STREAMS) {
        throw new Problem(429, "too_many_streams", `There are ${MOST_STREAMS} open streams already.`, { retry: 15 });
      }
      open.set(owner, streams + 1);
      const stream = new PassThrough();
      const write = ({ id, subject }: Pick<Hint, "id" | "subject">) => {
        // A reader that has stopped reading must not fill the memory.
        if (stream.writableLength > MOST_WAITING) stream.destroy();
        else stream.write(`id: ${id}\nevent: hint\ndata: ${JSON.stringify({ subject })}\n\n`);
      };
      stream.write(`retry: ${RETRY_MS}\n\n`);
      const last = request.headers["last-event-id"];
      if (typeof last === "string") {
        const missed = hints.since(actor.workspace, last);
        if (missed === null) stream.write(`event: hint\ndata: {"subject":"all"}\n\n`);
        else missed.forEach(write);
      }
      const unsubscribe = hints.subscribe(actor.workspace, write, () => stream.end());
      // A comment keeps proxies from closing the stream. A revoked key or an ended session ends it.
      const heartbeat = setInterval(() => {
        recheck().then(
          () => stream.write(": still here\n\n"),
          () => stream.end(),
        );
      }, HEARTBEAT_MS);
      heartbeat.unref();
      stream.once("close", () => {
        clearInterval(heartbeat);
        unsubscribe();
        const left = open.get(owner)! - 1;
        if (left > 0) open.set(owner, left);
        else open.delete(owner);
      });
      reply.type("text/event-stream").header("x-accel-buffering", "no");
      return stream;
    },
  }),
];

const SECRET_BYTES = { least: 24, most: 64 };
const secret = z
  .string()
  .max(200)
  .refine((text) => {
    const bytes = /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text.slice(6), "base64").length : 0;
    return bytes >= SECRET_BYTES.least && bytes <= SECRET_BYTES.most;
  }, "expected whsec_ and the base64 of 24 to 64 bytes");
const url = z.string().min(1).max(2000);
const events = z.array(z.enum(EVENT_TYPES)).min(1);
const webhook = z.object({
  webhook_id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  created_at: z.string(),
  failures: z.number().int().describe("Attempts that failed since the last one that did not."),
  failing_since: z.string().nullable(),
  disabled_at: z.string().nullable(),
});
const delivery = z.object({
  delivery_id: z.number().int(),
  event_id: z.string(),
  attempt: z.number().int(),
  status: z.number().int().nullable(),
  fault: z.string().nullable(),
  ms: z.number().int(),
  at: z.string(),
});
const params = z.object({ id: z.string().min(1).max(64) });

export const WEBHOOKS = [
  endpoint({
    method: "GET",
    url: "/v1/webhooks",
    summary: "Webhooks, without their secrets.",
    scope: "admin",
    answer: z.object({ items: z.array(webhook) }),
    async handle({ service, actor }) {
      return { items: await listWebhooks(service.database, actor.workspace) };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/webhooks",
    summary: "Creates a webhook (Standard Webhooks). Its secret is shown once.",
    scope: "admin",
    body: z.object({ url, events, secret: secret.optional() }),
    status: 201,
    answer: webhook.extend({ secret: z.string() }),
    async handle(call) {
      const { service, actor, body } = call;
      checkAddress(service, body.url);
      const made = { ...body, secret: body.secret ?? newSecret(), workspace: actor.workspace };
      const info = await createWebhook(service.database, service.vault, made);
      await noted(call, "webhook.create", info.webhook_id);
      return { ...info, secret: made.secret };
    },
  }),
  endpoint({
    method: "PUT",
    url: "/v1/webhooks/:id",
    summary: "Changes the given fields: address, events, `enabled`.",
    scope: "admin",
    params,
    body: z.object({ url: url.optional(), events: events.optional(), enabled: z.boolean().optional() }),
    answer: webhook,
    async handle(call) {
      const { service, actor, body, params } = call;
      if (body.url !== undefined) checkAddress(service, body.url);
      const info = await changeWebhook(service.database, actor.workspace, params.id, body);
      if (!info) throw unknownWebhook();
      await noted(call, "webhook.change", params.id);
      return info;
    },
  }),
  endpoint({
    method: "DELETE",
    url: "/v1/webhooks/:id",
    summary: "Deletes a webhook. Waiting messages are not delivered.",
    scope: "admin",
    params,
    answer: z.object({ webhook_id: z.string(), deleted: z.literal(true) }),
    async handle(call) {
      const { service, actor, params } = call;
      if (!(await deleteWebhook(service.database, actor.workspace, params.id))) throw unknownWebhook();
      await noted(call, "webhook.delete", params.id);
      return { webhook_id: params.id, deleted: true as const };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/webhooks/:id/secret",
    summary: "Replaces the secret. Both secrets sign for `hours`. The new one is shown once.",
    scope: "admin",
    params,
    body: z.object({ secret: secret.optional(), hours: z.number().int().min(0).max(720).default(24) }),
    answer: z.object({ webhook_id: z.string(), secret: z.string() }),
    async handle(call) {
      const { service, actor, body, params } = call;
      const next = body.secret ?? newSecret();
      const rotation = { workspace: actor.workspace, webhook: params.id, secret: next, hours: body.hours };
      if (!(await rotateSecret(service.database, service.vault, rotation))) throw unknownWebhook();
      await noted(call, "webhook.rotate", params.id);
      return { webhook_id: params.id, secret: next };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/webhooks/:id/test",
    summary: "Sends `webhook.test` now. `fault` is null if it was accepted.",
    scope: "admin",
    params,
    commits: true,
    answer: z.object({ status: z.number().int().nullable(), fault: z.string().nullable(), ms: z.number() }),
    async handle({ service, actor, params }) {
      const outcome = await pingWebhook(service, actor.workspace, params.id);
      if (!outcome) throw unknownWebhook();
      return outcome;
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/webhooks/:id/deliveries",
    summary: "Delivery attempts, newest first. The text of the receiver's answers is not stored.",
    scope: "admin",
    params,
    query: page,
    answer: listOf(delivery),
    async handle({ service, actor, params, query: { limit, cursor } }) {
      const before = numberAt(cursor, Number.MAX_SAFE_INTEGER);
      const rows = await deliveriesOf(service.database, actor.workspace, params.id, before, limit);
      return pageOf(
        rows,
        limit,
        ({ delivery_id }) => delivery_id,
        (row) => row,
      );
    },
  }),
];

function checkAddress(service: Service, address: string): void {
  try {
    service.outgoing.check(address);
  } catch (cause) {
    if (cause instanceof OutgoingError) throw new Problem(422, cause.fault, cause.message);
    throw cause;
  }
}

function unknownWebhook(): Problem {
  return new Problem(404, "unknown_webhook", "There is no such webhook.");
}
