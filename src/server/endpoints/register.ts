import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaCompiler } from "fastify";
import { validatorCompiler } from "fastify-type-provider-zod";
import { z } from "zod";
import { answerKept, keepAnswer, takeRequest } from "../../store/postgres/idempotency.js";
import { type Actor, type Doorkeeper, requireScope } from "../auth.js";
import type { Limits } from "../guard.js";
import { comesSigned, signedBy } from "../incoming/senders.js";
import { whileAllowed } from "../lines.js";
import { Problem, problemBody, problemSchema } from "../problems.js";
import type { Service } from "../service.js";
import type { Endpoint } from "./endpoint.js";

const LONGEST_KEY = 128;

/** Adds an endpoint to the server: its permission, its schema, and what makes a repeated request harmless. */
export function register(
  app: FastifyInstance,
  one: Endpoint,
  service: Service,
  { door, limits }: { door: Doorkeeper; limits: Limits },
): void {
  const isOne = one.method !== "GET" && !one.lines && !one.commits;
  const takesKey = one.method === "POST" && isOne;
  const headers = {
    ...(takesKey ? { "idempotency-key": z.string().min(1).max(LONGEST_KEY).optional() } : {}),
    ...(one.ifMatch ? { "if-match": z.string().max(40).optional() } : {}),
    ...Object.fromEntries(
      Object.entries(one.headers ?? {}).map(([name, text]) => [name, z.string().describe(text).optional()]),
    ),
  };
  app.route({
    method: one.method,
    url: one.url,
    // HEAD would do what GET does: note what was read, and open streams.
    exposeHeadRoute: false,
    ...(one.lines ? { bodyLimit: Number.MAX_SAFE_INTEGER } : {}),
    ...(one.unchecked || one.lines ? { validatorCompiler: unchecked as never } : {}),
    schema: {
      summary: one.summary,
      description: `Scope: ${one.scope}`,
      ...(one.body ? { body: one.body } : {}),
      ...(one.query ? { querystring: one.query } : {}),
      ...(one.params ? { params: one.params } : {}),
      ...(Object.keys(headers).length > 0 ? { headers: z.looseObject(headers) } : {}),
      ...(one.lines ? { consumes: one.lines === "only" ? [NDJSON] : ["application/json", NDJSON] } : {}),
      response: {
        [one.status ?? 200]: { content: { [typeOf(one)]: { schema: one.answer } } },
        ...Object.fromEntries(
          Object.entries(one.also ?? {}).map(([status, description]) => [
            status,
            { description, content: { [typeOf(one)]: { schema: one.answer } } },
          ]),
        ),
        default: { content: { "application/problem+json": { schema: problemSchema } } },
      },
    },
    onRequest: (request, reply, done) => {
      const enter = (actor: Actor) => {
        requireScope(actor, one.scope);
        (request as { actor?: Actor }).actor = actor;
        if (one.lines === "only" && !String(request.headers["content-type"]).startsWith(NDJSON)) {
          throw new Problem(415, "not_lines", `Send JSON lines: \`content-type: ${NDJSON}\`.`);
        }
      };
      const known = door.knownActor(request);
      if (known) {
        limits.count(`key ${known.id}`, reply);
        enter(known);
        return done();
      }
      limits.address(request, reply);
      if (one.signed && comesSigned(request, door.hasSession(request))) return done();
      door
        .actorOf(request)
        .then(enter)
        .then(() => done(), done);
    },
    // The body is still raw bytes: nothing has parsed it.
    ...(one.signed
      ? {
          preParsing: async (request: FastifyRequest & { actor?: Actor }, _: unknown, payload: Readable) => {
            const body = await bytesOf(request, payload);
            const actor = await signedBy(service, request, body.toString(), request.actor);
            requireScope(actor, one.scope);
            request.actor = actor;
            return Object.assign(Readable.from([body]), { receivedEncodedLength: body.length });
          },
        }
      : {}),
    handler: async (request, reply) => {
      const { actor } = request as unknown as { actor: Actor };
      if (one.status) reply.code(one.status);
      const recheck = async () => requireScope(await door.actorOf(request), one.scope);
      await one.admits?.({ service, actor });
      const check = async () => {
        await recheck();
        await one.admits?.({ service, actor });
      };
      const body =
        request.body instanceof Readable
          ? whileAllowed(request.body, check, (problem) => problemBody(problem, request))
          : request.body;
      if (body instanceof Readable) reply.raw.once("close", () => body.destroy());
      const handle = (over: Service) =>
        one.handle({
          service: over,
          actor,
          body,
          query: request.query,
          params: request.params,
          request,
          reply,
          recheck,
        });
      if (!isOne) return handle(service);
      return service.database.together(async (database) => {
        const over = service.over(database);
        const key = takesKey ? request.headers["idempotency-key"] : undefined;
        return typeof key === "string" ? once(over, actor, key, request, reply, () => handle(over)) : handle(over);
      });
    },
  });
}

/** A raw body, up to the size that the server accepts. */
function bytesOf({ routeOptions: { bodyLimit }, headers }: FastifyRequest, payload: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const tooLarge = () => reject(new Problem(413, "body_too_large", "The body is too large."));
    if (Number(headers["content-length"]) > bodyLimit) return tooLarge();
    const take = (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length <= bodyLimit) return;
      payload.off("data", take);
      tooLarge();
    };
    payload
      .on("data", take)
      .once("end", () => resolve(Buffer.concat(parts)))
      .once("error", reject)
      .once("close", () => reject(new Problem(400, "bad_request", "The body has ended early.")));
  });
}

export const NDJSON = "application/x-ndjson";

/** For streams, and for bodies that the handler checks faster. Headers of such endpoints are not checked either. */
const unchecked: FastifySchemaCompiler<never> = (part) =>
  part.httpPart === "body" || part.httpPart === "headers" ? (value: unknown) => ({ value }) : validatorCompiler(part);

const typeOf = ({ type, lines }: Endpoint) => type ?? (lines === "only" ? NDJSON : "application/json");

/**
 * A request whose key was used before gets the answer of the first one. What a request does and its answer are committed together, so a
 * caller that got no answer can repeat it: either everything was done, or nothing.
 */
async function once(
  service: Service,
  { workspace, id: owner }: Actor,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
  handle: () => Promise<unknown>,
): Promise<unknown> {
  const { database, vault } = service;
  const what = { workspace, owner, key };
  const hash = createHash("sha256")
    .update(JSON.stringify([request.method, request.url, request.body ?? null]))
    .digest();
  if (!(await takeRequest(database, what))) {
    throw new Problem(409, "idempotency_key_in_use", "The first request with this key is under way.", { retry: 1 });
  }
  const kept = await answerKept(database, what, hash, vault);
  if (kept === "other") {
    throw new Problem(422, "idempotency_key_reused", "The key was used for another request. Take a new one.");
  }
  if (kept) {
    reply.code(kept.status).header("idempotency-replayed", "true");
    return kept.answer;
  }
  const answer = await handle();
  await keepAnswer(database, what, hash, { status: reply.statusCode, answer }, vault);
  return answer;
}
