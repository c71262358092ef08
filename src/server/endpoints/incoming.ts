import { z } from "zod";
import { ADAPTER_NAMES, ADAPTERS } from "../../adapters/adapt.js";
import { valuesFrom } from "../../app/import/import-from.js";
import { InputError } from "../../core/errors.js";
import { receiveForeign } from "../incoming/receive.js";
import { type FixedQuery, keepSender, lockSender, SENDER_SCOPES, type Sender, senderOf } from "../incoming/senders.js";
import { OWN_SIGNATURES, secretProblem } from "../incoming/signature.js";
import { Problem } from "../problems.js";
import { receivedSchema } from "./decisions.js";
import { endpoint, noted } from "./endpoint.js";

/** Objects that one call may contain. */
const MOST = 500;
/** Levels of nested objects and lists. A database accepts a few thousand. */
const DEEPEST = 1000;

const system = z.enum(ADAPTER_NAMES as [string, ...string[]]);
const sender = z.object({
  system,
  title: z.string(),
  signs_in: z.string().nullable().describe("The header in which the system signs itself; null: it does not."),
  has_secret: z.boolean(),
  unsigned_keys: z.boolean().describe("Calls with an API key need no signature."),
  scopes: z.array(z.enum(SENDER_SCOPES)).describe("What a signed call without a key may do."),
  set_at: z.string().nullable(),
  fixed: z
    .object({ community: z.string().nullable(), value: z.array(z.string()) })
    .nullable()
    .describe("What the addresses of signed calls cannot say. null: they say it."),
});

const community = z.string().min(1).max(512);
const values = z.union([z.string(), z.array(z.string())]);

function shownSender(name: string, kept: Sender | null): z.input<typeof sender> {
  return {
    ...{ system: name, title: ADAPTERS.find((one) => one.name === name)!.title },
    signs_in: OWN_SIGNATURES[name]?.header ?? null,
    has_secret: kept !== null,
    unsigned_keys: kept?.unsigned_keys ?? false,
    scopes: (kept?.scopes ?? []) as z.input<typeof sender>["scopes"],
    set_at: kept?.set_at ?? null,
    fixed: kept?.fixed ?? null,
  };
}

export const INCOMING = [
  endpoint({
    method: "GET",
    url: "/v1/in",
    summary: "The systems whose webhooks are supported, how each signs, and which have a secret here.",
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
      "Sets the secret or public key with which a system signs. From then on its calls need no key, and every call for this system must be signed. The previous secret stays valid for `hours`.",
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
      community: community.optional().describe("Of signed calls without a key, in place of that of their address."),
      value: values.optional().describe("Actions of theirs that are ours, in place of those of the address."),
    }),
    answer: sender,
    async handle(call) {
      const { service, actor, params, body } = call;
      const problem = secretProblem(params.system, body.secret);
      if (problem !== null) throw new Problem(422, "bad_secret", `secret: ${problem}.`);
      const value = [body.value ?? []].flat();
      const { config } = await service.context(actor.workspace);
      const pairs = value.map(pairOf).map(([theirs, ours]) => ({ theirs, ours }));
      await understood(async () => valuesFrom(pairs, config.actions));
      const isFixed = body.community !== undefined || body.value !== undefined;
      const fixed = isFixed ? { community: body.community ?? null, value } : null;
      const now = Date.now();
      await lockSender(service, actor.workspace, params.system);
      const before = (await senderOf(service, actor.workspace, params.system))?.secrets ?? [];
      const until = new Date(now + body.hours * 3_600_000).toISOString();
      const older = before
        .filter((one) => one.secret !== body.secret && (one.until === null || Date.parse(one.until) > now))
        .map((one) => ({ secret: one.secret, until: one.until ?? until }));
      const kept: Sender = {
        secrets: [{ secret: body.secret, until: null }, ...(body.hours > 0 ? older : [])],
        ...{ unsigned_keys: body.unsigned_keys, scopes: body.scopes, set_at: new Date(now).toISOString() },
        fixed,
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
      "Accepts records of another system, such as a webhook of Coop: one object or a list. They are read together with related records that came before. Decisions are stored and audited, outcomes and appeals attached; the answer lists everything else.",
    scope: "decisions:write",
    signed: true,
    params: z.object({ system }),
    query: z.object({
      workspace: z.string().min(1).max(512).optional().describe("Of a signed call without a key."),
      community: community.optional().describe("The community of decisions that name none."),
      value: values.optional().describe("An action of theirs that is one of ours: `suspend=remove`. May be repeated."),
    }),
    body: z.union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())).max(MOST)]),
    answer: z.object({
      decisions: z.array(receivedSchema).describe("Of this call, and earlier ones that are complete now."),
      outcomes: z.array(receivedSchema).describe("By the id of the decision. Needs the scope `labels:write`."),
      appeals: z
        .array(z.object({ id: z.string(), status: z.enum(["accepted", "duplicate"]) }))
        .describe("By the id of the decision. Needs the scope `appeals:write`."),
      rule_sets: z
        .array(z.object({ name: z.string(), status: z.enum(["accepted", "duplicate"]) }))
        .describe("Needs the scope `rules:write`."),
      differs: z
        .array(z.object({ id: z.string(), fields: z.array(z.string()) }))
        .describe("Decisions that are kept already and read otherwise now. They stay as they are."),
      waiting: z.number().int().describe("Objects that are kept until what they belong to comes."),
      rejected: z.array(z.object({ at: z.number().int(), field: z.string(), reason: z.string() })),
      left_out: z.array(z.looseObject({ code: z.string() })),
      not_kept: z.object({ rule_sets: z.number().int(), outcomes: z.number().int(), review_items: z.number().int() }),
    }),
    async handle({ service, actor, params, query, body, request }) {
      const { fixed } = request as { fixed?: FixedQuery | null };
      if (fixed && (query.community !== undefined || query.value !== undefined))
        throw new Problem(
          422,
          "fixed_query",
          "The community and values of this system are set with its secret: leave them out of the address.",
        );
      if (isDeeper(body, DEEPEST))
        throw new Problem(422, "too_deep", "The body is nested more than 1,000 levels deep.");
      const { community, value = [] } = fixed ?? query;
      const pairs = [value].flat().map(pairOf);
      const call = {
        system: params.system,
        body,
        given: Object.fromEntries(pairs),
        ...(community ? { community } : {}),
      };
      return understood(() => receiveForeign(service, actor, call));
    },
  }),
];

function isDeeper(body: object, most: number): boolean {
  let level: object[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === most) return true;
    level = level.flatMap((one) => Object.values(one).filter((inner) => typeof inner === "object" && inner !== null));
  }
  return false;
}

function pairOf(text: string): [theirs: string, ours: string] {
  const at = text.lastIndexOf("=");
  if (at < 1)
    throw new Problem(422, "bad_value", "value: expected an action of theirs and one of ours: `suspend=remove`.");
  return [text.slice(0, at), text.slice(at + 1)];
}

async function understood<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    throw new Problem(422, cause.code, cause.message);
  }
}
