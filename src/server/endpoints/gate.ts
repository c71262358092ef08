import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { GateChoices } from "../../app/gate/gate-settings.js";
import {
  actingGate,
  closeEveryGate,
  openEveryGate,
  reinstateCommunity,
  suspendCommunity,
} from "../../app/gate/kill-switch.js";
import { applyPreview, type PreviewedGate, previewGate } from "../../app/live/gate-preview.js";
import { worded } from "../../app/notices.js";
import { gateConfigSchema } from "../../core/config.js";
import { GATE_STATES, gateSchema } from "../../core/gate.js";
import { GATE_ADJUSTMENTS } from "../../measures/gate/adjustment.js";
import { gateRefusal, gateWords } from "../../present/gate/gate-words.js";
import type { PostgresContext } from "../../store/postgres/stores.js";
import { closureSchema } from "../../store/records/suspensions.js";
import { Problem } from "../problems.js";
import { type Call, endpoint, listOf, noted, numberAt, page, pageOf } from "./endpoint.js";

const reason = z.object({ reason: z.string().min(1).max(2000) });
const community = z.string().min(1).max(600).describe("A community, or a cohort as the gate names it.");
const epoch = z.number().int().describe("Counts the changes of what routing goes by.");

const cohortState = z.object({ state: z.enum(GATE_STATES), passes: z.boolean(), suspended: z.boolean() }).nullable();
const beforeAfter = <T extends z.ZodType>(value: T) => z.object({ before: value, after: value });
export const previewed = z.object({
  gate_id: z.string(),
  epoch,
  gate: gateSchema,
  status: z.looseObject({ status: z.string(), text: z.string() }).nullable(),
  notes: z.array(z.string()),
  changes: z.object({
    gate_id: beforeAfter(z.string().nullable()),
    settings: z.array(z.object({ setting: z.string(), before: z.unknown(), after: z.unknown() })),
    passing: beforeAfter(z.number().int()),
    coverage: beforeAfter(z.number().nullable()),
    communities: z.array(z.object({ community: z.string(), before: cohortState, after: cohortState })),
  }),
});

export const GATE = [
  endpoint({
    method: "GET",
    url: "/v1/gate",
    summary: "The active gate with its suspensions, but without its secrets. The ETag is the epoch.",
    scope: "gate:read",
    answer: z.object({
      epoch,
      closed: closureSchema.nullable(),
      gate: gateSchema.nullable(),
      in_force_since: z.string().nullable(),
    }),
    async handle({ service, actor, reply }) {
      const { gate } = await service.context(actor.workspace);
      const epoch = await gate.epoch();
      const [active, closed] = [await gate.active(), await gate.closure()];
      reply.header("etag", `"${epoch}"`);
      return { epoch, closed, gate: active?.gate ?? null, in_force_since: active?.in_force_since ?? null };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/gate/history",
    summary: "Everything that happened to the gate, newest first: looks, closures, suspensions.",
    scope: "gate:read",
    query: page,
    answer: listOf(z.looseObject({ type: z.string(), at: z.string() })),
    async handle({ service, actor, query: { limit, cursor } }) {
      const { gate } = await service.context(actor.workspace);
      const rows = await gate.historyBefore(numberAt(cursor, Number.MAX_SAFE_INTEGER), limit);
      return pageOf(
        rows,
        limit,
        ({ seq }) => seq,
        ({ event }) => event,
      );
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/gate/preview",
    summary:
      "Computes a gate with the workspace's settings, or others, and shows how it differs from the active one. Nothing changes, but the look counts.",
    scope: "gate:write",
    body: gateConfigSchema
      .omit({ review_share: true })
      .extend({ run: z.string().max(200), adjust: z.enum(GATE_ADJUSTMENTS), judge_error: z.boolean() })
      .partial(),
    answer: previewed,
    async handle(call) {
      const {
        run,
        min_decisions: min,
        judge_error: judgeError,
        thread_cap: threadCap,
        window_days: window,
        ...rest
      } = call.body;
      const choices = given({ ...rest, min, judgeError, threadCap, window }) as GateChoices;
      const context = await call.service.context(call.actor.workspace);
      const result = await worded(gateRefusal, () =>
        previewGate(context, { choices, words: gateWords(), ...(run === undefined ? {} : { run }) }),
      );
      return shownPreview(context, result);
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/gate/apply",
    summary: "Activates a previewed gate. `If-Match` has the epoch that the caller has seen.",
    scope: "gate:write",
    ifMatch: true,
    body: reason.extend({ gate_id: z.string().min(1).max(100) }),
    answer: previewed,
    async handle(call) {
      const { gate_id, reason } = call.body;
      const context = await unchanged(call, true, reason);
      const result = await worded(gateRefusal, () => applyPreview(context, gate_id, gateWords()));
      if (result === null) {
        throw new Problem(404, "unknown_gate", "No gate of that id was previewed within a week.");
      }
      await noted(call, "gate.apply", gate_id, { reason });
      return shownPreview(context, result);
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/gate/close",
    summary: "The kill switch: from now on no node automates anything. Closed gates keep their first reason.",
    scope: "gate:close",
    body: reason,
    answer: z.object({ epoch, closed: closureSchema.nullable() }),
    async handle(call) {
      const { gate, now } = await call.service.context(call.actor.workspace);
      await closeEveryGate(actingGate(gate, { actor: call.actor.name }), {
        since: now().toISOString(),
        reason: call.body.reason,
      });
      await noted(call, "gate.close", call.body.reason);
      return { epoch: await gate.epoch(), closed: await gate.closure() };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/gate/open",
    summary: "Opens the gates again.",
    scope: "gate:write",
    ifMatch: true,
    body: reason,
    answer: z.object({ epoch, closed: z.null() }),
    async handle(call) {
      const { gate, now } = await unchanged(call, false, call.body.reason);
      await openEveryGate(gate, now().toISOString());
      await noted(call, "gate.open", call.body.reason);
      return { epoch: await gate.epoch(), closed: null };
    },
  }),
  endpoint({
    method: "POST",
    url: "/v1/gate/suspensions",
    summary: "Suspends a community, or one cohort of it, until a person ends the suspension.",
    scope: "gate:write",
    ifMatch: true,
    body: reason.extend({ community }),
    answer: z.object({ epoch, suspended: z.array(z.string()) }),
    async handle(call) {
      const { gate, now } = await unchanged(call, false);
      const suspended = await suspendCommunity(gate, { ...call.body, at: now().toISOString() });
      await noted(call, "gate.suspend", call.body.community, { reason: call.body.reason });
      return { epoch: await gate.epoch(), suspended };
    },
  }),
  endpoint({
    method: "DELETE",
    url: "/v1/gate/suspensions/:community",
    summary: "Ends the suspension of a cohort.",
    scope: "gate:write",
    ifMatch: true,
    params: z.object({ community }),
    query: reason,
    answer: z.object({ epoch }),
    async handle(call) {
      const { gate, now } = await unchanged(call, false);
      const { params, query } = call;
      const lifted = { community: params.community, at: now().toISOString(), reason: query.reason };
      await worded(gateRefusal, () => reinstateCommunity(gate, lifted));
      await noted(call, "gate.reinstate", params.community, { reason: query.reason });
      return { epoch: await gate.epoch() };
    },
  }),
];

/** A context whose gate is changed only if it still matches `If-Match`. */
async function unchanged(
  { service, actor, request }: Pick<Call<never, never, never>, "service" | "actor" | "request">,
  required: boolean,
  reason?: string,
): Promise<PostgresContext> {
  const context = await service.context(actor.workspace);
  const epoch = epochOf(request);
  const who = { actor: actor.name, ...(reason === undefined ? {} : { reason }) };
  if (epoch !== null) return { ...context, gate: actingGate(context.gate.expecting(epoch), who) };
  if (!required) return { ...context, gate: actingGate(context.gate, who) };
  throw new Problem(428, "if_match_needed", "Send `If-Match` with the ETag of `GET /v1/gate`.", {
    epoch: await context.gate.epoch(),
  });
}

function epochOf({ headers }: FastifyRequest): number | null {
  const given = headers["if-match"];
  if (given === undefined) return null;
  const [, epoch] = /^"(\d{1,15})"$/.exec(given) ?? [];
  if (epoch === undefined) throw new Problem(400, "bad_if_match", 'If-Match: expected an epoch such as "12".');
  return Number(epoch);
}

async function shownPreview(
  { gate: store }: PostgresContext,
  { gate, report, changes }: PreviewedGate,
): Promise<z.input<typeof previewed>> {
  const { gate_id, in_force: status, notes } = report;
  return { gate_id, epoch: await store.epoch(), gate, status: status && { ...status }, notes, changes };
}

/** The choices that were made, without undefined ones. */
function given(choices: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined));
}
