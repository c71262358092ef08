import { z } from "zod";
import { ADAPTER_NAMES } from "../../adapters/adapt.js";
import { adapt } from "../../app/import/import-from.js";
import { InputError } from "../../core/errors.js";
import { Problem } from "../problems.js";
import { decisionReceiver, receivedSchema } from "./decisions.js";
import { endpoint } from "./endpoint.js";

/** Objects that one call may hold. */
const MOST = 500;

export const INCOMING = [
  endpoint({
    method: "POST",
    url: "/v1/in/:system",
    summary:
      "What another system gave, such as a webhook of Coop: one object or a list. Its decisions are kept and audited; everything else is named in the answer.",
    scope: "decisions:write",
    params: z.object({ system: z.enum(ADAPTER_NAMES as [string, ...string[]]) }),
    query: z.object({
      community: z.string().min(1).max(512).optional().describe("The community of decisions that name none."),
      value: z
        .union([z.string(), z.array(z.string())])
        .optional()
        .describe("An action of theirs that is one of ours: `suspend=remove`. May be repeated."),
    }),
    body: z.union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())).max(MOST)]),
    answer: z.object({
      decisions: z.array(receivedSchema),
      rejected: z.array(z.object({ at: z.number().int(), field: z.string(), reason: z.string() })),
      left_out: z.array(z.looseObject({ code: z.string() })),
      not_kept: z.object({ rule_sets: z.number().int(), outcomes: z.number().int(), review_items: z.number().int() }),
    }),
    async handle({ service, actor, params, query, body }) {
      const { config } = await service.context(actor.workspace);
      const { community, value = [] } = query;
      const pairs = [value]
        .flat()
        .map((one) => [one.slice(0, one.lastIndexOf("=")), one.slice(one.lastIndexOf("=") + 1)]);
      const options = {
        actions: config.actions,
        values: Object.fromEntries(pairs),
        ...(community ? { community } : {}),
      };
      const adapted = understood(() => adapt(params.system, body, options));
      const { decisions, rejected, left_out, rule_sets, outcomes, review_items } = adapted;
      const keep = await decisionReceiver(service, actor.workspace);
      return {
        decisions: await keep(decisions.map(({ record }) => record)),
        rejected: rejected.map(({ source, field, reason }) => ({ at: source.line, field, reason })),
        left_out: left_out.map(({ code, what, count, line }) => ({ code, what, count, at: line })),
        // Rules, outcomes and items have their own ways in, with their own permissions.
        not_kept: { rule_sets: rule_sets.length, outcomes: outcomes.length, review_items: review_items.length },
      };
    },
  }),
];

function understood<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    throw new Problem(422, cause.code, cause.message);
  }
}
