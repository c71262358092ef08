import { z } from "zod";
import { ADAPTER_NAMES, ADAPTERS } from "../../adapters/adapt.js";
import { adapt } from "../../app/import/import-from.js";
import { InputError } from "../../core/errors.js";
import { keepSender, SENDER_SCOPES, type Sender, senderOf } from "../incoming/senders.js";
import { OWN_SIGNATURES, secretProblem } from "../incoming/signature.js";
import { Problem } from "../problems.js";
import { decisionReceiver, receivedSchema } from "./decisions.js";
import { endpoint, noted } from "./endpoint.js";

/** Objects that one call may hold. */
const MOST = 500;

const system = z.enum(ADAPTER_NAMES as [string, ...string[]]);
const sender = z.object({
  system,
  title: z.string(),
  signs_in: z.string().nullable().describe("The header in which the system signs itself; null: it does not."),
  has_secret: z.boolean(),
  unsigned_keys: z.boolean().describe("Calls with an API key need no signature."),
  scopes: z.array(z.enum(SENDER_SCOPES)).describe("What a signed call without a key may do."),
  set_at: z.string().nullable(),
});

function shownSender(name: string, kept: Sender | null): z.input<typeof sender> {
  return {
    ...{ system: name, title: ADAPTERS.find((one) => one.name === name)!.title },
    signs_in: OWN_SIGNATURES[name]?.header ?? null,
    has_secret: kept !== null,
    unsigned_keys: kept?.unsigned_keys ?? false,
    scopes: (kept?.scopes ?? []) as z.input<typeof sender>["scopes"],
    set_at: kept?.set_at ?? null,
  };
}

export const INCOMING = [
  endpoint({
    method: "GET",
    url: "/v1/in",
    summary: "The systems whose webhooks are understood, how each signs, and which have a secret here.",
    scope: "admin",
    answer: z.object({ items: z.array(sender) }),
    async handle({ service, actor }) {
      const items = [];
      for (const name of ADAPTER_NAMES) items.push(shownSender(name, await senderOf(service, actor.workspace, name)));
      return { items };
    },
  }),
  endpoint({
    method: "PUT",
    url: "/v1/in/:system/secret",
    summary:
      "Sets the secret, or the public key, with which a system signs. From then on its calls need no key, and every call for this system has to be signed. The secret before counts for `hours` more.",
    scope: "admin",
    params: z.object({ system }),
    body: z.object({
      secret: z.string().min(1).max(8000),
      hours: z.number().int().min(0).max(720).default(0),
      unsigned_keys: z.boolean().default(false),
      scopes: z
        .array(z.enum(SENDER_SCOPES))
        .default(["decisions:write", "labels:write", "appeals:write"])
        .refine((scopes) => scopes.includes("decisions:write"), "expected decisions:write among them"),
    }),
    answer: sender,
    async handle(call) {
      const { service, actor, params, body } = call;
      const problem = secretProblem(params.system, body.secret);
      if (problem !== null) throw new Problem(422, "bad_secret", `secret: ${problem}.`);
      const now = Date.now();
      const before = (await senderOf(service, actor.workspace, params.system))?.secrets ?? [];
      const until = new Date(now + body.hours * 3_600_000).toISOString();
      const older = before
        .filter((one) => one.secret !== body.secret && (one.until === null || Date.parse(one.until) > now))
        .map((one) => ({ secret: one.secret, until: one.until ?? until }));
      const kept: Sender = {
        secrets: [{ secret: body.secret, until: null }, ...(body.hours > 0 ? older : [])],
        ...{ unsigned_keys: body.unsigned_keys, scopes: body.scopes, set_at: new Date(now).toISOString() },
      };
      await keepSender(service, actor.workspace, params.system, kept);
      await noted(call, "sender.set", params.system, { scopes: body.scopes, unsigned_keys: body.unsigned_keys });
      return shownSender(params.system, kept);
    },
  }),
  endpoint({
    method: "DELETE",
    url: "/v1/in/:system/secret",
    summary: "Removes the secret of a system. Its calls need a key again.",
    scope: "admin",
    params: z.object({ system }),
    answer: sender,
    async handle(call) {
      const { service, actor, params } = call;
      if (!(await keepSender(service, actor.workspace, params.system, null)))
        throw new Problem(404, "no_secret", "This system has no secret here.");
      await noted(call, "sender.remove", params.system);
      return shownSender(params.system, null);
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/in/:system",
    summary:
      "What another system gave, such as a webhook of Coop: one object or a list. Its decisions are kept and audited; everything else is named in the answer.",
    scope: "decisions:write",
    signed: true,
    params: z.object({ system }),
    query: z.object({
      workspace: z.string().min(1).max(512).optional().describe("Of a signed call without a key."),
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
