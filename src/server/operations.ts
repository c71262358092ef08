import { setTimeout as delay } from "node:timers/promises";
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type Figures, operatingFigures } from "../store/postgres/live.js";
import { checkSchema } from "../store/postgres/schema.js";
import { webhookHealth } from "../store/postgres/webhooks.js";
import type { Service } from "./service.js";

export type Metrics = ReturnType<typeof metricsOf>;

/** Metrics for Prometheus. Communities are not labels: their number is unbounded. */
export function metricsOf(service: Service) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "defensible_" });
  const requests = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time to answer a request.",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    registers: [registry],
  });
  const failures = new Counter({
    name: "metrics_failures_total",
    help: "Figures that could not be read.",
    registers: [registry],
  });
  const waiting = new Gauge({
    name: "route_waiting",
    help: "Decisions that wait for their route.",
    registers: [registry],
  });
  const depth = new Gauge({
    name: "job_queue_depth",
    help: "Jobs by task and state.",
    labelNames: ["task", "state"],
    registers: [registry],
  });
  const oldest = new Gauge({
    name: "job_oldest_seconds",
    help: "How long the oldest job has been due.",
    labelNames: ["task"],
    registers: [registry],
  });
  const webhooks = new Gauge({
    name: "webhooks",
    help: "Webhooks whose last attempts failed, and those that were disabled.",
    labelNames: ["state"],
    registers: [registry],
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const routed = new Gauge({
    name: "route_decisions_total",
    help: "Routes given by this process.",
    labelNames: ["route"],
    registers: [registry],
  });
  const figures: Record<keyof Figures, Gauge> = {
    review_open: gauge("review_open", "Items that wait for a reviewer."),
    review_oldest_seconds: gauge("review_oldest_seconds", "How long the oldest item has waited."),
    gates_closed: gauge("gates_closed", "Workspaces whose gates are closed by the kill switch."),
    communities_suspended: gauge("communities_suspended", "Communities that are suspended."),
    audit_cost_usd: gauge("audit_cost_usd", "What all audits have cost."),
  };
  return {
    observe: (method: string, route: string, status: number, seconds: number) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    async text(): Promise<string> {
      waiting.set(await service.waiting());
      for (const [route, n] of await service.routed()) routed.set({ route }, n);
      try {
        depth.reset();
        oldest.reset();
        for (const { task, oldest_seconds, ...states } of await service.queue.depth()) {
          for (const [state, n] of Object.entries(states)) depth.set({ task, state }, n);
          oldest.set({ task }, oldest_seconds);
        }
        for (const [name, n] of Object.entries(await operatingFigures(service.database))) {
          figures[name as keyof Figures].set(n);
        }
        for (const [state, n] of Object.entries(await webhookHealth(service.database))) webhooks.set({ state }, n);
      } catch {
        failures.inc();
      }
      return registry.metrics();
    },
  };
}

const ANSWER_MS = 1000;
const MOST_WAITING = 5000;
/** Shorter than the time that orchestrators wait before they kill a process. */
const DRAIN_MS = 25_000;

export interface Readiness {
  /** Aborted when the process is asked to stop; from then on it is not ready. */
  stopping?: AbortSignal;
  /** When the worker last looked for a job, in milliseconds since 1970. */
  lastLook?: () => number;
}

/** A worker that has not looked for a job for this long is stuck. */
const LONGEST_LOOK_MS = 60_000;

/** Why this process should get no traffic; empty: it is ready. The messages are ours, never the database's. */
async function problemsOf(service: Service, { stopping, lastLook }: Readiness): Promise<string[]> {
  if (stopping?.aborted) return ["stopping"];
  const problems: string[] = [];
  const late = new Promise<never>((_, fail) => setTimeout(() => fail(new Error("no answer")), ANSWER_MS).unref());
  await Promise.race([checkSchema(service.database), late]).catch((cause: { code?: string }) => {
    problems.push(/^schema_/.test(cause.code ?? "") ? "the database needs `defensible migrate`" : "no database");
  });
  if ((await service.waiting()) > MOST_WAITING) problems.push("too many decisions wait for their route");
  if (lastLook && Date.now() - lastLook() > LONGEST_LOOK_MS) problems.push("the worker does not look for jobs");
  return problems;
}

/** Health checks for an orchestrator. `/healthz` checks only the process, so that an unreachable database restarts no node. */
export function healthRoutes(app: FastifyInstance, service: Service, readiness: Readiness): void {
  const hidden = { schema: { hide: true } };
  app.get("/healthz", hidden, async () => ({ status: "alive" }));
  app.get("/readyz", hidden, async (_request, reply: FastifyReply) => {
    const problems = await problemsOf(service, readiness);
    return reply
      .code(problems.length > 0 ? 503 : 200)
      .send({ status: problems.length > 0 ? "not ready" : "ready", problems });
  });
}

/** Serves metrics and health checks on a port of their own, for operators only. */
export async function listenOperations(
  service: Service,
  { metrics, host, port, ...readiness }: Readiness & { metrics: Metrics; host: string; port: number },
): Promise<{ address: string; close: () => Promise<void> }> {
  const app = Fastify({ forceCloseConnections: true });
  healthRoutes(app, service, readiness);
  app.get("/metrics", async (_request, reply) => reply.type("text/plain; version=0.0.4").send(await metrics.text()));
  const address = await app.listen({ host, port });
  return { address, close: () => app.close() };
}

/**
 * `app.close()` first waits until the requests under way are answered, at most 25 seconds. It does not wait for event streams, which do not
 * end by themselves. Requests that arrive in the meantime are still answered, and their connections closed.
 */
export function drainBeforeClose(app: FastifyInstance): void {
  let [under, closing] = [0, false];
  const isStream = ({ accept }: { accept?: string }) => accept?.includes("text/event-stream") ?? false;
  app.addHook("onRequest", ({ headers }, reply, done) => {
    if (closing) reply.header("connection", "close");
    if (!isStream(headers)) {
      under++;
      // `close` follows the answer, and also a caller that disconnects, which emits no `finish`.
      reply.raw.once("close", () => {
        under--;
      });
    }
    done();
  });
  app.addHook("preClose", async () => {
    closing = true;
    for (const until = Date.now() + DRAIN_MS; under > 0 && Date.now() < until; ) await delay(20);
  });
}
