import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { afterAll, describe, expect, it } from "vitest";
import { configSchema } from "../core/config.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { createKey } from "../store/postgres/access.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { createWorkspace } from "../store/postgres/live.js";
import { resealSecrets, vaultOf } from "../store/postgres/secrets.js";
import { webhookTarget } from "../store/postgres/webhooks.js";
import { buildApp } from "./app.js";
import { SCOPES } from "./auth.js";
import { Service } from "./service.js";
import { announce, signatureOf } from "./webhooks.js";
import { startWorker } from "./worker.js";

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of webhooks. What it answers is chosen by the test. */
const received: Received[] = [];
let status = 204;
const receiver = createServer(async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  received.push({ headers: request.headers, body: Buffer.concat(pieces).toString() });
  response.writeHead(status).end("words of the receiver");
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

const { database, folder } = await testDatabase();
await migrateQueue(database);
const queue = new GraphileQueue(database);
const vault = vaultOf("a secret for tests");
const service = new Service({ database, queue, vault, cache: folder, allowHosts: ["127.0.0.1"] });
const lines: string[] = [];
const app = await buildApp(service, { log: { write: (line) => void lines.push(line) } });
const worker = await startWorker(service, { pollMs: 50, concurrency: 4 });
afterAll(async () => {
  await worker.stop();
  await app.close();
  await service.outgoing.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

async function workspace() {
  const name = `w-${randomUUID()}`;
  await createWorkspace(database, name, configSchema.parse({ version: 1 }));
  const { key } = await createKey(database, { workspace: name, name: "test", scopes: SCOPES });
  const headers = { authorization: `Bearer ${key}` };
  const call = async (method: "GET" | "POST" | "PUT" | "DELETE", url: string, payload?: object) =>
    app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  const create = async (events: string[]) =>
    (await call("POST", "/v1/webhooks", { url: hook, events })).json() as { webhook_id: string; secret: string };
  const deliveries = async (id: string) => (await call("GET", `/v1/webhooks/${id}/deliveries`)).json().items;
  return { name, call, create, deliveries };
}

/** Verified by another implementation of Standard Webhooks. */
const verified = async ({ headers, body }: Received, secret: string) =>
  new OpenAI({ apiKey: "none" }).webhooks.verifySignature(body, headers as Record<string, string>, secret).then(
    () => true,
    () => false,
  );

const of = (type: string) => received.filter(({ body }) => JSON.parse(body).type === type);

describe("webhooks", () => {
  it("sign as the example of Standard Webhooks does", () => {
    const [secret, id] = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek"];
    expect(signatureOf(secret, id, 1614265330, '{"test": 2432232314}')).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });

  it("are told of a decided route, of the gate and of reviews, once and without content", async () => {
    const { call, create, deliveries } = await workspace();
    const hook = await create(["audit.completed", "route.decided", "gate.closed", "review.completed"]);
    const decision = { id: "d1", community: "garden", content: "a canary in the coal mine", decision: "remove" };
    const first = (await call("POST", "/v1/route", decision)).json();
    expect(first.pending).toBe(true);
    await expect.poll(() => of("route.decided").length, { timeout: 20_000 }).toBe(1);
    expect(JSON.parse(of("route.decided")[0]!.body)).toMatchObject({
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { decision_id: "d1", route: "review", reasons: expect.not.arrayContaining(["no_audit"]) },
    });
    await call("POST", "/v1/gate/close", { reason: "a canary too" });
    const { items } = (await call("POST", "/v1/queue/claim", { n: 1 })).json();
    const payload = { claim: items[0].claim, outcome: "uphold", saw_audit: false, note: "a canary" };
    await call("GET", `/v1/items/${items[0].item_id}`);
    expect((await call("POST", `/v1/items/${items[0].item_id}/decision`, payload)).statusCode).toBe(201);
    await expect.poll(() => of("gate.closed").length + of("review.completed").length, { timeout: 20_000 }).toBe(2);
    for (const one of received) expect(await verified(one, hook.secret)).toBe(true);
    expect(await verified(received[0]!, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).toBe(false);
    expect(JSON.stringify(received)).not.toContain("canary");
    await expect.poll(async () => (await deliveries(hook.webhook_id)).length).toBe(4);
    expect((await deliveries(hook.webhook_id))[0]).toMatchObject({ attempt: 1, status: 204, fault: null });
  });

  it("are announced with the transaction, or not at all, and once for a key", async () => {
    const { name, create, deliveries } = await workspace();
    const { webhook_id } = await create(["gate.applied"]);
    const event = { type: "gate.applied", data: { n: 1 }, key: "one" } as const;
    const failed = database.transaction(async (queries) => {
      await announce(service, queries, name, [event]);
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    for (let i = 0; i < 2; i++) await database.transaction((queries) => announce(service, queries, name, [event]));
    await announce(service, database, name, [{ type: "gate.opened", data: {} }]);
    await expect.poll(async () => (await deliveries(webhook_id)).length, { timeout: 20_000 }).toBe(1);
    const events = "select count(*) as n from defensible.event where workspace_id = $1";
    expect(await database.rows(events, [name])).toEqual([{ n: 1 }]);
  });

  it("are tried again later with the same id, and disabled after a day of failures or when gone", async () => {
    const { name, call, create, deliveries } = await workspace();
    const { webhook_id } = await create(["gate.opened"]);
    const before = received.length;
    status = 500;
    await announce(service, database, name, [{ type: "gate.opened", data: {} }]);
    await expect.poll(async () => (await deliveries(webhook_id)).length, { timeout: 20_000 }).toBe(1);
    const due = () =>
      database.rows<{ id: string; seconds: number }>(
        `select id::text, extract(epoch from run_at - now())::double precision as seconds from graphile_worker.jobs where key like $1`,
        [`deliver ${webhook_id}%`],
      );
    const [job] = await due();
    expect(job!.seconds).toBeGreaterThan(2);
    expect(job!.seconds).toBeLessThan(7);
    await queue.retry([job!.id]);
    await expect.poll(async () => (await deliveries(webhook_id)).length, { timeout: 20_000 }).toBe(2);
    const [one, two] = received.slice(before);
    expect(one!.headers["webhook-id"]).toBe(two!.headers["webhook-id"]);
    expect((await deliveries(webhook_id))[0]).toMatchObject({ attempt: 2, status: 500, fault: "refused" });
    expect(JSON.stringify(await deliveries(webhook_id))).not.toContain("words of the receiver");

    await database.rows(
      "update defensible.webhook set failures = 19, failing_since = now() - interval '25 hours' where webhook_id = $1",
      [webhook_id],
    );
    await queue.retry([(await due())[0]!.id]);
    const info = async () => (await call("GET", "/v1/webhooks")).json().items[0];
    await expect.poll(async () => (await info()).disabled_at, { timeout: 20_000 }).not.toBeNull();
    expect((await call("GET", "/v1/activity")).json().items[0]).toMatchObject({ action: "webhook.disabled" });
    expect((await call("PUT", `/v1/webhooks/${webhook_id}`, { enabled: true })).json()).toMatchObject({ failures: 0 });
    status = 410;
    await announce(service, database, name, [{ type: "gate.opened", data: {} }]);
    await expect.poll(async () => (await info()).disabled_at, { timeout: 20_000 }).not.toBeNull();
    status = 204;
  });

  it("that are not answered hold up neither audits nor other receivers", async () => {
    const [silent, other] = [await workspace(), await workspace()];
    const held = createServer(() => {});
    await new Promise<void>((resolve) => held.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(held.address() as AddressInfo).port}/`;
    const made = (await silent.call("POST", "/v1/webhooks", { url, events: ["gate.opened"] })).json();
    for (let i = 0; i < 30; i++) await announce(service, database, silent.name, [{ type: "gate.opened", data: { i } }]);
    const begun = Date.now();
    const { webhook_id } = await other.create(["gate.opened"]);
    await announce(service, database, other.name, [{ type: "gate.opened", data: {} }]);
    await expect.poll(async () => (await other.deliveries(webhook_id)).length, { timeout: 20_000 }).toBe(1);
    await silent.call("POST", "/v1/decisions", { id: "d", community: "garden", content: "x", decision: "remove" });
    const audits = async () => (await silent.call("GET", "/v1/decisions/d/audits")).json().items.length;
    await expect.poll(audits, { timeout: 20_000 }).toBe(1);
    // The first ones still wait for an answer.
    expect(Date.now() - begun).toBeLessThan(14_000);
    expect(await silent.deliveries(made.webhook_id)).toEqual([]);
    await silent.call("DELETE", `/v1/webhooks/${made.webhook_id}`);
    held.closeAllConnections();
    held.close();
  });

  it("answer a ping at once, sign with both secrets while one is replaced, and keep them encrypted", async () => {
    const { name, call, create } = await workspace();
    const { webhook_id, secret } = await create(["gate.opened"]);
    expect((await call("POST", `/v1/webhooks/${webhook_id}/test`)).json()).toMatchObject({ status: 204, fault: null });
    const next = (await call("POST", `/v1/webhooks/${webhook_id}/secret`, {})).json().secret;
    await call("POST", `/v1/webhooks/${webhook_id}/test`);
    const ping = of("webhook.test").at(-1)!;
    expect([await verified(ping, secret), await verified(ping, next)]).toEqual([true, true]);
    await database.rows("update defensible.webhook set previous_until = now() where webhook_id = $1", [webhook_id]);
    await call("POST", `/v1/webhooks/${webhook_id}/test`);
    const later = of("webhook.test").at(-1)!;
    expect([await verified(later, secret), await verified(later, next)]).toEqual([false, true]);
    const [row] = await database.rows<{ row: string }>(
      "select webhook::text as row from defensible.webhook where webhook_id = $1",
      [webhook_id],
    );
    expect(row!.row).not.toContain(Buffer.from(next).toString("hex"));
    expect((await call("GET", "/v1/webhooks")).body).not.toContain("whsec_");
    expect(lines.join("")).not.toContain("whsec_");
    // Another DEFENSIBLE_SECRET: everything is encrypted anew, and the old one is no longer needed.
    const both = vaultOf("another secret for tests,a secret for tests");
    expect(await resealSecrets(database, both)).toBeGreaterThan(0);
    expect(await resealSecrets(database, both)).toBe(0);
    expect(await webhookTarget(database, vaultOf("another secret for tests"), name, webhook_id)).toMatchObject({
      secrets: [next],
    });
    expect(await resealSecrets(database, vaultOf("a secret for tests,another secret for tests"))).toBeGreaterThan(0);
    expect((await call("DELETE", `/v1/webhooks/${webhook_id}`)).statusCode).toBe(200);
    expect((await call("POST", `/v1/webhooks/${webhook_id}/test`)).statusCode).toBe(404);
  });

  it("refuse private addresses, plain http, unknown events and weak secrets, and show nothing of another workspace", async () => {
    const [one, other] = [await workspace(), await workspace()];
    const refused = async (body: object) => (await one.call("POST", "/v1/webhooks", body)).json().code;
    const events = ["gate.opened"];
    expect(await refused({ url: "https://10.0.0.1/", events })).toBe("address_refused");
    expect(await refused({ url: "http://example.org/", events })).toBe("address_refused");
    expect(await refused({ url: hook, events: ["all"] })).toBe("not_in_format");
    expect(await refused({ url: hook, events, secret: "whsec_c2hvcnQ=" })).toBe("not_in_format");
    // A name passes at first and is refused when it is resolved.
    const made = await one.call("POST", "/v1/webhooks", { url: "https://localhost/", events });
    const ping = await one.call("POST", `/v1/webhooks/${made.json().webhook_id}/test`);
    expect(ping.json()).toMatchObject({ status: null, fault: "address_refused" });
    expect((await other.call("GET", "/v1/webhooks")).json().items).toEqual([]);
    expect((await other.call("POST", `/v1/webhooks/${made.json().webhook_id}/test`)).statusCode).toBe(404);
  });
});
