import { Framing } from "../../app/evidence/framing.js";
import { handledBy, routeOf, runVerdict, stateReasons } from "../../app/evidence/statements.js";
import { statementDraftSchema } from "../../evidence/statements/draft-schema.js";
import { REFUSAL_WORDS } from "../../evidence/statements/words.js";
import { decisionsById, newestRunAudits, outcomesOf, routesOf } from "../../store/postgres/live.js";
import { Problem } from "../problems.js";
import { endpoint } from "./endpoint.js";
import { decisionId, unknownDecision } from "./routing.js";
import { noteSeen, refuseHeld } from "./workbench.js";

export const STATEMENTS = [
  endpoint({
    method: "GET",
    url: "/v1/decisions/:id/statement-of-reasons",
    summary:
      "The draft of a statement of reasons (EU DSA, Article 17) from the run of the newest audit, as `export --as dsa-statements` makes it. 409 with code `not_a_restriction`, `indefensible`, `ambiguous` and others of docs/statements.md. Reasoning needs the scope `content:read`.",
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
      // The code of a refusal says what the audit found.
      if (audits.length > 0) await noteSeen(service, actor, [id]);
      const [last] = await routesOf(database, workspace, id, { limit: 1 });
      const context = await service.context(workspace);
      const made = stateReasons(context, {
        framing: await Framing.open(context, decision.community),
        decision,
        ...runVerdict(decision, audits, context.config.actions),
        route: last ? routeOf(last.line as Parameters<typeof routeOf>[0]) : null,
        ...handledBy(await outcomesOf(database, workspace, id)),
        withReasoning: actor.scopes.has("content:read"),
      });
      if (typeof made === "string") throw new Problem(409, made, `There is no statement: ${REFUSAL_WORDS[made]}.`);
      return made;
    },
  }),
];
