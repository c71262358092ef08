import { z } from "zod";
import { eraseContent } from "../../store/postgres/erasure.js";
import { contentDays, setContentDays } from "../../store/postgres/retention.js";
import { Problem } from "../problems.js";
import { endpoint } from "./endpoint.js";

const retention = z.object({ content_days: z.number().int().min(1).max(3650).nullable() });

export const ERASING = [
  endpoint({
    method: "DELETE",
    url: "/v1/decisions/:id/content",
    summary: "Erases what people wrote in a decision, everywhere in the database. Ids, numbers and the log stay.",
    scope: "erase",
    params: z.object({ id: z.string().min(1).max(512) }),
    query: z.object({ reason: z.string().min(1).max(2000) }),
    commits: true,
    answer: z.object({ decision_id: z.string(), erased: z.literal(true) }),
    async handle({ service, actor, params, query }) {
      const by = { actor: actor.name, reason: query.reason };
      if ((await eraseContent(service.database, actor.workspace, [params.id], by)) === 0) {
        throw new Problem(404, "unknown_decision", "There is no such decision, or it was erased before.");
      }
      await (await service.context(actor.workspace)).sweep();
      return { decision_id: params.id, erased: true as const };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/retention",
    summary: "After how many days contents are erased; null: never.",
    scope: "admin",
    answer: retention,
    async handle({ service, actor }) {
      return { content_days: await contentDays(service.database, actor.workspace) };
    },
  }),
  endpoint({
    method: "PUT",
    url: "/v1/retention",
    summary: "Sets after how many days contents are erased; null: never. A job of the workers applies it each hour.",
    scope: "admin",
    body: retention,
    answer: retention,
    async handle({ service, actor, body }) {
      await setContentDays(service.database, actor.workspace, body.content_days, actor.name);
      return body;
    },
  }),
];
