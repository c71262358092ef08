import { createHash, createHmac, randomUUID } from "node:crypto";
import { VERSION } from "../io/machine.js";
import type { NewJob, Task } from "../queue/queue.js";
import { noteActivity } from "../store/postgres/access.js";
import type { Queries } from "../store/postgres/database.js";
import {
  eventBody,
  type NewEvent,
  noteDelivery,
  type WebhookTarget,
  webhookTarget,
  writeEvents,
} from "../store/postgres/webhooks.js";
import type { GateEvent } from "../store/records/gate-event.js";
import { OutgoingError } from "./outgoing.js";
import type { Service } from "./service.js";

/** Seconds between a failed attempt and the next one: three days in all, as Standard Webhooks recommends. */
const PAUSES = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

interface DeliverPayload {
  workspace: string;
  webhook: string;
  event: string;
  attempt: number;
}

/**
 * Writes events for the webhooks of a workspace in the caller's transaction: an event exists if and only if its subject was committed.
 * Cheap if no webhook subscribes to it.
 */
export async function announce(
  { queue }: Pick<Service, "queue">,
  queries: Queries,
  workspace: string,
  events: readonly NewEvent[],
): Promise<void> {
  const wanted = await writeEvents(queries, workspace, events);
  await queue.add(
    wanted.map(({ webhook_id, event_id }) =>
      deliverJob({ workspace, webhook: webhook_id, event: event_id, attempt: 1 }),
    ),
    queries,
  );
}

/** Gate events as webhooks report them. A check that changed nothing is no event. */
export function gateEvents(events: readonly GateEvent[]): NewEvent[] {
  return events.flatMap((event): NewEvent[] => {
    const { at, community, gate_id, mode } = event;
    if (event.type === "gate") return event.in_force ? [{ type: "gate.applied", data: { at, gate_id, mode } }] : [];
    if (event.type === "closed" || event.type === "opened") return [{ type: `gate.${event.type}`, data: { at } }];
    if (event.type === "reset") return [];
    return [{ type: `gate.${event.type}`, data: { at, community } }];
  });
}

/** Concurrent deliveries to one receiver: one that does not answer delays only its own. */
const LANES = 2;

/** The key ensures that a job that runs twice orders only one further attempt. */
function deliverJob(payload: DeliverPayload, delay = 0): NewJob {
  const { webhook, event } = payload;
  const lane = createHash("sha256").update(event).digest()[0]! % LANES;
  return {
    ...{ task: "deliver", payload, delay },
    key: `deliver ${webhook} ${event}`,
    lane: `deliver ${webhook} ${lane}`,
  };
}

/** The signature of Standard Webhooks: `v1,` and the HMAC of id, time and body. */
export function signatureOf(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

interface Outcome {
  status: number | null;
  /** Why it failed; null: it succeeded. */
  fault: string | null;
  ms: number;
}

async function post({ outgoing }: Service, target: WebhookTarget, id: string, body: string): Promise<Outcome> {
  const timestamp = Math.floor(Date.now() / 1000);
  const began = performance.now();
  const done = (status: number | null, fault: string | null): Outcome => ({
    status,
    fault,
    ms: performance.now() - began,
  });
  try {
    const { status } = await outgoing.send(target.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": `defensible/${VERSION}`,
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        // While a secret is being replaced, both sign.
        "webhook-signature": target.secrets.map((secret) => signatureOf(secret, id, timestamp, body)).join(" "),
      },
      body,
    });
    return done(status, status >= 200 && status < 300 ? null : "refused");
  } catch (cause) {
    if (cause instanceof OutgoingError) return done(null, cause.fault);
    throw cause;
  }
}

/** Delivers one event to one webhook. A failed delivery is tried again, after longer and longer pauses. */
export function deliverTask(service: Service): Task {
  const { database, vault, queue } = service;
  return async ({ workspace, webhook, event, attempt }: DeliverPayload) => {
    const target = await webhookTarget(database, vault, workspace, webhook);
    const body = target && (await eventBody(database, workspace, event));
    if (!target || body === null) return;
    const outcome = await post(service, target, event, body);
    await database.transaction(async (queries) => {
      const disabled = await noteDelivery(queries, workspace, webhook, { event_id: event, attempt, ...outcome });
      const pause = PAUSES[attempt - 1];
      if (disabled) {
        await noteActivity(queries, workspace, { actor: "service", action: "webhook.disabled", subject: webhook });
      } else if (outcome.fault !== null && pause !== undefined) {
        const delay = pause * (1 + Math.random() / 5);
        await queue.add([deliverJob({ workspace, webhook, event, attempt: attempt + 1 }, delay)], queries);
      }
    });
  };
}

/** Sends a ping at once, also to a disabled webhook, and returns the outcome. null: there is no such webhook. */
export async function pingWebhook(service: Service, workspace: string, webhook: string): Promise<Outcome | null> {
  const target = await webhookTarget(service.database, service.vault, workspace, webhook, { disabledToo: true });
  if (!target) return null;
  const id = `msg_${randomUUID()}`;
  const body = JSON.stringify({
    type: "webhook.test",
    timestamp: new Date().toISOString(),
    data: { webhook_id: webhook },
  });
  const outcome = await post(service, target, id, body);
  return { ...outcome, ms: Math.round(outcome.ms) };
}
