import { randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { configSchema } from "../core/config.js";
import type { ReportPage } from "../measures/report-page.js";
import { unpack } from "../present/words/pack.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { createKey, createLogin, listActivity } from "../store/postgres/access.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { createWorkspace } from "../store/postgres/live.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { buildApp, ENDPOINTS } from "./app.js";
import { ROLE_SCOPES, type Role, SCOPES, type Scope } from "./auth.js";
import { Service } from "./service.js";
import { makePages, makeRunPage, startWorker } from "./worker.js";

const { database, folder } = await testDatabase();
await migrateQueue(database);
const service = new Service({
  database,
  queue: new GraphileQueue(database),
  vault: vaultOf("a secret for tests that is long enough"),
  cache: folder,
});
const app = await buildApp(service);
const worker = await startWorker(service, { pollMs: 50, concurrency: 4 });
afterAll(async () => {
  await worker.stop();
  await app.close();
  await service.close();
});

const WORKSPACE = "reports";
const CANARY = "canary9c1e";
const DECISIONS = 12;
let run = "";

const keyWith = async (scopes: readonly Scope[]) => ({
  authorization: `Bearer ${(await createKey(database, { workspace: WORKSPACE, name: `test ${randomUUID()}`, scopes })).key}`,
});

async function person(name: string, role: Role): Promise<Record<string, string>> {
  const token = await createLogin(database, { workspace: WORKSPACE, person: name, role });
  const signed = await app.inject({
    method: "POST",
    url: "/sign-in",
    headers: { "sec-fetch-site": "same-origin" },
    payload: { token },
  });
  return { cookie: String(signed.headers["set-cookie"]).split(";")[0]!, "sec-fetch-site": "same-origin" };
}

/** An answer as text, packed parts of a page unpacked. */
async function textOf(url: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const { statusCode: status, rawPayload, headers: answered } = await app.inject({ url, headers });
  const text = (answered["content-encoding"] === "gzip" ? gunzipSync(rawPayload) : rawPayload).toString();
  const data = dataOf(text);
  return { status, text: data ? text + JSON.stringify(data) : text };
}

/** The data that a report carries; null: it is none. */
function dataOf(html: string): ReportPage | null {
  const found = /<script type="text\/plain" id="report-data">([A-Za-z0-9+/=\s]+)<\/script>/.exec(html);
  return found && (unpack(JSON.parse(gunzipSync(Buffer.from(found[1]!, "base64")).toString())) as ReportPage);
}

async function reportOf(url: string, headers: Record<string, string>): Promise<ReportPage> {
  const answer = await app.inject({ url, headers });
  expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
  return dataOf(gunzipSync(answer.rawPayload).toString())!;
}

beforeAll(async () => {
  await createWorkspace(database, WORKSPACE, configSchema.parse({ version: 1, platform: "Test platform" }));
  const rules = [{ id: "1", title: "No advertising", detail: "Posts that offer goods for sale are removed." }];
  const { imports, runs } = await service.context(WORKSPACE);
  await imports.addRules({ scope: "community", community: "garden", version: "1", rules }, null);
  const desk = await service.desk(WORKSPACE);
  const sent = Array.from({ length: DECISIONS }, (_, i) => ({
    ...{
      id: `d${i}`,
      community: "garden",
      decision: i % 2 ? "remove" : "approve",
      human_label: i % 2 ? "approve" : "remove",
      rationale: `because ${CANARY}`,
    },
    content: { title: `Selling ${CANARY}`, body: `A mower, ${CANARY}, 50 euros, number ${i}`, context: [CANARY] },
    appeal: { text: `No! ${CANARY}`, outcome: "pending" as const },
    gold: { level: 1 as const, inverse: false, rule_ids: ["1"], note: `known ${CANARY}` },
  }));
  await Promise.all(sent.map((one) => desk.route(one)));
  const headers = await keyWith(SCOPES);
  const post = async (url: string, payload: object) => {
    const answer = await app.inject({ method: "POST", url, headers, payload });
    expect(answer.statusCode, `${url} ${answer.body}`).toBeLessThan(300);
    return answer.json();
  };
  const waiting = async () => (await app.inject({ url: "/v1/queue/items?limit=100", headers })).json().items.length;
  await vi.waitFor(async () => expect(await waiting()).toBe(DECISIONS), { timeout: 60_000, interval: 200 });
  const [first] = await database.rows<{ item_id: number }>(
    "select min(item_id) as item_id from defensible.review_item where workspace_id = $1",
    [WORKSPACE],
  );
  const { items } = await post("/v1/queue/claim", first!);
  const judged = { outcome: "uphold", level: 1, saw_audit: false, note: `said ${CANARY}` };
  await app.inject({ url: `/v1/items/${items[0].item_id}`, headers });
  await post(`/v1/items/${items[0].item_id}/decision`, { ...judged, claim: items[0].claim });
  await post("/v1/appeals", { decision_id: "d1", text: CANARY });
  run = (await runs.list())[0]!.run_id;
  await makePages(service, () => {});
  await makeRunPage(service, { workspace: WORKSPACE, run });
}, 120_000);

describe("contents", () => {
  it("are in no answer to a key without `content:read`, reports unpacked", async () => {
    const values: Record<string, string> = { scope: "community", community: "garden", version: "1" };
    const idOf = (url: string) =>
      url.includes("/runs/") ? run : /\/(items|appeals|webhooks)\//.test(url) ? "1" : "d1";
    const asked = ENDPOINTS.filter(({ method, type }) => method === "GET" && type !== "text/event-stream").map(
      ({ url }) => url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? idOf(url))),
    );
    const all = await keyWith(SCOPES);
    const without = await keyWith(SCOPES.filter((scope) => scope !== "content:read"));
    const viewer = await keyWith(ROLE_SCOPES.viewer);
    const held: string[] = [];
    for (const url of asked) {
      const { text } = await textOf(url, all);
      if (text.includes(CANARY)) held.push(url);
      for (const headers of [without, viewer]) {
        expect((await textOf(url, headers)).text.includes(CANARY), url).toBe(false);
      }
    }
    // With the scope they are where they belong.
    expect(held).toEqual(expect.arrayContaining(["/v1/report", `/v1/runs/${run}/report`, "/v1/decisions/d1"]));
  });
});

describe("reference annotations", () => {
  it("are in no report file", async () => {
    const reviewer = await person("rea", "reviewer");
    for (const url of ["/v1/report", `/v1/runs/${run}/report`]) {
      const { decisions } = await reportOf(url, reviewer);
      expect([decisions.length, decisions.filter(({ gold }) => gold !== null).length], url).toEqual([DECISIONS, 0]);
    }
    const admin = await person("ada", "admin");
    const listed = (await app.inject({ url: "/v1/page/decisions", headers: admin })).json().items;
    expect(listed[0].gold).toMatchObject({ level: 1 });
  });
});

describe("the log of activity", () => {
  it("has report downloads, and decisions that were read with their content, once an hour", async () => {
    const zoe = await person("zoe", "reviewer");
    const urls = [
      "/v1/decisions/d3",
      "/v1/page/decisions/d3",
      "/v1/decisions/d3",
      "/v1/report",
      `/v1/runs/${run}/report`,
    ];
    for (const url of urls) expect((await app.inject({ url, headers: zoe })).statusCode).toBe(200);
    const viewer = await person("vic", "viewer");
    expect((await app.inject({ url: "/v1/decisions/d3", headers: viewer })).statusCode).toBe(200);
    const all = await listActivity(database, WORKSPACE, Number.MAX_SAFE_INTEGER, 100);
    const of = (name: string) =>
      all
        .filter(({ actor }) => actor === name)
        .map(({ action, subject }) => [action, subject])
        .reverse();
    expect(of("zoe").slice(1)).toEqual([
      ["content.view", "d3"],
      ["report.view", "live"],
      ["report.view", run],
    ]);
    expect(of("vic")).toEqual([["person.sign_in", "viewer"]]);
  });
});

describe("a case in hand", () => {
  it("has its audit in no report", async () => {
    const reviewer = await person("ann", "reviewer");
    const page = () => app.inject({ url: "/v1/page", headers: reviewer });
    const before = await page();
    const [shown] = before.json().page.decisions;
    const [row] = await database.rows<{ item_id: number }>(
      "select item_id from defensible.review_item where decision_id = $1",
      [shown.id],
    );
    const payload = { item_id: row!.item_id };
    const claim = { method: "POST", url: "/v1/queue/claim", headers: reviewer, payload } as const;
    const [item] = (await app.inject(claim)).json().items;
    expect(item.decision_id).toBe(shown.id);

    const held = await page();
    expect(held.json().page.decisions.map(({ id }: { id: string }) => id)).not.toContain(shown.id);
    expect(held.body).not.toContain(`"${shown.id}"`);
    expect(held.headers.etag).not.toBe(before.headers.etag);
    const old = await app.inject({
      url: "/v1/page",
      headers: { ...reviewer, "if-none-match": before.headers.etag as string },
    });
    expect(old.statusCode).toBe(200);
    for (const url of ["/v1/report", `/v1/runs/${run}/report`]) {
      const refused = await app.inject({ url, headers: reviewer });
      expect([refused.statusCode, refused.json().code], url).toEqual([403, "answer_first"]);
    }
    const release = { method: "POST", url: `/v1/items/${item.item_id}/release`, headers: reviewer } as const;
    await app.inject({ ...release, payload: { claim: item.claim } });
    expect((await page()).headers.etag).toBe(before.headers.etag);
    expect((await app.inject({ url: "/v1/report", headers: reviewer })).statusCode).toBe(200);
  });
});
