import { Framing } from "../../app/evidence/framing.js";
import { routeOf, stateReasons } from "../../app/evidence/statements.js";
import type { Audit } from "../../core/records/audit.js";
import { statementDraftSchema } from "../../evidence/statements/draft-schema.js";
import { REFUSAL_WORDS } from "../../evidence/statements/words.js";
import { appealsOf } from "../../store/postgres/appeals.js";
import { columnText } from "../../store/postgres/database.js";
import { decisionsById, newestAudits, routesOf } from "../../store/postgres/live.js";
import { reviewsOf } from "../../store/postgres/reviews.js";
import { Problem } from "../problems.js";
import { endpoint } from "./endpoint.js";
import { decisionId, unknownDecision } from "./routing.js";
import { noteSeen, refuseHeld } from "./workbench.js";

export const STATEMENTS = [
  endpoint({
    method: "GET",
    url: "/v1/decisions/:id/statement-of-reasons",
    summary:
      "The draft of a statement of reasons (EU DSA, Article 17) from the newest audit. 409 with code `not_a_restriction`, `indefensible`, `ambiguous` and others of docs/statements.md. Reasoning needs the scope `content:read`.",
    scope: "audits:read",
    params: decisionId,
    answer: statementDraftSchema,
    async handle({ service, actor, params: { id } }) {
      const { database } = service;
      const { workspace } = actor;
      await refuseHeld(service, actor, id);
      const [decision] = await decisionsById(database, workspace, [id]);
      if (!decision) throw unknownDecision();
      const line = (await newestAudits(database, workspace, [id])).get(columnText(id));
      // The code of a refusal says what the audit found.
      if (line !== undefined) await noteSeen(service, actor, [id]);
      const [last] = await routesOf(database, workspace, id, { limit: 1 });
      const reviews = await reviewsOf(database, workspace, id);
      const appeals = await appealsOf(database, workspace, id);
      const context = await service.context(workspace);
      const made = stateReasons(context, {
        framing: await Framing.open(context, decision.community),
        decision,
        audit: line === undefined ? null : (JSON.parse(line) as Audit),
        route: last ? routeOf(last.line as Parameters<typeof routeOf>[0]) : null,
        outcome: appeals.findLast(({ outcome }) => outcome)?.outcome ?? reviews.at(-1)?.outcome ?? null,
        reviewed: reviews.length > 0,
        withReasoning: actor.scopes.has("content:read"),
      });
      if (typeof made === "string") throw new Problem(409, made, `There is no statement: ${REFUSAL_WORDS[made]}.`);
      return made;
    },
  }),
];
