import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../test/support/make-audit.js";
import { exportStatements } from "../app/evidence/statements.js";
import { configSchema } from "../core/config.js";
import type { RuleSet } from "../core/records/rule-set.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { createKey } from "../store/postgres/access.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { createWorkspace } from "../store/postgres/live.js";
import { appendLive, sealLive } from "../store/postgres/runs.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { buildApp, ENDPOINTS } from "./app.js";
import { SCOPES, type Scope } from "./auth.js";
import { ApiError, Client } from "./client/client.js";
import { Service } from "./service.js";
import { startWorker } from "./worker.js";

const { database, folder } = await testDatabase();
await migrateQueue(database);
const queue = new GraphileQueue(database);
const service = new Service({ database, queue, vault: vaultOf("a secret for tests"), cache: folder });
const app = await buildApp(service);
const address = await app.listen({ host: "127.0.0.1", port: 0 });
const worker = await startWorker(service, { pollMs: 50, concurrency: 4 });
afterAll(async () => {
  await worker.stop();
  await app.close();
});

/** Every answer of these tests is in the format that the document promises, with nothing in it that is not described. */
const checked: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { pathname } = new URL(String(input));
  const one = ENDPOINTS.find(
    ({ method, url }) => method === init?.method && new RegExp(`^${url.replace(/:\w+/g, "[^/]+")}$`).test(pathname),
  )!;
  if (response.ok && response.headers.get("content-type")?.startsWith("application/json")) {
    const answer = await response.clone().json();
    expect(one.answer.parse(answer), pathname).toEqual(answer);
  }
  return response;
};

const RULES: RuleSet = {
  scope: "community",
  community: "garden",
  version: "1",
  rules: [{ id: "1", title: "No advertising", detail: "Posts that offer goods for sale are removed." }],
};

const clientOf = (key: string) => new Client({ url: address, key, fetch: checked });

async function workspace(gate: object = {}, settings: object = {}) {
  const name = `w-${randomUUID()}`;
  await createWorkspace(database, name, configSchema.parse({ version: 1, auditor: "baseline", gate, ...settings }));
  const context = await service.context(name);
  await context.imports.addRules(RULES, null);
  const as = async (person: string, scopes: readonly Scope[] = SCOPES) =>
    clientOf((await createKey(database, { workspace: name, name: person, scopes })).key);
  return { name, context, as, client: await as("ann") };
}

const decision = (id: string, content = "Selling my lawn mower, 50 euros.") => ({
  id,
  community: "garden",
  content,
  decision: "remove",
});

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (cause: ApiError) => (cause instanceof ApiError ? [cause.status, cause.code] : cause),
  );

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("decisions", () => {
  it("are taken one by one or in a stream, each once, and listed page by page", async () => {
    const { client } = await workspace();
    expect(await client.call("POST /v1/decisions", { body: decision("a") })).toEqual({ id: "a", status: "accepted" });
    expect(await client.call("POST /v1/decisions", { body: decision("a") })).toEqual({ id: "a", status: "duplicate" });
    expect(await failure(client.call("POST /v1/decisions", { body: decision("a", "other") }))).toEqual([
      409,
      "differs",
    ]);
    expect(await failure(client.call("POST /v1/decisions", { body: { id: "x" } as never }))).toEqual([422, "rejected"]);
    const many = Array.from({ length: 2500 }, (_, i) => decision(`m${String(i).padStart(4, "0")}`));
    const outcomes = await all(client.stream("POST /v1/decisions", [...many, decision("a"), { id: "b" } as never]));
    expect(outcomes.slice(0, 2500).every(({ status }) => status === "accepted")).toBe(true);
    expect(outcomes.slice(2500).map(({ status }) => status)).toEqual(["duplicate", "rejected"]);
    const ids = (await all(client.each("GET /v1/decisions", { query: { limit: 400 } }))).map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([2501, 2501]);
    expect(await failure(client.call("GET /v1/decisions", { query: { cursor: "nonsense" } }))).toEqual([
      400,
      "bad_cursor",
    ]);
  });
});

describe("a statement of reasons", () => {
  it("is drafted from the newest audit, refused where nothing is stated, and has no reasoning for those who may not read content", async () => {
    const { name, client, as } = await workspace();
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const manifest = { ...makeManifest(), run_id: "20260101T000000Z-live", selection: { live: day } };
    const trace = { ...makeAudit().trace!, policy_citation: "community rule 1: offer goods for sale" };
    const of = (id: string, more: object) =>
      makeAudit({ decision_id: id, community: "garden", ruleset_version: "-+1", trace, read: null, ...more });
    for (const id of ["yes", "no", "both", "up", "none"]) {
      await (await service.decisions(name)).add([{ ...decision(id), decision: id === "up" ? "approve" : "remove" }]);
    }
    const citation = { scope: "community" as const, rule_id: "1", overlap: 1, grounded: true };
    await appendLive(database, name, manifest, [
      of("yes", { citation }),
      of("no", { level: 3 }),
      of("both", { level: 2, inverse: true }),
      of("up", { decision: "approve" }),
    ]);
    const url = "GET /v1/decisions/{id}/statement-of-reasons";
    const ask = (id: string, by = client) => by.call(url, { params: { id } });
    const draft = await ask("yes");
    expect(draft.statement).toMatchObject({ decision_ground: "DECISION_GROUND_INCOMPATIBLE_CONTENT" });
    expect(draft.rules).toMatchObject([{ scope: "community", id: "1", version: "1" }]);
    expect(await Promise.all(["no", "both", "up", "none", "gone"].map((id) => failure(ask(id))))).toEqual([
      [409, "indefensible"],
      [409, "ambiguous"],
      [409, "not_a_restriction"],
      [409, "not_audited"],
      [404, "unknown_decision"],
    ]);
    expect(draft.missing.map(({ field }) => field)).not.toContain("reasoning");
    const reader = await ask("yes", await as("bob", ["audits:read"]));
    expect(reader.missing).toContainEqual({ field: "reasoning", reason: "withheld" });
  });

  it("is the draft or refusal of the export of the same run: alternatives, replicates, routes and outcomes count in both", async () => {
    const { name, context, client } = await workspace({}, { actions: ["allow", "limit", "remove", "ban"] });
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const manifest = { ...makeManifest(), run_id: `${day.replaceAll("-", "")}T000000Z-live`, selection: { live: day } };
    const trace = { ...makeAudit().trace!, policy_citation: "community rule 1: offer goods for sale" };
    const citation = { scope: "community" as const, rule_id: "1", overlap: 1, grounded: true };
    const of = (decision_id: string, more: object) =>
      makeAudit({ decision_id, community: "garden", ruleset_version: "-+1", trace, citation, read: null, ...more });
    const audits: Record<string, object[]> = {
      plain: [{}],
      contested: [{}, { arm: "action=limit", decision: "limit", level: 2 }],
      inverted: [{}, { arm: "opposite", decision: "allow", level: 2 }],
      uncontested: [{}, { arm: "action=limit", decision: "limit", level: 3 }],
      differ: [{}, { replicate: 1, level: 3 }],
      later: [{ outcome: "error", level: null, trace: null }, { replicate: 1 }],
      unscored: [{ outcome: "error", level: null, trace: null }],
      routed: [{}],
      upheld: [{}],
      overturned: [{}],
      appealed: [{}],
      stood: [{}],
      "appealed again": [{}],
      waiting: [{}],
      milder: [{ decision: "limit", level: 2 }],
      unaudited: [],
    };
    for (const id of Object.keys(audits)) {
      const added = [{ ...decision(id), decision: id === "milder" ? "limit" : "remove" }];
      await (await service.decisions(name)).add(added as never);
    }
    await appendLive(
      database,
      name,
      manifest,
      Object.entries(audits).flatMap(([id, list]) => list.map((more) => of(id, { decision: "remove", ...more }))),
    );
    const outcome = { reviewer: "eve", saw_audit: true, at: `${day}T05:00:00.000Z` };
    const later = `${day}T06:00:00.000Z`;
    await context.routes.addOutcomes([
      { ...outcome, decision_id: "upheld", outcome: "uphold", source: "review" },
      { ...outcome, decision_id: "overturned", outcome: "overturn", source: "review" },
      { ...outcome, decision_id: "appealed", outcome: "overturn", source: "appeal" },
      { ...outcome, decision_id: "appealed", outcome: "uphold", source: "review", at: later },
      { ...outcome, decision_id: "stood", outcome: "uphold", source: "appeal" },
      { ...outcome, decision_id: "stood", outcome: "overturn", source: "review", at: later },
      { ...outcome, decision_id: "appealed again", outcome: "uphold", source: "appeal" },
      { ...outcome, decision_id: "appealed again", outcome: "overturn", source: "appeal", at: later },
    ] as never);
    await client.call("POST /v1/appeals", { body: { decision_id: "waiting", text: "It was a gift." } });
    const out = join(folder, `${name}.jsonl`);
    const exported = await exportStatements(context, { run: manifest.run_id, out, include: {} });
    const made = new Map<string, unknown>(exported.refusals.map(({ decision_id, code }) => [decision_id, code]));
    for (const line of readFileSync(out, "utf8").trim().split("\n")) {
      const draft = JSON.parse(line);
      made.set(draft.decision_id, draft);
    }
    expect(made.size).toBe(Object.keys(audits).length);
    for (const id of made.keys()) {
      const call = client.call("GET /v1/decisions/{id}/statement-of-reasons", { params: { id } });
      const live = await call.catch((error: ApiError) => error.code);
      expect([id, live]).toEqual([id, made.get(id)]);
    }
    expect([...made].filter(([, one]) => typeof one === "string")).toEqual([
      ["contested", "ambiguous"],
      ["inverted", "ambiguous"],
      ["unscored", "no_verdict"],
      ["unaudited", "not_audited"],
    ]);
    const open = ["plain", "differ", "overturned", "appealed", "stood", "appealed again", "waiting"].map((id) => {
      const { notes } = made.get(id) as { notes: string[] };
      return notes.filter((note) => ["verdicts_differ", "overturned", "appeal_pending"].includes(note));
    });
    const overturned = ["overturned"];
    expect(open).toEqual([[], ["verdicts_differ"], overturned, overturned, [], overturned, ["appeal_pending"]]);
  });
});

describe("a request that is repeated", () => {
  it("is done once, and answered with the first answer", async () => {
    const { client, as } = await workspace();
    const create = (name: string, idempotencyKey: string, by = client) =>
      by.call("POST /v1/keys", { body: { name, scopes: ["gate:read"] }, idempotencyKey });
    const first = await create("bot", "k1");
    expect(await create("bot", "k1")).toEqual(first);
    expect(await failure(create("other", "k1"))).toEqual([422, "idempotency_key_reused"]);
    // The key of another caller is another key.
    expect(await failure(create("bot", "k1", await as("bob")))).toEqual([409, "key_name_taken"]);
    expect((await create("bot 2", "k1", await as("cid"))).key_id).not.toBe(first.key_id);
    const names = (await all(client.each("GET /v1/keys", { query: { limit: 1 } }))).map(({ name }) => name);
    expect(names.sort()).toEqual(["ann", "bob", "bot", "bot 2", "cid"]);
    const [row] = await database.rows<{ text: string }>(
      "select string_agg(encode(answer, 'escape'), '') as text from defensible.idempotency",
    );
    expect(row!.text).not.toContain("dfk_");
  });

  it("is refused while the first is under way, and leaves nothing behind where it failed", async () => {
    const { name, client } = await workspace();
    const close = () => client.call("POST /v1/gate/close", { body: { reason: "a test" }, idempotencyKey: "c" });
    const [key] = (await client.call("GET /v1/keys", {})).items;
    await database.transaction(async (queries) => {
      await queries.rows("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
        JSON.stringify(["request", name, key!.key_id, "c"]),
      ]);
      expect(await failure(close())).toEqual([409, "idempotency_key_in_use"]);
    });
    await database.rows(
      `alter table defensible.activity add constraint refused check (workspace_id <> '${name}' or action <> 'gate.close')`,
    );
    expect(await failure(close())).toEqual([500, "internal"]);
    expect((await client.call("GET /v1/gate", {})).closed).toBe(null);
    await database.rows("alter table defensible.activity drop constraint refused");
    const { epoch } = await close();
    expect((await close()).epoch).toBe(epoch);
    expect((await client.call("GET /v1/gate", {})).epoch).toBe(epoch);
  });
});

/** A day of audits that is over. */
async function audited(name: string, communities: Record<string, { n: number; bad: number }>) {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const manifest = {
    ...makeManifest(),
    run_id: `${day.replaceAll("-", "")}T000000Z-live`,
    created_at: `${day}T00:00:00.000Z`,
    fingerprint: `live ${day}`,
    selection: { live: day },
    counts: { planned: 0, verdicts: 0, unscored: 0, errors: 0 },
  };
  const audits = Object.entries(communities).flatMap(([community, { n, bad }]) =>
    Array.from({ length: n }, (_, i) =>
      makeAudit({
        decision_id: `${community} ${i}`,
        community,
        decided_at: `${day}T01:00:00.000Z`,
        created_at: `${day}T02:00:00.000Z`,
        ...(i < bad ? { level: 3 } : {}),
      }),
    ),
  );
  await appendLive(database, name, manifest, audits);
  await sealLive(database, name, new Date());
  return manifest.run_id;
}

describe("the gate", () => {
  it("is previewed with its difference, and applied as it was shown if nothing has changed since", async () => {
    const { name, client } = await workspace({ mode: "paper" });
    await audited(name, { garden: { n: 60, bad: 0 }, boats: { n: 60, bad: 30 } });
    const preview = await client.call("POST /v1/gate/preview", { body: {} });
    expect(preview.changes).toMatchObject({ gate_id: { before: null }, passing: { before: 0, after: 1 } });
    expect(preview.changes.communities.map(({ community, after }) => [community, after?.passes])).toEqual([
      ["boats", false],
      ["garden", true],
    ]);
    expect((await client.call("GET /v1/gate", {})).gate).toBe(null);
    const body = { gate_id: preview.gate_id, reason: "first gate" };
    expect(await failure(client.call("POST /v1/gate/apply", { body }))).toEqual([428, "if_match_needed"]);
    await client.call("POST /v1/gate/close", { body: { reason: "meanwhile" } });
    const stale = client.call("POST /v1/gate/apply", { body, epoch: preview.epoch });
    expect(await failure(stale)).toEqual([412, "gate_changed"]);
    const { epoch } = await client.call("GET /v1/gate", {});
    const applied = await client.call("POST /v1/gate/apply", { body, epoch, idempotencyKey: "apply" });
    expect(applied).toMatchObject({ gate_id: preview.gate_id, epoch: epoch + 1, status: { status: "in_force" } });
    expect(await client.call("POST /v1/gate/apply", { body, epoch, idempotencyKey: "apply" })).toEqual(applied);
    const unknown = client.call("POST /v1/gate/apply", { body: { ...body, gate_id: "x" }, epoch: epoch + 1 });
    expect(await failure(unknown)).toEqual([404, "unknown_gate"]);
    // Of several at once that looked at the same, one is first; also where the gate is active already.
    const again = () => client.call("POST /v1/gate/apply", { body, epoch });
    expect(await Promise.all([again, again].map((one) => failure(one())))).toEqual([
      [412, "gate_changed"],
      [412, "gate_changed"],
    ]);
    await client.call("POST /v1/gate/open", { body: { reason: "over" }, epoch: epoch + 1 });
    const next = await client.call("POST /v1/gate/preview", { body: { di: 0.4, ai: 0.99, min_decisions: 70 } });
    expect(next.changes.settings.map(({ setting }) => setting)).toContain("thresholds");
    expect(next.changes.passing).toEqual({ before: 1, after: 0 });
    const asked = await client.call("POST /v1/gate/preview", { body: { harm: 0.5 } });
    expect(asked.changes.settings.map(({ setting }) => setting)).toEqual(["thresholds", "harm"]);
    const history = await all(client.each("GET /v1/gate/history", { query: { limit: 2 } }));
    expect(history.map(({ type }) => type)).toEqual(["gate", "gate", "opened", "gate", "closed", "gate"]);
    const actions = (await client.call("GET /v1/activity", {})).items.map(({ action }) => action);
    expect(actions).toEqual(["gate.open", "gate.apply", "gate.close", "key.create"]);
  });

  it("is suspended by hand for a community, and reinstated by hand alone", async () => {
    const { name, client } = await workspace({ mode: "paper", by: ["community", "decision"] });
    await audited(name, { garden: { n: 60, bad: 0 } });
    const preview = await client.call("POST /v1/gate/preview", { body: {} });
    await client.call("POST /v1/gate/apply", {
      body: { gate_id: preview.gate_id, reason: "first" },
      epoch: preview.epoch,
    });
    const suspend = () =>
      client.call("POST /v1/gate/suspensions", { body: { community: "garden", reason: "a new rule" } });
    const { suspended, epoch } = await suspend();
    expect([suspended.length, (await suspend()).suspended, epoch]).toEqual([1, [], preview.epoch + 2]);
    expect(suspended[0]).toMatch(/^garden × /);
    const { gate } = await client.call("GET /v1/gate", {});
    expect(gate!.communities[0]).toMatchObject({ suspended: { reason: "a new rule", by: "hand" } });
    // Another gate of the same audits certifies nothing away.
    const again = await client.call("POST /v1/gate/preview", { body: { ai: 0.5 } });
    await client.call("POST /v1/gate/apply", { body: { gate_id: again.gate_id, reason: "x" }, epoch: again.epoch });
    expect((await client.call("GET /v1/gate", {})).gate!.communities[0]!.suspended).not.toBe(null);
    const lift = (community: string) =>
      client.call("DELETE /v1/gate/suspensions/{community}", { params: { community }, query: { reason: "over" } });
    await lift(suspended[0]!);
    expect(await failure(lift(suspended[0]!))).toEqual([404, "not_suspended"]);
    const actions = (await client.call("GET /v1/activity", {})).items.map(({ actor, action }) => `${actor} ${action}`);
    expect(actions.filter((one) => one.includes("suspend"))).toEqual(["key ann gate.suspend", "key ann gate.suspend"]);
  });
});

describe("appeals", () => {
  it("are decided by another person than the reviewer, become labels, and send the decision to review", async () => {
    const { client, as, context } = await workspace();
    const bob = await as("bob");
    // What a key has asked for, its answers are no independent labels of.
    await (await as("platform")).call("POST /v1/route", { body: decision("p"), wait: 30 });
    const claim = () => client.call("POST /v1/queue/claim", { body: { n: 1 } });
    await expect
      .poll(async () => (await client.call("GET /v1/queue/items", {})).items.length, { timeout: 20_000 })
      .toBe(1);
    const [item] = (await claim()).items;
    const params = { id: item!.item_id };
    await client.call("POST /v1/items/{id}/renew", { params, body: { claim: item!.claim } });
    await client.call("GET /v1/items/{id}", { params });
    const { review_id } = await client.call("POST /v1/items/{id}/decision", {
      params,
      body: { claim: item!.claim, outcome: "uphold", level: 1, saw_audit: false, note: "sells" },
    });
    const corrected = { outcome: "overturn", level: 2, saw_audit: false, note: "a gift" } as const;
    const correct = (by: Client, more: object = {}) =>
      by.call("POST /v1/reviews/{id}/correction", { params: { id: review_id }, body: { ...corrected, ...more } });
    expect(await failure(correct(client, { note: " " }))).toEqual([422, "not_in_format"]);
    expect(await failure(correct(bob))).toEqual([404, "unknown_review"]);
    await correct(client);
    expect(await failure(correct(client))).toEqual([404, "unknown_review"]);
    const [last, first] = (await client.call("GET /v1/reviews", { query: { mine: true } as never })).items;
    expect([last!.replaces, first!.note]).toEqual([review_id, "sells"]);

    expect(await failure(client.call("POST /v1/appeals", { body: { decision_id: "nothing" } }))).toEqual([
      404,
      "unknown_decision",
    ]);
    const text = "It is a gift, not a sale. \u0000";
    const { appeal_id: id } = await (await as("form")).call("POST /v1/appeals", { body: { decision_id: "p", text } });
    expect((await client.call("POST /v1/route", { body: decision("p") })).reasons).toContain("appeal");
    // Whoever sends the decision cannot take the appeal back.
    const without = { ...decision("p"), appeal: null };
    expect((await client.call("POST /v1/route", { body: without })).reasons).toContain("appeal");
    const body = { outcome: "overturn", level: 3, inverse: true, saw_audit: false } as const;
    const decide = (by: Client) => by.call("POST /v1/appeals/{id}/decision", { params: { id }, body });
    expect(await failure(decide(client))).toEqual([403, "same_reviewer"]);
    expect(await failure(decide(bob))).toEqual([403, "read_first"]);
    await bob.call("GET /v1/appeals/{id}/case", { params: { id } });
    expect(await decide(bob)).toMatchObject({ state: "decided", outcome: "overturn", reviewer: "key bob" });
    expect(await failure(decide(await as("cid")))).toEqual([409, "already_decided"]);
    expect(await all(client.each("GET /v1/appeals", { query: { state: "open" } }))).toEqual([]);
    const unread = await as("reader", ["appeals:read"]);
    expect((await unread.call("GET /v1/appeals/{id}", { params: { id } })).text).toBe(null);
    expect(await client.call("GET /v1/decisions/{id}", { params: { id: "p" } })).toMatchObject({
      decision: { id: "p" },
      reviews: [{ outcome: "uphold" }, { outcome: "overturn" }],
      appeals: [{ appeal_id: id }],
    });
    const labels = async () => {
      const found = [];
      for await (const batch of context.labels.labels()) found.push(...batch);
      return found.map(({ rater, drawn, level }) => [rater, drawn, level]).sort();
    };
    await expect.poll(labels, { timeout: 30_000 }).toEqual([
      ["key ann", "queue", 2],
      ["key bob", "appeal", 3],
    ]);
  });
});

describe("who decides", () => {
  /** A case that waits, with an appeal against its decision. */
  async function appealed() {
    const { client, as } = await workspace();
    await client.call("POST /v1/route", { body: decision("p"), wait: 30 });
    const open = async () => (await client.call("GET /v1/queue/items", {})).items.length;
    await expect.poll(open, { timeout: 20_000 }).toBe(1);
    const form = await as("form");
    const { appeal_id: id } = await form.call("POST /v1/appeals", { body: { decision_id: "p", text: "no" } });
    const decide = (by: Client, more: object = {}) =>
      by.call("POST /v1/appeals/{id}/decision", {
        params: { id },
        body: { outcome: "overturn", level: 3, saw_audit: false, ...more },
      });
    const claim = async (by: Client) => (await by.call("POST /v1/queue/claim", { body: { n: 1 } })).items;
    return { client, as, id, decide, claim };
  }

  it("says why an appeal succeeds, and the rules are kept; the second decision is a conflict for everyone", async () => {
    const { client, as, id, decide } = await appealed();
    expect(await failure(decide(client, { level: 2 }))).toEqual([422, "not_in_format"]);
    expect(await failure(decide(client, { level: undefined, note: " ", rule_ids: [" "] }))).toEqual([
      422,
      "not_in_format",
    ]);
    expect(await failure(decide(client, { outcome: "uphold" }))).toEqual([422, "not_in_format"]);
    await client.call("GET /v1/appeals/{id}/case", { params: { id } });
    expect(await decide(client, { level: 2, rule_ids: ["community 1"] })).toMatchObject({ rule_ids: ["community 1"] });
    expect((await client.call("GET /v1/appeals/{id}", { params: { id } })).rule_ids).toEqual(["community 1"]);
    for (const by of [client, await as("bob")]) expect(await failure(decide(by))).toEqual([409, "already_decided"]);
  });

  it("is not on both sides: neither decides an appeal of a case in hand, nor is given the case afterwards", async () => {
    const { client, as, id, decide, claim } = await appealed();
    const bob = await as("bob");
    const [item] = await claim(bob);
    expect(await failure(decide(bob))).toEqual([403, "same_reviewer"]);
    const found = await bob.call("GET /v1/appeals/{id}/case", { params: { id } });
    expect(found).toMatchObject({ may_decide: false });
    // Another's token opens nothing.
    const params = { id: item!.item_id };
    const body = { claim: item!.claim };
    const answer = { ...body, outcome: "uphold", level: 1, saw_audit: false } as const;
    const lost = [409, "claim_lost"];
    expect(await failure(client.call("POST /v1/items/{id}/renew", { params, body }))).toEqual(lost);
    expect(await failure(client.call("POST /v1/items/{id}/release", { params, body }))).toEqual(lost);
    expect(await failure(client.call("POST /v1/items/{id}/decision", { params, body: answer }))).toEqual(lost);
    await bob.call("POST /v1/items/{id}/release", { params, body });
    await decide(bob);
    expect(await claim(bob)).toEqual([]);
    expect(await claim(client)).toHaveLength(1);
  });
});

describe("labels, rules and runs", () => {
  it("keep the design of labels, and tell them apart by it", async () => {
    const { client } = await workspace();
    const label = { decision_id: "a", level: 1, source: "human", rater: "ann" } as const;
    const drawn = { ...label, drawn: "random", inclusion: 0.1, stratum: "s", frame: "run" } as const;
    const answers = await all(client.stream("POST /v1/labels", [label, drawn, { ...drawn, inclusion: 2 }, drawn]));
    expect(answers.map(({ status }) => status)).toEqual(["accepted", "accepted", "rejected", "duplicate"]);
    expect((await client.call("GET /v1/labels", { query: { drawn: "random" } })).items).toEqual([drawn]);
    expect((await client.call("GET /v1/labels", { query: { drawn: "unknown" } })).items).toEqual([label]);
    expect(await failure(client.call("POST /v1/labels", { body: { ...drawn, level: 2 } }))).toEqual([409, "differs"]);
    // A text that the database cannot take out of a record hides no other label.
    const odd = { ...drawn, rater: 'n\u0000l \\u0000 \\\u0000 "drawn":"queue"' };
    await client.call("POST /v1/labels", { body: odd });
    expect((await client.call("GET /v1/labels", { query: { drawn: "random" } })).items).toEqual([drawn, odd]);
    expect((await client.call("GET /v1/labels", { query: { drawn: "unknown" } })).items).toEqual([label]);
  });

  it("add versions of rules and never change one", async () => {
    const { client } = await workspace();
    const { epoch } = await client.call("GET /v1/gate", {});
    const next = { ...RULES, version: "2" };
    const params = { scope: "community", community: "garden", version: "2" } as const;
    const put = (body: RuleSet) =>
      client.call("PUT /v1/rules/{scope}/{community}/{version}", { params, body: body as never });
    expect((await put(next)).name).toBe("community garden, version 2");
    await put(next);
    expect(await failure(put({ ...next, rules: [] }))).toEqual([409, "differs"]);
    expect(await failure(put(RULES))).toEqual([422, "other_rules"]);
    expect((await client.call("GET /v1/rules/{scope}/{community}/{version}", { params })).set).toEqual(next);
    expect((await all(client.each("GET /v1/rules", { query: { limit: 1 } }))).map(({ set }) => set.version)).toEqual([
      "1",
      "2",
    ]);
    // What was audited under other rules is not automated: the epoch is another.
    expect((await client.call("GET /v1/gate", {})).epoch).toBe(epoch + 1);
  });

  it("give a run, its audits page by page, and its report", { timeout: 60_000 }, async () => {
    const { name, client } = await workspace();
    const id = await audited(name, { garden: { n: 30, bad: 3 } });
    const params = { id };
    expect((await client.call("GET /v1/runs/{id}", { params })).status).toBe("sealed");
    expect((await all(client.each("GET /v1/runs", { query: { limit: 1 } }))).map(({ run_id }) => run_id)).toEqual([id]);
    const audits = await all(client.each("GET /v1/runs/{id}/audits", { params, query: { limit: 7 } }));
    expect(new Set(audits.map(({ decision_id }) => decision_id)).size).toBe(30);
    const gone = Buffer.from(JSON.stringify("no-such-run")).toString("base64url");
    expect(await failure(client.call("GET /v1/runs", { query: { cursor: gone } }))).toEqual([400, "bad_cursor"]);
    expect(await failure(client.call("GET /v1/runs/{id}", { params: { id: "none" } }))).toEqual([404, "unknown_run"]);
    await expect
      .poll(() => client.call("GET /v1/runs/{id}/report", { params }), { timeout: 50_000, interval: 500 })
      .toContain("<div id=");
  });
});

describe("events", () => {
  /** Subjects of hints, as they come. */
  async function* hints(key: string, headers: Record<string, string> = {}) {
    const abort = new AbortController();
    const response = await fetch(`${address}/v1/events`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      signal: abort.signal,
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const decoder = new TextDecoder();
    let text = "";
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true });
        const events = text.split("\n\n");
        text = events.pop()!;
        for (const event of events) {
          const subject = /data: \{"subject":"(\w+)"\}/.exec(event)?.[1];
          if (subject) yield { id: /^id: (\S+)/m.exec(event)?.[1] ?? null, subject };
        }
      }
    } finally {
      abort.abort();
    }
  }

  it("hint at changes on every node, are caught up with, and tell nothing of another workspace", async () => {
    const [own, other] = [await workspace(), await workspace()];
    const { key } = await createKey(database, { workspace: own.name, name: "page", scopes: ["reports:read"] });
    // A process of its own, as another node is.
    const second = new Service({ database, queue, vault: vaultOf("a secret for tests"), cache: folder });
    const stream = hints(key);
    const heard: { id: string | null; subject: string }[] = [];
    const until = async (subject: string) => {
      while (heard.at(-1)?.subject !== subject) heard.push((await stream.next()).value!);
    };
    const begun = stream.next();
    // The stream has begun to hear when it says that something may have been missed.
    heard.push((await begun).value!);
    await own.client.call("POST /v1/appeals", { body: { decision_id: "nothing" } }).catch(() => {});
    await own.client.call("POST /v1/decisions", { body: decision("e") });
    // The first audit of a workspace changes what routing goes by, which is a hint of its own.
    await expect
      .poll(async () => (await own.client.call("GET /v1/decisions/{id}", { params: { id: "e" } })).audit, {
        timeout: 30_000,
      })
      .not.toBeNull();
    await own.client.call("POST /v1/appeals", { body: { decision_id: "e" } });
    // Hints come in the order of commits: after this one, none of the workspace's own making is still on its way.
    await until("appeals");
    const before = heard.length;
    await other.client.call("POST /v1/gate/close", { body: { reason: "not ours" } });
    await own.client.call("POST /v1/decisions", { body: decision("f") });
    await own.client.call("POST /v1/appeals", { body: { decision_id: "f" } });
    heard.push((await stream.next()).value!);
    await until("appeals");
    // Decisions are routed when their audits are there, whenever that is.
    const besidesRoutes = (subjects: string[]) => [...new Set(subjects.filter((subject) => subject !== "queue"))];
    expect(besidesRoutes(heard.slice(before).map(({ subject }) => subject))).toEqual(["appeals"]);
    await (await second.context(own.name)).gate.close({ since: new Date().toISOString(), reason: "another node" });
    await until("gate");
    await stream.return(undefined);
    await own.client.call("POST /v1/gate/open", { body: { reason: "missed" } });
    await own.client.call("POST /v1/appeals", { body: { decision_id: "e" } });
    const again = hints(key, { "last-event-id": heard.at(-1)!.id! });
    const missed: string[] = [];
    while (missed.at(-1) !== "appeals") missed.push((await again.next()).value!.subject);
    expect(besidesRoutes(missed)).toEqual(["gate", "appeals"]);
    await again.return(undefined);
    const elsewhere = hints(key, { "last-event-id": "of another node" });
    expect((await elsewhere.next()).value!.subject).toBe("all");
    await elsewhere.return(undefined);
    await second.hints.close();
  });

  it("end when the server closes", async () => {
    const { name } = await workspace();
    const { key } = await createKey(database, { workspace: name, name: "page", scopes: ["reports:read"] });
    const closing = await buildApp(
      new Service({ database, queue, vault: vaultOf("a secret for tests"), cache: folder }),
    );
    const at = await closing.listen({ host: "127.0.0.1", port: 0 });
    const response = await fetch(`${at}/v1/events`, { headers: { authorization: `Bearer ${key}` } });
    const read = response.text().catch(() => "cut");
    const began = Date.now();
    await closing.close();
    await read;
    expect(Date.now() - began).toBeLessThan(5000);
  });
});
