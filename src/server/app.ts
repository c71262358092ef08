import { createHash, randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import cookie from "@fastify/cookie";
import swagger from "@fastify/swagger";
import Fastify, { type FastifyInstance, LogController } from "fastify";
import { validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { readBuilt, VERSION } from "../io/machine.js";
import { hasDoubledKeys } from "../measures/gate/route/unsafe-keys.js";
import { Doorkeeper } from "./auth.js";
import { APPEALS } from "./endpoints/appeals.js";
import { DASHBOARD } from "./endpoints/dashboard.js";
import { DECISIONS, STATEMENTS } from "./endpoints/decisions.js";
import { documentOf } from "./endpoints/document.js";
import type { Endpoint } from "./endpoints/endpoint.js";
import { GATE } from "./endpoints/gate.js";
import { INCOMING } from "./endpoints/incoming.js";
import { ERASING, OPERATING } from "./endpoints/operating.js";
import { RECORDS } from "./endpoints/records.js";
import { NDJSON, register } from "./endpoints/register.js";
import { REVIEWING } from "./endpoints/reviewing.js";
import { ROUTING } from "./endpoints/routing.js";
import { AUDITS, RUNS } from "./endpoints/runs.js";
import { EVENTS, WEBHOOKS } from "./endpoints/webhooks.js";
import { WORKBENCH } from "./endpoints/workbench.js";
import { Limits, SECURITY, secureHeaders } from "./guard.js";
import { drainBeforeClose, healthRoutes, type Metrics, metricsOf, type Readiness } from "./operations.js";
import { Problem, sendProblem } from "./problems.js";
import type { Service } from "./service.js";
import { isSecure, type SignInOptions, signInRoutes } from "./sign-in.js";

interface Asset {
  url: string;
  type: string;
  /** Compressed. */
  bytes: Buffer;
}

function asset(name: string, type: string): Asset {
  const text = readBuilt(name);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { url: `/assets/${hash}-${name}`, type, bytes: gzipSync(text) };
}

const shell = (script: Asset, style: Asset) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>defensible</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style.url}">
</head>
<body>
<div id="root"></div>
<noscript>The workbench needs JavaScript.</noscript>
<script type="module" src="${script.url}"></script>
</body>
</html>
`;

/**
 * The workbench: one page, one script and one style sheet, the same for everyone and without data. The server's content policy lets nothing
 * else run. A file's address changes with its content, so browsers cache it.
 */
function serveWorkbench(app: FastifyInstance): void {
  const hidden = { schema: { hide: true } };
  let made: { script: Asset; style: Asset; html: Buffer } | null = null;
  const parts = () => {
    if (!made) {
      const [script, style] = [
        asset("live.js", "text/javascript; charset=utf-8"),
        asset("live.css", "text/css; charset=utf-8"),
      ];
      made = { script, style, html: gzipSync(shell(script, style)) };
    }
    return made;
  };
  app.get("/", hidden, async (_request, reply) =>
    reply.type("text/html; charset=utf-8").header("content-encoding", "gzip").send(parts().html),
  );
  app.get("/assets/:name", hidden, async (request, reply) => {
    const { name } = request.params as { name: string };
    const found = [parts().script, parts().style].find(({ url }) => url === `/assets/${name}`);
    if (!found) return reply.callNotFound();
    return reply
      .type(found.type)
      .header("content-encoding", "gzip")
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(found.bytes);
  });
}

/** All endpoints that require a key or a session. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...ROUTING,
  ...DECISIONS,
  ...AUDITS,
  ...STATEMENTS,
  ...REVIEWING,
  ...APPEALS,
  ...GATE,
  ...RECORDS,
  ...RUNS,
  ...OPERATING,
  ...EVENTS,
  ...WEBHOOKS,
  ...INCOMING,
  ...DASHBOARD,
  ...WORKBENCH,
  ...ERASING,
];

export interface AppOptions extends SignInOptions, Readiness {
  /** Records the figures of requests. */
  metrics?: Metrics;
  /** Receives every route, for a test of who may use it. */
  onRoute?: (route: { method: string | string[]; url: string }) => void;
  /** Receives log lines. Default: discarded. */
  log?: { write(line: string): void };
  /** Requests per minute of one key, or of one address without a valid key. */
  perMinute?: number;
  /** Addresses of proxies that are trusted to name the caller. */
  trustProxy?: string[] | false;
  /** Longest time for a body, and longest silence within a stream of JSON lines. */
  bodyMs?: number;
}

const BODY_BYTES = 1 << 20;
const BODY_MS = 120_000;
/** Longest part of an address. Ids have at most 512 characters; their schema refuses longer ones. */
const ADDRESS_PART = 16_384;

/** Builds the HTTP service. Stop it with `app.close()`. */
export async function buildApp(service: Service, options: AppOptions = {}): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: BODY_BYTES,
    forceCloseConnections: true,
    return503OnClosing: false,
    trustProxy: options.trustProxy ?? false,
    routerOptions: { maxParamLength: ADDRESS_PART },
    // No hook runs for an address that cannot be parsed.
    frameworkErrors: (cause, request, reply) => {
      sendProblem(cause, request, reply.headers(SECURITY).header("x-request-id", request.id));
    },
    genReqId: (request) => {
      const given = request.headers["x-request-id"];
      return typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
    },
    logController: new LogController({ disableRequestLogging: true }),
    logger: options.log ? { level: "info", stream: options.log, serializers: {} } : false,
    // Log lines name the request themselves: a child logger per request would cost more than the line.
    childLoggerFactory: (logger) => logger,
  }).withTypeProvider<ZodTypeProvider>();
  if (options.onRoute) app.addHook("onRoute", options.onRoute);
  app.setValidatorCompiler(validatorCompiler);
  // Schemas of answers are only for the OpenAPI document: one that strips unknown fields would lose fields of records. Tests check answers
  // against them.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler((cause, request, reply) => {
    const page = request.method === "GET" && String(request.headers.accept ?? "").includes("text/html");
    if (options.oidc && page && cause instanceof Problem && /^no_(key|session)$/.test(cause.code)) {
      return reply.redirect(`/sign-in?to=${encodeURIComponent(request.url)}`);
    }
    return sendProblem(cause, request, reply);
  });
  app.setNotFoundHandler((request, reply) =>
    sendProblem(new Problem(404, "not_found", "There is no such address."), request, reply),
  );
  parsers(app);
  limitBodies(app, options.bodyMs ?? BODY_MS);
  secureHeaders(app);
  app.addHook("preClose", async () => service.hints.endStreams());
  drainBeforeClose(app);
  const metrics = options.metrics ?? metricsOf(service);
  await app.register(cookie);
  const door = new Doorkeeper(service.database, (request) => isSecure(options, request));
  const limits = new Limits(options.perMinute ?? 60_000);
  // Requests to endpoints are counted by key, once it is known.
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.url.startsWith("/v1/")) limits.address(request, reply);
    done();
  });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "defensible", version: VERSION, description: "Can this decision be derived from the rules?" },
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
      security: [{ key: [] }],
    },
    ...documentOf(),
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown";
    metrics.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    // A list of what may be logged, never the request itself: it holds content and keys.
    const { id: reqId, method } = request;
    request.log.info({ reqId, method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, "request");
    done();
  });
  app.addHook("onClose", async () => service.hints.close());
  for (const one of ENDPOINTS) register(app, one, service, { door, limits });
  healthRoutes(app, service, options);
  app.get("/openapi.json", { schema: { hide: true } }, async () => app.swagger());
  signInRoutes(app, service, options);
  serveWorkbench(app);
  await app.ready();
  return app;
}

/**
 * Ends the connection of a body that takes too long. A stream of JSON lines may take any time while bytes arrive; Node's own limit
 * (`requestTimeout`) would end it.
 */
function limitBodies(app: FastifyInstance, ms: number): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { raw } = request;
    const { socket, headers } = raw;
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return done();
    const streams = String(headers["content-type"]).startsWith(NDJSON);
    let read = socket.bytesRead;
    const timer = setTimeout(() => {
      if (raw.complete) return;
      if (!streams || read === socket.bytesRead) return void raw.destroy();
      read = socket.bytesRead;
      timer.refresh();
    }, ms).unref();
    const clear = () => clearTimeout(timer);
    raw.once("end", clear).once("close", clear);
    done();
  });
}

class DoubledKey extends Error {}

/** Refuses JSON in which a key occurs twice: two readers could understand it differently. JSON lines are passed on as a stream. */
function parsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    try {
      const value: unknown = JSON.parse(text as string);
      if (hasDoubledKeys(text as string, value)) throw new DoubledKey();
      done(null, value);
    } catch (cause) {
      // Without the parser's message, which quotes the body.
      const detail = cause instanceof DoubledKey ? "The body has a key twice." : "The body is not JSON.";
      done(new Problem(400, "not_json", detail) as never);
    }
  });
  app.addContentTypeParser(NDJSON, (_request: unknown, payload: Readable, done: (e: null, v: Readable) => void) =>
    done(null, payload),
  );
}
