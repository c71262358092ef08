import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { decisionSchema } from "../../core/records/decision.js";
import { routeSchema } from "../../core/records/route.js";
import { LineSplitter } from "../../io/read-lines.js";
import { isDecision } from "../../measures/gate/route/input.js";
import { hasDoubledKeys } from "../../measures/gate/route/unsafe-keys.js";
import { decisionsAfter, decisionsById, newestAudits, routesOf } from "../../store/postgres/live.js";
import { explainRecord, fits } from "../../store/records/fits.js";
import { RECORD_KINDS } from "../../store/records/record-kinds.js";
import { auditJobs } from "../audit-jobs.js";
import { Problem } from "../problems.js";
import type { Routed } from "../route-desk.js";
import type { Service } from "../service.js";
import { endpoint } from "./endpoint.js";

const LONGEST_LINE = 1 << 20;
const LONGEST_WAIT = 30;
const LOOK_MS = 150;

const routedSchema = routeSchema.extend({
  epoch: z.number().int().describe("Counts the changes of what routing goes by."),
  pending: z.boolean().optional().describe("The decision is being audited; ask again for its route."),
});

const idParams = z.object({ id: z.string().min(1).max(512) });
/** Of every list. */
export const page = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: z.string().max(200).optional(),
});

export const ROUTING = [
  endpoint({
    method: "POST",
    url: "/v1/route",
    summary:
      "Where a decision goes: `automate` or `review`. With `Prefer: wait=5` it waits for the audit of a new decision.",
    scope: "route:ask",
    body: decisionSchema,
    unchecked: true,
    answer: routedSchema,
    async handle({ service, actor, body, request }) {
      refuseEmbedded(body);
      const desk = await service.desk(actor.workspace);
      const route = await desk.route(body);
      if (route.reasons.includes("bad_decision")) throw await notADecision(service, actor.workspace, body);
      const until = Date.now() + waitMs(request.headers.prefer);
      if (!route.pending || until <= Date.now()) return route;
      await audited(service, actor.workspace, route.decision_id!, until);
      return desk.route(body);
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/routes",
    summary: "Routes of many decisions: JSON lines in, JSON lines out, in the same order.",
    scope: "route:ask",
    lines: true,
    async handle({ service, actor, body, reply }) {
      const desk = await service.desk(actor.workspace);
      reply.type("application/x-ndjson");
      return Readable.from(
        eachLine(body as Readable, async (value): Promise<Routed> => {
          const embedded = typeof value === "object" && value !== null && "audit" in value;
          return desk.route(embedded ? undefined : value);
        }),
      );
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/decisions/:id/route",
    summary: "The last route of a decision; all of them with `?all=true`.",
    scope: "route:ask",
    params: idParams,
    query: z.object({ all: z.coerce.boolean().default(false) }),
    async handle({ service, actor, params, query }) {
      const routes = await routesOf(service.database, actor.workspace, params.id, query.all ? 100 : 1);
      if (routes.length === 0) throw unknownDecision();
      return query.all ? { items: routes } : routes[0];
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/decisions",
    summary: "Keeps decisions and orders their audits: JSON lines in, an outcome for each out.",
    scope: "decisions:write",
    lines: true,
    async handle({ service, actor, body, reply }) {
      reply.type("application/x-ndjson");
      return Readable.from(intake(service, actor.workspace, body as Readable));
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/decisions",
    summary: "Decisions in the order in which they came. Content needs the scope `content:read`.",
    scope: "decisions:read",
    query: page.extend({ community: z.string().max(512).optional() }),
    async handle({ service, actor, query }) {
      const after = readCursor(query.cursor);
      const { limit, community = null } = query;
      const rows = await decisionsAfter(service.database, actor.workspace, { after, limit, community });
      const items = rows.map(({ line }) => shown(JSON.parse(line), actor.scopes.has("content:read")));
      return { items, next_cursor: rows.length < limit ? null : writeCursor(rows.at(-1)!.seq) };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/decisions/:id",
    summary: "A decision with its newest audit and route.",
    scope: "decisions:read",
    params: idParams,
    async handle({ service, actor, params }) {
      const { database } = service;
      const [decision] = await decisionsById(database, actor.workspace, [params.id]);
      if (!decision) throw unknownDecision();
      const readsContent = actor.scopes.has("content:read");
      const audit = (await newestAudits(database, actor.workspace, [params.id])).get(params.id);
      const [route = null] = await routesOf(database, actor.workspace, params.id, 1);
      return {
        decision: shown(decision, readsContent),
        // A trace quotes the content.
        audit: audit === undefined ? null : shown(JSON.parse(audit), readsContent),
        route,
      };
    },
  }),
];

/** What may quote people's words. */
const CONTENT = ["content", "rationale", "appeal", "trace", "citation", "citation_spans"];

function shown(record: object, withContent: boolean): object {
  if (withContent) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !CONTENT.includes(name)));
}

/** Whoever may send an audit can have anything automated. */
function refuseEmbedded(body: unknown): void {
  if (typeof body === "object" && body !== null && "audit" in body) {
    throw new Problem(422, "embedded_audit", "A decision is routed by the audit that is kept here. Leave out `audit`.");
  }
}

async function notADecision(service: Service, workspace: string, body: unknown): Promise<Problem> {
  const { config } = await service.context(workspace);
  const detail = `The body is not a decision in the format: ${why(body, config.actions)}`;
  return new Problem(422, "bad_decision", detail, { decision_id: (body as { id?: unknown } | null)?.id ?? null });
}

/** `Prefer: wait=5` (RFC 7240). */
function waitMs(prefer: string | string[] | undefined): number {
  const seconds = Number(/(?:^|[,;\s])wait=(\d{1,4})/.exec(String(prefer ?? ""))?.[1] ?? 0);
  return Math.min(seconds, LONGEST_WAIT) * 1000;
}

async function audited(service: Service, workspace: string, id: string, until: number): Promise<void> {
  while (Date.now() < until) {
    if ((await newestAudits(service.database, workspace, [id])).size > 0) return;
    await delay(Math.min(LOOK_MS, Math.max(1, until - Date.now())));
  }
}

/** Answers each line, up to 200 of them at a time, in their order. A line that is no JSON is answered too. */
async function* eachLine<T>(input: Readable, answer: (value: unknown) => Promise<T>): AsyncGenerator<string> {
  const lines = new LineSplitter(LONGEST_LINE);
  let waiting: Promise<T>[] = [];
  const flush = async () => {
    const done = await Promise.all(waiting);
    waiting = [];
    return done.map((one) => `${JSON.stringify(one)}\n`).join("");
  };
  for await (const chunk of input) {
    for (const { bytes } of lines.push(chunk)) {
      if (bytes.length > 0) waiting.push(answer(parsed(bytes)));
      if (waiting.length >= 200) yield await flush();
    }
    if (waiting.length > 0) yield await flush();
  }
  for (const { bytes } of lines.end()) if (bytes.length > 0) waiting.push(answer(parsed(bytes)));
  if (waiting.length > 0) yield await flush();
}

/** undefined: not JSON, too long, or a key is there twice. */
function parsed(bytes: Buffer): unknown {
  if (bytes.length > LONGEST_LINE) return undefined;
  try {
    const text = bytes.toString("utf8");
    const value: unknown = JSON.parse(text);
    return hasDoubledKeys(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

const INTAKE = 500;

interface Intake {
  id: string | null;
  status: "accepted" | "duplicate" | "conflict" | "rejected";
  detail?: string;
}

/** A decision and the job of its audit are committed together, or neither is. */
export async function keepDecisions(
  service: Service,
  workspace: string,
  values: readonly unknown[],
): Promise<Intake[]> {
  const records = await service.decisions(workspace);
  const { config } = await service.context(workspace);
  const outcomes: Intake[] = values.map((value) => {
    const id = typeof (value as { id?: unknown } | null)?.id === "string" ? (value as { id: string }).id : null;
    if (isDecision(value, config.actions) && value.id.length <= 512) return { id, status: "accepted" };
    return { id, status: "rejected", detail: why(value, config.actions) };
  });
  const rows = new Map<string, { row: ReturnType<typeof records.rowOf>; at: number }>();
  values.forEach((value, at) => {
    if (outcomes[at]!.status !== "accepted") return;
    const row = records.rowOf(records.canonical(value as never));
    const same = rows.get(outcomes[at]!.id!);
    if (same) outcomes[at]!.status = same.row.hash.equals(row.hash) ? "duplicate" : "conflict";
    else rows.set(outcomes[at]!.id!, { row, at });
  });
  await service.database.transaction(async (queries) => {
    const kept = [...rows.values()];
    const found = await records.insert(
      kept.map(({ row }) => row),
      queries,
    );
    kept.forEach(({ at }, i) => {
      outcomes[at]!.status = found[i]!;
    });
    const fresh = outcomes.filter(({ status }) => status === "accepted").map(({ id }) => id!);
    await service.queue.add(auditJobs(workspace, fresh), queries);
  });
  return outcomes;
}

async function* intake(service: Service, workspace: string, input: Readable): AsyncGenerator<string> {
  const lines = new LineSplitter(LONGEST_LINE);
  const keep = async (values: unknown[]): Promise<string> =>
    (await keepDecisions(service, workspace, values)).map((one) => `${JSON.stringify(one)}\n`).join("");
  let waiting: unknown[] = [];
  for await (const chunk of input) {
    for (const { bytes } of lines.push(chunk)) {
      if (bytes.length > 0) waiting.push(parsed(bytes));
      if (waiting.length >= INTAKE) {
        yield await keep(waiting);
        waiting = [];
      }
    }
  }
  for (const { bytes } of lines.end()) if (bytes.length > 0) waiting.push(parsed(bytes));
  if (waiting.length > 0) yield await keep(waiting);
}

function why(value: unknown, actions: Parameters<typeof fits>[2]): string {
  if (value === undefined) return "not JSON, longer than 1 MB, or with a key twice";
  const kind = RECORD_KINDS.decisions;
  if (fits(kind.fields, value, actions)) return "the id is longer than 512 characters";
  const { field, reason } = explainRecord(kind, value, actions);
  return field ? `${field}: ${reason}` : reason;
}

function unknownDecision(): Problem {
  return new Problem(404, "unknown_decision", "There is no such decision.");
}

export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const place = Number(Buffer.from(cursor, "base64url").toString());
  if (Number.isSafeInteger(place) && place >= 0) return place;
  throw new Problem(400, "bad_cursor", "The cursor is not one of ours.");
}

export function writeCursor(place: number): string {
  return Buffer.from(String(place)).toString("base64url");
}
