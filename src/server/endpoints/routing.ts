import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { recordProblem } from "../../app/live/intake.js";
import { auditSchema } from "../../core/records/audit.js";
import { decisionSchema } from "../../core/records/decision.js";
import { routeRecordSchema, routeSchema } from "../../core/records/route.js";
import { newestAudits, routesOf } from "../../store/postgres/live.js";
import type { Actor } from "../auth.js";
import { answerLines } from "../lines.js";
import { Problem } from "../problems.js";
import type { RouteDesk } from "../route-desk.js";
import type { Service } from "../service.js";
import { unembedded } from "./embedded.js";
import { endpoint, listOf, numberAt, page, pageOf } from "./endpoint.js";
import { noteSeen, refuseHeld, refuseRouting } from "./independence.js";

const LONGEST_WAIT = 30;
const LOOK_MS = 150;
const JSON_TYPE = "application/json; charset=utf-8";

const added = {
  epoch: z.number().int().describe("Counts the changes of what routing goes by."),
  pending: z.boolean().optional().describe("The decision is being audited; ask again for its route."),
};
export const routedSchema = routeSchema.extend(added);
export const loggedSchema = routeRecordSchema.extend({ ...added, epoch: added.epoch.optional() });

/** A decision whose route is requested. */
export const askedSchema = decisionSchema.extend({
  audit: auditSchema
    .optional()
    .describe("Made by another tool. Needs the scope `audits:write`; it is kept first, with who sent it."),
});

export const decisionId = z.object({ id: z.string().min(1).max(512) });

export const ROUTING = [
  endpoint({
    method: "POST",
    url: "/v1/route",
    summary:
      "Routes a decision: `automate` or `review`. With `Prefer: wait=5` it waits for the audit of a new decision. 403 with code `answer_first` for a person who has claimed a case, and for a key that has claimed this one.",
    scope: "route:ask",
    body: askedSchema,
    unchecked: true,
    commits: true,
    headers: { prefer: "`wait=5`: waits so many seconds for the audit of a new decision." },
    answer: routedSchema,
    async handle({ service, actor, body, request, reply }) {
      await refuseRouting(service, actor, body);
      const [decision] = await unembedded(service, actor, [body]);
      if (decision instanceof Problem) throw decision;
      const ask = await asking(service, actor);
      const [{ route, text }] = await ask([decision]);
      reply.type(JSON_TYPE);
      if (route.reasons.includes("bad_decision")) throw await notADecision(service, actor.workspace, decision);
      const until = Date.now() + waitMs(request.headers.prefer);
      if (!route.pending || until <= Date.now()) return text;
      await audited(service, actor.workspace, route.decision_id!, until);
      return (await ask([decision]))[0].text;
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/routes",
    summary:
      "Routes many decisions: JSON lines in, JSON lines out, in the same order. 403 with code `answer_first` while the caller has claimed a case.",
    scope: "route:ask",
    body: askedSchema,
    lines: "only",
    answer: routedSchema,
    admits: ({ service, actor }) => refuseRouting(service, actor),
    async handle({ service, actor, body, reply }) {
      reply.type("application/x-ndjson");
      const ask = await asking(service, actor);
      return Readable.from(
        answerLines(body as unknown as Readable, { most: 200, prompt: true }, async (values) => {
          const plain = await unembedded(service, actor, values);
          return (await ask(plain.map((one) => (one instanceof Problem ? undefined : one)))).map(({ text }) => text);
        }),
      );
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/decisions/:id/route",
    summary: "The last route of a decision.",
    scope: "route:ask",
    params: decisionId,
    answer: loggedSchema,
    async handle({ service, actor, params }) {
      await refuseHeld(service, actor, params.id);
      const [last] = await routesOf(service.database, actor.workspace, params.id, { limit: 1 });
      if (!last) throw unknownDecision();
      await noteSeen(service, actor, [params.id]);
      return last.line as z.input<typeof loggedSchema>;
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/decisions/:id/routes",
    summary: "All routes of a decision, newest first.",
    scope: "route:ask",
    params: decisionId,
    query: page,
    answer: listOf(loggedSchema),
    async handle({ service, actor, params, query: { limit, cursor } }) {
      await refuseHeld(service, actor, params.id);
      const before = numberAt(cursor, Number.MAX_SAFE_INTEGER);
      const rows = await routesOf(service.database, actor.workspace, params.id, { before, limit });
      if (rows.length > 0) await noteSeen(service, actor, [params.id]);
      return pageOf(
        rows,
        limit,
        ({ seq }) => seq,
        ({ line }) => line as z.input<typeof loggedSchema>,
      );
    },
  }),
];

type Answered = Awaited<ReturnType<RouteDesk["route"]>>;

/**
 * Asks for routes. A route reveals what the audit found, unless the audit is still to come. A value that the format refuses, although
 * routing itself does not check it, is logged like any other that is not a decision.
 */
async function asking(service: Service, actor: Actor) {
  const { workspace } = actor;
  const desk = await service.desk(workspace);
  const ask = async (value: unknown) => {
    try {
      return await desk.route(value);
    } catch (cause) {
      const { config } = await service.context(workspace);
      if (recordProblem("decisions", value, config.actions) === null) throw cause;
      return desk.route({ id: (value as { id?: unknown } | null)?.id });
    }
  };
  return async <T extends unknown[]>(values: [...T]): Promise<{ [K in keyof T]: Answered }> => {
    const answers = await Promise.all(values.map(ask));
    const said = answers.flatMap(({ route: { decision_id, pending } }) => (pending ? [] : (decision_id ?? [])));
    await noteSeen(service, actor, said);
    return answers as { [K in keyof T]: Answered };
  };
}

async function notADecision(service: Service, workspace: string, body: unknown): Promise<Problem> {
  const { config } = await service.context(workspace);
  const problem = recordProblem("decisions", body, config.actions);
  const detail = `The body is not a decision in the format: ${problem?.message ?? ""}`;
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

export function unknownDecision(): Problem {
  return new Problem(404, "unknown_decision", "There is no such decision.");
}
