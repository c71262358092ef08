import { afterAll, describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../test/support/make-audit.js";
import { configSchema } from "../core/config.js";
import { EnvironmentError } from "../core/errors.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { createKey } from "../store/postgres/access.js";
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
