import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { configSchema } from "../core/config.js";
import type { RuleSet } from "../core/records/rule-set.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { createKey, createLogin } from "../store/postgres/access.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { createWorkspace, verifyRouteLog } from "../store/postgres/live.js";
import { RouteStream } from "../store/postgres/routing.js";
import { migrate } from "../store/postgres/schema.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { buildApp } from "./app.js";
import { ROLE_SCOPES, ROLES, SCOPES, type Scope } from "./auth.js";
import { listenOperations, metricsOf } from "./operations.js";
import { Service } from "./service.js";
import { startWorker } from "./worker.js";

const { database, folder } = await testDatabase();
await migrateQueue(database);
const vault = vaultOf("a secret for tests");
const queue = new GraphileQueue(database);
const lines: string[] = [];
const service = new Service({ database, queue, vault, cache: folder });
const metrics = metricsOf(service);
const app = await buildApp(service, { metrics, log: { write: (line) => void lines.push(line) } });
const worker = await startWorker(service, { pollMs: 50, concurrency: 4 });
afterAll(async () => {
  await worker.stop();
  await app.close();
});

const RULES: RuleSet = {
  scope: "community",
  community: "garden",
  version: "1",
  rules: [{ id: "1", title: "No advertising", detail: "Posts that offer goods for sale are removed." }],
};

async function workspace(scopes: readonly Scope[] = SCOPES) {
  const name = `w-${randomUUID()}`;
  await createWorkspace(database, name, configSchema.parse({ version: 1 }));
  const { imports } = await service.context(name);
  await imports.addRules(RULES, null);
  const { key } = await createKey(database, { workspace: name, name: "test", scopes });
  return { name, key, headers: { authorization: `Bearer ${key}` } };
}

const decision = (id: string, content = "Selling my lawn mower, 50 euros.") => ({
  id,
  community: "garden",
  content,
  decision: "remove",
});

describe("routing", () => {
  it("keeps a new decision, has it audited, and routes it with its audit", async () => {
    const { name, headers } = await workspace();
    const first = await app.inject({ method: "POST", url: "/v1/route", headers, payload: decision("d1") });
    expect(first.statusCode).toBe(200);
    expect(first.json()).toMatchObject({ route: "review", reasons: ["no_gate", "no_audit"], pending: true });
    const waited = await app.inject({
      method: "POST",
      url: "/v1/route",
      headers: { ...headers, prefer: "wait=30" },
      payload: decision("d1"),
    });
    expect(waited.json().reasons).not.toContain("no_audit");
    // However the address is spelled, no route is review.
    for (const url of ["/v1/route", "/v1/%72oute"]) {
      const refused = await app.inject({ method: "POST", url, payload: decision("d1") });
      expect([refused.statusCode, refused.json().route]).toEqual([401, "review"]);
    }
    const kept = await app.inject({ url: "/v1/decisions/d1", headers });
    expect(kept.json()).toMatchObject({
      decision: { id: "d1" },
      audit: { decision_id: "d1", auditor: "baseline", decided_at: expect.stringMatching(/^20.*Z$/) },
      route: { decision_id: "d1" },
    });
    const [run] = await (await service.context(name)).runs.list();
    expect(run).toMatchObject({ auditor: "baseline", selection: { live: new Date().toISOString().slice(0, 10) } });
  });

  it("logs every answer in a chain that shows a change", async () => {
    const { name, headers } = await workspace();
    const asked = Array.from({ length: 40 }, (_, i) =>
      app.inject({ method: "POST", url: "/v1/route", headers, payload: decision(`d${i}`) }),
    );
    expect((await Promise.all(asked)).every(({ statusCode }) => statusCode === 200)).toBe(true);
    const before = await verifyRouteLog(database, name);
    expect(before.faults).toEqual([]);
    expect(before.lines).toBeGreaterThanOrEqual(40);
    await database.rows(
      `update defensible.route_log set line = replace(line::text, '"review"', '"automate"')::json
        where workspace_id = $1 and seq = (select min(seq) + 3 from defensible.route_log where workspace_id = $1)`,
      [name],
    );
    expect((await verifyRouteLog(database, name)).faults).toHaveLength(1);
  });

  it("leaves no gap in the chain where a transaction failed after its lines were written", async () => {
    const { name } = await workspace();
    const stream = new RouteStream(name);
    const epoch = await (await service.context(name)).gate.epoch();
    const append = (line: string, fails = false) =>
      database.transaction(async (queries) => {
        const route = {
          decision_id: "a",
          community: "garden",
          route: "review" as const,
          reasons: ["no_gate" as const],
        };
        await stream.append(queries, epoch, [{ route, line, seen: null }], 0);
        if (fails) throw new Error("the connection broke");
      });
    await append('{"n":1}');
    await expect(append('{"n":2}', true)).rejects.toThrow("broke");
    stream.restart();
    await append('{"n":3}');
    expect(await verifyRouteLog(database, name)).toEqual({ lines: 2, faults: [] });
  });

  it("takes what another system gave, names what it left out, and takes it once", async () => {
    const { headers } = await workspace();
    const action = {
      ...{ id: "ModAction_1", type: "removelink", moderatorName: "kim", moderatorId: "t2_kim", flair: "new" },
      ...{ createdAt: "2026-05-04T10:00:00Z", subredditName: "garden", subredditId: "t5_1" },
      target: { id: "t3_p1", title: "Sale", body: "Selling my lawn mower, 50 euros." },
    };
    const other = { ...action, id: "ModAction_2", type: "sticky" };
    const bare = { ...action, id: "ModAction_3", target: { id: "t3_p3" } };
    const post = (payload: object | string, query = "") =>
      app.inject({ method: "POST", url: `/v1/in/reddit${query}`, headers, payload });
    const first = await post([action, other, bare]);
    expect(first.statusCode, first.body).toBe(200);
    expect(first.json()).toEqual({
      decisions: [{ id: "ModAction_1", status: "accepted" }],
      rejected: [{ at: 3, field: "target", reason: expect.stringContaining("neither title nor body") }],
      left_out: [
        { code: "unknown_field", what: "modAction.flair", count: 3, at: 1 },
        { code: "not_a_decision", what: "sticky", count: 1, at: 2 },
      ],
      not_kept: { rule_sets: 0, outcomes: 0, review_items: 0 },
      ...{ outcomes: [], appeals: [], rule_sets: [], differs: [] },
      // The third, whose text may come.
      waiting: 1,
    });
    expect((await post(action)).json().decisions).toEqual([{ id: "ModAction_1", status: "duplicate" }]);
    const named = (await post(other, "?value=sticky%3Dapprove")).json();
    expect(named.decisions).toEqual([{ id: "ModAction_2", status: "accepted" }]);
    expect((await post(other, "?value=sticky%3Dpin")).statusCode).toBe(422);
    const unknown = await app.inject({ method: "POST", url: "/v1/in/usenet", headers, payload: {} });
    expect([unknown.statusCode, (await post([1, 2])).statusCode]).toEqual([422, 422]);
    const reader = await workspace(["decisions:read"]);
    const denied = await app.inject({ method: "POST", url: "/v1/in/reddit", headers: reader.headers, payload: action });
    expect(denied.statusCode).toBe(403);
  });

  it("names what is wrong with a body that is no decision", async () => {
    const { headers } = await workspace();
    const answer = await app.inject({
      method: "POST",
      url: "/v1/route",
      headers,
      payload: { id: "b", decision: "remove" },
    });
    expect([answer.statusCode, answer.json().route]).toEqual([422, "review"]);
    expect(answer.json().detail).toContain("community: is missing");
  });

  it("answers nothing under a gate that was replaced: the epoch of every answer is that of the log", async () => {
    const { headers } = await workspace();
    const epochs = new Set<number>();
    let running = true;
    const switching = (async () => {
      for (let i = 0; i < 10; i++) {
        await app.inject({ method: "POST", url: "/v1/gate/close", headers, payload: { reason: "a test" } });
        const { epoch } = (
          await app.inject({ method: "POST", url: "/v1/route", headers, payload: decision("x") })
        ).json();
        const closed = (await app.inject({ method: "POST", url: "/v1/route", headers, payload: decision("x") })).json();
        expect(closed.reasons).toContain("closed");
        epochs.add(epoch);
        await app.inject({ method: "POST", url: "/v1/gate/open", headers, payload: { reason: "a test" } });
      }
      running = false;
    })();
    while (running)
      await app.inject({ method: "POST", url: "/v1/route", headers, payload: decision(`y${Math.random()}`) });
    await switching;
    expect(epochs.size).toBe(10);
  });

  it("goes by a remembered audit only while it is the newest, the decision is kept and was not appealed", async () => {
    const { name, headers } = await workspace();
    const ask = async (prefer = "wait=0") =>
      (
        await app.inject({ method: "POST", url: "/v1/route", headers: { ...headers, prefer }, payload: decision("m") })
      ).json();
    await ask("wait=30");
    expect((await ask()).versions.auditor_version).not.toBe("another");
    const items = () =>
      database.rows("select xmin::text, state, reasons from defensible.review_item where workspace_id = $1", [name]);
    const before = await items();
    const first = await ask();
    expect(await items()).toEqual(before);
    expect(before).toMatchObject([{ state: "open", reasons: first.reasons }]);
    await database.rows(
      `insert into defensible.audit (workspace_id, run_id, key, decision_id, arm, replicate, community, decision, outcome, record)
       select workspace_id, 'later', key, decision_id, arm, replicate, community, decision, outcome,
         regexp_replace(record::text, '"auditor_version":("[^"]*"|null)', '"auditor_version":"another"')::json
         from defensible.audit where workspace_id = $1`,
      [name],
    );
    expect((await ask()).versions.auditor_version).toBe("another");
    await app.inject({ method: "POST", url: "/v1/appeals", headers, payload: { decision_id: "m" } });
    expect((await ask()).reasons).toContain("appeal");
    const other = await workspace();
    expect(
      (await app.inject({ method: "POST", url: "/v1/route", headers: other.headers, payload: decision("m") })).json(),
    ).toMatchObject({ pending: true });
    const erased = await app.inject({ method: "DELETE", url: "/v1/decisions/m/content?reason=asked", headers });
    expect(erased.statusCode, erased.body).toBeLessThan(300);
    expect((await ask()).reasons).toContain("content_changed");
    expect((await verifyRouteLog(database, name)).faults).toEqual([]);
  });

  it("routes JSON lines in their order, bad ones too", async () => {
    const { headers } = await workspace();
    const payload = [
      JSON.stringify(decision("a")),
      "{broken",
      JSON.stringify({ id: "b" }),
      JSON.stringify(decision("c")),
    ].join("\n");
    const answer = await app.inject({
      method: "POST",
      url: "/v1/routes",
      headers: { ...headers, "content-type": "application/x-ndjson" },
      payload,
    });
    const routes = answer.body
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(routes.map(({ decision_id, route }) => [decision_id, route])).toEqual([
      ["a", "review"],
      [null, "review"],
      ["b", "review"],
      ["c", "review"],
    ]);
    expect(routes[1].reasons).toEqual(["bad_decision"]);
  });

  it("refuses an id that cannot be kept, and answers the others of its batch", async () => {
    const { headers } = await workspace();
    const ids = ["good", "n\0", "half \ud800", "also good"];
    for (const [url, statuses] of [
      ["/v1/routes", ["no_gate", "bad_decision", "bad_decision", "no_gate"]],
      ["/v1/decisions", ["duplicate", "rejected", "rejected", "duplicate"]],
    ] as const) {
      const answer = await app.inject({
        method: "POST",
        url,
        headers: { ...headers, "content-type": "application/x-ndjson" },
        payload: ids.map((id) => `${JSON.stringify(decision(id))}\n`).join(""),
      });
      const lines = answer.body.trim().split("\n");
      expect(lines.map((line) => JSON.parse(line)).map(({ reasons, status }) => status ?? reasons[0])).toEqual(
        statuses,
      );
    }
    const nul = await app.inject({ url: "/v1/decisions?community=%00", headers });
    expect([nul.statusCode, nul.json().code]).toEqual([400, "bad_address"]);
  });

  it("refuses a decision for any field that is not in the format, and answers the others of its batch", async () => {
    const { headers } = await workspace();
    const wrong = { human_label: "maybe", author: [], erased: "yes", gold: { level: 9 }, decided_at: {}, appeal: 1 };
    const bad = Object.entries(wrong).map(([name, value]) => ({ ...decision(`bad ${name}`), [name]: value }));
    const sent = [decision("first"), ...bad, decision("last")];
    const lines = await app.inject({
      method: "POST",
      url: "/v1/routes",
      headers: { ...headers, "content-type": "application/x-ndjson" },
      payload: sent.map((one) => `${JSON.stringify(one)}\n`).join(""),
    });
    const routes = lines.body
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(routes.map(({ decision_id, route, reasons }) => [decision_id, route, reasons[0]])).toEqual(
      sent.map(({ id }) => [id, "review", id.startsWith("bad") ? "bad_decision" : "no_gate"]),
    );
    for (const payload of bad) {
      const one = await app.inject({ method: "POST", url: "/v1/route", headers, payload });
      expect([one.statusCode, one.json().code, one.json().route], payload.id).toEqual([422, "bad_decision", "review"]);
    }
  });

  it("refuses an embedded audit without the scope for it, and says review in every problem", async () => {
    const { headers } = await workspace(SCOPES.filter((scope) => scope !== "audits:write"));
    const answer = await app.inject({
      method: "POST",
      url: "/v1/route",
      headers,
      payload: { ...decision("e"), audit: { level: 1 } },
    });
    expect([answer.statusCode, answer.json().route, answer.json().code]).toEqual([422, "review", "embedded_audit"]);
    const twice = await app.inject({
      method: "POST",
      url: "/v1/route",
      headers: { ...headers, "content-type": "application/json" },
      payload: '{"id":"a","id":"b"}',
    });
    expect([twice.statusCode, twice.json().route]).toEqual([400, "review"]);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
  });

  it("sends a decision with other content than before to review", async () => {
    const { headers } = await workspace();
    await app.inject({
      method: "POST",
      url: "/v1/route",
      headers: { ...headers, prefer: "wait=30" },
      payload: decision("k"),
    });
    const other = await app.inject({
      method: "POST",
      url: "/v1/route",
      headers,
      payload: decision("k", "something else"),
    });
    expect(other.json().reasons).toContain("content_changed");
  });
});

describe("decisions", () => {
  it("are taken once, with their audits", async () => {
    const { headers } = await workspace();
    const post = async (rows: object[]) => {
      const answer = await app.inject({
        method: "POST",
        url: "/v1/decisions",
        headers: { ...headers, "content-type": "application/x-ndjson" },
        payload: rows.map((row) => JSON.stringify(row)).join("\n"),
      });
      return answer.body
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    const hostile = "\u0000 \ud800 🙂 '; drop table defensible.record; --";
    expect((await post([decision("a"), decision("b", hostile), { id: "c" }])).map(({ status }) => status)).toEqual([
      "accepted",
      "accepted",
      "rejected",
    ]);
    expect((await post([decision("a"), decision("b", "other")])).map(({ status }) => status)).toEqual([
      "duplicate",
      "conflict",
    ]);
    const { items } = (await app.inject({ url: "/v1/decisions?limit=10", headers })).json();
    expect(items.map(({ content }: { content: string }) => content)).toEqual([
      decision("a").content,
      hostile.toWellFormed(),
    ]);
  });
});

describe("reviews", () => {
  it("are claimed by one person, and become labels", async () => {
    const { name, headers } = await workspace();
    // What a key has asked for, its answers are no independent labels of.
    const { key } = await createKey(database, { workspace: name, name: "platform", scopes: ["route:ask"] });
    const platform = { authorization: `Bearer ${key}` };
    await app.inject({
      method: "POST",
      url: "/v1/route",
      headers: { ...platform, prefer: "wait=30" },
      payload: decision("r1"),
    });
    await expect
      .poll(async () => (await app.inject({ url: "/v1/queue/items", headers })).json().items.length, {
        timeout: 20_000,
      })
      .toBe(1);
    const claims = await Promise.all(
      [1, 2, 3].map(() => app.inject({ method: "POST", url: "/v1/queue/claim", headers, payload: { n: 1 } })),
    );
    const items = claims.flatMap((one) => one.json().items);
    expect(items).toHaveLength(1);
    const payload = { claim: items[0].claim, outcome: "overturn", level: 3, inverse: false, saw_audit: false };
    await app.inject({ url: `/v1/items/${items[0].item_id}`, headers });
    const url = `/v1/items/${items[0].item_id}/decision`;
    expect((await app.inject({ method: "POST", url, headers, payload })).statusCode).toBe(201);
    expect((await app.inject({ method: "POST", url, headers, payload })).json().code).toBe("claim_lost");
    // Asked for again, the route is logged, and nobody has to review it twice.
    const again = await app.inject({ method: "POST", url: "/v1/route", headers, payload: decision("r1") });
    expect(again.json().route).toBe("review");
    expect((await app.inject({ url: "/v1/queue/items", headers })).json().items).toEqual([]);
    const { labels } = await service.context(name);
    const kept = async () => {
      const all: object[] = [];
      for await (const batch of labels.labels()) all.push(...batch);
      return all;
    };
    await expect.poll(kept, { timeout: 30_000 }).toMatchObject([{ decision_id: "r1", level: 3, drawn: "queue" }]);
  });
});

describe("who may do what", () => {
  it("hides content from keys that may not read it", async () => {
    const { name, headers } = await workspace();
    await app.inject({
      method: "POST",
      url: "/v1/route",
      headers: { ...headers, prefer: "wait=30" },
      payload: decision("q"),
    });
    const { key } = await createKey(database, { workspace: name, name: "reader", scopes: ["decisions:read"] });
    const { body } = await app.inject({ url: "/v1/decisions/q", headers: { authorization: `Bearer ${key}` } });
    expect(body).toContain('"q"');
    expect(body).not.toContain("lawn mower");
  });

  it("lets a person in once by a token, and not by another site's form", async () => {
    const { name } = await workspace();
    const token = await createLogin(database, { workspace: name, person: "ann", role: "reviewer" });
    const signed = await app.inject({
      method: "POST",
      url: "/sign-in",
      headers: { "sec-fetch-site": "same-origin" },
      payload: { token },
    });
    const cookie = String(signed.headers["set-cookie"]).split(";")[0]!;
    expect(String(signed.headers["set-cookie"])).toContain("HttpOnly");
    expect((await app.inject({ url: "/v1/gate", headers: { cookie } })).statusCode).toBe(200);
    expect((await app.inject({ url: "/v1/keys", headers: { cookie } })).statusCode).toBe(403);
    const close = (site: string) =>
      app.inject({
        method: "POST",
        url: "/v1/gate/close",
        headers: { cookie, "sec-fetch-site": site },
        payload: { reason: "x" },
      });
    expect([(await close("cross-site")).statusCode, (await close("same-origin")).statusCode]).toEqual([403, 200]);
  });

  it("gives every role the kill switch, and keys of no role more than it has", () => {
    for (const role of ROLES) expect(ROLE_SCOPES[role]).toContain("gate:close");
    expect(ROLE_SCOPES.viewer).not.toContain("content:read");
  });

  it("limits requests by valid key, and by address whatever keys are made up", async () => {
    const { headers } = await workspace();
    const limited = await buildApp(service, { perMinute: 5 });
    const ask = (more: Record<string, string>) =>
      limited.inject({ method: "POST", url: "/v1/route", headers: more, payload: {} });
    const statuses = async (n: number, of: (i: number) => Record<string, string>) => {
      const all: number[] = [];
      for (let i = 0; i < n; i++) all.push((await ask(of(i))).statusCode);
      return all;
    };
    // The first request of a key counts for the address, since nothing is known of the key yet.
    expect((await ask(headers)).statusCode).toBe(422);
    const madeUp = (i: number) => ({ authorization: `Bearer dfk_${String(i).padStart(12, "0")}_${"a".repeat(32)}` });
    expect(await statuses(6, madeUp)).toEqual([401, 401, 401, 401, 429, 429]);
    expect(await statuses(6, () => headers)).toEqual([422, 422, 422, 422, 422, 429]);
    const refused = await ask(headers);
    expect([refused.json().route, refused.json().code]).toEqual(["review", "too_many_requests"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    await limited.close();
  });

  it("writes no content and no key into its log", async () => {
    const { key } = await workspace();
    const text = lines.join("");
    expect(text).toContain('"route":"/v1/route"');
    expect(text).not.toMatch(/lawn mower|dfk_|drop table/);
    expect(text).not.toContain(key);
  });
});

describe("signs of life", () => {
  it("answers what is under way before it closes, and is not ready from the signal on", async () => {
    const { headers } = await workspace();
    const stopping = new AbortController();
    const other = await buildApp(service, { stopping: stopping.signal });
    const address = await other.listen({ host: "127.0.0.1", port: 0 });
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    const [body, more] = [JSON.stringify(decision("last")), { "content-type": "application/json" }];
    // The answer waits for an audit that no worker makes before the connection is closed.
    const asked = fetch(`${address}/v1/route`, {
      method: "POST",
      body,
      headers: { ...headers, ...more, prefer: "wait=2" },
    });
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    stopping.abort();
    expect(await (await fetch(`${address}/readyz`)).json()).toEqual({ status: "not ready", problems: ["stopping"] });
    await other.close();
    expect((await asked).status).toBe(200);
    await expect(fetch(`${address}/healthz`)).rejects.toThrow();
  });

  it("is ready, alive and measured", async () => {
    expect((await app.inject({ url: "/healthz" })).statusCode).toBe(200);
    expect((await app.inject({ url: "/readyz" })).json()).toEqual({ status: "ready", problems: [] });
    // Figures are for operators alone: on a port of their own.
    expect((await app.inject({ url: "/metrics" })).statusCode).toBe(404);
    const operations = await listenOperations(service, { metrics, host: "127.0.0.1", port: 0 });
    const get = async (path: string) => fetch(`${operations.address}${path}`);
    const text = await (await get("/metrics")).text();
    expect(text).toMatch(/http_request_duration_seconds_count\{.*\/v1\/route/);
    expect(text).toMatch(/route_decisions_total\{route="review"\} [1-9]/);
    expect(text).toMatch(/review_open \d/);
    expect(text).toContain("metrics_failures_total 0");
    expect((await get("/readyz")).status).toBe(200);
    await operations.close();
  });

  it("stays ready next to a newer schema, which only its own version may change", async () => {
    const [number] = await database.rows<{ n: number }>("select max(number) + 1 as n from defensible.migration");
    await database.rows("insert into defensible.migration (number, name, checksum) values ($1, 'later', 'x')", [
      number!.n,
    ]);
    expect((await app.inject({ url: "/readyz" })).statusCode).toBe(200);
    await expect(migrate(database)).rejects.toThrow("newer than this version knows");
    await database.rows("delete from defensible.migration where number = $1", [number!.n - 1]);
    await database.rows("delete from defensible.migration where number = $1", [number!.n]);
    expect((await app.inject({ url: "/readyz" })).json().problems).toEqual(["the database needs `defensible migrate`"]);
  });
});
