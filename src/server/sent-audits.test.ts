import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../test/support/make-audit.js";
import { applyGate } from "../app/gate/gate-use-cases.js";
import { configSchema } from "../core/config.js";
import type { Audit } from "../core/records/audit.js";
import { gateWords } from "../present/gate/gate-words.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { ordinaryRuns } from "../store/choose-run.js";
import { createKey } from "../store/postgres/access.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { createWorkspace } from "../store/postgres/live.js";
import { appendLive, sealLive } from "../store/postgres/runs.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { buildApp } from "./app.js";
import { SCOPES } from "./auth.js";
import { Service } from "./service.js";

const { database, folder } = await testDatabase();
await migrateQueue(database);
const service = new Service({
  database,
  queue: new GraphileQueue(database),
  vault: vaultOf("a secret for tests"),
  cache: folder,
});
const lines: string[] = [];
const app = await buildApp(service, { log: { write: (line) => void lines.push(line) } });
afterAll(() => app.close());

async function workspace() {
  const name = `sent-${randomUUID()}`;
  await createWorkspace(database, name, configSchema.parse({ version: 1, gate: { mode: "paper" } }));
  const { key } = await createKey(database, { workspace: name, name: "other tool", scopes: SCOPES });
  const call = async (url: string, payload?: object | string) => {
    const type = typeof payload === "string" ? "application/x-ndjson" : "application/json";
    const { statusCode: status, body } = await app.inject({
      ...(payload === undefined ? { method: "GET" as const } : { method: "POST" as const, payload }),
      url,
      headers: { authorization: `Bearer ${key}`, ...(payload === undefined ? {} : { "content-type": type }) },
    });
    return {
      status,
      body:
        typeof payload === "string"
          ? body
              .trim()
              .split("\n")
              .map((one) => JSON.parse(one))
          : JSON.parse(body),
    };
  };
  const jobs = async () => (await service.queue.depth(name)).filter(({ task }) => task === "audit").length;
  return { name, call, jobs, context: await service.context(name) };
}

const decision = (id: string) => ({ id, community: "garden", content: `Selling mower ${id}`, decision: "remove" });
const sent = (id: string, more: Partial<Audit> = {}) =>
  makeAudit({ decision_id: id, community: "garden", auditor: "other:tool", human_label: "approve", ...more });
const ndjson = (all: readonly unknown[]) => `${all.map((one) => JSON.stringify(one)).join("\n")}\n`;

describe("audits of another tool", () => {
  it("are kept with who sent them, once, and route the decision anew", async () => {
    const { call, name } = await workspace();
    await call("/v1/route", decision("a"));
    expect((await call("/v1/decisions/a/route")).body).toMatchObject({ pending: true });
    expect(await call("/v1/audits", sent("a"))).toMatchObject({ status: 202, body: { id: "a", status: "accepted" } });
    const { body: routed } = await call("/v1/decisions/a/route");
    expect(routed.pending).toBeUndefined();
    expect(routed.versions.auditor).toBe("other:tool");
    // The first counts, whatever the second says.
    expect(await call("/v1/audits", sent("a", { level: 2 }))).toMatchObject({
      status: 200,
      body: { status: "duplicate" },
    });
    const { body: audits } = await call("/v1/decisions/a/audits");
    expect(audits.items).toHaveLength(1);
    // What the decision itself says counts, not the sender.
    expect(audits.items[0]).toMatchObject({ level: 1, human_label: null, decided_at: expect.any(String) });
    const { body: run } = await call(`/v1/runs/${audits.items[0].run_id}`);
    const { manifest = run } = run;
    expect(manifest).toMatchObject({ auditor: "other:tool", selection: { sent_by: "key other tool" } });
    const [{ n }] = (await database.rows(
      "select count(*)::integer as n from defensible.audit where workspace_id = $1",
      [name],
    )) as [{ n: number }];
    expect(n).toBe(1);
  });

  it("are refused one by one: unknown decisions, others' actions, arms, impossible numbers, missing versions", async () => {
    const { call } = await workspace();
    for (const id of ["b", "c"]) await call("/v1/route", decision(id));
    const bad = [
      [sent("nowhere"), "there is no such decision"],
      [sent("b", { decision: "approve" }), "not those of the decision"],
      [sent("b", { community: "elsewhere" }), "not those of the decision"],
      [sent("b", { replicate: 1 }), "replicate"],
      [sent("b", { arm: "other" }), "arm"],
      [sent("b", { level_probs: [0.9, 0.9, 0.9] }), "numbers"],
      [sent("b", { prompt_version: null }), "prompt_version"],
      [{ ...sent("b"), level: "a secret word" }, "level: not in the format"],
      ["not an object", "not in the format"],
    ] as const;
    const { body } = await call("/v1/audits", ndjson([...bad.map(([value]) => value), sent("c"), sent("c")]));
    const last = body.splice(-2).map(({ status }: { status: string }) => status);
    expect(last).toEqual(["accepted", "duplicate"]);
    expect(body.map(({ status }: { status: string }) => status)).toEqual(bad.map(() => "rejected"));
    for (const [i, [, words]] of bad.entries()) expect(body[i].detail, words).toContain(words);
    expect(JSON.stringify(body)).not.toContain("secret word");
    expect((await call("/v1/audits", sent("nowhere"))).status).toBe(422);
  });

  it("stop neither other audits nor the end of the day, whatever text names their auditor", async () => {
    const { call, context, name } = await workspace();
    const odd = { auditor: 'n\u0000l \ud800 "status":"open"', prompt_version: "\u0000", auditor_version: "\\u0000" };
    for (const id of ["odd", "again", "plain"]) await call("/v1/route", decision(id));
    for (const [id, more] of [
      ["odd", odd],
      ["again", odd],
      ["plain", {}],
    ] as const)
      expect((await call("/v1/audits", sent(id, more))).body, id).toEqual({ id, status: "accepted" });
    const runs = await context.runs.list();
    expect(runs.map(({ auditor, counts }) => [auditor, counts.verdicts]).sort()).toEqual([
      [odd.auditor, 2],
      ["other:tool", 1],
    ]);
    const sealed = await sealLive(database, name, new Date(Date.now() + 86_400_000));
    expect(sealed.sort()).toEqual(runs.map(({ run_id }) => run_id).sort());
    expect(await sealLive(database, name, new Date(Date.now() + 86_400_000))).toEqual([]);
  });

  it("may be embedded where a route is asked for: kept first, and no job is ordered", async () => {
    const { call, jobs } = await workspace();
    const { status, body } = await call("/v1/route", { ...decision("d"), audit: sent("d") });
    expect([status, body.pending, body.versions.auditor]).toEqual([200, undefined, "other:tool"]);
    expect(body.reasons).toEqual(["no_gate", "unresolved_citation"]);
    expect(await jobs()).toBe(0);
    expect((await call("/v1/decisions/d/audits")).body.items).toHaveLength(1);
    const refused = await call("/v1/route", { ...decision("e"), audit: sent("d") });
    expect([refused.status, refused.body.code, refused.body.route]).toEqual([422, "bad_audit", "review"]);
    // Other content under the same id: the audit is not of it.
    const changed = await call("/v1/route", { ...decision("d"), content: "other", audit: sent("d") });
    expect(changed.body).toMatchObject({ route: "review", reasons: expect.arrayContaining(["content_changed"]) });
    const malformed = await call("/v1/route", { id: "f", audit: sent("f") });
    expect([malformed.status, malformed.body.code]).toEqual([422, "bad_decision"]);
    const all = [{ ...decision("g"), audit: sent("g") }, decision("h"), { ...decision("i"), audit: {} }];
    const { body: routes } = await call("/v1/routes", ndjson(all));
    expect(routes.map((one: { reasons: string[] }) => one.reasons)).toEqual([
      ["no_gate", "unresolved_citation"],
      ["no_gate", "no_audit"],
      ["bad_decision"],
    ]);
  });

  it("are not taken for the workspace's own: neither report nor gate rest on them while there are others", async () => {
    const { call, context, name } = await workspace();
    const ids = Array.from({ length: 40 }, (_, i) => `s${i}`);
    const all = ids.map((id) => ({ ...decision(id), audit: sent(id) }));
    await call("/v1/routes", ndjson(all));
    const [only] = await ordinaryRuns(context.runs);
    expect(only).toMatchObject({ auditor: "other:tool", counts: { verdicts: 40 } });
    const day = new Date().toISOString().slice(0, 10);
    const own = { ...makeManifest(), run_id: "20200101T000000Z-live", fingerprint: "own", selection: { live: day } };
    await appendLive(database, name, own, [makeAudit({ decision_id: "own", community: "garden" })]);
    expect((await ordinaryRuns(context.runs)).map(({ run_id }) => run_id)).toEqual([own.run_id]);
    // A gate of theirs can be made by name, and then routes what they audit.
    const tomorrow = new Date(Date.now() + 86_400_000);
    await sealLive(database, name, tomorrow);
    const now = tomorrow.toISOString();
    const asked = { choices: {}, holdout: null, slices: [], now, words: gateWords(), runs: [only!.run_id] };
    await applyGate({ ...context, now: () => tomorrow }, asked);
    const { body } = await call("/v1/route", { ...decision("later"), audit: sent("later") });
    expect(body.reasons).not.toContain("foreign_gate");
    expect(body.community_state).toBe("earned_autonomy");
    const foreign = await call("/v1/route", { ...decision("x"), audit: sent("x", { auditor: "third:tool" }) });
    expect(foreign.body.reasons).toContain("foreign_gate");
    expect(lines.join("")).not.toContain("mower");
  });
});
