import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { webhookHealth } from "../store/postgres/webhooks.js";
import type { Service } from "./service.js";

/** Figures for Prometheus. No community is a label: there is no end of them. */
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
  return {
    observe: (method: string, route: string, status: number, seconds: number) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    async text(): Promise<string> {
      waiting.set(await service.waiting());
      try {
        depth.reset();
        oldest.reset();
        for (const { task, oldest_seconds, ...states } of await service.queue.depth()) {
          for (const [state, n] of Object.entries(states)) depth.set({ task, state }, n);
          oldest.set({ task }, oldest_seconds);
        }
        for (const [state, n] of Object.entries(await webhookHealth(service.database))) webhooks.set({ state }, n);
      } catch {
        failures.inc();
      }
      return registry.metrics();
    },
  };
}
