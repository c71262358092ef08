import { z } from "zod";
import { keepOutcome } from "../../app/live/reviewing.js";
import {
  type AppealRow,
  appealsAfter,
  decideAppeal,
  fileAppeal,
  findAppeal,
  hasReadAppeal,
  lockDecision,
} from "../../store/postgres/appeals.js";
import { decisionsById } from "../../store/postgres/live.js";
import { hasSeenAudit } from "../../store/postgres/reviews.js";
import { Problem } from "../problems.js";
import { announce } from "../webhooks.js";
import { endpoint, listOf, noted, numberAt, page, pageOf } from "./endpoint.js";
import { hadPart, heldBy, holdsCase, refuseHeld, refuseUnread, sameReviewer } from "./independence.js";
import { judgement, refuseUnfounded, reviewOf } from "./reviewing.js";
import { unknownDecision } from "./routing.js";
import { appealSchema } from "./screens.js";
import { shownAppeal } from "./shown.js";

const number = z.object({ id: z.coerce.number().int().min(1) });

export const APPEALS = [
  endpoint({
    method: "POST",
    url: "/v1/appeals",
    summary: "Files an appeal against a decision, whose route is `review` from then on.",
    scope: "appeals:write",
    body: z.object({
      decision_id: z.string().min(1).max(512),
      filed_at: z.iso.datetime({ offset: true }).optional(),
      filed_by: z.string().max(512).optional(),
      text: z.string().max(100_000).optional(),
    }),
    status: 201,
    answer: appealSchema,
    async handle(call) {
      const { service, actor, body } = call;
      const [decision] = await decisionsById(service.database, actor.workspace, [body.decision_id]);
      if (!decision) throw unknownDecision();
      const appeal = await fileAppeal(service.database, actor.workspace, {
        decisionId: decision.id,
        community: decision.community,
        filedAt: body.filed_at ?? null,
        filedBy: body.filed_by ?? null,
        filer: actor.name,
        text: body.text ?? null,
      });
      await noted(call, "appeal.file", String(appeal.appeal_id));
      return shownAppeal(actor, appeal);
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/appeals",
    summary: "Appeals in order of arrival, without decided ones of cases that the caller has claimed.",
    scope: "appeals:read",
    query: page.extend({ state: z.enum(["open", "decided"]).optional() }),
    answer: listOf(appealSchema),
    async handle({ service, actor, query: { limit, cursor, state = null } }) {
      const after = numberAt(cursor, 0);
      const without = [...(await heldBy(service, actor))];
      const rows = await appealsAfter(service.database, actor.workspace, { after, limit, state, without });
      return pageOf(
        rows,
        limit,
        ({ appeal_id }) => appeal_id,
        (row) => shownAppeal(actor, row),
      );
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/appeals/:id",
    summary: "One appeal.",
    scope: "appeals:read",
    params: number,
    answer: appealSchema,
    async handle({ service, actor, params }) {
      const appeal = await findAppeal(service.database, actor.workspace, params.id);
      if (!appeal) throw unknownAppeal();
      if (appeal.state === "decided") await refuseHeld(service, actor, appeal.decision_id);
      return shownAppeal(actor, appeal);
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/appeals/:id/decision",
    summary:
      "Decides an appeal. Not allowed for the person or key that filed it, made or reviewed the decision, or has claimed its case. 403 with code `read_first` until `GET /v1/appeals/{id}/case` has returned its content.",
    scope: "reviews:write",
    params: number,
    body: judgement.omit({ seconds: true }),
    status: 201,
    answer: appealSchema,
    async handle(call) {
      const { service, actor, params, body } = call;
      const { database, queue } = service;
      const { workspace } = actor;
      refuseUnfounded(body);
      const found = await findAppeal(database, workspace, params.id);
      if (!found) throw unknownAppeal();
      await lockDecision(database, workspace, found.decision_id);
      const appeal = (await findAppeal(database, workspace, params.id))!;
      if (appeal.state === "decided") throw alreadyDecided(appeal);
      if (await hadPart(service, actor, appeal.decision_id)) throw sameReviewer();
      if (await holdsCase(service, actor, appeal.decision_id)) {
        throw new Problem(
          403,
          "same_reviewer",
          "You have claimed this case for review. Give it back, or leave the appeal to another person.",
        );
      }
      if (!(await hasReadAppeal(database, workspace, params.id, actor.name))) {
        refuseUnread(actor, "GET /v1/appeals/{id}/case");
      }
      const sawAudit = body.saw_audit || (await hasSeenAudit(database, workspace, actor.name, appeal.decision_id));
      const decided = await decideAppeal(database, workspace, params.id, { ...reviewOf(actor, body), sawAudit });
      if (!decided) throw alreadyDecided((await findAppeal(database, workspace, params.id))!);
      await keepOutcome(
        database,
        workspace,
        { outcomes: await service.outcomes(workspace), queue },
        { ...body, saw_audit: sawAudit },
        {
          decision_id: appeal.decision_id,
          reviewer: actor.name,
          at: decided.decided_at!,
          source: "appeal",
        },
      );
      const { appeal_id, decision_id, outcome } = decided;
      const data = { appeal_id, decision_id, outcome };
      await announce(service, database, workspace, [{ type: "appeal.decided", data }]);
      await noted(call, "appeal.decide", String(params.id), { outcome: body.outcome });
      return shownAppeal(actor, decided);
    },
  }),
];

function alreadyDecided({ outcome }: AppealRow): Problem {
  return new Problem(409, "already_decided", "The appeal is decided.", { outcome });
}

function unknownAppeal(): Problem {
  return new Problem(404, "unknown_appeal", "There is no such appeal.");
}
