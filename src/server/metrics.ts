import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type Figures, operatingFigures } from "../store/postgres/live.js";
import { webhookHealth } from "../store/postgres/webhooks.js";
import type { Service } from "./service.js";

export type Metrics = ReturnType<typeof metricsOf>;

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
