import { z } from "zod";
import { type Judgement, keepOutcome } from "../../app/live/reviewing.js";
import {
  claimItems,
  correctReview,
  decideItem,
  type KeptReview,
  openItems,
  type ReviewInput,
  releaseItem,
  renewItem,
  reviewCounts,
  reviewsBefore,
} from "../../store/postgres/reviews.js";
import type { Actor } from "../auth.js";
import { Problem } from "../problems.js";
import type { Service } from "../service.js";
import { announce } from "../webhooks.js";
import { endpoint, listOf, numberAt, page, pageOf } from "./endpoint.js";
import { hadPart, heldBy, refuseUnread, sameReviewer } from "./independence.js";
import { itemSchema } from "./screens.js";
import { knownCasesOf, shownReview } from "./shown.js";
import { mixKnown } from "./workbench.js";

const claimed = z.object({ claim: z.uuid() });
const number = z.object({ id: z.coerce.number().int().min(1) });
const level = z.union([z.literal(1), z.literal(2), z.literal(3)]);

/** A person's answer to a case. */
export const judgement = z.object({
  outcome: z.enum(["uphold", "overturn"]),
  level: level.optional(),
  inverse: z.boolean().optional(),
  rule_ids: z.array(z.string().max(600)).max(50).default([]),
  note: z.string().max(10_000).optional(),
  seconds: z.number().min(0).max(86_400).optional(),
  saw_audit: z
    .boolean()
    .describe("Whether the audit was shown before the answer: such an answer is no independent label."),
});

export const reviewSchema = z.object({
  review_id: z.number().int(),
  item_id: z.number().int(),
  decision_id: z.string(),
  reviewer: z.string(),
  outcome: z.enum(["uphold", "overturn"]),
  level: level.nullable(),
  inverse: z.string().nullable(),
  note: z.string().nullable().describe("Needs the scope `content:read`."),
  seconds: z.number().nullable(),
  saw_audit: z.boolean(),
  rule_ids: z.array(z.string()),
  replaces: z.number().int().nullable().describe("The review that this one corrects."),
  at: z.string(),
});

const reviewed = z.object({ review_id: z.number().int() });

export const REVIEWING = [
  endpoint({
    method: "GET",
    url: "/v1/queue",
    summary: "How many items are waiting, claimed and done. An item whose claim has expired is waiting again.",
    scope: "reviews:read",
    answer: z.object({
      items: z.array(z.object({ state: z.string(), n: z.number().int(), oldest_seconds: z.number() })),
    }),
    async handle({ service, actor }) {
      await mixKnown(service, actor);
      return { items: await reviewCounts(service.database, actor.workspace, actor.name) };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/queue/items",
    summary:
      "Items waiting for a reviewer, without content. `reason=appeal`: only those whose decision came with an appeal.",
    scope: "reviews:read",
    query: page.extend({ reason: z.literal("appeal").optional() }),
    answer: listOf(itemSchema),
    async handle({ service, actor, query: { limit, cursor, reason = null } }) {
      await mixKnown(service, actor);
      const asked = { after: numberAt(cursor, 0), limit, reason, person: actor.name };
      const rows = await openItems(service.database, actor.workspace, asked);
      return pageOf(
        rows,
        limit,
        ({ item_id }) => item_id,
        (row) => row,
      );
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
      item_id: z.number().int().min(1).optional().describe("This item and no other."),
    }),
    answer: z.object({ items: z.array(itemSchema.extend({ claim: z.string() })) }),
    async handle({ service, actor, body }) {
      const { n, communities = null, item_id: item = null } = body;
      const request = { by: actor.name, n: item === null ? n : 1, communities, item };
      await mixKnown(service, actor);
      const items = await claimItems(service.database, actor.workspace, request);
      if (items.length > 0) service.hint(actor.workspace, "queue");
      return { items };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/items/:id/renew",
    summary: "Renews a claim for ten minutes from now.",
    scope: "reviews:write",
    params: number,
    body: claimed,
    answer: z.object({ item_id: z.number().int(), state: z.literal("claimed") }),
    async handle({ service, actor, params, body }) {
      if (!(await renewItem(service.database, actor.workspace, params.id, heldAs(actor, body)))) throw claimLost();
      return { item_id: params.id, state: "claimed" as const };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/items/:id/release",
    summary: "Releases a claimed item.",
    scope: "reviews:write",
    params: number,
    body: claimed.extend({ skip: z.boolean().default(false).describe("The same person is not given it again.") }),
    answer: z.object({ item_id: z.number().int(), state: z.literal("open") }),
    async handle({ service, actor, params, body }) {
      const held = heldAs(actor, body);
      if (!(await releaseItem(service.database, actor.workspace, params.id, held, body.skip))) throw claimLost();
      service.hint(actor.workspace, "queue");
      return { item_id: params.id, state: "open" as const };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/items/:id/decision",
    summary:
      "The reviewer's answer. It becomes an outcome, and a label that records how its case was drawn. 403 with code `read_first` until `GET /v1/items/{id}` has returned its content.",
    scope: "reviews:write",
    params: number,
    body: claimed.extend(judgement.shape),
    status: 201,
    answer: reviewed,
    async handle({ service, actor, params, body }) {
      refuseUnfounded(body);
      const review = reviewOf(actor, body);
      const done = await decideItem(service.database, actor.workspace, params.id, body.claim, review);
      if (!done) throw claimLost();
      if (!done.read) refuseUnread(actor, "GET /v1/items/{id}");
      if (done.appealed && (await hadPart(service, actor, done.decision_id, done.review_id))) throw sameReviewer();
      return kept(service, actor, body, done);
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/reviews",
    summary:
      "Reviews, newest first, without those of cases that the caller has claimed. `mine=true`: only those of the caller.",
    scope: "reviews:read",
    query: page.extend({ mine: z.stringbool().default(false) }),
    answer: listOf(reviewSchema),
    async handle({ service, actor, query: { limit, cursor, mine } }) {
      const before = numberAt(cursor, Number.MAX_SAFE_INTEGER);
      const reviewer = mine ? actor.name : null;
      const rows = await reviewsBefore(service.database, actor.workspace, {
        before,
        limit,
        reviewer,
        shownTo: knownCasesOf(actor),
        without: [...(await heldBy(service, actor))],
      });
      return pageOf(
        rows,
        limit,
        ({ review_id }) => review_id,
        (row) => shownReview(actor, row),
      );
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/reviews/:id/correction",
    summary: "Undoes one of the caller's reviews by a new one that names it.",
    scope: "reviews:write",
    params: number,
    body: judgement,
    status: 201,
    answer: reviewed,
    async handle({ service, actor, params, body }) {
      refuseUnfounded(body);
      const done = await correctReview(service.database, actor.workspace, params.id, reviewOf(actor, body));
      if (!done) {
        throw new Problem(404, "unknown_review", "You have given no such review, or have corrected it before.");
      }
      // What a decided appeal was about does not change.
      if (done.contested) {
        throw new Problem(
          409,
          "appeal_decided",
          "An appeal against this decision was decided since. Your review stays as it is.",
        );
      }
      return kept(service, actor, body, done);
    },
  }),
];

const heldAs = (actor: Actor, { claim }: { claim: string }) => ({ by: actor.name, claim });

/** A review or the outcome of an appeal in the columns of its table. */
export function reviewOf(actor: Actor, body: z.infer<typeof judgement>): ReviewInput {
  return {
    reviewer: actor.name,
    outcome: body.outcome,
    level: body.level ?? null,
    inverse: body.inverse === undefined ? null : String(body.inverse),
    note: body.note ?? null,
    ruleIds: body.rule_ids,
    seconds: body.seconds ?? null,
    sawAudit: body.saw_audit,
  };
}

/** An overturned decision needs level 3, a rule or a note, and a decision that no rule supports cannot be upheld. */
export function refuseUnfounded({
  outcome,
  level,
  rule_ids,
  note = "",
}: Pick<z.infer<typeof judgement>, "outcome" | "level" | "rule_ids" | "note">): void {
  if (outcome === "uphold") {
    if (level === 3)
      throw unfounded("/outcome", "Level 3 says that no rule supports the decision: it cannot be upheld.");
    return;
  }
  if (level === 3 || note.trim() !== "" || rule_ids.some((id) => id.trim() !== "")) return;
  throw unfounded("/rule_ids", "An overturned decision needs level 3, a rule or a note.");
}

function unfounded(pointer: string, detail: string): Problem {
  return new Problem(422, "not_in_format", detail, { errors: [{ pointer, detail }] });
}

async function kept(
  service: Service,
  actor: Actor,
  body: Judgement,
  { review_id, decision_id, at, gold, saw_audit }: KeptReview,
): Promise<z.input<typeof reviewed>> {
  // An answer to a known item is neither an outcome nor a label.
  if (gold) return { review_id };
  const stores = { outcomes: await service.outcomes(actor.workspace), queue: service.queue };
  const about = { decision_id, reviewer: actor.name, at, source: "review" as const };
  await keepOutcome(service.database, actor.workspace, stores, { ...body, saw_audit }, about);
  const data = { review_id, decision_id, outcome: body.outcome };
  await announce(service, service.database, actor.workspace, [{ type: "review.completed", data }]);
  return { review_id };
}

function claimLost(): Problem {
  return new Problem(409, "claim_lost", "The claim has run out, or the item was decided.");
}
