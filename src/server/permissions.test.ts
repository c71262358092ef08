import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../test/support/make-audit.js";
import { configSchema } from "../core/config.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { createKey, createLogin, revokeKey } from "../store/postgres/access.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { createWorkspace } from "../store/postgres/live.js";
import { appendLive, sealLive } from "../store/postgres/runs.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { buildApp } from "./app.js";
import { ROLES, type Role, SCOPES, type Scope } from "./auth.js";
import { Service } from "./service.js";

const { database, folder } = await testDatabase();
await migrateQueue(database);
const queue = new GraphileQueue(database);
const service = new Service({ database, queue, vault: vaultOf("a secret for tests"), cache: folder });
const routes: string[] = [];
const app = await buildApp(service, { onRoute: ({ method, url }) => routes.push(`${method} ${url}`) });
afterAll(() => app.close());

/** Ids of the workspace whose data no other may see. Each holds the word "hidden". */
const ids: Record<string, string> = {};
const MARK = /hidden/i;

const decision = (id: string, word = "own") => ({
  id,
  community: `${word} garden`,
  content: `${word} words`,
  decision: "remove",
});
const judged = { outcome: "uphold", level: 1, saw_audit: false };
const claim = () => ({ claim: ids.claim });
const reason = { reason: "a test" };
const webhook = { url: "https://example.org/hook", events: ["gate.closed"] };
const rules = { scope: "community", community: "c", version: "9", rules: [{ id: "1", title: "A rule" }] };

interface Row {
  scope: Scope;
  /** Roles that may: of viewer, reviewer, policy, admin. */
  roles: readonly Role[];
  /** What another workspace is answered, with ids of this one. */
  foreign: number;
  body?: () => unknown;
  /** In the place of `:name`. */
  params?: () => Record<string, string>;
  query?: string;
  headers?: Record<string, string>;
}

const EVERYONE = ROLES;
const PEOPLE_WHO_REVIEW = ["reviewer", "policy", "admin"] as const;
const POLICY = ["policy", "admin"] as const;
const ADMIN = ["admin"] as const;
const ofDecision = () => ({ id: ids.decision! });
const ofRun = () => ({ id: ids.run! });
const ofItem = () => ({ id: ids.item! });
const ofAppeal = () => ({ id: ids.appeal! });
const ofWebhook = () => ({ id: ids.webhook! });
const ofRules = () => ({ scope: "community", community: "hidden garden", version: "hidden" });

/** Every endpoint that needs a key or a session. */
const TABLE: Record<string, Row> = {
  "POST /v1/route": { scope: "route:ask", roles: ADMIN, foreign: 200, body: () => decision("own") },
  "POST /v1/routes": { scope: "route:ask", roles: ADMIN, foreign: 200, body: () => "" },
  "GET /v1/decisions/:id/route": { scope: "route:ask", roles: ADMIN, foreign: 404, params: ofDecision },
  "GET /v1/decisions/:id/routes": { scope: "route:ask", roles: ADMIN, foreign: 200, params: ofDecision },
  "POST /v1/decisions": { scope: "decisions:write", roles: POLICY, foreign: 202, body: () => decision("sent") },
  "POST /v1/audits": {
    scope: "audits:write",
    roles: ADMIN,
    foreign: 422,
    body: () => makeAudit({ decision_id: ids.decision!, community: "hidden garden" }),
  },
  "GET /v1/decisions": { scope: "decisions:read", roles: EVERYONE, foreign: 200, query: "community=hidden%20garden" },
  "GET /v1/decisions/:id": { scope: "decisions:read", roles: EVERYONE, foreign: 404, params: ofDecision },
  "GET /v1/decisions/:id/audits": { scope: "audits:read", roles: EVERYONE, foreign: 200, params: ofDecision },
  "GET /v1/decisions/:id/statement-of-reasons": {
    scope: "audits:read",
    roles: EVERYONE,
    foreign: 404,
    params: ofDecision,
  },
  "GET /v1/queue": { scope: "reviews:read", roles: EVERYONE, foreign: 200 },
  "GET /v1/queue/items": { scope: "reviews:read", roles: EVERYONE, foreign: 200 },
  "POST /v1/queue/claim": { scope: "reviews:write", roles: PEOPLE_WHO_REVIEW, foreign: 200, body: () => ({ n: 10 }) },
  "POST /v1/items/:id/renew": {
    scope: "reviews:write",
    roles: PEOPLE_WHO_REVIEW,
    foreign: 409,
    params: ofItem,
    body: claim,
  },
  "POST /v1/items/:id/release": {
    scope: "reviews:write",
    roles: PEOPLE_WHO_REVIEW,
    foreign: 409,
    params: ofItem,
    body: claim,
  },
  "POST /v1/items/:id/decision": {
    scope: "reviews:write",
    roles: PEOPLE_WHO_REVIEW,
    foreign: 409,
    params: ofItem,
    body: () => ({ ...claim(), ...judged }),
  },
  "GET /v1/queue/summary": { scope: "reviews:read", roles: EVERYONE, foreign: 200 },
  "GET /v1/queue/mine": { scope: "reviews:write", roles: PEOPLE_WHO_REVIEW, foreign: 200 },
  "GET /v1/items/:id": { scope: "reviews:write", roles: PEOPLE_WHO_REVIEW, foreign: 404, params: ofItem },
  "POST /v1/items/:id/audit": { scope: "reviews:write", roles: PEOPLE_WHO_REVIEW, foreign: 403, params: ofItem },
  "GET /v1/appeals/:id/case": { scope: "reviews:write", roles: PEOPLE_WHO_REVIEW, foreign: 404, params: ofAppeal },
  "POST /v1/appeals/:id/audit": { scope: "reviews:write", roles: PEOPLE_WHO_REVIEW, foreign: 404, params: ofAppeal },
  "GET /v1/reviewers": { scope: "gate:write", roles: POLICY, foreign: 200 },
  "PUT /v1/review-settings": {
    scope: "gate:write",
    roles: POLICY,
    foreign: 200,
    body: () => ({ gold_rate: 0, break_minutes: 0 }),
  },
  "GET /v1/reviews": { scope: "reviews:read", roles: EVERYONE, foreign: 200 },
  "POST /v1/reviews/:id/correction": {
    scope: "reviews:write",
    roles: PEOPLE_WHO_REVIEW,
    foreign: 404,
    params: () => ({ id: ids.review! }),
    body: () => judged,
  },
  "POST /v1/appeals": {
    scope: "appeals:write",
    roles: PEOPLE_WHO_REVIEW,
    foreign: 404,
    body: () => ({ decision_id: ids.decision }),
  },
  "GET /v1/appeals": { scope: "appeals:read", roles: EVERYONE, foreign: 200 },
  "GET /v1/appeals/:id": { scope: "appeals:read", roles: EVERYONE, foreign: 404, params: ofAppeal },
  "POST /v1/appeals/:id/decision": {
    scope: "reviews:write",
    roles: PEOPLE_WHO_REVIEW,
    foreign: 404,
    params: ofAppeal,
    body: () => judged,
  },
  "GET /v1/gate": { scope: "gate:read", roles: EVERYONE, foreign: 200 },
  "GET /v1/gate/history": { scope: "gate:read", roles: EVERYONE, foreign: 200 },
  "POST /v1/gate/preview": { scope: "gate:write", roles: POLICY, foreign: 404, body: () => ({ run: ids.run }) },
  "POST /v1/gate/apply": {
    scope: "gate:write",
    roles: POLICY,
    foreign: 404,
    body: () => ({ gate_id: ids.gate, ...reason }),
    headers: { "if-match": '"1"' },
  },
  "POST /v1/gate/close": { scope: "gate:close", roles: EVERYONE, foreign: 200, body: () => reason },
  "POST /v1/gate/open": { scope: "gate:write", roles: POLICY, foreign: 200, body: () => reason },
  "POST /v1/gate/suspensions": {
    scope: "gate:write",
    roles: POLICY,
    foreign: 200,
    body: () => ({ community: "other", ...reason }),
  },
  "DELETE /v1/gate/suspensions/:community": {
    scope: "gate:write",
    roles: POLICY,
    foreign: 404,
    params: () => ({ community: "hidden boats" }),
    query: "reason=x",
  },
  "GET /v1/labels": { scope: "labels:read", roles: EVERYONE, foreign: 200 },
  "POST /v1/labels": {
    scope: "labels:write",
    roles: POLICY,
    foreign: 202,
    body: () => ({ decision_id: "sent", level: 1, source: "human" }),
  },
  "GET /v1/rules": { scope: "rules:read", roles: EVERYONE, foreign: 200 },
  "GET /v1/rules/:scope/:community/:version": { scope: "rules:read", roles: EVERYONE, foreign: 404, params: ofRules },
  "PUT /v1/rules/:scope/:community/:version": {
    scope: "rules:write",
    roles: POLICY,
    foreign: 201,
    params: () => ({ scope: "community", community: "c", version: "9" }),
    body: () => rules,
  },
  "GET /v1/me": { scope: "reports:read", roles: EVERYONE, foreign: 200 },
  "PUT /v1/me/settings": {
    scope: "reports:read",
    roles: EVERYONE,
    foreign: 200,
    body: () => ({ blur: true, greyscale: false, break_minutes: null }),
  },
  "GET /v1/page": { scope: "reports:read", roles: EVERYONE, foreign: 404 },
  "GET /v1/page/decisions": { scope: "reports:read", roles: EVERYONE, foreign: 200 },
  "GET /v1/page/decisions/:id": { scope: "reports:read", roles: EVERYONE, foreign: 404, params: ofDecision },
  "GET /v1/report": { scope: "content:read", roles: PEOPLE_WHO_REVIEW, foreign: 404 },
  "GET /v1/live": { scope: "reports:read", roles: EVERYONE, foreign: 200 },
  "GET /v1/runs": { scope: "audits:read", roles: EVERYONE, foreign: 200 },
  "GET /v1/runs/:id": { scope: "audits:read", roles: EVERYONE, foreign: 404, params: ofRun },
  "GET /v1/runs/:id/audits": { scope: "audits:read", roles: EVERYONE, foreign: 404, params: ofRun },
  "GET /v1/runs/:id/report": { scope: "content:read", roles: PEOPLE_WHO_REVIEW, foreign: 404, params: ofRun },
  "GET /v1/jobs": { scope: "jobs:read", roles: EVERYONE, foreign: 200 },
  "GET /v1/keys": { scope: "admin", roles: ADMIN, foreign: 200 },
  "POST /v1/keys": { scope: "admin", roles: ADMIN, foreign: 201, body: () => ({ name: "x", scopes: ["gate:read"] }) },
  "DELETE /v1/keys/:id": { scope: "admin", roles: ADMIN, foreign: 404, params: () => ({ id: ids.key! }) },
  "GET /v1/activity": { scope: "admin", roles: ADMIN, foreign: 200 },
  "GET /v1/events": {
    scope: "reports:read",
    roles: EVERYONE,
    foreign: 200,
    headers: { accept: "text/event-stream" },
  },
  "GET /v1/webhooks": { scope: "admin", roles: ADMIN, foreign: 200 },
  "POST /v1/webhooks": { scope: "admin", roles: ADMIN, foreign: 201, body: () => webhook },
  "PUT /v1/webhooks/:id": { scope: "admin", roles: ADMIN, foreign: 404, params: ofWebhook, body: () => webhook },
  "DELETE /v1/webhooks/:id": { scope: "admin", roles: ADMIN, foreign: 404, params: ofWebhook },
  "POST /v1/webhooks/:id/secret": { scope: "admin", roles: ADMIN, foreign: 404, params: ofWebhook, body: () => ({}) },
  "POST /v1/webhooks/:id/test": { scope: "admin", roles: ADMIN, foreign: 404, params: ofWebhook },
  "GET /v1/webhooks/:id/deliveries": { scope: "admin", roles: ADMIN, foreign: 200, params: ofWebhook },
  "DELETE /v1/decisions/:id/content": {
    scope: "erase",
    roles: ADMIN,
    foreign: 404,
    params: ofDecision,
    query: "reason=a%20test",
  },
  "GET /v1/retention": { scope: "admin", roles: ADMIN, foreign: 200 },
  "PUT /v1/retention": { scope: "admin", roles: ADMIN, foreign: 200, body: () => ({ content_days: 90 }) },
  "GET /v1/in": { scope: "admin", roles: ADMIN, foreign: 200 },
  "PUT /v1/in/:system/secret": {
    scope: "admin",
    roles: ADMIN,
    foreign: 200,
    params: () => ({ system: "lemmy" }),
    body: () => ({ secret: "whsec_b3duIHdvcmRzIG93biB3b3Jkcw==" }),
  },
  "DELETE /v1/in/:system/secret": {
    scope: "admin",
    roles: ADMIN,
    foreign: 404,
    params: () => ({ system: "mastodon" }),
  },
  "POST /v1/in/:system": {
    scope: "decisions:write",
    roles: POLICY,
    foreign: 200,
    params: () => ({ system: "coop" }),
    body: () => [],
  },
};

/** What everyone may ask: it tells nothing of a workspace. */
const OPEN = [
  "GET /",
  "GET /assets/:name",
  "POST /sign-in",
  "GET /sign-in/methods",
  "GET /healthz",
  "GET /readyz",
  "GET /openapi.json",
  "GET /sign-in",
  "GET /sign-in/callback",
  "POST /sign-out",
];

function requestOf(name: string, { body, params, query, headers }: Row): InjectOptions {
  const [method, path] = name.split(" ") as ["GET", string];
  const given = params?.() ?? {};
  const url = path.replace(/:(\w+)/g, (_, one: string) => encodeURIComponent(given[one]!));
  const lines = name === "POST /v1/routes";
  return {
    method,
    url: query ? `${url}?${query}` : url,
    headers: { ...headers, ...(body ? { "content-type": lines ? "application/x-ndjson" : "application/json" } : {}) },
    ...(body ? { payload: lines ? String(body()) : JSON.stringify(body()) } : {}),
  };
}

/** A stream of events has no end, and no text before something happens. */
async function ask(name: string, row: Row, more: Record<string, string>): Promise<{ status: number; text: string }> {
  const request = requestOf(name, row);
  const asked = { ...request, headers: { ...request.headers, ...more } };
  const answer = await app.inject({ ...asked, payloadAsStream: true });
  if (String(answer.headers["content-type"]).startsWith("text/event-stream")) {
    answer.stream().destroy();
    return { status: answer.statusCode, text: "" };
  }
  let text = "";
  for await (const chunk of answer.stream()) text += chunk;
  return { status: answer.statusCode, text };
}

const keyOf = async (workspace: string, scopes: readonly Scope[]) => ({
  authorization: `Bearer ${(await createKey(database, { workspace, name: `test ${randomUUID()}`, scopes })).key}`,
});

async function sessionOf(workspace: string, role: Role): Promise<Record<string, string>> {
  const token = await createLogin(database, { workspace, person: `a ${role}`, role });
  const signed = await app.inject({
    method: "POST",
    url: "/sign-in",
    headers: { "sec-fetch-site": "same-origin" },
    payload: { token },
  });
  return { cookie: String(signed.headers["set-cookie"]).split(";")[0]!, "sec-fetch-site": "same-origin" };
}

const config = configSchema.parse({ version: 1, auditor: "baseline", gate: { mode: "paper" } });

/** Fills a workspace with one thing of each kind. */
async function seeded(workspace: string): Promise<void> {
  await createWorkspace(database, workspace, config);
  const headers = await keyOf(workspace, SCOPES);
  const call = async (method: "POST" | "PUT", url: string, payload: object, more: object = {}) => {
    const answer = await app.inject({ method, url, headers: { ...headers, ...more }, payload });
    expect(answer.statusCode, `${url} ${answer.body}`).toBeLessThan(300);
    return answer.json();
  };
  const set = { ...rules, community: "hidden garden", version: "hidden" };
  await call("PUT", "/v1/rules/community/hidden%20garden/hidden", set);
  for (const id of ["hidden 1", "hidden 2"]) await call("POST", "/v1/route", decision(id, "hidden"));
  await database.rows("update defensible.review_item set hold_until = null where workspace_id = $1", [workspace]);
  const { items } = await call("POST", "/v1/queue/claim", { n: 2 });
  const note = { ...judged, note: "hidden note", claim: items[0].claim };
  await app.inject({ url: `/v1/items/${items[0].item_id}`, headers });
  const { review_id } = await call("POST", `/v1/items/${items[0].item_id}/decision`, note);
  const appeal = await call("POST", "/v1/appeals", { decision_id: "hidden 1", text: "hidden text" });
  await call("POST", "/v1/labels", { decision_id: "hidden 1", level: 1, source: "human", rater: "hidden" });
  const hook = { ...webhook, url: "https://hidden.example.org/hook" };
  const { webhook_id } = await call("POST", "/v1/webhooks", hook);
  await call("PUT", "/v1/in/mastodon/secret", { secret: "hidden secret" });
  const { key_id } = await call("POST", "/v1/keys", { name: "hidden", scopes: ["gate:read"] });
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const run_id = `${day.replaceAll("-", "")}T000000Z-hidden`;
  const run = { run_id, created_at: `${day}T00:00:00.000Z`, fingerprint: "hidden", selection: { live: day } };
  const counts = { planned: 0, verdicts: 0, unscored: 0, errors: 0 };
  const audits = Array.from({ length: 30 }, (_, i) =>
    makeAudit({ decision_id: `hidden ${i}`, community: "hidden garden", decided_at: `${day}T01:00:00.000Z` }),
  );
  await appendLive(database, workspace, { ...makeManifest(), ...run, counts }, audits);
  await sealLive(database, workspace, new Date());
  const { gate_id, epoch } = await call("POST", "/v1/gate/preview", {});
  await call("POST", "/v1/gate/apply", { gate_id, ...reason }, { "if-match": `"${epoch}"` });
  await call("POST", "/v1/gate/suspensions", { community: "hidden boats", reason: "hidden reason" });
  Object.assign(ids, {
    decision: "hidden 1",
    item: String(items[1].item_id),
    claim: items[1].claim,
    review: String(review_id),
    appeal: String(appeal.appeal_id),
    webhook: webhook_id,
    key: key_id,
    run: run_id,
    gate: gate_id,
  });
}

/** Tables with a workspace in their rows. */
async function ownedTables(): Promise<string[]> {
  const rows = await database.rows<{ table_name: string }>(
    "select table_name from information_schema.columns where table_schema = 'defensible' and column_name = 'workspace_id' order by 1",
  );
  return rows.map(({ table_name }) => table_name);
}

async function stateOf(workspace: string): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const table of await ownedTables()) {
    const [row] = await database.rows<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash
         from defensible.${table} t where workspace_id = $1`,
      [workspace],
    );
    state[table] = row!.hash;
  }
  return state;
}

describe("permissions", () => {
  beforeAll(async () => {
    await seeded("hidden");
    for (const name of ["other", "roles"]) await createWorkspace(database, name, config);
  }, 60_000);

  it("are in the table for every route of the service", () => {
    const known = routes.filter((name) => !name.startsWith("HEAD "));
    expect([...Object.keys(TABLE), ...OPEN].sort()).toEqual([...new Set(known)].sort());
  });

  it("refuse without a key, with a wrong one, with a revoked one and without the scope", async () => {
    const wrong = { authorization: `Bearer dfk_0123456789ab_${"a".repeat(32)}` };
    const { key, key_id } = await createKey(database, { workspace: "other", name: "revoked", scopes: SCOPES });
    await revokeKey(database, "other", key_id);
    const revoked = { authorization: `Bearer ${key}` };
    const ended = { cookie: "defensible_session=unknown", "sec-fetch-site": "same-origin" };
    for (const [name, row] of Object.entries(TABLE)) {
      for (const more of [{}, wrong, revoked, ended]) expect((await ask(name, row, more)).status, name).toBe(401);
    }
    const others = new Map<Scope, Record<string, string>>();
    for (const [name, row] of Object.entries(TABLE)) {
      const key =
        others.get(row.scope) ??
        (await keyOf(
          "other",
          SCOPES.filter((scope) => scope !== row.scope),
        ));
      others.set(row.scope, key);
      const { status, text } = await ask(name, row, key);
      expect([status, JSON.parse(text).required_scope], name).toEqual([403, row.scope]);
    }
  });

  it("let each role do what the table says, and no more", async () => {
    for (const role of ROLES) {
      const session = await sessionOf("roles", role);
      const may: string[] = [];
      for (const [name, row] of Object.entries(TABLE)) {
        const { status, text } = await ask(name, row, session);
        expect(status, `${name} ${text}`).toBeLessThan(500);
        if (!text.includes('"scope_missing"')) may.push(name);
      }
      const expected = Object.entries(TABLE).filter(([, { roles }]) => roles.includes(role));
      expect(may, role).toEqual(expected.map(([name]) => name));
    }
  });

  it("show and change nothing of another workspace", async () => {
    const before = await stateOf("hidden");
    expect(Object.values(before).filter((hash) => !hash.startsWith("0 ")).length).toBeGreaterThan(14);
    const key = await keyOf("other", SCOPES);
    for (const [name, row] of Object.entries(TABLE)) {
      const { status, text } = await ask(name, row, key);
      expect(status, `${name} ${text}`).toBe(row.foreign);
      // What was asked for may be named in the answer, and nothing more.
      const more = [ids.decision!, ids.run!, "hidden boats"].reduce((left, id) => left.replaceAll(id, ""), text);
      expect(more, name).not.toMatch(MARK);
    }
    expect(await stateOf("hidden")).toEqual(before);
  });
});

describe("statements of the store", () => {
  /** Texts in which a table is named, with the constants that are put into them. */
  const files = readdirSync(join(import.meta.dirname, "..", "store", "postgres"))
    .filter((name) => name.endsWith(".ts") && !/\.(test|suite)\.ts$/.test(name) && name !== "schema.ts")
    .map((name) => ({ name, code: readFileSync(join(import.meta.dirname, "..", "store", "postgres", name), "utf8") }));

  /** Found by a secret that only one has, or asked by the service itself about all workspaces. */
  const WITHOUT: Record<string, RegExp> = {
    "access.ts": /where key_id = \$1 and revoked_at|where token_hash = \$1|where id_hash = \$1/,
    "erasure.ts": /as ids from defensible\.record r/,
    "retention.ts": /where content_days is not null|where at < now\(\)|where expires_at < now\(\)/,
    "secrets.ts": /for update/,
    "live.ts": /select workspace_id from defensible\.workspace order by 1|as gates_closed/,
    "webhooks.ts": /count\(\*\) filter \(where failures > 0/,
  };

  it("name the workspace wherever a table has one", async () => {
    const tables = new Set(await ownedTables());
    const wrong: string[] = [];
    let statements = 0;
    for (const { name, code } of files) {
      const bare = code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
      for (const [text] of bare.matchAll(/`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g)) {
        const named = [...text.matchAll(/\b(from|into|update|join|using)\s+defensible\.(\w+|\$\{\w+\})/g)].filter(
          ([, , table]) => tables.has(table!) || table!.startsWith("$"),
        );
        if (named.length === 0) continue;
        statements++;
        if (WITHOUT[name]?.test(text)) continue;
        // Each part that reads or changes a table has its own condition, and each new row its workspace.
        const read = named.filter(([, how]) => how === "from" || how === "update").length;
        const bound = [...text.matchAll(/\bworkspace_id\s*=\s*/g)].length;
        const made = [...text.matchAll(/\binto\s+defensible\.[^(]*\(([^)]*)\)/g)];
        if (bound < read || made.some(([, columns]) => !columns!.includes("workspace_id"))) {
          wrong.push(`${name}: ${text.trim().slice(0, 160)}`);
        }
      }
    }
    expect(statements).toBeGreaterThan(80);
    expect(wrong).toEqual([]);
  });
});
