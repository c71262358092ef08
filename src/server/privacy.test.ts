import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../test/support/make-audit.js";
import { checkSeal, seal } from "../app/evidence/seal.js";
import { configSchema } from "../core/config.js";
import { auditKey } from "../core/records/audit.js";
import { sha256 } from "../evidence/canonical.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { createKey } from "../store/postgres/access.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { eraseContent } from "../store/postgres/erasure.js";
import { createWorkspace, verifyRouteLog } from "../store/postgres/live.js";
import { applyRetention, setContentDays } from "../store/postgres/retention.js";
import { appendLive } from "../store/postgres/runs.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { batchId } from "../store/records/erased.js";
import { buildApp, ENDPOINTS } from "./app.js";
import { SCOPES } from "./auth.js";
import { metricsOf } from "./operations.js";
import { Service } from "./service.js";
import { startWorker } from "./worker.js";

const CANARY = "canary7f3a";

const { database, folder, server } = await testDatabase();
await migrateQueue(database);
const queue = new GraphileQueue(database);
const cache = join(folder, "files");
const service = new Service({ database, queue, vault: vaultOf("a secret for tests"), cache });
const lines: string[] = [];
const metrics = metricsOf(service);
const app = await buildApp(service, { metrics, log: { write: (line) => void lines.push(line) } });
const worker = await startWorker(service, { pollMs: 50, concurrency: 4, say: (line) => void lines.push(line) });
afterAll(async () => {
  await worker.stop();
  await app.close();
  await service.close();
});

async function workspace() {
  const name = `w-${randomUUID()}`;
  await createWorkspace(database, name, configSchema.parse({ version: 1 }));
  const { imports } = await service.context(name);
  const rules = [{ id: "1", title: "No advertising", detail: "Posts that offer goods for sale are removed." }];
  await imports.addRules({ scope: "community", community: "garden", version: "1", rules }, null);
  const { key } = await createKey(database, { workspace: name, name: "test", scopes: SCOPES });
  const headers = { authorization: `Bearer ${key}` };
  const post = (url: string, payload: object, more = {}) =>
    app.inject({ method: "POST", url, headers: { ...headers, ...more }, payload });
  return { name, headers, post };
}

const decision = (id: string) => ({
  ...{ id, community: "garden", decision: "remove", rationale: `because ${CANARY}` },
  content: { title: `Selling ${CANARY}`, body: `A mower, ${CANARY}, 50 euros`, context: [CANARY] },
  appeal: { text: `No! ${CANARY}`, outcome: "pending" },
  decider: { kind: "human", id: "m1", remark: CANARY },
});

/** Every row of every table as text, and what bytes say. */
async function everyRow(): Promise<string> {
  const tables = await database.rows<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('defensible', 'graphile_worker')`,
  );
  const all: string[] = [];
  for (const { name } of tables) {
    for (const { row } of await database.rows<{ row: string }>(`select t::text as row from ${name} t`)) all.push(row);
  }
  return all.join("\n");
}

/** Files of the server (tables, indexes, statistics) that hold a text as bytes, without the write-ahead log; null: the server is elsewhere. */
async function bytesOnDisk(text: string): Promise<string[] | null> {
  if (!server) return null;
  await database.rows("checkpoint");
  const [row] = await database.rows<{ folder: string }>("select current_setting('data_directory') as folder");
  const base = join(row!.folder, "base");
  const files = readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);
  const known = await database.rows<{ file: string; relation: string }>(
    "select pg_relation_filenode(oid)::text as file, oid::regclass::text as relation from pg_class",
  );
  return files.map((file) => known.find((one) => one.file === file)?.relation ?? file);
}

/** What the analysis has of a workspace on this machine. */
const filesOf = (name: string) =>
  readdirSync(join(cache, createHash("sha256").update(`${database.url}\0${name}`).digest("hex").slice(0, 24)), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));

describe("content in logs", () => {
  it("is in no log line, metric or problem, whatever is sent to whichever endpoint", { timeout: 120_000 }, async () => {
    const { headers, post } = await workspace();
    await post("/v1/route", decision("d1"), { prefer: "wait=20" });
    const urls = (url: string) => [
      url.replace(/:\w+/g, CANARY),
      url.replace(/:\w+/g, "1"),
      `${url.replace(/:\w+/g, "1")}?x=${CANARY}&limit=${CANARY}&reason=${CANARY}`,
    ];
    const bodies: [string, string][] = [
      [
        "application/json",
        JSON.stringify({ ...decision("d2"), reason: CANARY, note: CANARY, url: CANARY, text: CANARY }),
      ],
      ["application/json", JSON.stringify(decision("d3")).slice(0, -4)],
      ["application/json", `{"${CANARY}":1,"${CANARY}":2}`],
      ["application/json", JSON.stringify([CANARY])],
      ["application/json", JSON.stringify({ id: 1, community: { a: CANARY }, content: [CANARY], decision: CANARY })],
      ["application/json", JSON.stringify({ id: "d4", community: "garden", content: CANARY, decision: CANARY })],
      ["application/x-ndjson", `${JSON.stringify(decision("d5"))}\n{"${CANARY}\n${CANARY}`],
      ["text/plain", CANARY],
      ["application/json", CANARY.repeat(200_000)],
    ];
    const problems: string[] = [];
    for (const { method, url } of [
      // A stream of hints does not end.
      ...ENDPOINTS.filter(({ type }) => type !== "text/event-stream"),
      { method: "POST", url: "/sign-out" },
      { method: "GET", url: "/sign-in" },
      { method: "GET", url: `/${CANARY}` },
    ] as const) {
      for (const target of urls(url)) {
        for (const [type, payload] of method === "GET" ? [["", ""]] : bodies) {
          const more = type ? { headers: { ...headers, "content-type": type! }, payload: payload! } : { headers };
          const answer = await app.inject({ method, url: target, ...more });
          if (answer.statusCode >= 500) problems.push(`${method} ${url}: ${answer.body}`);
          if (answer.statusCode >= 400 && answer.body.includes(CANARY))
            problems.push(`${method} ${target}: ${answer.body}`);
        }
        for (const authorization of [CANARY, `Bearer dfk_0123456789ab_${CANARY}${CANARY}${CANARY}`]) {
          const cookie = `defensible_session=${CANARY}`;
          await app.inject({ method, url: target, headers: { authorization, cookie, "x-request-id": `a ${CANARY}` } });
          await app.inject({
            method,
            url: target,
            headers: { cookie, "x-forwarded-for": CANARY, "user-agent": CANARY },
          });
        }
      }
    }
    expect(problems).toEqual([]);
    expect(lines.length).toBeGreaterThan(500);
    expect(lines.filter((line) => line.includes(CANARY))).toEqual([]);
    expect(await metrics.text()).not.toContain(CANARY);
  });

  it("is not in what is said of a database that breaks", async () => {
    const { headers } = await workspace();
    const before = lines.length;
    await database.rows("alter table defensible.review_item rename to review_item_gone");
    const payload = decision("d9");
    const answer = await app.inject({ method: "POST", url: "/v1/route", headers, payload });
    await database.rows("alter table defensible.review_item_gone rename to review_item");
    expect([answer.statusCode, answer.json().route]).toEqual([500, "review"]);
    expect(answer.body + lines.slice(before).join("")).not.toContain(CANARY);
    expect(lines.slice(before).join("")).toContain('"error_code":"42P01"');
  });
});

describe("erasure", () => {
  it("leaves nothing that people wrote in any table or file, and a log that still verifies", async () => {
    // What other tests wrote is out of the way.
    await database.rows(
      `truncate defensible.record, defensible.audit, defensible.review, defensible.activity, defensible.gate_event, defensible.gate_head,
         defensible.webhook, defensible.reject, defensible.api_key, defensible.review_item, defensible.route_log,
         defensible.rule_set, defensible.event, defensible.idempotency, defensible.appeal, defensible.run, defensible.document`,
    );
    const { name, headers, post } = await workspace();
    for (const id of ["e1", "e2"]) await post("/v1/route", decision(id), { prefer: "wait=20" });
    const context = await service.context(name);
    const [run] = await context.runs.list();
    await context.runs.snapshot(run!.run_id);
    await context.records.snapshot();
    await database.rows("insert into defensible.response (workspace_id, key, answer) values ($1, 'k', $2)", [
      name,
      CANARY,
    ]);
    await database.rows(
      `insert into defensible.answer (workspace_id, run_id, sort, key, answer) select $1, 'r', 'raw', $2, $3`,
      [name, Buffer.from("e1\u0000", "utf16le").swap16(), CANARY],
    );
    await database.rows(
      `insert into defensible.answer (workspace_id, run_id, sort, key, answer) select $1, $2, 'batch', $3, $4`,
      [name, run!.run_id, Buffer.from(batchId(auditKey("e1", "", 0)), "utf16le").swap16(), CANARY],
    );
    const quote = { cases: [{ decision_id: "e1", quote: decision("e1").content.body }], n: 1 };
    await database.rows(
      "insert into defensible.document (workspace_id, kind, name, doc) values ($1, 'experiment', 'probe', $2::json)",
      [name, JSON.stringify(quote)],
    );
    await database.rows("insert into defensible.reject (workspace_id, name, rows) values ($1, 'r', $2)", [
      name,
      `${JSON.stringify({ row: decision("e1") })}\n${JSON.stringify({ row: "another" })}\n`,
    ]);
    const { items } = (await post("/v1/queue/claim", { n: 2 })).json();
    for (const { item_id, claim } of items) {
      await app.inject({ url: `/v1/items/${item_id}`, headers });
      await post(`/v1/items/${item_id}/decision`, { claim, outcome: "uphold", saw_audit: false, note: CANARY });
    }
    expect(filesOf(name).some((bytes) => bytes.includes(CANARY))).toBe(true);
    expect((await verifyRouteLog(database, name)).faults).toEqual([]);
    const before = await everyRow();
    expect(before.split(CANARY).length).toBeGreaterThan(10);
    await database.rows("analyze");
    expect(await bytesOnDisk(CANARY)).not.toEqual([]);
    const sealed = await seal(context, null);
    expect(sealed.added).toBeGreaterThan(4);

    const gone = await app.inject({ method: "DELETE", url: "/v1/decisions/e1/content?reason=asked", headers });
    expect(gone.json()).toEqual({ decision_id: "e1", erased: true, before: false, remainder: false });
    expect((await app.inject({ url: "/v1/decisions/e2", headers })).body).toContain(CANARY);
    const both = await eraseContent(database, name, ["e1", "e2"], { actor: "test", reason: "asked" });
    expect(both).toEqual({ first: ["e2"], again: [], known: 2 });
    await service.sweep();
    const after = await everyRow();
    const hidden = [CANARY, Buffer.from(CANARY).toString("hex")];
    for (const text of hidden) expect(after.split("\n").filter((row) => row.includes(text))).toEqual([]);
    expect(filesOf(name).some((bytes) => bytes.includes(CANARY))).toBe(false);
    expect(after.includes('""quote"":""erased""')).toBe(true);
    expect(after.includes('{""row"":""another""}')).toBe(true);
    // Statistics of columns hold values too, and are rows that are replaced.
    await database.rows("analyze");
    await database.rows("vacuum full");
    expect((await bytesOnDisk(CANARY)) ?? []).toEqual([]);
    expect(await checkSeal(context, { trusted: null, kept: null })).toMatchObject({
      ok: true,
      unsealed: 2,
      problems: [],
    });
    // Numbers that were changed under a new tombstone are found, with its hash in it too.
    const lines = async () =>
      (await context.chain.logs()).flatMap(({ source, records }) =>
        source === "outcomes" ? records.map((line, n) => ({ source, n, line })) : [],
      );
    const [outcome] = await lines();
    const forged = outcome!.line.replace('"uphold"', '"overturn"');
    const tombstone = { decision: sha256("e1"), at: "x", by: "mallory", reason: "x" };
    const forge = (from: string, to: string) =>
      database.rows(
        `update defensible.record set record = $2::json where workspace_id = $1 and kind = 'outcomes' and record::text = $3`,
        [name, to, from],
      );
    await database.rows("insert into defensible.erasure (workspace_id, tombstone) values ($1, $2::json)", [
      name,
      JSON.stringify({ ...tombstone, records: [{ source: "outcomes", n: outcome!.n, hash: sha256(forged) }] }),
    ]);
    await forge(outcome!.line, forged);
    expect((await checkSeal(context, { trusted: null, kept: null })).problems).toMatchObject([
      { code: "changed", source: "outcomes", n: outcome!.n },
    ]);
    await expect(seal(context, null)).rejects.toMatchObject({ code: "records_changed" });
    await forge(forged, outcome!.line);

    const log = await verifyRouteLog(database, name);
    expect([log.lines >= 4, log.faults]).toEqual([true, []]);
    const kept = (await app.inject({ url: "/v1/decisions/e1", headers })).json();
    expect(kept).toMatchObject({
      decision: { id: "e1", content: "", erased: true },
      audit: { decision_id: "e1", erased: true },
    });
    // What is sent under the id afterwards is not what was audited.
    const again = (await post("/v1/route", decision("e1"))).json();
    expect([again.route, again.reasons.includes("content_changed")]).toEqual(["review", true]);
    const activity = (await app.inject({ url: "/v1/activity", headers })).json().items;
    const noted = activity.find(({ action }: { action: string }) => action !== "content.view");
    expect(noted).toMatchObject({ action: "content.erase", doc: { reason: "asked", ids: ["e2"] } });
    // Reports are still made of what is left.
    expect((await context.runs.snapshot(run!.run_id)).path).toBeTruthy();
  });

  it("is repeated for what was written since, and says so", async () => {
    const { name, headers, post } = await workspace();
    await post("/v1/decisions", decision("r1"));
    const erase = async (id = "r1") => {
      const answer = await app.inject({ method: "DELETE", url: `/v1/decisions/${id}/content?reason=asked`, headers });
      return [answer.statusCode, answer.json().code ?? [answer.json().before, answer.json().remainder]];
    };
    expect(await erase()).toEqual([200, [false, false]]);
    expect(await erase()).toEqual([200, [true, false]]);
    expect(await erase("nothing")).toEqual([404, "unknown_decision"]);
    const about = (what: string) => post("/v1/appeals", { decision_id: "r1", ...JSON.parse(what) });
    const label = { decision_id: "r1", level: 1, source: "human", rater: "z", remark: `a ${CANARY}` };
    for (const write of [
      () => about(`{"text":"${CANARY}"}`),
      () => about(`{"filed_by":"${CANARY}"}`),
      () => post("/v1/labels", label),
    ]) {
      expect((await write()).statusCode).toBeLessThan(300);
      expect(await erase()).toEqual([200, [true, true]]);
      expect(await erase()).toEqual([200, [true, false]]);
      const own = (await everyRow()).split("\n").filter((row) => row.includes(name));
      expect(own.filter((row) => row.includes(CANARY))).toEqual([]);
    }
    const activity = (await app.inject({ url: "/v1/activity", headers })).json().items;
    expect(activity.filter(({ action }: { action: string }) => action === "content.erase")).toHaveLength(4);
  });

  it("leaves nothing of an audit or an answer that was being made meanwhile", async () => {
    const { name } = await workspace();
    const ids = ["l1", "l2"];
    await (await service.decisions(name)).add(ids.map((id) => ({ ...decision(id), appeal: undefined })) as never);
    const erase = (id: string) => eraseContent(database, name, [id], { actor: "test", reason: "asked" });
    const manifest = { ...makeManifest(), run_id: "20260101T000000Z-late", fingerprint: "late" };
    const audit = (id: string) => {
      const made = makeAudit({ decision_id: id, community: "garden", decision: "remove" });
      return { ...made, trace: { ...made.trace!, logic_chain: CANARY } };
    };
    await erase("l1");
    await appendLive(database, name, manifest, [audit("l1")]);
    // The other is being written while it is erased.
    let written = () => {};
    const begun = new Promise<void>((resolve) => {
      written = resolve;
    });
    let erasing: Promise<unknown> = Promise.resolve();
    const writing = database.together(async (joined) => {
      await appendLive(joined, name, manifest, [audit("l2")]);
      written();
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    await begun;
    erasing = erase("l2");
    await Promise.all([writing, erasing]);
    const context = await service.context(name);
    const generation = { finish: "stop", text: CANARY, tokens: [], model: "m" } as never;
    await context.openCache().put("k", generation, "l1");
    await context.runs
      .raw(manifest.run_id)
      .open(manifest as never, { name: "n", version: "v" })
      .append(`${auditKey("l1", "", 0)}\u0000`, generation);
    const own = (await everyRow()).split("\n").filter((row) => row.includes(name));
    expect(own.filter((row) => row.includes(CANARY))).toEqual([]);
    expect(own.filter((row) => row.includes('""erased"":true') && row.includes("late"))).toHaveLength(2);
  });

  it("notices a content that was changed after it was routed", async () => {
    const { name, post } = await workspace();
    await post("/v1/route", decision("c1"));
    await database.rows(
      `update defensible.record set record = replace(record::text, 'mower', 'tower')::json where workspace_id = $1 and kind = 'decisions'`,
      [name],
    );
    const { faults } = await verifyRouteLog(database, name);
    expect(new Set(faults.map(({ fault }) => fault))).toEqual(new Set(["content"]));
  });

  it("happens by itself after the days that a workspace keeps contents", async () => {
    const [one, other] = [await workspace(), await workspace()];
    for (const { post } of [one, other])
      for (const id of ["old", "new"]) await post("/v1/route", decision(id), { prefer: "wait=20" });
    const set = await app.inject({
      method: "PUT",
      url: "/v1/retention",
      headers: one.headers,
      payload: { content_days: 30 },
    });
    expect(set.json()).toEqual({ content_days: 30 });
    await database.rows("update defensible.record set received_at = now() - interval '31 days' where subject = 'old'");
    await queue.add([{ task: "retention", payload: {} }]);
    const content = async (id: string, { headers }: { headers: Record<string, string> }) =>
      (await app.inject({ url: `/v1/decisions/${id}`, headers })).json().decision.content;
    await expect.poll(() => content("old", one), { timeout: 20_000 }).toBe("");
    for (const [id, where] of [
      ["new", one],
      ["old", other],
    ] as const)
      expect(await content(id, where)).not.toBe("");
    // What is written afterwards goes when it is as old.
    const filed = await one.post("/v1/appeals", { decision_id: "old", text: CANARY, filed_by: "user 7" });
    expect(await applyRetention(database)).toBe(0);
    const appeal = () =>
      database.rows("select text, filed_by from defensible.appeal where workspace_id = $1", [one.name]);
    expect([filed.statusCode, await appeal()]).toEqual([201, [{ text: CANARY, filed_by: "user 7" }]]);
    await database.rows(
      "update defensible.appeal set created_at = now() - interval '31 days' where workspace_id = $1",
      [one.name],
    );
    expect(await applyRetention(database)).toBe(0);
    expect(await appeal()).toEqual([{ text: null, filed_by: null }]);
    expect(await setContentDays(database, "no such workspace", 1, "test")).toBe(false);
  });
});
