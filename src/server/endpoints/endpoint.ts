import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { noteActivity } from "../../store/postgres/access.js";
import type { Actor, Scope } from "../auth.js";
import { Problem } from "../problems.js";
import type { Service } from "../service.js";

export interface Call<Body, Query, Params> {
  service: Service;
  actor: Actor;
  body: Body;
  query: Query;
  params: Params;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Fails if the key was revoked or the session has ended since the request came. */
  recheck(): Promise<void>;
}

/** One endpoint: everything that the server, the OpenAPI document, the client and the permission test need to know of it. */
export interface Endpoint<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: `/v1/${string}`;
  summary: string;
  /** The scope that the caller's key or role must have. */
  scope: Scope;
  body?: Body;
  query?: Query;
  params?: Params;
  /** The answer on success; for a stream, one line of it. */
  answer: Answer;
  /** The status of success, if it is not 200. */
  status?: 201 | 202;
  /** The body may be a stream of JSON lines, and then so is the answer. `only`: a single record is refused. */
  lines?: "only" | "too";
  /** The type of the answer, if it is not JSON. */
  type?: "text/html" | "text/event-stream";
  /** The sender may sign the call instead of sending a key. */
  signed?: boolean;
  unchecked?: boolean;
  /** The handler has transactions of its own, or waits for others. */
  commits?: boolean;
  /** What must hold for the caller in addition to the scope: when the request comes, and for as long as its stream is open. */
  admits?(call: Pick<Call<never, never, never>, "service" | "actor">): Promise<void>;
  /** A change needs `If-Match` with the epoch from `GET /v1/gate`. */
  ifMatch?: boolean;
  /** Headers that the endpoint reads, and what they do. */
  headers?: Readonly<Record<string, string>>;
  /** Other statuses that are no problem, and when they occur. 304 has no body. */
  also?: Readonly<Record<number, string>>;
  /** Handlers of methods other than GET run in one transaction, except for streams. A string is already JSON. */
  handle(
    call: Call<z.infer<Body>, z.infer<Query>, z.infer<Params>>,
  ): Promise<z.input<Answer> | Readable | Buffer | string>;
}

/** Keeps the types of body, query, parameters and answer together. */
export function endpoint<B extends z.ZodType, Q extends z.ZodType, P extends z.ZodType, A extends z.ZodType>(
  one: Endpoint<B, Q, P, A>,
): Endpoint {
  return one as unknown as Endpoint;
}

export const page = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: z.string().max(700).optional().describe("`next_cursor` of the page before."),
});

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable().describe("null: this is the last page."),
  });
}

/**
 * A page of rows that were read from a given place on. The cursor holds the place of the last; it needs no workspace, since every statement
 * is bound to one.
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => number | string,
  itemOf: (row: Row) => Item,
): { items: Item[]; next_cursor: string | null } {
  const last = rows.length < limit ? null : rows.at(-1)!;
  const next_cursor = last && Buffer.from(JSON.stringify(placeOf(last))).toString("base64url");
  return { items: rows.map(itemOf), next_cursor };
}

/** The place of a numeric cursor, or where the list begins. */
export function numberAt(cursor: string | undefined, start: number): number {
  const place = cursor === undefined ? start : placeIn(cursor);
  if (Number.isSafeInteger(place) && (place as number) >= 0) return place as number;
  throw badCursor();
}

/** The place of a text cursor; null: the list begins. */
export function textAt(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const place = placeIn(cursor);
  if (typeof place === "string" && !place.includes("\0")) return place;
  throw badCursor();
}

function placeIn(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw badCursor();
  }
}

export function badCursor(): Problem {
  return new Problem(400, "bad_cursor", "The cursor is not one that this list gave.");
}

/** Logs who did what to one subject, or to each of several. */
export async function noted(
  { service, actor }: Pick<Call<never, never, never>, "service" | "actor">,
  action: string,
  subject: string | readonly string[],
  doc?: object,
): Promise<void> {
  const subjects = [subject].flat().map((one) => one.slice(0, 500));
  if (subjects.length === 0) return;
  const entry = { actor: actor.name, action, subject: subjects, ...(doc ? { doc } : {}) };
  await noteActivity(service.database, actor.workspace, entry);
}
