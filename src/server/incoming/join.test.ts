import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readForeign } from "../../app/live/foreign.js";
import { configSchema } from "../../core/config.js";
import { GraphileQueue, migrateQueue } from "../../queue/graphile-queue.js";
import { createKey } from "../../store/postgres/access.js";
import { fileAppeal } from "../../store/postgres/appeals.js";
import { testDatabase } from "../../store/postgres/database.suite.js";
import { eraseContent } from "../../store/postgres/erasure.js";
import { createWorkspace } from "../../store/postgres/live.js";
import { applyRetention } from "../../store/postgres/retention.js";
import { vaultOf } from "../../store/postgres/secrets.js";
import { buildApp } from "../app.js";
import { SCOPES, type Scope } from "../auth.js";
import { Service } from "../service.js";

const { database, folder } = await testDatabase();
await migrateQueue(database);
const queue = new GraphileQueue(database);
const service = new Service({ database, queue, vault: vaultOf("a secret for tests"), cache: folder });
const app = await buildApp(service);
afterAll(() => app.close());

async function workspace(scopes: readonly Scope[] = SCOPES) {
  const name = `w-${randomUUID()}`;
  await createWorkspace(database, name, configSchema.parse({ version: 1 }));
  const { key } = await createKey(database, { workspace: name, name: "test", scopes });
  const post = async (path: string, payload: object) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await app.inject({ method: "POST", url: `/v1/in/${path}`, headers, payload });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  };
  return { name, post };
}

/** Ids of decisions, and what became of them. */
async function stateOf(name: string, { appeals = "open", content = true } = {}) {
  const rows = (text: string, ...more: string[]) => database.rows<Record<string, unknown>>(text, [name, ...more]);
  const of = (kind: string, what: string) =>
    rows(`select ${what} from defensible.record where workspace_id = $1 and kind = '${kind}' order by 1`);
  return {
    decisions: await of(
      "decisions",
      `subject, record->>'decision' as decision${content ? ", record->'content' as content" : ""}`,
    ),
    outcomes: await of("outcomes", "record::text as record"),
    appeals: await rows(
      "select decision_id, state, text, outcome from defensible.appeal where workspace_id = $1 and state = $2 order by 1",
      appeals,
    ),
    rules: await rows("select distinct doc::text as doc from defensible.rule_set where workspace_id = $1 order by 1"),
  };
}

const REPORT = {
  ...{ id: "900", action_taken: true, action_taken_at: "2026-05-02T09:00:00.000Z", target_account: { id: "2" } },
  ...{ rules: [], statuses: [{ id: "901", content: "<p>Buy my shovel</p>" }] },
};

const EXAMPLES = join(import.meta.dirname, "..", "..", "..", "examples", "adapters");

/** The objects of a system's example files, one by one. */
function objectsOf(system: string): object[] {
  return readdirSync(join(EXAMPLES, system)).flatMap((name): object[] => {
    const text = readFileSync(join(EXAMPLES, system, name), "utf8");
    if (name.endsWith(".jsonl")) return text.split("\n").flatMap((line) => (line.trim() ? [JSON.parse(line)] : []));
    const value = JSON.parse(text);
    // Rules come as one list.
    return Array.isArray(value) && !name.startsWith("rules") ? value : [value];
  });
}

const QUERIES: Record<string, string> = {
  coop: "coop?value=Delete%3Dremove",
  ozone: "ozone?value=label:rude%3Dremove",
  reddit: "reddit?community=plants",
  mastodon: "mastodon",
  lemmy: "lemmy",
};

describe("calls that belong together", () => {
  it.each(Object.keys(QUERIES))("of %s say the same in any order, and as often as they come", async (system) => {
    const path = QUERIES[system]!;
    // A webhook that comes before its review is a decision of its own: see below.
    const objects = objectsOf(system).filter((one) => !JSON.stringify(one).includes('"actorNote":"insult"'));
    const whole = await workspace();
    await whole.post(path, objects.flat());
    // What an appeal names of an item of Coop is less than its submission.
    const how = { content: system !== "coop" };
    const expected = await stateOf(whole.name, how);
    expect(expected.decisions.length).toBeGreaterThan(0);
    expect(expected.outcomes.length).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(objects, { minLength: objects.length }), async (order) => {
        const { name, post } = await workspace();
        for (const one of order) await post(path, one);
        for (const one of order) {
          const again = await post(path, one);
          expect([...again.outcomes, ...again.decisions].filter(({ status }) => status !== "duplicate")).toEqual([]);
        }
        expect(await stateOf(name, how)).toEqual(expected);
      }),
      { numRuns: 4 },
    );
  });

  const item = { id: "p1", typeId: "post", data: { title: "Sale", text: "Everything must go CANARY" } };
  const webhook = { item: { id: "p1", typeId: "post" }, action: { id: "a1" }, actorEmail: "kim@example.org" };
  const action = { id: "a1", name: "Delete", itemTypeIds: ["post"] };
  const appeal = {
    ...{ appealId: "x1", actionedItem: { id: "p1", typeId: "post" }, appealReason: "No, it CANARY" },
    ...{ appealedAt: "2026-05-05T12:00:00.000Z", actionsTaken: ["a1"] },
  };
  const review = (id: string, at: string, type: string, more: object = {}) => ({
    ...{ id, jobId: `job ${id}`, itemId: "p1", itemTypeId: "post", reviewerId: "r1", createdAt: at },
    decisions: [{ type, itemIds: ["p1"], itemTypeId: "post", actionIds: ["a1"], ...more }],
  });
  const ruling = review("d9", "2026-05-06T09:00:00.000Z", "REJECT_APPEAL", { appealId: "x1" });
  const ID = "coop-post-p1-a1";
  const COOP = "coop?value=Delete%3Dremove";

  it("wait for each other, and each answer says what it made of its objects", async () => {
    const { name, post } = await workspace();
    const first = await post(COOP, webhook);
    expect(first).toMatchObject({ decisions: [], waiting: 1, left_out: [{ code: "other_action", what: "a1", at: 1 }] });
    const second = await post(COOP, { actions: [action] });
    expect(second).toMatchObject({ decisions: [], waiting: 0, rejected: [], left_out: [] });
    expect(await post("coop", item)).toMatchObject({ decisions: [{ id: ID, status: "accepted" }], waiting: 0 });
    expect(await post("coop", item)).toMatchObject({ decisions: [], differs: [], waiting: 0 });
    const third = await post(COOP, appeal);
    expect(third).toMatchObject({ decisions: [], appeals: [{ id: ID, status: "accepted" }], differs: [], waiting: 0 });
    expect((await stateOf(name)).appeals).toMatchObject([{ decision_id: ID, state: "open", text: "No, it CANARY" }]);
    const filers = "select filer, filed_by from defensible.appeal where workspace_id = $1";
    expect(await database.rows(filers, [name])).toEqual([{ filer: "key test", filed_by: null }]);
    const last = await post(COOP, ruling);
    expect(last).toMatchObject({ outcomes: [{ id: ID, status: "accepted" }], waiting: 0 });
    const { appeals } = await stateOf(name, { appeals: "decided" });
    expect(appeals).toMatchObject([{ decision_id: ID, outcome: "uphold" }]);
    expect(await post(COOP, [webhook, ruling, appeal])).toMatchObject({
      ...{ decisions: [{ id: ID, status: "duplicate" }], outcomes: [], differs: [], rejected: [], waiting: 0 },
      appeals: [{ id: ID, status: "duplicate" }],
    });
  });

  it("keep what an appeal came to elsewhere as its outcome, once, whether or not it has a time of its own", async () => {
    const warning = (more: object, appeal: object) => ({
      ...{ id: "30", action: "delete_statuses", report_id: "900", status_ids: ["901"], text: "", account_id: "5" },
      ...{
        created_at: "2026-05-02T09:00:00.000Z",
        target_account_id: "2",
        ...more,
        appeal: { text: "No.", ...appeal },
      },
    });
    const outcomesAfter = async (more: object, state: string) => {
      const { name, post } = await workspace();
      await post("mastodon?value=resolved%3Dremove", REPORT);
      const about = { decisionId: "report-900-status-901", community: "mastodon", filedAt: null, filedBy: null };
      await fileAppeal(database, name, { ...about, filer: "key form", text: "No." });
      for (let i = 0; i < 2; i++) await post("mastodon?value=resolved%3Dremove", [REPORT, warning(more, { state })]);
      const { appeals, outcomes } = await stateOf(name, { appeals: "decided" });
      return [appeals.length, outcomes.map(({ record }) => JSON.parse(record as string))];
    };
    const undated = { outcome: "uphold", source: "appeal", reviewer: "elsewhere" };
    expect(await outcomesAfter({}, "rejected")).toEqual([1, [expect.objectContaining(undated)]]);
    const at = "2026-05-05T09:00:00Z";
    const dated = await outcomesAfter({ overruled_at: at }, "approved");
    expect(dated).toEqual([1, [expect.objectContaining({ outcome: "overturn", source: "appeal", at })]]);
  });

  it("do not change what is kept: what reads otherwise is named", async () => {
    const { name, post } = await workspace();
    await post(COOP, [webhook, item, action]);
    const other = await post(COOP, review("d1", "2026-05-04T09:00:00.000Z", "CUSTOM_ACTION"));
    expect(other).toMatchObject({ decisions: [{ id: "coop-d1" }], differs: [{ id: ID, fields: ["id"] }] });
    const report = objectsOf("mastodon").find((one) => (one as { id: string }).id === "11")!;
    const strike = objectsOf("mastodon").find((one) => "report_id" in one)!;
    const early = await post("mastodon?value=resolved%3Dapprove", report);
    expect(early.decisions).toEqual([{ id: "report-11-status-501", status: "accepted" }]);
    const late = await post("mastodon?value=resolved%3Dapprove", strike);
    expect(late.differs).toEqual([{ id: "report-11-status-501", fields: expect.arrayContaining(["decision"]) }]);
    expect((await stateOf(name)).decisions.map(({ decision }) => decision)).toContain("approve");
  });

  it("take the last version of what waits", async () => {
    const { name, post } = await workspace();
    const report = objectsOf("mastodon").find((one) => (one as { id: string }).id === "11")! as {
      statuses: { content: string }[];
    };
    const edited = { ...report, statuses: [{ ...report.statuses[0]!, content: "<p>edited</p>" }] };
    for (const one of [report, edited]) expect((await post("mastodon", one)).waiting).toBe(1);
    await post("mastodon", objectsOf("mastodon").find((one) => "report_id" in one)!);
    expect((await stateOf(name)).decisions).toMatchObject([{ content: { body: "edited" } }]);
    expect((await post("mastodon", report)).decisions).toEqual([{ id: "report-11-status-501", status: "duplicate" }]);
  });

  it("may hold any text", async () => {
    const { name, post } = await workspace();
    const deep = JSON.parse(`${"[".repeat(300)}1${"]".repeat(300)}`);
    for (const id of ["a\0b", "\ud800", "'; drop table x; --", "x".repeat(5000), "{a,b}"]) {
      const odd = { ...item, id, data: { title: id, text: "odd \0 \udfff", deep } };
      expect(await post(COOP, { ...webhook, item: { id, typeId: "post" } })).toMatchObject({ waiting: 1 });
      const { decisions } = await post(COOP, [odd, action]);
      expect(decisions).toHaveLength(1);
    }
    const counted = "select count(*) as n from defensible.record where workspace_id = $1 and kind = 'decisions'";
    expect(await database.rows(counted, [name])).toEqual([{ n: 2 }]);
  });

  it("need the scopes of what they bring, and find nothing of another workspace or community", async () => {
    const { name, post } = await workspace(["decisions:write"]);
    await post(COOP, [webhook, item, action]);
    const policy = { id: "pol", name: "Spam", parentId: null, policyText: "No offers." };
    const answer = await post(COOP, [appeal, ruling, policy]);
    expect(answer).toMatchObject({
      outcomes: [],
      appeals: [],
      rule_sets: [],
      differs: [{ id: ID, fields: ["appeal"] }],
    });
    expect(answer.not_kept).toEqual({ rule_sets: 1, outcomes: 1, review_items: 0 });
    const { appeals, outcomes, rules } = await stateOf(name);
    expect([appeals, outcomes, rules]).toEqual([[], [], []]);
    const other = await workspace();
    expect(await other.post(COOP, webhook)).toMatchObject({ decisions: [], waiting: 1 });
    expect(await other.post(`${COOP}&community=plants`, [item, action])).toMatchObject({ decisions: [], waiting: 1 });
    expect((await other.post(COOP, policy)).rule_sets).toMatchObject([{ status: "accepted" }]);
    expect((await other.post(COOP, policy)).rule_sets).toMatchObject([{ status: "duplicate" }]);
  });

  it("find each other although they come at once", async () => {
    const { name, post } = await workspace();
    const parts = Array.from({ length: 12 }, (_, i) => {
      const id = `p${i}`;
      return [
        { ...webhook, item: { id, typeId: "post" } },
        { ...item, id },
      ];
    });
    await post(COOP, action);
    await Promise.all(parts.flat().map((one) => post(COOP, one)));
    expect((await stateOf(name)).decisions).toHaveLength(parts.length);
  });

  it("leave nothing of a decision that is erased, also if they come again, and what waits is forgotten", async () => {
    const { name, post } = await workspace();
    const left = () =>
      database.rows<{ doc: string }>(
        "select doc::text as doc from defensible.foreign_object where workspace_id = $1 and doc::text like '%CANARY%'",
        [name],
      );
    await post(COOP, [webhook, item, action, appeal]);
    expect(await left()).toHaveLength(2);
    expect((await eraseContent(database, name, [ID], { actor: "test", reason: "a test" })).first).toEqual([ID]);
    expect(await left()).toEqual([]);
    expect(await post(COOP, [webhook, item, appeal])).toMatchObject({ appeals: [], differs: [] });
    expect(await left()).toEqual([]);
    const stranger = { ...item, id: "p2" };
    await post(COOP, stranger);
    await applyRetention(database);
    expect(await left()).toHaveLength(1);
    await database.rows(
      "update defensible.foreign_object set received_at = now() - interval '31 days' where workspace_id = $1",
      [name],
    );
    await applyRetention(database);
    expect(await left()).toEqual([]);
  });

  it("may have long names", async () => {
    const { name, post } = await workspace();
    const id = randomBytes(5000).toString("hex");
    const community = encodeURIComponent("\u0001".repeat(512));
    for (const query of ["mastodon", `mastodon?community=${community}`]) {
      await post(query, { ...REPORT, statuses: [{ id, content: "text" }] });
      const strike = { action: "delete_statuses", report_id: "900", status_ids: [id] };
      expect((await post(query, strike)).decisions).toMatchObject([{ status: "rejected" }]);
    }
    expect((await stateOf(name)).decisions).toEqual([]);
  });

  it("are read in time although one leads to the next", async () => {
    const { post } = await workspace();
    const link = (i: number) => ({
      ...REPORT,
      id: `c${i}`,
      statuses: [`${i}`, `${i + 1}`].map((id) => ({ id, content: "x" })),
    });
    const chain = Array.from({ length: 1000 }, (_, i) => link(i));
    await post("mastodon", chain.slice(0, 500));
    const since = performance.now();
    await post("mastodon", chain.slice(500));
    // It took minutes where each link was a search of everything before it.
    expect(performance.now() - since).toBeLessThan(10_000);
  });

  it("are noted and erased although hundreds belong together", async () => {
    const { name, post } = await workspace();
    const uri = (i: number | string) => `at://did:plc:a/app.bsky.feed.post/${i}`;
    const objects = (i: number) => [
      { uri: uri(i), cid: `c${i}`, value: { text: `t${i}`, embed: { record: { uri: uri("quoted"), cid: "v" } } } },
      {
        ...{ id: i, event: { $type: "tools.ozone.moderation.defs#modEventTakedown" }, createdBy: "did:x" },
        ...{ subject: { uri: uri(i), cid: `c${i}` }, createdAt: "2026-05-02T09:00:00.000Z" },
      },
    ];
    const all = Array.from({ length: 400 }, (_, i) => objects(i));
    await post("ozone", all.slice(0, 200).flat());
    await post("ozone", all.slice(200, 399).flat());
    expect((await post("ozone", all[399]!)).decisions).toEqual([{ id: "ozone-399", status: "accepted" }]);
    const noted =
      "select max(cardinality(decision_ids)) as most, min(cardinality(decision_ids)) as least, count(*) as n from defensible.foreign_object where workspace_id = $1";
    const [{ most, least, n }] = (await database.rows<{ most: number; least: number; n: number }>(noted, [name])) as [
      { most: number; least: number; n: number },
    ];
    expect([n, least > 0, most <= 51]).toEqual([800, true, true]);
    for (const id of ["ozone-7", "ozone-399"]) {
      await eraseContent(database, name, [id], { actor: "test", reason: "a test" });
      const left = await database.rows("select 1 from defensible.foreign_object where workspace_id = $1", [name]);
      expect(left).toEqual([]);
      await post("ozone", all[8]!);
      await post("ozone", all[399]!);
    }
  });

  it("do not fill the memory: of large ones the newest are read", async () => {
    const { post } = await workspace();
    const text = "x".repeat(900_000);
    for (let i = 0; i < 25; i++) await post(COOP, { ...webhook, action: { id: `b${i}` }, custom: { text } });
    const { decisions } = await post(`${COOP}&value=b24%3Dremove&value=b0%3Dremove`, item);
    expect(decisions).toMatchObject([{ id: "coop-post-p1-b24", status: "accepted" }]);
  });

  it("are read by the actions that the workspace has now", async () => {
    const { name } = await workspace();
    const call = { system: "mastodon", body: REPORT, given: { resolved: "remove" } };
    await readForeign(database, name, { positive: "remove", negative: "approve" }, call);
    const later = { ...call, body: { ...REPORT, comment: "again" }, given: {} };
    const { decisions } = await readForeign(database, name, { positive: "hide", negative: "show" }, later);
    expect(decisions).toEqual([]);
  });
});
