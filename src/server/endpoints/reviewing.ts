import { z } from "zod";
import type { ReviewOutcome } from "../../core/records/truth.js";
import { claimItems, decideItem, openItems, releaseItem, reviewCounts } from "../../store/postgres/reviews.js";
import { Problem } from "../problems.js";
import { announce } from "../webhooks.js";
import { endpoint } from "./endpoint.js";
import { page, readCursor, writeCursor } from "./routing.js";

const claimed = z.object({ claim: z.uuid() });
const item = z.object({ id: z.coerce.number().int().min(1) });

export const REVIEWING = [
  endpoint({
    method: "GET",
    url: "/v1/queue",
    summary: "How many items wait, are claimed and are done.",
    scope: "reviews:read",
    async handle({ service, actor }) {
      return { items: await reviewCounts(service.database, actor.workspace) };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/queue/items",
    summary: "Items that wait for a reviewer, without content.",
    scope: "reviews:read",
    query: page,
    async handle({ service, actor, query }) {
      const items = await openItems(service.database, actor.workspace, readCursor(query.cursor), query.limit);
      return { items, next_cursor: items.length < query.limit ? null : writeCursor(items.at(-1)!.item_id) };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/queue/claim",
    summary: "Claims items for ten minutes. No item is given to two people.",
    scope: "reviews:write",
    body: z.object({
      n: z.number().int().min(1).max(10).default(1),
      communities: z.array(z.string().max(512)).max(100).optional(),
    }),
    async handle({ service, actor, body }) {
      const { n, communities = null } = body;
      return { items: await claimItems(service.database, actor.workspace, { by: actor.name, n, communities }) };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/items/:id/release",
    summary: "Gives a claimed item back.",
    scope: "reviews:write",
    params: item,
    body: claimed,
    async handle({ service, actor, params, body }) {
      if (!(await releaseItem(service.database, actor.workspace, params.id, body.claim))) throw claimLost();
      return { item_id: params.id, state: "open" };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/items/:id/decision",
    summary: "The reviewer's answer. It becomes an outcome, and a label that knows how its case was drawn.",
    scope: "reviews:write",
    params: item,
    body: claimed.extend({
      outcome: z.enum(["uphold", "overturn"]),
      level: z.number().int().min(1).max(3).optional(),
      inverse: z.boolean().optional(),
      note: z.string().max(10_000).optional(),
      seconds: z.number().min(0).max(86_400).optional(),
      saw_audit: z.boolean(),
    }),
    async handle({ service, actor, params, body, reply }) {
      const outcomes = await service.outcomes(actor.workspace);
      const reviewId = await service.database.transaction(async (queries) => {
        const done = await decideItem(queries, actor.workspace, params.id, body.claim, {
          reviewer: actor.name,
          outcome: body.outcome,
          level: body.level ?? null,
          inverse: body.inverse === undefined ? null : String(body.inverse),
          note: body.note ?? null,
          seconds: body.seconds ?? null,
          sawAudit: body.saw_audit,
        });
        if (!done) throw claimLost();
        const outcome: ReviewOutcome = {
          decision_id: done.decision_id,
          outcome: body.outcome,
          ...(body.level === undefined ? {} : { level: body.level as 1 | 2 | 3 }),
          ...(body.inverse === undefined ? {} : { inverse: body.inverse }),
          reviewer: actor.name,
          saw_audit: body.saw_audit,
          at: done.at,
          source: "review",
        };
        await outcomes.insert([outcomes.rowOf(outcomes.canonical(outcome))], queries);
        const { workspace } = actor;
        await service.queue.add(
          [{ task: "labels", payload: { workspace }, key: `labels ${workspace}`, delay: 5 }],
          queries,
        );
        const { decision_id } = done;
        const data = { review_id: done.review_id, decision_id, outcome: body.outcome };
        await announce(service, queries, workspace, [{ type: "review.completed", data }]);
        return done.review_id;
      });
      reply.code(201);
      return { review_id: reviewId };
    },
  }),
];

function claimLost(): Problem {
  return new Problem(409, "claim_lost", "The claim has run out, or the item was decided.");
}
