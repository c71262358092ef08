import { z } from "zod";
import { receiveRecords } from "../../app/live/intake.js";
import { LABEL_DRAWS } from "../../core/names.js";
import { type Label, labelSchema } from "../../core/records/label.js";
import { type RuleSet, ruleSetSchema } from "../../core/records/rule-set.js";
import { canonicalValue } from "../../store/formats/parse-json.js";
import { labelsAfter, PostgresRecords, ruleSetsAfter } from "../../store/postgres/records.js";
import { Problem } from "../problems.js";
import { received, receivedSchema } from "./decisions.js";
import { endpoint, listOf, noted, numberAt, page, pageOf } from "./endpoint.js";
import { heldBy } from "./independence.js";
import { shownLabel } from "./shown.js";

/** Takes the place of a community in an address. */
const PLATFORM = "-";

const ruleParams = z.object({
  scope: z.enum(["platform", "community"]),
  community: z.string().min(1).max(512).describe("`-` for the rules of the platform."),
  version: z.string().min(1).max(200),
});

const keptRules = z.object({ name: z.string(), set: ruleSetSchema });

export const RECORDS = [
  endpoint({
    method: "GET",
    url: "/v1/labels",
    summary:
      "Labels in order of arrival, each with how its decision was drawn, without those of cases that the caller has claimed. Notes and fields of your own need the scope `content:read`.",
    scope: "labels:read",
    query: page.extend({
      decision_id: z.string().max(512).optional(),
      drawn: z.enum([...LABEL_DRAWS, "unknown"]).optional(),
    }),
    answer: listOf(labelSchema),
    async handle({ service, actor, query: { limit, cursor, decision_id = null, drawn = null } }) {
      const after = numberAt(cursor, 0);
      const without = [...(await heldBy(service, actor))];
      const asked = { after, limit, decision_id, drawn, without };
      const rows = await labelsAfter(service.database, actor.workspace, asked);
      return pageOf(
        rows,
        limit,
        ({ seq }) => seq,
        ({ record }) => shownLabel(actor, record),
      );
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/labels",
    summary:
      "Stores a label, or a stream of labels as JSON lines, with `drawn`, `inclusion`, `stratum` and `frame` as in files. Labels without a design certify nothing.",
    scope: "labels:write",
    body: labelSchema,
    lines: "too",
    status: 202,
    also: { 200: "A duplicate, or the answers of a stream, line by line." },
    answer: receivedSchema,
    async handle({ service, actor, body, reply }) {
      const { config } = await service.context(actor.workspace);
      const { database, queue } = service;
      const records = new PostgresRecords<Label>(database, actor.workspace, "labels", config);
      const { actions } = config;
      return received(
        (values) => receiveRecords({ database, records, actions, queue, jobs: () => [] }, values),
        body,
        reply,
      );
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/rules",
    summary: "Rule sets in order of arrival, all versions.",
    scope: "rules:read",
    query: page,
    answer: listOf(keptRules),
    async handle({ service, actor, query: { limit, cursor } }) {
      const rows = await ruleSetsAfter(service.database, actor.workspace, { after: numberAt(cursor, 0), limit });
      return pageOf(
        rows,
        limit,
        ({ seq }) => seq,
        ({ name, set }) => ({ name, set }),
      );
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/rules/:scope/:community/:version",
    summary: "One version of a rule set.",
    scope: "rules:read",
    params: ruleParams,
    answer: keptRules,
    async handle({ service, actor, params }) {
      const found = (await (await service.context(actor.workspace)).records.rules()).find(({ set }) =>
        isNamed(set, params),
      );
      if (!found) throw new Problem(404, "unknown_rules", "There is no such version of the rules.");
      return { name: found.file, set: found.set };
    },
  }),
  endpoint({
    method: "PUT",
    url: "/v1/rules/:scope/:community/:version",
    summary: "Adds a version of a rule set: 201. The same version again: 200. A change to an existing version: 409.",
    scope: "rules:write",
    params: ruleParams,
    body: ruleSetSchema,
    status: 201,
    also: { 200: "It is kept already." },
    answer: keptRules,
    async handle(call) {
      const { service, actor, params, body, reply } = call;
      if (!isNamed(body, params)) {
        throw new Problem(422, "other_rules", "Scope, community and version of the body are not those of the address.");
      }
      const context = await service.context(actor.workspace);
      return context.imports.withImportLock(async () => {
        const there = (await context.records.rules()).find(({ set }) => isNamed(set, params));
        if (!there) {
          const name = await context.imports.addRules(body, null);
          await noted(call, "rules.put", name);
          return { name, set: body };
        }
        if (!isSame(there.set, body)) {
          throw new Problem(
            409,
            "differs",
            "This version is kept with another content. Give the new text a new version.",
          );
        }
        reply.code(200);
        return { name: there.file, set: there.set };
      });
    },
  }),
];

function isNamed(set: RuleSet, { scope, community, version }: z.infer<typeof ruleParams>): boolean {
  return set.scope === scope && set.version === version && (set.community ?? PLATFORM) === community;
}

/** Whether two sets are equal apart from the order of their keys. */
function isSame(a: RuleSet, b: RuleSet): boolean {
  return JSON.stringify(canonicalValue(a, "")) === JSON.stringify(canonicalValue(b, ""));
}
