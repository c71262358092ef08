import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Actor, Scope } from "../auth.js";
import type { Service } from "../service.js";

export interface Call<Body, Query, Params> {
  service: Service;
  actor: Actor;
  body: Body;
  query: Query;
  params: Params;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** One endpoint: all that the server, the OpenAPI document and the test of permissions need of it. */
export interface Endpoint<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: `/v1/${string}` | "/";
  summary: string;
  /** What the caller's key or role must have. */
  scope: Scope;
  body?: Body;
  query?: Query;
  params?: Params;
  /** What is answered with 200, for the document. */
  answer?: z.ZodType;
  /** The body is a stream of JSON lines, and so is the answer. */
  lines?: boolean;
  /** The handler checks the body itself, faster. */
  unchecked?: boolean;
  handle(call: Call<z.infer<Body>, z.infer<Query>, z.infer<Params>>): Promise<unknown>;
}

/** Keeps the types of body, query and parameters together. */
export function endpoint<B extends z.ZodType, Q extends z.ZodType, P extends z.ZodType>(
  one: Endpoint<B, Q, P>,
): Endpoint {
  return one as unknown as Endpoint;
}
