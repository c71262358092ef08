import { Readable } from "node:stream";
import { z } from "zod";
import { Framing } from "../../app/evidence/framing.js";
import { handledBy, routedBy, runVerdict, stateReasons } from "../../app/evidence/statements.js";
import { receiveRecords } from "../../app/live/intake.js";
import { auditSchema } from "../../core/records/audit.js";
import { type Decision, decisionSchema } from "../../core/records/decision.js";
import { routeRecordSchema } from "../../core/records/route.js";
import { statementDraftSchema } from "../../evidence/statements/draft-schema.js";
import { REFUSAL_WORDS } from "../../evidence/statements/words.js";
import { appealsOf } from "../../store/postgres/appeals.js";
import { columnText } from "../../store/postgres/database.js";
import {
  auditsOf,
  decisionsAfter,
  decisionsById,
  newestAudits,
  newestRunAudits,
  outcomesOf,
  routesOf,
} from "../../store/postgres/live.js";
import { reviewsOf } from "../../store/postgres/reviews.js";
import { auditJobs } from "../audit-jobs.js";
import { answerLines } from "../lines.js";
import { Problem } from "../problems.js";
import type { Service } from "../service.js";
import { endpoint, listOf, numberAt, page, pageOf } from "./endpoint.js";
import { heldBy, noteContentSeen, noteSeen, refuseHeld } from "./independence.js";
import { reviewSchema } from "./reviewing.js";
import { decisionId, unknownDecision } from "./routing.js";
import { appealSchema } from "./screens.js";
import { knownCasesOf, shownAppeal, shownAudit, shownDecision, shownReview } from "./shown.js";

/** Lines that one transaction keeps. While it commits, the next is prepared. */
const INTAKE = 1000;

/** The outcome for one record. */
export const receivedSchema = z.object({
  id: z.string().nullable(),
  status: z.enum(["accepted", "duplicate", "conflict", "rejected"]),
  detail: z.string().optional(),
});

/** Without the scope `content:read`, everything that quotes people's words is left out. */
export const decisionAnswer = decisionSchema.partial({ content: true });
export const auditAnswer = auditSchema.partial().loose();

export const DECISIONS = [
  endpoint({
    method: "POST",
    url: "/v1/decisions",
    summary:
      "Stores a decision, or a stream of decisions as JSON lines, and queues the audits. A stored decision sent again is a duplicate; the same id with other content is a conflict.",
    scope: "decisions:write",
    body: decisionSchema,
    lines: "too",
    status: 202,
    also: { 200: "A duplicate, or the answers of a stream, line by line." },
    answer: receivedSchema,
    async handle({ service, actor, body, reply }) {
      return received(await decisionReceiver(service, actor.workspace), body, reply);
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/decisions",
    summary:
      "Decisions in order of arrival, without those of cases that the caller has claimed. Content needs the scope `content:read`.",
    scope: "decisions:read",
    query: page.extend({ community: z.string().max(512).optional() }),
    answer: listOf(decisionAnswer),
    async handle({ service, actor, query: { limit, cursor, community = null } }) {
      const after = numberAt(cursor, 0);
      const without = [...(await heldBy(service, actor))];
      const rows = await decisionsAfter(service.database, actor.workspace, { after, limit, community, without });
      const decisions = rows.map(({ seq, line }) => ({ seq, decision: JSON.parse(line) as Decision }));
      await noteContentSeen(
        service,
        actor,
        decisions.map(({ decision }) => decision.id),
      );
      return pageOf(
        decisions,
        limit,
        ({ seq }) => seq,
        ({ decision }) => shownDecision(actor, decision),
      );
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/decisions/:id",
    summary: "A decision with its newest audit and route, its reviews and its appeals.",
    scope: "decisions:read",
    params: decisionId,
    answer: z.object({
      decision: decisionAnswer,
      audit: auditAnswer.nullable(),
      route: routeRecordSchema.nullable(),
      reviews: z.array(reviewSchema),
      appeals: z.array(appealSchema),
    }),
    async handle({ service, actor, params: { id } }) {
      const { database } = service;
      const { workspace } = actor;
      await refuseHeld(service, actor, id);
      const [decision] = await decisionsById(database, workspace, [id]);
      if (!decision) throw unknownDecision();
      const audit = (await newestAudits(database, workspace, [id])).get(columnText(id));
      if (audit !== undefined) await noteSeen(service, actor, [id]);
      await noteContentSeen(service, actor, [id]);
      const [route] = await routesOf(database, workspace, id, { limit: 1 });
      return {
        decision: shownDecision(actor, decision),
        audit: audit === undefined ? null : shownAudit(actor, audit),
        route: (route?.line as never) ?? null,
        reviews: (await reviewsOf(database, workspace, id, knownCasesOf(actor))).map((one) => shownReview(actor, one)),
        appeals: (await appealsOf(database, workspace, id)).map((one) => shownAppeal(actor, one)),
      };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/decisions/:id/audits",
    summary: "Audits of a decision in all runs, newest first.",
    scope: "audits:read",
    params: decisionId,
    query: page,
    answer: listOf(auditAnswer),
    async handle({ service, actor, params, query: { limit, cursor } }) {
      await refuseHeld(service, actor, params.id);
      const before = numberAt(cursor, Number.MAX_SAFE_INTEGER);
      const rows = await auditsOf(service.database, actor.workspace, params.id, { before, limit });
      if (rows.length > 0) {
        await noteSeen(service, actor, [params.id]);
        await noteContentSeen(service, actor, [params.id]);
      }
      return pageOf(
        rows,
        limit,
        ({ seq }) => seq,
        ({ line }) => shownAudit(actor, line),
      );
    },
  }),
];

type Receive = (values: readonly unknown[]) => ReturnType<typeof receiveRecords>;

/** Keeps decisions and orders their audits. */
export async function decisionReceiver(service: Service, workspace: string): Promise<Receive> {
  const records = await service.decisions(workspace);
  const { actions } = (await service.context(workspace)).config;
  const { database, queue } = service;
  const jobs = (ids: readonly string[]) => auditJobs(workspace, ids);
  return (values) => receiveRecords({ database, records, actions, queue, jobs }, values);
}

/** Answers one record, or a stream of them. */
export async function received(
  receive: Receive,
  body: unknown,
  reply: { code(status: number): unknown; type(type: string): unknown },
): Promise<z.input<typeof receivedSchema> | Readable> {
  if (body instanceof Readable) {
    reply.code(200);
    reply.type("application/x-ndjson");
    const lines = async (values: unknown[]) => (await receive(values)).map((one) => JSON.stringify(one));
    return Readable.from(answerLines(body, { most: INTAKE, ahead: 1 }, lines));
  }
  const [one] = await receive([body]);
  const { id, status, detail } = one!;
  if (status === "rejected") throw new Problem(422, "rejected", `The body is not in the format: ${detail}`, { id });
  if (status === "conflict") throw new Problem(409, "differs", "It is kept with another content.", { id });
  if (status === "duplicate") reply.code(200);
  return one!;
}

/** Routes of one decision that are read for its statement. */
const MOST_ROUTES = 1000;

export const STATEMENTS = [
  endpoint({
    method: "GET",
    url: "/v1/decisions/:id/statement-of-reasons",
    summary:
      "The draft of a statement of reasons (EU DSA, Article 17) from the run of the newest audit, as `export --as dsa-statements` makes it. 409 with code `not_a_restriction`, `indefensible`, `ambiguous` or another from docs/statements.md. Reasoning needs the scope `content:read`.",
    scope: "audits:read",
    params: decisionId,
    answer: statementDraftSchema,
    async handle({ service, actor, params: { id } }) {
      const { database } = service;
      const { workspace } = actor;
      await refuseHeld(service, actor, id);
      const [decision] = await decisionsById(database, workspace, [id]);
      if (!decision) throw unknownDecision();
      const audits = await newestRunAudits(database, workspace, id);
      // The code of a refusal reveals what the audit found.
      if (audits.length > 0) await noteSeen(service, actor, [id]);
      const newestFirst = await routesOf(database, workspace, id, { limit: MOST_ROUTES });
      const routes = newestFirst.map(({ line }) => line as Parameters<typeof routedBy>[0][number]).reverse();
      const context = await service.context(workspace);
      const made = stateReasons(context, {
        framing: await Framing.open(context, decision.community),
        decision,
        ...runVerdict(decision, audits, context.config.actions),
        ...routedBy(routes),
        ...handledBy(await outcomesOf(database, workspace, id)),
        appealOpen: (await appealsOf(database, workspace, id)).some(({ state }) => state === "open"),
        withReasoning: actor.scopes.has("content:read"),
      });
      if (typeof made === "string") throw new Problem(409, made, `There is no statement: ${REFUSAL_WORDS[made]}.`);
      return made;
    },
  }),
];
