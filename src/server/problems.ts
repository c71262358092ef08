import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { z } from "zod";
import { BusyError, DefensibleError, EnvironmentError } from "../core/errors.js";
import { isAway } from "../store/postgres/database.js";
import { StaleEpoch } from "../store/postgres/gate.js";
import { Overloaded } from "./route-desk.js";

/** An error as a client receives it: RFC 9457, `application/problem+json`. `code` is stable. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly more: Record<string, unknown> = {},
  ) {
    super(detail);
  }
}

/** For the OpenAPI document. */
export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string().describe("Stable; the rest is for people."),
  detail: z.string(),
  instance: z.string().describe("The request's id."),
});

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Not authenticated",
  403: "Not allowed",
  404: "Not found",
  409: "Conflict",
  412: "Changed since",
  413: "Too large",
  414: "Address too long",
  415: "Unsupported media type",
  422: "Not in the format",
  428: "If-Match needed",
  429: "Too many requests",
  500: "Internal error",
  503: "Not available",
};

/** Database errors: a deadlock, and a transaction that must be repeated. */
const RETRIED = new Set(["40P01", "40001"]);

/** Database errors: a time before its first year, or a character that text cannot contain. */
const BAD_VALUE = /^22[0-9A-Z]{3}$/;

/** Fastify errors by status: its own codes and messages are not ours to keep stable. */
const OF_FASTIFY: Readonly<Record<number, [code: string, detail: string]>> = {
  413: ["body_too_large", "The body is too large."],
  415: ["unsupported_media_type", "Send JSON: `content-type: application/json`."],
};

/** Fastify errors by code: addresses that cannot be parsed. Fastify's messages quote them. */
const OF_ADDRESSES: Readonly<Record<string, [code: string, detail: string]>> = {
  FST_ERR_BAD_URL: ["bad_address", "The address has a % that is not followed by a character in UTF-8."],
  FST_ERR_MAX_PARAM_LENGTH: ["address_too_long", "A part of the address is too long."],
};

/** Replaces messages written for the command line. */
const DETAILS: Readonly<Record<string, string>> = { not_suspended: "It is not suspended." };
const COMMAND = /`defensible |--\w/;

const STATUSES: Readonly<Record<string, number>> = {
  unknown_run: 404,
  not_suspended: 404,
  no_runs: 409,
  key_name_taken: 409,
  bad_person: 403,
};

/** The part of an error that a caller may read. Messages of unforeseen errors go only to the log. */
function problemOf(cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  if (hasZodFastifySchemaValidationErrors(cause)) {
    const errors = cause.validation.map(({ instancePath, message }) => ({ pointer: instancePath, detail: message }));
    return new Problem(422, "not_in_format", "The request is not in the format.", { errors });
  }
  if (cause instanceof Overloaded) return new Problem(503, "overloaded", "Too much is under way.", { retry: 1 });
  if (isAway((cause as { cause?: unknown }).cause ?? cause)) {
    return new Problem(503, "database_away", "The database cannot be reached.", { retry: 2 });
  }
  if (cause instanceof StaleEpoch) {
    return new Problem(412, "gate_changed", "The gate was changed since you looked at it. Look again.", {
      epoch: cause.epoch,
    });
  }
  if (BAD_VALUE.test((cause as { code?: string }).code ?? "")) {
    return new Problem(422, "not_in_format", "The database cannot keep a value of the request.");
  }
  if (RETRIED.has((cause as { code?: string }).code ?? "")) {
    return new Problem(503, "busy", "Two requests changed the same thing. Nothing was done.", { retry: 1 });
  }
  if (cause instanceof DefensibleError) {
    const status =
      cause instanceof BusyError ? 409 : cause instanceof EnvironmentError ? 503 : (STATUSES[cause.code] ?? 422);
    // Quoted text comes from the request.
    const detail = DETAILS[cause.code] ?? cause.message.replace(/"(?:[^"\\]|\\.)*"/g, '"…"');
    const { remedy } = cause;
    return new Problem(status, cause.code, detail, remedy && !COMMAND.test(remedy) ? { remedy } : {});
  }
  const { statusCode, message, code = "" } = cause as Partial<FastifyError>;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const [own = "bad_request", detail = message ?? ""] = OF_ADDRESSES[code] ?? OF_FASTIFY[statusCode] ?? [];
    return new Problem(statusCode, own, detail);
  }
  return new Problem(500, "internal", "Something failed here. The log has more under the request's id.");
}

/** What may be logged of an error: its name, its code and its stack. Its message may quote content. */
function traceable(cause: unknown): object {
  const { name, code, stack } = cause as { name?: string; code?: string; stack?: string };
  const at = (stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return { error: name, error_code: code, at: at.slice(0, 8).map((line) => line.trim()) };
}

export function sendProblem(cause: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(cause);
  const { status, code, more } = problem;
  if (status >= 500) request.log.error({ reqId: request.id, code, ...traceable(cause) }, "request failed");
  if (typeof more.retry === "number") reply.header("retry-after", more.retry);
  return reply.code(status).type("application/problem+json").send(problemBody(problem, request));
}

/** A client that reads only `route` must fail closed too, so problems of routing say `review`. */
export function problemBody({ status, code, detail, more }: Problem, request: FastifyRequest): object {
  const { retry: _, ...rest } = more;
  // One route can be spelled in several ways; for an address without a route, only the spelling is known.
  const { url = request.url } = request.routeOptions;
  const routing = url.startsWith("/v1/route") ? { route: "review", reasons: [code] } : {};
  return {
    type: "about:blank",
    title: TITLES[status] ?? "Error",
    status,
    code,
    detail,
    instance: request.id,
    ...routing,
    ...rest,
  };
}
