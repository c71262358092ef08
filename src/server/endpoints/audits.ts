import { auditSchema } from "../../core/records/audit.js";
import type { Actor } from "../auth.js";
import type { Service } from "../service.js";
import { received, receivedSchema } from "./decisions.js";
import { keepAudits } from "./embedded.js";
import { endpoint } from "./endpoint.js";

export const AUDITS = [
  endpoint({
    method: "POST",
    url: "/v1/audits",
    summary:
      "Keeps an audit that another tool made, or a stream of them as JSON lines, with who sent it. Its decision must be here. A decision that has an audit keeps that one: a duplicate.",
    scope: "audits:write",
    body: auditSchema,
    lines: "too",
    status: 202,
    also: { 200: "A duplicate, or the answers of a stream, line by line." },
    answer: receivedSchema,
    async handle({ service, actor, body, reply }) {
      return received((values) => keepAndRoute(service, actor, values), body, reply);
    },
  }),
];

/** Once audits are kept, their decisions are routed anew, as after an audit that was made here. */
async function keepAndRoute(service: Service, actor: Actor, values: readonly unknown[]) {
  const outcomes = await keepAudits(service, actor, values);
  const fresh = outcomes.flatMap(({ id, status }) => (status === "accepted" ? [id!] : []));
  if (fresh.length > 0) await service.audited(actor.workspace, fresh);
  return outcomes;
}
