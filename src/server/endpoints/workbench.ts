import { z } from "zod";
import { agreementByReviewer, mixGold, REVIEW_DEFAULTS, type ReviewSettings } from "../../app/live/reviewing.js";
import { findAppeal, noteAppealRead } from "../../store/postgres/appeals.js";
import { decisionsById, newestAudits } from "../../store/postgres/live.js";
import {
  annotatedDecisions,
  claimsOf,
  findItem,
  type GoldItem,
  hasAnswered,
  type Item,
  keepDocument,
  keptDocument,
  noteItemRead,
  queueGroups,
  removeGoldItems,
  standingAnswers,
} from "../../store/postgres/workbench.js";
import type { Actor } from "../auth.js";
import { caseOf, withoutContent } from "../live-page.js";
import { Problem } from "../problems.js";
import type { Service } from "../service.js";
import { endpoint, noted } from "./endpoint.js";
import { hadPart, holdsCase, noteContentSeen, noteSeen, refuseHeld } from "./independence.js";
import {
  appealAudit,
  appealCaseAnswer,
  itemCase,
  ownItems,
  queueSummary,
  reviewers,
  reviewSettingsAnswer,
} from "./screens.js";
import { readsContent, shownAppeal } from "./shown.js";

const byNumber = z.object({ id: z.coerce.number().int().min(1) });

export const WORKBENCH = [
  endpoint({
    method: "GET",
    url: "/v1/queue/summary",
    summary: "Items waiting for review and claimed, by community and reason.",
    scope: "reviews:read",
    answer: queueSummary,
    async handle({ service, actor }) {
      await mixKnown(service, actor);
      return { items: await queueGroups(service.database, actor.workspace, actor.name) };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/queue/mine",
    summary: "Items that the caller has claimed.",
    scope: "reviews:write",
    answer: ownItems,
    async handle({ service, actor }) {
      return { items: (await claimsOf(service.database, actor.workspace, actor.name)).map(shown(actor)) };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/items/:id",
    summary: "A case without its audit: content, which needs the scope `content:read`, and the rules in force.",
    scope: "reviews:write",
    params: byNumber,
    answer: itemCase,
    async handle({ service, actor, params }) {
      const { item, ...found } = await caseFor(service, actor, params.id, false);
      if (item.claim_by !== actor.name) await noteContentSeen(service, actor, [item.decision_id]);
      if (readsContent(actor) && !item.read_by.includes(actor.name)) {
        await noteItemRead(service.database, actor.workspace, item.item_id, actor.name);
      }
      return { item: shown(actor)(item), ...found };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/items/:id/audit",
    summary: "The audit of a case, once the caller has answered it. Showing it is recorded.",
    scope: "reviews:write",
    params: byNumber,
    answer: itemCase,
    async handle({ service, actor, params }) {
      if (!(await hasAnswered(service.database, actor.workspace, params.id, actor.name))) {
        throw new Problem(403, "answer_first", "The audit is shown after your answer.");
      }
      const { item, ...found } = await caseFor(service, actor, params.id, true);
      await noteSeen(service, actor, [item.decision_id]);
      return { item: shown(actor)(item), ...found };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/appeals/:id/case",
    summary:
      "The case of an appeal: the appeal, its content (needs the scope `content:read`), the rules in force, and whether the caller may decide it.",
    scope: "reviews:write",
    params: byNumber,
    answer: appealCaseAnswer,
    async handle({ service, actor, params }) {
      const { appeal, decision, ...found } = await appealCase(service, actor, params.id, false);
      await noteContentSeen(service, actor, [appeal.decision_id]);
      if (readsContent(actor)) await noteAppealRead(service.database, actor.workspace, appeal.appeal_id, actor.name);
      const own =
        (await hadPart(service, actor, appeal.decision_id)) || (await holdsCase(service, actor, appeal.decision_id));
      return { appeal, may_decide: !own, decision, ...found };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/appeals/:id/audit",
    summary: "The audit of an appeal's case, unless the caller has claimed it. Showing it is recorded.",
    scope: "reviews:write",
    params: byNumber,
    answer: appealAudit,
    async handle(call) {
      const { service, actor, params } = call;
      const appeal = await findAppeal(service.database, actor.workspace, params.id);
      if (appeal) await refuseHeld(service, actor, appeal.decision_id);
      const found = await appealCase(service, actor, params.id, true);
      await noteSeen(service, actor, [found.appeal.decision_id]);
      await noted(call, "audit.view", found.appeal.decision_id);
      return found;
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/reviewers",
    summary: "How often reviewers agree with known answers and with each other. Speed is not measured.",
    scope: "gate:write",
    answer: reviewers,
    async handle({ service, actor }) {
      return { items: agreementByReviewer(await standingAnswers(service.database, actor.workspace)) };
    },
  }),
  endpoint({
    method: "PUT",
    url: "/v1/review-settings",
    summary: "Sets the share of items with a known answer, and when reviewers are reminded to take a break.",
    scope: "gate:write",
    body: z.object({
      gold_rate: z.number().min(0).max(0.5),
      break_minutes: z.number().int().min(0).max(240),
    }),
    answer: reviewSettingsAnswer,
    async handle(call) {
      const { service, actor, body } = call;
      await keepDocument(service.database, actor.workspace, "workbench", "", body);
      if (body.gold_rate === 0) await removeGoldItems(service.database, actor.workspace);
      await noted(call, "review.settings", "", body);
      return body;
    },
  }),
];

async function reviewSettings(service: Service, workspace: string): Promise<ReviewSettings> {
  return { ...REVIEW_DEFAULTS, ...(await keptDocument(service.database, workspace, "workbench", "")) };
}

const KNOWN_MS = 10 * 60_000;
const known = new WeakMap<Service["pages"], Map<string, { at: number; items: Promise<GoldItem[]> }>>();

/** Items with a known answer: decisions with a reference annotation, refreshed every ten minutes. */
function goldItems(service: Service, { workspace }: Actor): () => Promise<GoldItem[]> {
  return () => {
    const kept = known.get(service.pages) ?? new Map<string, { at: number; items: Promise<GoldItem[]> }>();
    known.set(service.pages, kept);
    const there = kept.get(workspace);
    if (there && Date.now() - there.at < KNOWN_MS) return there.items;
    const items = annotatedDecisions(service.database, workspace).then((decisions) =>
      decisions.flatMap(({ id, community, gold }) =>
        gold ? [{ decision_id: id, community, level: gold.level, inverse: gold.inverse }] : [],
      ),
    );
    kept.set(workspace, { at: Date.now(), items });
    items.catch(() => kept.delete(workspace));
    return items;
  };
}

/** Called before the queue is shown or an item is given from it. */
export async function mixKnown(service: Service, actor: Actor): Promise<void> {
  const { gold_rate: rate } = await reviewSettings(service, actor.workspace);
  await mixGold(service.database, actor.workspace, { rate, items: goldItems(service, actor) });
}

/** Only the holder of a claim sees its token. No answer reveals whether an item is a known one. */
const shown =
  (actor: Actor) =>
  ({ gold_level: _, claim, read_by: __, ...item }: Item) => ({
    ...item,
    claim: item.claim_by === actor.name ? claim : null,
  });

async function caseFor(service: Service, actor: Actor, id: number, withAudit: boolean) {
  const item = await findItem(service.database, actor.workspace, id);
  const found = item && (await decisionCase(service, actor, item.decision_id, withAudit));
  if (!item || !found) throw new Problem(404, "unknown_item", "There is no such item.");
  return { item, ...found };
}

async function appealCase(service: Service, actor: Actor, id: number, withAudit: boolean) {
  const appeal = await findAppeal(service.database, actor.workspace, id);
  if (appeal?.state === "decided") await refuseHeld(service, actor, appeal.decision_id);
  const found = appeal && (await decisionCase(service, actor, appeal.decision_id, withAudit));
  if (!appeal || !found) throw new Problem(404, "unknown_appeal", "There is no such appeal.");
  return { appeal: shownAppeal(actor, appeal), ...found };
}

async function decisionCase(service: Service, actor: Actor, id: string, withAudit: boolean) {
  const { workspace } = actor;
  const { database } = service;
  const [decision] = await decisionsById(database, workspace, [id]);
  if (!decision) return null;
  const line = (await newestAudits(database, workspace, [id])).get(id);
  const audit = line === undefined ? null : (JSON.parse(line) as Record<string, unknown>);
  const { records } = await service.context(workspace);
  const sets = (await records.rules()).map(({ set }) => set);
  const found = caseOf(decision, withAudit ? audit : null, sets, audit);
  const shown = readsContent(actor) ? found.decision : withoutContent(found.decision);
  return { audited: audit !== null, ...found, decision: shown };
}
