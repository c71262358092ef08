import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { configSchema } from "../core/config.js";
import type { Decision } from "../core/records/decision.js";
import type { ReviewOutcome } from "../core/records/label.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { createLogin, listActivity } from "../store/postgres/access.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { createWorkspace, operatingFigures } from "../store/postgres/live.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { buildApp, ENDPOINTS } from "./app.js";
import { Service } from "./service.js";
import { makePages, startWorker } from "./worker.js";

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
});

const WORKSPACE = "bench";
const CONTENT = "Selling my lawn mower, 50 euros, and a rake.";
const KNOWN = 30;

/** Every answer has what the document promises, and nothing that it does not describe. */
function asDescribed(method: string, url: string, body: unknown): void {
  const path = url.split("?")[0]!;
  const one = ENDPOINTS.find(
    (endpoint) => endpoint.method === method && new RegExp(`^${endpoint.url.replace(/:\w+/g, "[^/]+")}$`).test(path),
  )!;
  expect(one.answer.parse(body), path).toEqual(body);
}

async function person(name: string, role: string, workspace = WORKSPACE) {
  const token = await createLogin(database, { workspace, person: name, role });
  const signed = await app.inject({
    method: "POST",
    url: "/sign-in",
    headers: { "sec-fetch-site": "same-origin" },
    payload: { token },
  });
  const cookie = String(signed.headers["set-cookie"]).split(";")[0]!;
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  return async (method: "GET" | "POST" | "PUT", url: string, payload?: object) => {
    const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
    if (answer.statusCode < 300) asDescribed(method, url, answer.json());
    return { status: answer.statusCode, body: answer.json(), text: answer.body, headers: answer.headers };
  };
}

let ann: Awaited<ReturnType<typeof person>>;
let bob: typeof ann;
let lead: typeof ann;
let viewer: typeof ann;

const outcomes = async () => {
  const all: ReviewOutcome[] = [];
  const { routes } = await service.context(WORKSPACE);
  for await (const batch of routes.outcomes()) all.push(...batch);
  return all;
};

const claim = async (of: typeof ann, body: object = {}) => (await of("POST", "/v1/queue/claim", body)).body.items;
const answerUnread = (of: typeof ann, item: { item_id: number; claim: string }, more: object = {}) =>
  of("POST", `/v1/items/${item.item_id}/decision`, {
    ...{ claim: item.claim, outcome: "uphold", level: 1, inverse: false, saw_audit: false },
    ...more,
  });
const answerTo = async (...given: Parameters<typeof answerUnread>) => {
  const [of, { item_id }] = given;
  await of("GET", `/v1/items/${item_id}`);
  return answerUnread(...given);
};

const countOf = async (state: string, of = ann): Promise<number> =>
  (await of("GET", "/v1/queue")).body.items.find((one: { state: string }) => one.state === state)?.n ?? 0;

beforeAll(async () => {
  await createWorkspace(database, WORKSPACE, configSchema.parse({ version: 1, platform: "Test platform" }));
  const { imports, records } = await service.context(WORKSPACE);
  await imports.addRules(
    {
      scope: "community",
      community: "garden",
      version: "1",
      rules: [{ id: "1", title: "No advertising", detail: "Posts that offer goods for sale are removed." }],
    },
    null,
  );
  const gold = (i: number): Decision => ({
    ...{ id: `known${i}`, community: "garden", content: CONTENT, decision: "remove" },
    gold: { level: 1, inverse: false, rule_ids: ["1"], note: "a known answer" },
  });
  await records.addDecisions(Array.from({ length: KNOWN }, (_, i) => gold(i)));
  [ann, bob, lead, viewer] = [
    await person("ann", "reviewer"),
    await person("bob", "reviewer"),
    await person("lea", "policy"),
    await person("vic", "viewer"),
  ];
  await lead("PUT", "/v1/review-settings", { gold_rate: 0, break_minutes: 50 });
  const desk = await service.desk(WORKSPACE);
  const sent = Array.from({ length: 60 }, (_, i) => ({
    ...{ id: `d${i}`, community: "garden", content: `${CONTENT} Number ${i}.`, decision: i % 2 ? "remove" : "approve" },
  }));
  await Promise.all(sent.map((one) => desk.route(one)));
  const waiting = async () => (await ann("GET", "/v1/queue/items?limit=100")).body.items.length;
  await vi.waitFor(async () => expect(await waiting()).toBe(60), { timeout: 60_000, interval: 200 });
  await makePages(service, () => {});
}, 120_000);

describe("a case", () => {
  it("has content and rules, and nothing of the audit until it is answered", async () => {
    const [item] = await claim(ann);
    const found = await ann("GET", `/v1/items/${item.item_id}`);
    expect(found.body).toMatchObject({
      item: { claim: item.claim, claim_by: "ann", state: "claimed" },
      audited: true,
      decision: {
        body: { text: expect.stringContaining("lawn mower") },
        audit: { level: null, inverse: null, logic_chain: null, citation: null, p_defensible: null, flags: [] },
        gold: null,
        human_label: null,
      },
      rule_sets: [{ rules: [{ title: "No advertising" }] }],
    });
    const early = await ann("POST", `/v1/items/${item.item_id}/audit`, {});
    expect([early.status, early.body.code]).toEqual([403, "answer_first"]);
    // Neither by the way of the report or of the decision.
    for (const url of [`/v1/decisions/${item.decision_id}`, `/v1/decisions/${item.decision_id}/audits`]) {
      const other = await ann("GET", url);
      expect([other.status, other.body.code]).toEqual([403, "answer_first"]);
    }
    const ids = (await ann("GET", "/v1/page/decisions?limit=100")).body.items.map(({ id }: { id: string }) => id);
    expect([ids.length, ids.includes(item.decision_id)]).toEqual([59, false]);
    const listed = await ann("GET", `/v1/page/decisions/${item.decision_id}`);
    expect([listed.status, listed.body.code]).toEqual([403, "answer_first"]);
    expect((await bob("GET", `/v1/page/decisions/${item.decision_id}`)).status).toBe(200);

    const made = await answerTo(ann, item, { rule_ids: ["community 1"] });
    expect(made.status).toBe(201);
    const shown = await ann("POST", `/v1/items/${item.item_id}/audit`, {});
    expect(shown.body.decision.audit.level).not.toBeNull();
    // The other reviewer has not answered it, and is not shown it.
    expect((await bob("POST", `/v1/items/${item.item_id}/audit`, {})).status).toBe(403);

    const changed = await ann("POST", `/v1/reviews/${made.body.review_id}/correction`, {
      ...{ outcome: "overturn", level: 3, inverse: false, saw_audit: false },
    });
    expect(changed.status).toBe(201);
    const kept = (await outcomes()).filter(({ decision_id }) => decision_id === item.decision_id);
    expect(kept.map(({ outcome, saw_audit }) => [outcome, saw_audit])).toEqual([
      ["uphold", false],
      ["overturn", true],
    ]);
    expect(
      (
        await bob("POST", `/v1/reviews/${made.body.review_id}/correction`, {
          ...{ outcome: "uphold", level: 1, saw_audit: false },
        })
      ).status,
    ).toBe(404);
  });

  it("is seen once its audit was shown by any way, and is left out of all of them while it is held", async () => {
    const [item] = await claim(ann);
    const { decision_id: id } = item;
    const [run] = (await ann("GET", "/v1/runs")).body.items;
    const listed = async (of: typeof ann) =>
      (await of("GET", `/v1/runs/${run.run_id}/audits?limit=100`)).text.includes(`"decision_id":"${id}"`);
    expect([await listed(ann), await listed(viewer)]).toEqual([false, true]);
    const { appeal_id } = (await bob("POST", "/v1/appeals", { decision_id: id })).body;
    const early = await ann("POST", `/v1/appeals/${appeal_id}/audit`, {});
    expect([early.status, early.body.code]).toEqual([403, "answer_first"]);

    const unfounded = await answerTo(ann, item, { outcome: "overturn", level: 2, rule_ids: [""] });
    expect([unfounded.status, unfounded.body.errors[0].pointer]).toEqual([422, "/rule_ids"]);
    const saw = async () => {
      const rows = await database.rows<{ saw_audit: boolean }>(
        "select saw_audit from defensible.review where workspace_id = $1 and decision_id = $2",
        [WORKSPACE, id],
      );
      return rows.map((one) => one.saw_audit);
    };
    await ann("POST", `/v1/items/${item.item_id}/release`, { claim: item.claim });
    expect((await ann("GET", `/v1/decisions/${id}`)).body.audit.level).not.toBeNull();
    const [again] = await claim(ann, { item_id: item.item_id });
    expect((await answerTo(ann, again)).status).toBe(201);
    expect(await saw()).toEqual([true]);
  });

  it("is noted when it is read without a claim, and its claim's token is for its holder alone", async () => {
    const [item] = await claim(ann);
    const noted = async () => {
      const rows = await database.rows<{ actor: string }>(
        "select actor from defensible.activity where workspace_id = $1 and action = 'content.view' and subject = $2 order by seq",
        [WORKSPACE, item.decision_id],
      );
      return rows.map(({ actor }) => actor);
    };
    const before = await noted();
    await ann("GET", `/v1/items/${item.item_id}`);
    const seen = await bob("GET", `/v1/items/${item.item_id}`);
    expect(seen.body.item).toMatchObject({ claim: null, claim_by: "ann" });
    expect(await noted()).toEqual([...before, "bob"]);
    expect((await viewer("GET", `/v1/items/${item.item_id}`)).status).toBe(403);
    await ann("POST", `/v1/items/${item.item_id}/release`, { claim: item.claim });
  });

  it("gives no reason that says what the audit found, or that it was drawn", async () => {
    await database.rows(
      `update defensible.review_item set reasons = '{indefensible,no_gate}', sampled = item_id % 2 = 0 where workspace_id = $1 and state = 'open'`,
      [WORKSPACE],
    );
    const texts = [(await ann("GET", "/v1/queue/items?limit=100")).text, (await ann("GET", "/v1/queue/summary")).text];
    for (const text of texts) expect(text).not.toMatch(/indefensible|random/);
    expect(texts[0]).toContain("no_gate");
  });

  it("is claimed alone where one is asked for", async () => {
    const taken = await claim(ann, { n: 2 });
    expect(taken).toHaveLength(2);
    const rows = await database.rows(
      "select 1 from defensible.review_item where workspace_id = $1 and state = 'claimed'",
      [WORKSPACE],
    );
    expect(rows).toHaveLength(2);
    for (const one of taken) await ann("POST", `/v1/items/${one.item_id}/release`, { claim: one.claim });
  });

  it("that was skipped comes back to others, and to the same person when asked for by number", async () => {
    const [item] = await claim(ann);
    await ann("POST", `/v1/items/${item.item_id}/release`, { claim: item.claim, skip: true });
    const [next] = await claim(ann);
    expect(next.item_id).not.toBe(item.item_id);
    const [same] = await claim(bob);
    expect(same.item_id).toBe(item.item_id);
    expect(await claim(ann, { item_id: item.item_id })).toEqual([]);
    await bob("POST", `/v1/items/${item.item_id}/release`, { claim: same.claim });
    const [again] = await claim(ann, { item_id: item.item_id });
    expect(again.item_id).toBe(item.item_id);
    for (const one of [next, again]) await ann("POST", `/v1/items/${one.item_id}/release`, { claim: one.claim });
  });
});

describe("items with a known answer", () => {
  it("are for admins alone, and fields that the format does not know for people who read content", async () => {
    const { records } = await service.context(WORKSPACE);
    await records.addDecisions([
      {
        ...{ id: "extra", community: "garden", content: CONTENT, decision: "remove", remark: CONTENT },
        decider: { kind: "human", id: "mia", remark: CONTENT },
        gold: { level: 1, inverse: false, rule_ids: ["1"], note: "a known answer" },
      } as Decision,
    ]);
    const admin = await person("ada", "admin");
    const read = async (of: typeof ann) =>
      [(await of("GET", "/v1/decisions?limit=200")).text, (await of("GET", "/v1/decisions/extra")).text] as const;
    for (const text of await read(viewer)) {
      expect(text).toContain('"mia"');
      expect(text).not.toMatch(/gold|known answer|remark|lawn mower/);
    }
    for (const text of await read(ann)) {
      expect(text).toContain("remark");
      expect(text).not.toMatch(/gold|known answer/);
    }
    for (const text of await read(admin)) expect(text).toContain("a known answer");
  });

  it("are listed and counted before they are claimed, like the others, and never to who has answered them", async () => {
    await lead("PUT", "/v1/review-settings", { gold_rate: 0.5, break_minutes: 0 });
    const cyd = await person("cyd", "reviewer");
    type Listed = { item_id: number; decision_id: string; reasons: string[]; created_at: string };
    const listed = async (of = cyd) => (await of("GET", "/v1/queue/items?limit=500")).body.items as Listed[];
    const state = async () => [await countOf("open", cyd), await countOf("claimed", cyd), await countOf("done", cyd)];
    const isKnown = ({ decision_id }: Listed) => /^(known|extra)/.test(decision_id);
    const before = await listed();
    const known = before.filter(isKnown);
    expect(known.length).toBeGreaterThan(10);
    const groups = (await cyd("GET", "/v1/queue/summary")).body.items as { waiting: number }[];
    expect(groups.reduce((n, { waiting }) => n + waiting, 0)).toBe(before.length);
    const times = new Set(before.filter((one) => !isKnown(one)).map(({ created_at }) => created_at));
    expect(known.filter(({ created_at }) => !times.has(created_at))).toEqual([]);
    // Their numbers are among those of the others, and do not follow one another.
    const first = before.findIndex(isKnown);
    expect(before.slice(first).filter((one) => !isKnown(one)).length).toBeGreaterThan(known.length / 2);
    const [open, claimed, done] = await state();
    const item_id = known[0]!.item_id;
    const [item] = await claim(cyd, { item_id });
    expect(item.decision_id).toBe(known[0]!.decision_id);
    expect(await state()).toEqual([open! - 1, claimed! + 1, done]);
    expect((await listed()).map((one) => one.item_id)).toEqual(
      before.map((one) => one.item_id).filter((one) => one !== item_id),
    );
    await cyd("POST", `/v1/items/${item_id}/release`, { claim: item.claim });
    expect([await state(), await listed()]).toEqual([[open, claimed, done], before]);
    const [again] = await claim(cyd, { item_id });
    expect((await answerTo(cyd, again)).status).toBe(201);
    expect(await state()).toEqual([open! - 1, claimed, done! + 1]);
    // Others, who have not, may be given it once more.
    await database.rows("update defensible.review_item set state = 'open' where workspace_id = $1 and item_id = $2", [
      WORKSPACE,
      item_id,
    ]);
    expect((await listed(bob)).map((one) => one.item_id)).toContain(item_id);
    expect((await listed()).map((one) => one.item_id)).not.toContain(item_id);
    expect(await claim(cyd, { item_id })).toEqual([]);
    await database.rows("update defensible.review_item set state = 'done' where workspace_id = $1 and item_id = $2", [
      WORKSPACE,
      item_id,
    ]);
    await lead("PUT", "/v1/review-settings", { gold_rate: 0, break_minutes: 50 });
    expect((await listed()).filter(isKnown)).toEqual([]);
  });

  it("leave the queue with the item that they are for", async () => {
    await lead("PUT", "/v1/review-settings", { gold_rate: 0.5, break_minutes: 0 });
    await ann("GET", "/v1/queue/items");
    const [pair] = await database.rows<{ item_id: number; gold_for: number }>(
      "select item_id, gold_for from defensible.review_item where workspace_id = $1 and gold_level is not null and state = 'open' limit 1",
      [WORKSPACE],
    );
    const waits = async () =>
      (await ann("GET", "/v1/queue/items?limit=500")).body.items.some(
        ({ item_id }: { item_id: number }) => item_id === pair!.item_id,
      );
    const set = (state: string) =>
      database.rows("update defensible.review_item set state = $3 where workspace_id = $1 and item_id = $2", [
        WORKSPACE,
        pair!.gold_for,
        state,
      ]);
    expect(await waits()).toBe(true);
    await set("withdrawn");
    expect(await waits()).toBe(false);
    await set("open");
    await lead("PUT", "/v1/review-settings", { gold_rate: 0, break_minutes: 50 });
  });

  it("come unmarked at the set rate, never twice to one person, and become no outcome", async () => {
    expect((await ann("PUT", "/v1/review-settings", { gold_rate: 0.5, break_minutes: 0 })).status).toBe(403);
    await lead("PUT", "/v1/review-settings", { gold_rate: 0.5, break_minutes: 0 });
    const before = (await outcomes()).length;
    const known: string[] = [];
    let real = 0;
    for (let i = 0; i < 20; i++) {
      for (const item of await claim(bob)) {
        expect(Object.keys(item).sort()).toEqual(
          ["claim", "community", "created_at", "decision_id", "item_id", "reasons"].sort(),
        );
        const found = await bob("GET", `/v1/items/${item.item_id}`);
        expect(found.text).not.toContain("gold_level");
        // A count that leaves known items out would give them away.
        expect(await countOf("claimed")).toBe(1);
        expect(found.body.decision.gold).toBeNull();
        expect((await answerTo(bob, item, known.length % 2 ? { outcome: "overturn", level: 3 } : {})).status).toBe(201);
        if (/^(known|extra)/.test(item.decision_id)) known.push(item.decision_id);
        else real++;
      }
    }
    await lead("PUT", "/v1/review-settings", { gold_rate: 0, break_minutes: 50 });
    // Fewer than 3 or more than 18 of 20 at an even chance: once in 2,000 runs.
    expect(known.length).toBeGreaterThan(2);
    expect(known.length).toBeLessThan(18);
    expect(new Set(known).size).toBe(known.length);
    expect((await outcomes()).length).toBe(before + real);
    const { items } = (await lead("GET", "/v1/reviewers")).body;
    const own = items.find(({ reviewer }: { reviewer: string }) => reviewer === "bob");
    expect(own).toMatchObject({ reviews: real, gold: { n: known.length, k: Math.ceil(known.length / 2) } });
    expect((await ann("GET", "/v1/reviewers")).status).toBe(403);
    expect(await countOf("done")).toBe(real + known.length + 3);
  });
});

describe("the counts of the queue", () => {
  it("take a claim that has run out for one that waits, everywhere", async () => {
    const [before, listed] = [await countOf("open"), (await ann("GET", "/v1/queue/items?limit=100")).body.items.length];
    expect(before).toBe(listed);
    const [item] = await claim(ann);
    expect([await countOf("open"), await countOf("claimed")]).toEqual([before - 1, 1]);
    await database.rows(
      "update defensible.review_item set claim_until = now() - interval '1 s' where workspace_id = $1 and item_id = $2",
      [WORKSPACE, item.item_id],
    );
    expect([await countOf("open"), await countOf("claimed")]).toEqual([before, 0]);
    expect((await ann("GET", "/v1/queue/items?limit=100")).body.items).toHaveLength(before);
    const groups = (await ann("GET", "/v1/queue/summary")).body.items as { waiting: number; claimed: number }[];
    expect(groups.reduce((n, { waiting }) => n + waiting, 0)).toBe(before);
    expect(groups.reduce((n, one) => n + one.claimed, 0)).toBe(0);
    expect((await operatingFigures(database)).review_open).toBe(before);
  });
});

describe("the page's data", () => {
  it("come without single decisions, which are paged and filtered by the server", async () => {
    const { body, headers } = await ann("GET", "/v1/page");
    expect(body.listed).toBe(60);
    expect(body.page.decisions.length).toBeLessThanOrEqual(3);
    expect(body.page.report.counts.attempted).toBe(60);
    expect(body.page.changed_since_run).toEqual([]);
    const same = await app.inject({
      url: "/v1/page",
      headers: { cookie: (await session("cyd")).cookie, "if-none-match": String(headers.etag) },
    });
    expect([same.statusCode, same.body]).toEqual([304, ""]);
    const first = (await ann("GET", "/v1/page/decisions?limit=25&decision=remove")).body;
    expect([first.items.length, first.total, first.listed]).toEqual([25, 30, 60]);
    const rest = (await ann("GET", `/v1/page/decisions?limit=25&decision=remove&cursor=${first.next_cursor}`)).body;
    expect([rest.items.length, rest.next_cursor]).toEqual([5, null]);
    const ids = [...first.items, ...rest.items].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(30);
    expect(first.facets.decision).toEqual([
      ["approve", 30],
      ["remove", 30],
    ]);
    expect((await ann("GET", "/v1/page/decisions?search=Number%2057.")).body.total).toBe(1);
  });

  it("hold no content for people who may not read it, and none can be found by searching", async () => {
    const texts = [
      (await viewer("GET", "/v1/page")).text,
      (await viewer("GET", "/v1/page/decisions?limit=100")).text,
      (await viewer("GET", "/v1/page/decisions/d7")).text,
    ];
    for (const text of texts) expect(text).not.toMatch(/lawn mower|rake/);
    expect((await viewer("GET", "/v1/page/decisions?search=mower")).body.total).toBe(0);
    expect((await viewer("GET", "/v1/report")).status).toBe(403);
  });

  it("measure the auditor against people where labels have a design, and only by those", async () => {
    const against = async () => {
      await makePages(service, () => {});
      return (await lead("GET", "/v1/page")).body.page.report.against;
    };
    // Reviews of the queue alone are no sample.
    expect(await against()).toBeUndefined();
    for (const id of ["d1", "d2", "d3"]) {
      const label = {
        decision_id: id,
        level: 1,
        inverse: false,
        rater: "lea",
        source: "human",
        drawn: "random",
        inclusion: 0.1,
      };
      expect((await lead("POST", "/v1/labels", label)).status).toBe(202);
    }
    expect(await against()).toMatchObject({ target: "human", n: 3 });
  });

  it("say what is routed now, without telling which items were drawn at random", async () => {
    await database.rows(
      `insert into defensible.route_log (workspace_id, decision_id, line) values ($1, 'd1',
         '{"decision_id":"d1","community":"garden","route":"review","reasons":["community_passes","random_review","below_threshold"],"score":null,"sampled":true}')`,
      [WORKSPACE],
    );
    const { body, text } = await ann("GET", "/v1/live");
    // Each of the 60 decisions counts once, d1 too, which has more than one route.
    expect(body.steps.reduce((n: number, step: { review: number }) => n + step.review, 0)).toBe(60);
    const [{ n: lastMinute }] = (await database.rows(
      `select count(distinct decision_id)::integer as n from defensible.route_log where workspace_id = $1
          and logged_at > now() - interval '60 s' and (line->>'pending') is null`,
      [WORKSPACE],
    )) as [{ n: number }];
    expect(body.last_minute).toBeGreaterThanOrEqual(lastMinute);
    expect(body.last_minute).toBeLessThanOrEqual(60);
    expect(body.latest[0]).toMatchObject({ decision_id: "d1", route: "review", reasons: ["community_passes"] });
    expect(new Set(body.latest.map((one: { decision_id: string }) => one.decision_id)).size).toBe(body.latest.length);
    expect(text).not.toMatch(/random_review|sampled|below_threshold/);
  });
});

async function session(name: string) {
  const token = await createLogin(database, { workspace: WORKSPACE, person: name, role: "reviewer" });
  const signed = await app.inject({
    method: "POST",
    url: "/sign-in",
    headers: { "sec-fetch-site": "same-origin" },
    payload: { token },
  });
  return { cookie: String(signed.headers["set-cookie"]).split(";")[0]! };
}

describe("signing in", () => {
  it("takes a token by a form of our own pages alone, once", async () => {
    const token = await createLogin(database, { workspace: WORKSPACE, person: "dan", role: "viewer" });
    const post = (site: string) =>
      app.inject({ method: "POST", url: "/sign-in", headers: { "sec-fetch-site": site }, payload: { token } });
    expect((await post("cross-site")).statusCode).toBe(403);
    const signed = await post("same-origin");
    expect([signed.statusCode, String(signed.headers["set-cookie"])]).toEqual([
      200,
      expect.stringContaining("HttpOnly"),
    ]);
    expect((await post("same-origin")).statusCode).toBe(401);
  });

  it("does not use up a link that is looked at, and says when a person leaves", async () => {
    const token = await createLogin(database, { workspace: WORKSPACE, person: "eve", role: "viewer" });
    const head = await app.inject({ method: "HEAD", url: `/sign-in?token=${token}` });
    expect(head.statusCode).toBe(404);
    const looked = await app.inject({ url: `/sign-in?token=${token}`, headers: { accept: "text/html" } });
    expect([looked.statusCode, looked.headers.location, looked.headers["set-cookie"]]).toEqual([
      302,
      `/#/sign-in?token=${token}`,
      undefined,
    ]);
    const own = { "sec-fetch-site": "same-origin" };
    const signed = await app.inject({ method: "POST", url: "/sign-in", headers: own, payload: { token } });
    expect(signed.statusCode).toBe(200);
    const cookie = String(signed.headers["set-cookie"]).split(";")[0]!;
    await app.inject({ method: "POST", url: "/sign-out", headers: { ...own, cookie } });
    const noted = (await listActivity(database, WORKSPACE, Number.MAX_SAFE_INTEGER, 3)).map(({ actor, action }) => [
      actor,
      action,
    ]);
    expect(noted.slice(0, 2)).toEqual([
      ["eve", "person.sign_out"],
      ["eve", "person.sign_in"],
    ]);
  });

  it("serves the workbench under a policy that lets no inline script run", async () => {
    const page = await app.inject({ url: "/" });
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(page.headers["x-content-type-options"]).toBe("nosniff");
  });
});
