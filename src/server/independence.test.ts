import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import { configSchema } from "../core/config.js";
import type { Decision } from "../core/records/decision.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { createKey, createLogin } from "../store/postgres/access.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { eraseContent } from "../store/postgres/erasure.js";
import { createWorkspace } from "../store/postgres/live.js";
import { migrate } from "../store/postgres/schema.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { annotatedDecisions } from "../store/postgres/workbench.js";
import { buildApp } from "./app.js";
import { SCOPES, type Scope } from "./auth.js";
import { Service } from "./service.js";

const { database, folder } = await testDatabase();
await migrateQueue(database);
const vault = vaultOf("a secret for tests that is long enough");
const service = new Service({ database, queue: new GraphileQueue(database), vault, cache: folder });
const app = await buildApp(service);
afterAll(() => app.close());

const WORKSPACE = "garden";
const decision = (id: string, more: Partial<Decision> = {}): Decision => ({
  ...{ id, community: "garden", content: `Selling a mower: ${id}`, decision: "remove", ...more },
});

type Ask = Awaited<ReturnType<typeof person>>;
let [ann, bob, admin] = [] as unknown as [Ask, Ask, Ask];

const asking =
  (headers: Record<string, string>) => async (method: "GET" | "POST" | "PUT", url: string, payload?: object) => {
    const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
    return { status: answer.statusCode, body: answer.json() };
  };

async function person(name: string, role: string) {
  const token = await createLogin(database, { workspace: WORKSPACE, person: name, role });
  const own = { "sec-fetch-site": "same-origin" };
  const signed = await app.inject({ method: "POST", url: "/sign-in", headers: own, payload: { token } });
  return asking({ ...own, cookie: String(signed.headers["set-cookie"]).split(";")[0]! });
}

const claim = async (by: Ask, body: object = {}) => (await by("POST", "/v1/queue/claim", body)).body.items;

interface Claimed {
  item_id: number;
  claim: string;
}

/** Without reading the case. */
const answer = async (by: Ask, { item_id, claim: held }: Claimed, more: object = {}) => {
  const body = { claim: held, outcome: "uphold", level: 1, saw_audit: false, ...more };
  const { status, body: made } = await by("POST", `/v1/items/${item_id}/decision`, body);
  return [status, made.code ?? "done"];
};

const release = (by: Ask, { item_id, claim: held }: Claimed) =>
  by("POST", `/v1/items/${item_id}/release`, { claim: held });

/** An item that is in the queue. */
async function queued(one: Decision): Promise<number> {
  await (await service.desk(WORKSPACE)).route(one);
  const [row] = await database.rows<{ item_id: number }>(
    `update defensible.review_item set hold_until = null where workspace_id = $1 and decision_id = $2 returning item_id`,
    [WORKSPACE, one.id],
  );
  return row!.item_id;
}

beforeAll(async () => {
  await createWorkspace(database, WORKSPACE, configSchema.parse({ version: 1, platform: "Test platform" }));
  [ann, bob, admin] = [await person("ann", "reviewer"), await person("bob", "reviewer"), await person("ada", "admin")];
  await admin("PUT", "/v1/review-settings", { gold_rate: 0, break_minutes: 50 });
  const gold = { level: 1, inverse: false, rule_ids: [] } as const;
  const { records } = await service.context(WORKSPACE);
  await records.addDecisions(["known", "gone"].map((id) => decision(id, { gold: { ...gold, rule_ids: [] } })));
});

describe("an answer to a case", () => {
  it("is taken from those alone who were given its content", async () => {
    const item_id = await queued(decision("read"));
    const [item] = await claim(ann, { item_id });
    expect(await answer(ann, item)).toEqual([403, "read_first"]);
    // Neither a list nor what another person read counts.
    await bob("GET", `/v1/items/${item_id}`);
    await ann("GET", "/v1/queue/mine");
    expect(await answer(ann, item)).toEqual([403, "read_first"]);
    await ann("GET", `/v1/items/${item_id}`);
    expect(await answer(ann, item)).toEqual([201, "done"]);
  });

  it("needs no reading by a key that may not read content: it is shown elsewhere", async () => {
    const item_id = await queued(decision("elsewhere"));
    const { key } = await createKey(database, { workspace: WORKSPACE, name: "tool", scopes: ["reviews:write"] });
    const tool = asking({ authorization: `Bearer ${key}` });
    const [item] = await claim(tool, { item_id });
    expect(await answer(tool, item)).toEqual([201, "done"]);
  });

  it("does not uphold what no rule supports, not in a correction either", async () => {
    const item_id = await queued(decision("contradiction"));
    const [item] = await claim(ann, { item_id });
    await ann("GET", `/v1/items/${item_id}`);
    const more = { level: 3, note: "It stays.", rule_ids: ["community 1"] };
    expect(await answer(ann, item, more)).toEqual([422, "not_in_format"]);
    expect(await answer(ann, item)).toEqual([201, "done"]);
    const [{ review_id }] = (await ann("GET", "/v1/reviews?mine=true&limit=1")).body.items;
    const body = { outcome: "uphold", level: 3, saw_audit: false };
    const corrected = await ann("POST", `/v1/reviews/${review_id}/correction`, body);
    expect([corrected.status, corrected.body.errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: "/outcome" })],
    ]);
  });

  it("is corrected once, however many corrections come at once", async () => {
    const item_id = await queued(decision("corrected"));
    const [item] = await claim(ann, { item_id });
    await ann("GET", `/v1/items/${item_id}`);
    const answers = await Promise.all(Array.from({ length: 4 }, () => answer(ann, item)));
    expect(answers.map(([status]) => status).sort()).toEqual([201, 409, 409, 409]);
    const [{ review_id }] = (await ann("GET", "/v1/reviews?mine=true&limit=1")).body.items;
    const body = { outcome: "overturn", level: 3, saw_audit: false };
    const correct = () => ann("POST", `/v1/reviews/${review_id}/correction`, body);
    const corrected = await Promise.all(Array.from({ length: 4 }, correct));
    expect(corrected.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404]);
  });

  it("is not corrected once an appeal against the decision is decided", async () => {
    const item_id = await queued(decision("contested"));
    const [item] = await claim(ann, { item_id });
    await ann("GET", `/v1/items/${item_id}`);
    await answer(ann, item);
    const [{ review_id }] = (await ann("GET", "/v1/reviews?mine=true&limit=1")).body.items;
    const { appeal_id } = (await admin("POST", "/v1/appeals", { decision_id: "contested", text: "No." })).body;
    await bob("GET", `/v1/appeals/${appeal_id}/case`);
    const overturned = { outcome: "overturn", level: 3, saw_audit: false };
    expect((await bob("POST", `/v1/appeals/${appeal_id}/decision`, overturned)).status).toBe(201);
    const body = { outcome: "uphold", level: 1, saw_audit: false };
    const { status, body: made } = await ann("POST", `/v1/reviews/${review_id}/correction`, body);
    expect([status, made.code]).toEqual([409, "appeal_decided"]);
    expect((await ann("GET", "/v1/decisions/contested")).body.reviews).toHaveLength(1);
    // A review that came after the appeal can be.
    const held = await queued(decision("reviewed later"));
    const filed = (await admin("POST", "/v1/appeals", { decision_id: "reviewed later" })).body.appeal_id;
    await bob("GET", `/v1/appeals/${filed}/case`);
    await bob("POST", `/v1/appeals/${filed}/decision`, overturned);
    const [later] = await claim(ann, { item_id: held });
    await ann("GET", `/v1/items/${held}`);
    await answer(ann, later);
    const [{ review_id: last }] = (await ann("GET", "/v1/reviews?mine=true&limit=1")).body.items;
    expect((await ann("POST", `/v1/reviews/${last}/correction`, body)).status).toBe(201);
  });

  it("is late after a look at the route, which is not given while the case is held", async () => {
    const item_id = await queued(decision("route"));
    const [item] = await claim(admin, { item_id });
    for (const url of ["/v1/decisions/route/route", "/v1/decisions/route/routes"]) {
      const { status, body } = await admin("GET", url);
      expect([status, body.code]).toEqual([403, "answer_first"]);
    }
    const asked = await admin("POST", "/v1/route", decision("route"));
    expect([asked.status, asked.body.code]).toEqual([403, "answer_first"]);
    await release(admin, item);
    expect((await admin("GET", "/v1/decisions/route/route")).status).toBe(200);
    const [again] = await claim(admin, { item_id });
    await admin("GET", `/v1/items/${item_id}`);
    expect(await answer(admin, again)).toEqual([201, "done"]);
    expect((await admin("GET", "/v1/reviews?mine=true&limit=1")).body.items[0]).toMatchObject({ saw_audit: true });
  });
});

describe("a case that one has claimed", () => {
  const listed = async (by: Ask, url: string) =>
    (await by("GET", url)).body.items.map((one: { id?: string; decision_id?: string }) => one.id ?? one.decision_id);

  it("shows nothing of what others have answered to it, until it is answered or given back", async () => {
    const item_id = await queued(decision("others", { human_label: "approve" }));
    const { appeal_id } = (await admin("POST", "/v1/appeals", { decision_id: "others", text: "No." })).body;
    const lead = await person("lea", "policy");
    await lead("POST", "/v1/labels", { decision_id: "others", level: 3, source: "human", rater: "lea" });
    await bob("GET", `/v1/appeals/${appeal_id}/case`);
    await database.rows(
      `insert into defensible.review (workspace_id, item_id, decision_id, reviewer, outcome, saw_audit) values ($1, $2, 'others', 'eve', 'overturn', false)`,
      [WORKSPACE, item_id],
    );
    const lists = ["/v1/labels?decision_id=others", "/v1/decisions?limit=500", "/v1/reviews?limit=500", "/v1/appeals"];
    const shown = () => Promise.all(lists.map(async (url) => (await listed(ann, url)).includes("others")));
    const one = async (url: string) => (await ann("GET", url)).status;
    expect(await shown()).toEqual([true, true, true, true]);
    const [item] = await claim(ann, { item_id });
    // An appeal that is not decided says nothing.
    expect(await shown()).toEqual([false, false, false, true]);
    expect(await one(`/v1/appeals/${appeal_id}`)).toBe(200);
    const overturned = { outcome: "overturn", level: 3, saw_audit: false };
    expect((await bob("POST", `/v1/appeals/${appeal_id}/decision`, overturned)).status).toBe(201);
    expect(await shown()).toEqual([false, false, false, false]);
    expect([await one(`/v1/appeals/${appeal_id}`), await one(`/v1/appeals/${appeal_id}/case`)]).toEqual([403, 403]);
    await release(ann, item);
    expect(await shown()).toEqual([true, true, true, true]);
    expect(await one(`/v1/appeals/${appeal_id}`)).toBe(200);
  });

  it("is not given by HEAD, which would count as reading it", async () => {
    const item_id = await queued(decision("head"));
    const { key } = await createKey(database, { workspace: WORKSPACE, name: "head", scopes: [...SCOPES] });
    const headers = { authorization: `Bearer ${key}` };
    const by = asking(headers);
    const [item] = await claim(by, { item_id });
    const looked = await app.inject({ method: "HEAD", url: `/v1/items/${item_id}`, headers });
    expect(looked.statusCode).toBe(404);
    expect(await answer(by, item)).toEqual([403, "read_first"]);
    expect((await app.inject({ method: "HEAD", url: "/v1/events", headers })).statusCode).toBe(404);
    expect((await app.inject({ method: "HEAD", url: "/" })).statusCode).toBe(200);
    await release(by, item);
  });
});

describe("contents", () => {
  it("that a list gives are noted, each once an hour, and not to keys that are given none", async () => {
    const ids = ["listed 1", "listed 2"];
    for (const id of ids) await queued({ ...decision(id), community: "lists" });
    const seen = async (actor: string) => {
      const rows = await database.rows<{ subject: string }>(
        "select subject from defensible.activity where workspace_id = $1 and actor = $2 and action = 'content.view' and subject like 'listed %' order by 1",
        [WORKSPACE, actor],
      );
      return rows.map(({ subject }) => subject);
    };
    const reader = async (name: string, scopes: Scope[]) =>
      asking({ authorization: `Bearer ${(await createKey(database, { workspace: WORKSPACE, name, scopes })).key}` });
    const plain = await reader("numbers", ["decisions:read"]);
    const full = await reader("contents", ["decisions:read", "content:read"]);
    for (const by of [plain, full, full]) await by("GET", "/v1/decisions?community=lists");
    expect([await seen("key numbers"), await seen("key contents")]).toEqual([[], ids]);
    const audits = await reader("audits", ["audits:read", "audits:write", "content:read"]);
    for (const decision_id of ids) {
      await audits("POST", "/v1/audits", makeAudit({ decision_id, community: "lists", decision: "remove" }));
    }
    const [run] = await (await service.context(WORKSPACE)).runs.list();
    await audits("GET", `/v1/runs/${run!.run_id}/audits`);
    expect(await seen("key audits")).toEqual(ids);
  });

  it("are not in the labels that a reader without `content:read` is given", async () => {
    const label = {
      decision_id: "listed 1",
      level: 1,
      source: "human",
      rater: "mia",
      note: "it says: mower",
      own: "mower",
    };
    await admin("POST", "/v1/labels", label);
    const { note: _, own: __, ...rest } = label;
    const viewer = await person("vic", "viewer");
    const of = async (by: Ask) => (await by("GET", "/v1/labels?decision_id=listed 1")).body.items;
    expect([await of(viewer), await of(admin)]).toEqual([[rest], [label]]);
  });
});

describe("a route that was asked for", () => {
  const audit = (id: string) => ({
    ...makeAudit({ decision_id: id, community: "garden", outcome: "verdict", level: 3, decision: "remove" }),
  });

  it("says what the audit found: an answer after it is no independent label, nor is one of a key", async () => {
    const scopes = ["route:ask", "decisions:write", "audits:write", "reviews:write", "content:read"] as const;
    const { key } = await createKey(database, { workspace: WORKSPACE, name: "asks", scopes });
    const bot = asking({ authorization: `Bearer ${key}` });
    const line = async (id: string) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" };
      return app.inject({ method: "POST", url: "/v1/routes", headers, payload: JSON.stringify(decision(id)) });
    };
    const sawAudit = async (by: Ask, id: string, ask: () => Promise<unknown>) => {
      const item_id = await queued(decision(id));
      await bot("POST", "/v1/audits", audit(id));
      await ask();
      const [item] = await claim(by, { item_id });
      await by("GET", `/v1/items/${item_id}`);
      await answer(by, item);
      const [row] = await database.rows<{ saw_audit: boolean }>(
        "select saw_audit from defensible.review where workspace_id = $1 and decision_id = $2",
        [WORKSPACE, id],
      );
      return row?.saw_audit;
    };
    expect(await sawAudit(admin, "not asked", async () => {})).toBe(false);
    expect(await sawAudit(admin, "asked", () => admin("POST", "/v1/route", decision("asked")))).toBe(true);
    expect(await sawAudit(bot, "bot asked", () => bot("POST", "/v1/route", decision("bot asked")))).toBe(true);
    expect(await sawAudit(bot, "in lines", () => line("in lines"))).toBe(true);
    // A first route has no audit to speak of.
    expect(await sawAudit(bot, "pending", async () => {})).toBe(false);
  });

  it("is not given to a key for a case that it has claimed", async () => {
    const scopes = ["route:ask", "reviews:write"] as const;
    const { key } = await createKey(database, { workspace: WORKSPACE, name: "holds", scopes });
    const bot = asking({ authorization: `Bearer ${key}` });
    const [item] = await claim(bot, { item_id: await queued(decision("held")) });
    const refused = await bot("POST", "/v1/route", decision("held"));
    expect([refused.status, refused.body.code, refused.body.route]).toEqual([403, "answer_first", "review"]);
    expect((await bot("POST", "/v1/route", decision("not held"))).status).toBe(200);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" };
    const lines = await app.inject({ method: "POST", url: "/v1/routes", headers, payload: "" });
    expect(lines.statusCode).toBe(403);
    await release(bot, item);
    expect((await bot("POST", "/v1/route", decision("held"))).status).toBe(200);
  });
});

describe("an appeal", () => {
  it("is decided neither by who filed it nor by the person it was filed for, nor is another against the same decision", async () => {
    await (await service.decisions(WORKSPACE)).add([decision("filed")] as never);
    const { key } = await createKey(database, { workspace: WORKSPACE, name: "form", scopes: [...SCOPES] });
    const form = asking({ authorization: `Bearer ${key}` });
    const file = async (by: Ask, more: object) =>
      (await by("POST", "/v1/appeals", { decision_id: "filed", ...more })).body.appeal_id;
    const decide = async (by: Ask, id: number) => {
      const { may_decide } = (await by("GET", `/v1/appeals/${id}/case`)).body;
      const body = { outcome: "uphold", level: 1, saw_audit: false };
      const { status, body: made } = await by("POST", `/v1/appeals/${id}/decision`, body);
      return [may_decide, status, made.code ?? made.reviewer];
    };
    const [own, forBob] = [await file(ann, { filed_by: "user 7" }), await file(form, { filed_by: "bob" })];
    for (const id of [own, forBob])
      for (const by of [ann, form, bob]) expect(await decide(by, id)).toEqual([false, 403, "same_reviewer"]);
    expect(await decide(admin, own)).toEqual([true, 201, "ada"]);
  });
});

describe("a person who has a part in an appeal", () => {
  const upheld = { outcome: "uphold", level: 1, saw_audit: false };
  const file = async (by: Ask, id: string, more: object = {}): Promise<number> =>
    (await by("POST", "/v1/appeals", { decision_id: id, ...more })).body.appeal_id;

  it("does not review the case too, however close together both are asked for", async () => {
    for (let i = 0; i < 12; i++) {
      const id = `close ${i}`;
      const item_id = await queued(decision(id));
      const appeal = await file(admin, id);
      await ann("GET", `/v1/appeals/${appeal}/case`);
      const held = i % 2 === 0 ? (await claim(ann, { item_id }))[0] : null;
      if (held) await ann("GET", `/v1/items/${item_id}`);
      const [one, decided] = await Promise.all([
        held ? answer(ann, held) : claim(ann, { item_id }),
        ann("POST", `/v1/appeals/${appeal}/decision`, upheld),
      ]);
      const claimed = held ? one[0] === 201 : one.length > 0;
      expect([claimed, decided.status], id).not.toEqual([true, 201]);
      if (!held && claimed) await release(ann, one[0]);
    }
  });

  it("neither claims nor answers its case, whether they filed it, it names them or their key filed it", async () => {
    const made = (await admin("POST", "/v1/keys", { name: "own", scopes: [...SCOPES] })).body.key;
    const own = asking({ authorization: `Bearer ${made}` });
    for (const [id, by, more] of [
      ["part 1", admin, {}],
      ["part 2", ann, { filed_by: "ada" }],
      ["part 3", own, {}],
    ] as const) {
      const item_id = await queued(decision(id));
      const [before] = await claim(admin, { item_id });
      await admin("GET", `/v1/items/${item_id}`);
      await file(by, id, more);
      expect(await answer(admin, before), id).toEqual([403, "same_reviewer"]);
      await release(admin, before);
      expect(await claim(admin, { item_id }), id).toEqual([]);
      const [other] = await claim(bob, { item_id });
      await release(bob, other);
    }
  });

  it("does not decide it by a key that they made, nor do keys of one person for each other", async () => {
    const key = async (name: string) =>
      asking({
        authorization: `Bearer ${(await admin("POST", "/v1/keys", { name, scopes: [...SCOPES] })).body.key}`,
      });
    const [one, two] = [await key("one"), await key("two")];
    const { key: operators } = await createKey(database, { workspace: WORKSPACE, name: "ops", scopes: [...SCOPES] });
    const third = asking({ authorization: `Bearer ${operators}` });
    await (await service.decisions(WORKSPACE)).add([decision("keys")] as never);
    const decide = async (by: Ask, appeal: number) => {
      await by("GET", `/v1/appeals/${appeal}/case`);
      return (await by("POST", `/v1/appeals/${appeal}/decision`, upheld)).status;
    };
    const [bySession, byKey] = [await file(admin, "keys"), await file(one, "keys")];
    for (const appeal of [bySession, byKey])
      for (const by of [admin, one, two]) expect(await decide(by, appeal)).toBe(403);
    expect(await decide(third, bySession)).toBe(201);
  });
});

describe("a database of an earlier version", () => {
  it("gets filers of appeals and makers of keys from the log of activity", async () => {
    await (await service.decisions(WORKSPACE)).add([decision("earlier")] as never);
    const appeal = (await ann("POST", "/v1/appeals", { decision_id: "earlier" })).body.appeal_id;
    const { key_id } = (await admin("POST", "/v1/keys", { name: "earlier", scopes: ["gate:read"] })).body;
    const kept = async () => {
      const [row] = await database.rows<{ filer: string; made_by: string; nobodys: string | null }>(
        `select (select filer from defensible.appeal where workspace_id = $1 and appeal_id = $2) as filer,
           (select made_by from defensible.api_key where workspace_id = $1 and key_id = $3) as made_by,
           (select max(made_by) from defensible.api_key where workspace_id = $1 and name = 'ops') as nobodys`,
        [WORKSPACE, appeal, key_id],
      );
      return row;
    };
    const before = await kept();
    expect(before).toEqual({ filer: "ann", made_by: "ada", nobodys: null });
    await database.rows("alter table defensible.appeal drop column filer");
    await database.rows("alter table defensible.api_key drop column made_by");
    await database.rows("alter table defensible.review_item drop column mixed, drop column gold_for");
    await database.rows(
      "delete from defensible.migration where number >= (select number from defensible.migration where name = 'filers of appeals')",
    );
    expect(await migrate(database)).toEqual(["filers of appeals", "makers of keys", "known items in the queue"]);
    expect(await kept()).toEqual(before);
  });
});

describe("a decision that came with its appeal", () => {
  it("is listed by that reason, and not answered by who made it", async () => {
    const appeal = { filed_at: "2026-11-01T00:00:00Z", text: "A gift." };
    await queued(decision("plain"));
    const item_id = await queued(decision("appealed", { appeal, decider: { kind: "human", id: "ann" } }));
    const listed = async (query: string) =>
      (await ann("GET", `/v1/queue/items?${query}`)).body.items.map((one: Claimed) => one.item_id);
    expect(await listed("reason=appeal")).toEqual([item_id]);
    expect((await listed("limit=100")).length).toBeGreaterThan(1);
    expect((await ann("GET", "/v1/queue/items?reason=indefensible")).status).toBe(422);
    const groups = (await ann("GET", "/v1/queue/summary")).body.items;
    expect(groups).toContainEqual(expect.objectContaining({ reason: "appeal", waiting: 1 }));
    const [own] = await claim(ann, { item_id });
    await ann("GET", `/v1/items/${item_id}`);
    expect(await answer(ann, own)).toEqual([403, "same_reviewer"]);
    await release(ann, own);
    const [other] = await claim(bob, { item_id });
    await bob("GET", `/v1/items/${item_id}`);
    expect(await answer(bob, other)).toEqual([201, "done"]);
  });

  it("is not listed by its reason where it was drawn at random", async () => {
    const item_id = await queued(decision("drawn", { appeal: { filed_at: null, text: null } }));
    await database.rows("update defensible.review_item set sampled = true where workspace_id = $1 and item_id = $2", [
      WORKSPACE,
      item_id,
    ]);
    expect((await ann("GET", "/v1/queue/items?reason=appeal")).body.items).toEqual([]);
  });
});

describe("a known case", () => {
  it("that others have answered too does not show it", async () => {
    await admin("PUT", "/v1/review-settings", { gold_rate: 0.5, break_minutes: 50 });
    const answered = async (by: Ask) => {
      // Known cases are drawn for those that come: sooner or later this one.
      const known = await vi.waitUntil(async () => {
        await queued(decision(`more ${randomUUID()}`));
        const { items } = (await by("GET", "/v1/queue/items?limit=500")).body;
        return items.find((one: { decision_id: string }) => one.decision_id === "known");
      }, 10_000);
      const [item] = await claim(by, { item_id: known.item_id });
      await by("GET", `/v1/items/${item.item_id}`);
      return answer(by, item);
    };
    for (const by of [ann, bob]) expect(await answered(by)).toEqual([201, "done"]);
    const reviewers = async (by: Ask, url: string, of: (body: { items: object[]; reviews: object[] }) => object[]) =>
      of((await by("GET", url)).body)
        .filter((one) => (one as { decision_id: string }).decision_id === "known")
        .map((one) => (one as { reviewer: string }).reviewer)
        .sort();
    for (const [by, own] of [
      [ann, ["ann"]],
      [bob, ["bob"]],
      [admin, ["ann", "bob"]],
    ] as const) {
      expect(await reviewers(by, "/v1/reviews?limit=100", ({ items }) => items)).toEqual(own);
      expect(await reviewers(by, "/v1/decisions/known", ({ reviews }) => reviews)).toEqual(own);
    }
  });

  it("is none whose content was erased, also since it was looked for: it could not be judged", async () => {
    await eraseContent(database, WORKSPACE, ["gone"], { actor: "ada", reason: "asked for" });
    const cyd = await person("cyd", "reviewer");
    const seen = new Set<string>();
    for (let i = 0; i < 25; i++) {
      await queued(decision(`in line ${i}`));
      const { items } = (await cyd("GET", "/v1/queue/items?limit=500")).body;
      for (const one of items) seen.add(one.decision_id);
    }
    expect([...seen]).toContain("known");
    expect([...seen]).not.toContain("gone");
    expect((await annotatedDecisions(database, WORKSPACE)).map(({ id }) => id)).toEqual(["known"]);
  });
});
