import { once } from "node:events";
import { type IncomingMessage, request as open } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../test/support/make-audit.js";
import { configSchema } from "../core/config.js";
import { EnvironmentError } from "../core/errors.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { createKey, createLogin, revokeKey } from "../store/postgres/access.js";
import { Database } from "../store/postgres/database.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { createWorkspace } from "../store/postgres/live.js";
import { migrate } from "../store/postgres/schema.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { buildApp } from "./app.js";
import { SCOPES } from "./auth.js";
import { Service } from "./service.js";

const { database, folder, url: own } = await testDatabase();
await migrateQueue(database);
const service = new Service({
  database,
  queue: new GraphileQueue(database),
  vault: vaultOf("a secret for tests that is long enough"),
  cache: folder,
});
const app = await buildApp(service);
afterAll(async () => {
  await app.close();
  await service.close();
});

await createWorkspace(database, "faults", configSchema.parse({ version: 1 }));
const { key } = await createKey(database, { workspace: "faults", name: "test", scopes: SCOPES });
const headers = { authorization: `Bearer ${key}` };

async function ask(method: "GET" | "POST" | "DELETE", url: string, payload?: object | string, more: object = {}) {
  const type = { "content-type": "application/json", ...more };
  const answer = await app.inject(
    payload === undefined
      ? { method, url, headers }
      : {
          method,
          url,
          headers: { ...headers, ...type },
          payload: typeof payload === "string" ? payload : JSON.stringify(payload),
        },
  );
  return { status: answer.statusCode, body: answer.json() };
}

describe("a value that the database cannot keep", () => {
  it("is a fault of the request", async () => {
    await service
      .decisions("faults")
      .then((records) => records.add([{ id: "d1", community: "garden", content: "x", decision: "remove" }]));
    const appeal = (filed_at: string) => ["/v1/appeals", { decision_id: "d1", filed_at }] as const;
    for (const [url, body] of [
      appeal("0000-01-01T00:00:00Z"),
      appeal("2026-01-01T00:00:00+23:59"),
      ["/v1/webhooks", { url: "https://example.org/\0", events: ["gate.closed"] }],
    ] as const) {
      const { status, body: problem } = await ask("POST", url, body);
      expect([status, problem.code], JSON.stringify([body, problem])).toEqual([422, "not_in_format"]);
    }
    expect((await ask("POST", "/v1/queue/claim", { communities: ["a\0b"] })).body).toEqual({ items: [] });
    expect((await ask("POST", "/v1/keys", { name: "a\0b", scopes: ["gate:read"] })).status).toBe(201);
  });
});

describe("problems", () => {
  it("have codes of ours", async () => {
    const big = await ask("POST", "/v1/appeals", `{"text":"${"x".repeat(1 << 20)}"}`);
    expect([big.status, big.body.code]).toEqual([413, "body_too_large"]);
    const other = await ask("POST", "/v1/appeals", "x", { "content-type": "text/plain" });
    expect([other.status, other.body.code]).toEqual([415, "unsupported_media_type"]);
  });

  it("name no command", async () => {
    for (const asked of [
      ask("DELETE", "/v1/gate/suspensions/nothing?reason=x"),
      ask("GET", "/v1/runs/nothing"),
      ask("POST", "/v1/gate/preview", { run: "nothing" }),
      ask("POST", "/v1/gate/preview", {}),
    ]) {
      const { status, body } = await asked;
      expect([status >= 400, JSON.stringify(body)]).toEqual([
        true,
        expect.not.stringMatching(/defensible |gate reinstate|--\w/),
      ]);
      expect(body.detail).not.toBe("");
    }
  });

  it("have times as the rest has them", async () => {
    const { body } = await ask("GET", "/v1/keys");
    expect(body.items[0].created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
});

describe("the run of an experiment", () => {
  it("has no report, and says so", async () => {
    const run_id = "20260101T000000Z-arms";
    const arms = [{ name: "hot" }];
    const { runs } = await service.context("faults");
    const run = await runs.create({ ...makeManifest(), run_id, experiment: { kind: "signal", arms } } as never);
    await run.append([makeAudit({ run_id, arm: "hot" })]);
    const { status, body } = await ask("GET", `/v1/runs/${run_id}/report`);
    expect([status, body.code]).toEqual([409, "experiment_run"]);
  });
});

describe("an address", () => {
  const get = (method: "GET" | "POST" | "DELETE", url: string) => app.inject({ method, url, headers });

  it("may name everything that was taken: ids have up to 512 characters", async () => {
    const id = "\u20ac".repeat(512);
    expect((await ask("POST", "/v1/decisions", { id, community: "c", content: "x", decision: "remove" })).status).toBe(
      202,
    );
    const path = `/v1/decisions/${encodeURIComponent(id)}`;
    expect((await ask("GET", path)).status).toBe(200);
    expect((await ask("DELETE", `${path}/content?reason=x`)).status).toBe(200);
    expect((await ask("GET", `/v1/decisions/${"x".repeat(513)}`)).body.code).toBe("not_in_format");
  });

  it("that cannot be read is a problem like any other, and is not quoted", async () => {
    for (const [method, url, status, code] of [
      ["GET", "/v1/decisions/secret%ff", 400, "bad_address"],
      ["GET", `/v1/decisions/${"secret".repeat(5000)}`, 414, "address_too_long"],
      ["POST", "/v1/route%ff", 400, "bad_address"],
    ] as const) {
      const answer = await get(method, url);
      expect([answer.statusCode, answer.json().code, answer.headers["content-type"]]).toEqual([
        status,
        code,
        expect.stringContaining("application/problem+json"),
      ]);
      expect(answer.body).not.toContain("secret");
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      expect(answer.json().route).toBe(method === "POST" ? "review" : undefined);
    }
  });
});

describe("what is nested too deep to be kept", () => {
  const deep = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  const one = (id: string, more: object = {}) => ({
    id,
    community: "garden",
    content: "x",
    decision: "remove",
    ...more,
  });
  const lines = async (url: string, records: readonly object[]) => {
    const payload = records.map((record) => JSON.stringify(record)).join("\n");
    const type = { "content-type": "application/x-ndjson" };
    const answer = await app.inject({ method: "POST", url, headers: { ...headers, ...type }, payload });
    return answer.body
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  };

  it("is not in the format", async () => {
    expect((await ask("POST", "/v1/decisions", one("deep", { meta: deep(150) }))).status).toBe(422);
    const routed = await ask("POST", "/v1/route", one("deep", { meta: deep(150) }));
    expect([routed.status, routed.body.code, routed.body.route]).toEqual([422, "bad_decision", "review"]);
    expect((await ask("POST", "/v1/decisions", one("flat", { meta: deep(90) }))).status).toBe(202);
  });

  it("is one bad line of a stream, and the others are kept", async () => {
    const records = [one("n1"), one("n2", { meta: deep(1000) }), one("n3")];
    const statuses = (answers: { status: string }[]) => answers.map(({ status }) => status);
    const all = ["accepted", "rejected", "accepted"];
    const answers = await lines("/v1/decisions", records);
    expect(statuses(answers)).toEqual(all);
    expect(answers[1].detail).toBe("a member of it is nested more than 100 levels deep");
    const routes = await lines("/v1/routes", [one("n4"), one("n5", { meta: deep(1000) }), one("n6")]);
    expect(routes.map(({ reasons }) => reasons.includes("bad_decision"))).toEqual([false, true, false]);
    const label = (id: string, more: object = {}) => ({
      decision_id: id,
      level: 1,
      source: "human",
      rater: "z",
      ...more,
    });
    const labels = [label("n1"), label("n2", { meta: deep(1000) }), label("n3")];
    expect(statuses(await lines("/v1/labels", labels))).toEqual(all);
    const audit = (id: string, more: object = {}) =>
      makeAudit({ decision_id: id, community: "garden", decision: "remove", ...more });
    const audits = [audit("n1"), audit("n3", { meta: deep(1000) })];
    expect(statuses(await lines("/v1/audits", audits))).toEqual(["accepted", "rejected"]);
  });
});

describe("an open stream", () => {
  /** Sends lines one after another; what is answered comes by `next`. */
  async function stream(url: string, own: Record<string, string>) {
    if (!app.server.listening) await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as AddressInfo;
    const type = { "content-type": "application/x-ndjson" };
    const sent = open({ host: "127.0.0.1", port, path: url, method: "POST", headers: { ...own, ...type } });
    sent.on("error", () => {});
    sent.flushHeaders();
    // The answer begins with its first line.
    const lines = (async function* () {
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      for await (const line of createInterface({ input: answer })) yield JSON.parse(line);
    })();
    return { sent, next: async () => (await lines.next()).value };
  }

  const decision = (id: string) => `${JSON.stringify({ id, community: "garden", content: "x", decision: "remove" })}\n`;

  it("ends within two seconds of its key, with a line that says so", async () => {
    for (const [url, scope] of [
      ["/v1/routes", "route:ask"],
      ["/v1/decisions", "decisions:write"],
      ["/v1/labels", "labels:write"],
      ["/v1/audits", "audits:write"],
    ] as const) {
      const made = await createKey(database, { workspace: "faults", name: "short", scopes: [scope] });
      const { sent, next } = await stream(url, { authorization: `Bearer ${made.key}` });
      if (url === "/v1/routes") {
        sent.write(decision("streamed"));
        expect(await next()).toMatchObject({ decision_id: "streamed" });
      }
      await revokeKey(database, "faults", made.key_id, "test");
      const revoked = Date.now();
      expect(await next(), url).toMatchObject({
        status: 401,
        code: "unknown_key",
        ...(url === "/v1/routes" ? { route: "review", reasons: ["unknown_key"] } : {}),
      });
      expect(Date.now() - revoked).toBeLessThan(3000);
      sent.write(decision("too late"));
      expect(await next()).toBeUndefined();
      sent.destroy();
    }
    expect((await ask("GET", "/v1/decisions/too%20late")).status).toBe(404);
  });

  it("gives no routes to a person who has claimed a case since", async () => {
    const token = await createLogin(database, { workspace: "faults", person: "ada", role: "admin" });
    const site = { "sec-fetch-site": "same-origin" };
    const signed = await app.inject({ method: "POST", url: "/sign-in", headers: site, payload: { token } });
    const cookie = String(signed.headers["set-cookie"]).split(";")[0]!;
    const { sent, next } = await stream("/v1/routes", { ...site, cookie });
    sent.write(decision("held"));
    expect(await next()).toMatchObject({ decision_id: "held" });
    await database.rows("update defensible.review_item set hold_until = null where workspace_id = 'faults'");
    const payload = { n: 1 };
    const claim = await app.inject({ method: "POST", url: "/v1/queue/claim", headers: { ...site, cookie }, payload });
    expect(claim.json().items).toHaveLength(1);
    expect(await next()).toMatchObject({ code: "answer_first", route: "review" });
    sent.destroy();
  });
});

describe("gates that are closed", () => {
  it("stay closed since the first time and for the first reason; the second is noted", async () => {
    const first = await ask("POST", "/v1/gate/close", { reason: "first" });
    const again = await ask("POST", "/v1/gate/close", { reason: "second" });
    expect(again.body).toEqual(first.body);
    expect((await ask("GET", "/v1/gate")).body.closed).toEqual(first.body.closed);
    const { items } = (await ask("GET", "/v1/activity")).body;
    expect(items.slice(0, 2).map(({ action, subject }: Record<string, string>) => [action, subject])).toEqual([
      ["gate.close", "second"],
      ["gate.close", "first"],
    ]);
  });
});

describe("a database that is set up otherwise", () => {
  /** The same server by another role, or another database of it. */
  const as = (role: string | null, name: string | null) =>
    new Database(
      own
        .replace(/^(postgres(?:ql)?:\/\/)([^:@/]*)/, (_, scheme: string, user: string) => `${scheme}${role ?? user}`)
        .replace(/^([^?]*\/)([^/?]+)/, (_, before: string, old: string) => `${before}${name ?? old}`),
    );

  it("is a fault of the surroundings, with a remedy", async () => {
    await database.rows("create role powerless login");
    for (const [other, words] of [
      [as(null, "no_such_database"), /does not exist/],
      [as("no_such_role", null), /role|authentication/],
      [as("powerless", null), /permission denied/],
    ] as const) {
      const failed = await migrate(other).catch((cause: unknown) => cause);
      expect(failed).toBeInstanceOf(EnvironmentError);
      expect(failed).toMatchObject({ code: "database_setup", message: expect.stringMatching(words) });
      expect((failed as EnvironmentError).remedy).toMatch(/createdb|DATABASE_URL|owner/);
      await other.close();
    }
    await database.rows("drop role powerless");
  });

  it("is 503 in a request", async () => {
    const other = as(null, "no_such_database");
    const away = new Service({
      database: other,
      queue: new GraphileQueue(other),
      vault: vaultOf("a secret for tests"),
    });
    const there = await buildApp(away);
    const answer = await there.inject({ url: "/v1/gate", headers });
    expect([answer.statusCode, answer.json().code]).toEqual([503, "database_setup"]);
    await there.close();
    await away.close();
    await other.close();
  });
});
