import { createHash } from "node:crypto";
import { z } from "zod";
import { PERSONAL_DEFAULTS, REVIEW_DEFAULTS } from "../../app/live/reviewing.js";
import type { PageDecision } from "../../measures/report-page.js";
import type { DecisionFilters } from "../../present/words/decision-list.js";
import { keptPage } from "../../store/postgres/live.js";
import { reviewCounts } from "../../store/postgres/reviews.js";
import { keepDocument, keptDocument, latestRoutes, routedSince, traffic } from "../../store/postgres/workbench.js";
import type { Actor } from "../auth.js";
import { chosenDecisions, facetsOf, listRow, pageSummary, withoutContent, withPrecedents } from "../live-page.js";
import { Problem } from "../problems.js";
import { endpoint, numberAt, page, pageOf } from "./endpoint.js";
import { heldBy, noteContentSeen, noteReportSeen, noteSeen, refuseHeld, refuseHolding } from "./independence.js";
import { listedDecision, listedDecisions, livePage, liveTraffic, meAnswer, personSettings } from "./screens.js";
import { readsGold } from "./shown.js";
import { mixKnown } from "./workbench.js";

const TRAFFIC_MINUTES = 15;
const STEP_SECONDS = 15;
const LATEST = 12;

const filter = z.string().max(2000).default("");
const filters = {
  community: filter,
  decision: filter,
  level: filter,
  inverse: filter,
  agreement: filter,
  reason: filter,
  flag: filter,
  judged: filter,
  rule: filter,
  search: filter,
} satisfies Record<keyof DecisionFilters, z.ZodType>;

export const DASHBOARD = [
  endpoint({
    method: "GET",
    url: "/v1/me",
    summary: "The signed-in person and their permissions.",
    scope: "reports:read",
    answer: meAnswer,
    async handle({ service, actor }) {
      const { config } = await service.context(actor.workspace);
      const kept = await keptDocument(service.database, actor.workspace, "person", actor.name);
      const review = await keptDocument(service.database, actor.workspace, "workbench", "");
      return {
        workspace: actor.workspace,
        platform: config.platform ?? null,
        name: actor.name,
        role: actor.role ?? null,
        scopes: [...actor.scopes],
        settings: { ...PERSONAL_DEFAULTS, ...kept },
        review: { ...REVIEW_DEFAULTS, ...review },
      };
    },
  }),
  endpoint({
    method: "PUT",
    url: "/v1/me/settings",
    summary: "Sets how content is shown to the signed-in person, and when they are reminded to take a break.",
    scope: "reports:read",
    body: personSettings,
    answer: personSettings,
    async handle({ service, actor, body }) {
      await keepDocument(service.database, actor.workspace, "person", actor.name, body);
      return body;
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/page",
    summary:
      "The data of the live run's report, without single decisions. The ETag changes with the data and with the caller's claims.",
    scope: "reports:read",
    headers: { "if-none-match": "The ETag of the answer before: 304 where nothing has changed." },
    also: { 304: "Nothing has changed." },
    answer: livePage,
    async handle({ service, actor, request, reply }) {
      const live = await service.pages.of(actor.workspace);
      if (!live) throw new Problem(404, "no_page", "The report is being made. It is there within a minute.");
      const content = actor.scopes.has("content:read");
      const held = await heldBy(service, actor);
      const more = [
        content ? "" : " numbers",
        readsGold(actor) ? " gold" : "",
        held.size > 0 ? ` ${hashOf(held)}` : "",
      ];
      const etag = `"${live.mark}${more.join("")}"`;
      reply.header("etag", etag);
      if (request.headers["if-none-match"] === etag) {
        return reply.code(304).send() as never;
      }
      const page = pageSummary(live.page, content, held);
      const ids = page.decisions.map(({ id }) => id);
      await noteSeen(service, actor, ids);
      await noteContentSeen(service, actor, ids);
      return {
        mark: live.mark,
        made_at: live.made_at,
        listed: live.page.decisions.length,
        page: { ...page, decisions: page.decisions.map(goldFor(actor)) },
      };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/page/decisions",
    summary: "Decisions of the report, most urgent first, by filters. Content needs the scope `content:read`.",
    scope: "reports:read",
    query: page.extend({ ...filters, order: z.enum(["urgent", "newest"]).default("urgent") }),
    answer: listedDecisions,
    async handle({ service, actor, query }) {
      const { limit, cursor, order, ...asked } = query;
      const live = await service.pages.of(actor.workspace);
      if (!live) return { items: [], precedents: [], next_cursor: null, total: 0, listed: 0, facets: facetsOf([]) };
      const content = actor.scopes.has("content:read");
      // Searching contents would reveal what they contain.
      const held = await heldBy(service, actor);
      const seen = live.page.decisions.filter(({ id }) => !held.has(id)).map(goldFor(actor));
      const all = content ? seen : seen.map(withoutContent);
      const chosen = chosenDecisions(all, asked, order);
      const from = numberAt(cursor, 0);
      const { decisions, precedents } = withPrecedents(live.page, chosen.slice(from, from + limit).map(listRow));
      const ids = decisions.map(({ id }) => id);
      await noteSeen(service, actor, ids);
      await noteContentSeen(service, actor, ids);
      return {
        mark: live.mark,
        items: decisions,
        precedents,
        next_cursor: pageOf(chosen.slice(from, from + limit), limit, () => from + limit, String).next_cursor,
        total: chosen.length,
        listed: live.page.decisions.length,
        facets: facetsOf(all),
      };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/page/decisions/:id",
    summary: "One decision of the report, with everything the report has on it.",
    scope: "reports:read",
    params: z.object({ id: z.string().min(1).max(512) }),
    answer: listedDecision,
    async handle({ service, actor, params }) {
      await refuseHeld(service, actor, params.id);
      const live = await service.pages.of(actor.workspace);
      const found = live?.page.decisions.find(({ id }) => id.toWellFormed() === params.id);
      if (!live || !found) throw new Problem(404, "not_listed", "The report does not list this decision.");
      const content = actor.scopes.has("content:read");
      await noteSeen(service, actor, [found.id]);
      await noteContentSeen(service, actor, [found.id]);
      const seen = goldFor(actor)(found);
      const { decisions, precedents } = withPrecedents(live.page, [content ? seen : withoutContent(seen)]);
      return { decision: decisions[0]!, precedents: content ? precedents : [] };
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/report",
    summary:
      "The report as one HTML file that needs no server. 403 with code `answer_first` while the caller has claimed a case.",
    scope: "content:read",
    type: "text/html",
    answer: z.string(),
    async handle({ service, actor, reply }) {
      await refuseHolding(service, actor, "the report");
      const kept = await keptPage(service.database, actor.workspace, "html");
      if (!kept) throw new Problem(404, "no_page", "The report is being made. It is there within a minute.");
      await noteReportSeen(service, actor, null);
      reply.type("text/html; charset=utf-8");
      // The file has a policy of its own, which lets only its own script run.
      reply.header("content-security-policy", "frame-ancestors 'none'");
      reply.header("content-encoding", "gzip");
      reply.header("content-disposition", 'attachment; filename="report.html"');
      return kept.html;
    },
  }),
  endpoint({
    method: "GET",
    url: "/v1/live",
    summary:
      "Current routing: decisions of the last minutes by their newest route, the newest routes, and what is waiting.",
    scope: "reports:read",
    answer: liveTraffic,
    async handle({ service, actor }) {
      const { database } = service;
      const { workspace } = actor;
      await mixKnown(service, actor);
      const [{ gate }, steps, last_minute, latest, reviews, jobs] = await Promise.all([
        service.context(workspace),
        traffic(database, workspace, TRAFFIC_MINUTES, STEP_SECONDS),
        routedSince(database, workspace, 1),
        latestRoutes(database, workspace, 4 * LATEST),
        reviewCounts(database, workspace, actor.name),
        service.queue.depth(workspace),
      ]);
      return {
        now: new Date().toISOString(),
        minutes: TRAFFIC_MINUTES,
        step: STEP_SECONDS,
        steps,
        last_minute,
        latest: newestOfEach(latest.map(({ seq, at, line }) => ({ seq, at, ...shownRoute(line) }))).slice(0, LATEST),
        reviews,
        audits_waiting: jobs
          .filter(({ task }) => task === "audit")
          .reduce((n, one) => n + one.waiting + one.running, 0),
        closed: await gate.closure(),
      };
    },
  }),
];

/** Changes when the set changes. Ids may have any length and any characters. */
const hashOf = (ids: ReadonlySet<string>) =>
  createHash("sha256")
    .update(JSON.stringify([...ids].sort()))
    .digest("hex")
    .slice(0, 16);

const goldFor =
  (actor: Actor) =>
  (decision: PageDecision): PageDecision =>
    readsGold(actor) ? decision : { ...decision, gold: null };

/** A decision is routed again when its audit arrives; only its last route counts. */
function newestOfEach<T extends { decision_id: string | null }>(newestFirst: readonly T[]): T[] {
  const seen = new Set<string>();
  return newestFirst.filter(({ decision_id: id }) => id === null || (!seen.has(id) && seen.add(id)));
}

const UNSTATED = new Set(["random_review", "indefensible", "probably_indefensible", "below_threshold"]);

/** Omits the draw and the verdict of the audit: reviewers see this too. */
function shownRoute(line: string) {
  const { decision_id, community, route, reasons, pending } = JSON.parse(line) as {
    decision_id: string | null;
    community?: string | null;
    route: string;
    reasons: string[];
    pending?: boolean;
  };
  const stated = reasons.filter((reason) => !UNSTATED.has(reason));
  return { decision_id, community: community ?? null, route, reasons: stated, pending: pending === true };
}
