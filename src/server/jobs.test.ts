import { describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../test/support/make-audit.js";
import { applyGate } from "../app/gate/gate-use-cases.js";
import { governLive } from "../app/live/gate-preview.js";
import { configSchema } from "../core/config.js";
import type { Audit } from "../core/records/audit.js";
import { gateWords } from "../present/gate/gate-words.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { listActivity } from "../store/postgres/access.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { createWorkspace } from "../store/postgres/live.js";
import { appendLive, sealLive } from "../store/postgres/runs.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { SharedPurse } from "../store/postgres/spend.js";
import { createWebhook, newSecret } from "../store/postgres/webhooks.js";
import { Service } from "./service.js";

const { database, folder } = await testDatabase();
await migrateQueue(database);
const queue = new GraphileQueue(database);
const service = new Service({ database, queue, vault: vaultOf("a secret for tests"), cache: folder });
let made = 0;

async function workspace(gate: object = {}) {
  const name = `jobs-${Date.now()}-${made++}`;
  await createWorkspace(database, name, configSchema.parse({ version: 1, auditor: "baseline", gate }));
  return { name, context: await service.context(name) };
}

const live = (day: string) => ({
  ...makeManifest(),
  run_id: `${day.replaceAll("-", "")}T000000Z-live`,
  created_at: `${day}T00:00:00.000Z`,
  fingerprint: `live ${day}`,
  selection: { live: day },
  counts: { planned: 0, verdicts: 0, unscored: 0, errors: 0 },
});

const day = (date: string, n: number, bad = 0): Audit[] =>
  Array.from({ length: n }, (_, i) =>
    makeAudit({
      decision_id: `${date} ${i}`,
      community: "plants",
      decided_at: `${date}T01:00:00.000Z`,
      created_at: `${date}T02:00:00.000Z`,
      ...(i < bad ? { level: 3 } : {}),
    }),
  );

const at = (time: string) => new Date(`${time}T00:07:00.000Z`);

describe("live runs", () => {
  it("take the audits of a day, each decision once, and are sealed when it is over", async () => {
    const { name, context } = await workspace();
    expect(await appendLive(database, name, live("2026-10-05"), day("2026-10-05", 30))).toHaveLength(30);
    expect(await sealLive(database, name, at("2026-10-05"))).toEqual([]);
    expect(await sealLive(database, name, at("2026-10-06"))).toHaveLength(1);
    // A worker that was frozen over midnight writes what is there, and one more.
    const late = [...day("2026-10-05", 30), ...day("2026-10-06", 1)];
    expect(await appendLive(database, name, live("2026-10-06"), late)).toHaveLength(1);
    const runs = await context.runs.list();
    expect(runs.map(({ status, counts }) => [status, counts.planned, counts.verdicts])).toEqual([
      ["open", 1, 1],
      ["sealed", 30, 30],
    ]);
  });
});

describe("the gate of a live workspace", () => {
  it("is evaluated from the start of the period when a day is over, recorded once, and left to a person", async () => {
    const { name, context } = await workspace();
    const govern = (time: string) => governLive({ ...context, now: () => at(time) }, gateWords());
    await appendLive(database, name, live("2026-09-30"), day("2026-09-30", 40));
    await appendLive(database, name, live("2026-10-01"), day("2026-10-01", 50));
    expect((await govern("2026-10-01")).evaluated).toBe(null);
    await sealLive(database, name, at("2026-10-02"));
    const { evaluated, applied } = await govern("2026-10-02");
    expect(evaluated).toMatchObject({ span: { since: "2026-10-01T00:00:00.000Z" }, fleet: { passing: 1 } });
    expect([evaluated!.communities[0]!.n, applied]).toEqual([50, false]);
    expect(await context.gate.active()).toBe(null);
    expect((await govern("2026-10-02")).evaluated).toBe(null);
    const looks = [];
    for await (const event of context.gate.history()) looks.push(event.type);
    expect(looks).toEqual(["gate"]);
  });

  it("is activated where the workspace says so, but not for want of decisions in a new period", async () => {
    const { name, context } = await workspace({ apply: "scheduled", period: "month" });
    const govern = (time: string) => governLive({ ...context, now: () => at(time) }, gateWords());
    await appendLive(database, name, live("2026-10-30"), day("2026-10-30", 50));
    await sealLive(database, name, at("2026-10-31"));
    expect((await govern("2026-10-31")).applied).toBe(true);
    const october = (await context.gate.active())!.gate.gate_id;
    const [note] = await listActivity(database, name, Number.MAX_SAFE_INTEGER, 1);
    expect(note).toMatchObject({ actor: "service", action: "gate.apply", subject: october });
    await appendLive(database, name, live("2026-11-01"), day("2026-11-01", 5));
    await sealLive(database, name, at("2026-11-02"));
    expect(await govern("2026-11-02")).toMatchObject({ applied: false, evaluated: { communities: [{ n: 5 }] } });
    expect((await context.gate.active())!.gate.gate_id).toBe(october);
  });

  it("is refused on a sliding window where it certifies", async () => {
    const { name, context } = await workspace({ mode: "certified", window_days: 30 });
    await appendLive(database, name, live("2026-10-30"), day("2026-10-30", 50));
    await sealLive(database, name, at("2026-10-31"));
    await expect(governLive({ ...context, now: () => at("2026-10-31") }, gateWords())).rejects.toMatchObject({
      code: "window_certified",
    });
  });

  it("suspends what drifts, with the epoch, the history, the activity and the webhook in one transaction", async () => {
    const { name, context } = await workspace({ mode: "paper" });
    const { webhook_id } = await createWebhook(database, service.vault, {
      ...{ workspace: name, url: "https://example.org/hook", events: ["gate.suspended"], secret: newSecret() },
    });
    const events = () =>
      database.rows("select type, data from defensible.event where workspace_id = $1 and type = 'gate.suspended'", [
        name,
      ]);
    const then = (time: string) => ({ ...context, now: () => at(time) });
    await appendLive(database, name, live("2026-10-01"), day("2026-10-01", 60));
    await sealLive(database, name, at("2026-10-02"));
    const now = at("2026-10-02").toISOString();
    await applyGate(then("2026-10-02"), { choices: {}, holdout: null, slices: [], now, words: gateWords() });
    await governLive(then("2026-10-02"), gateWords());
    const epoch = await context.gate.epoch();
    await appendLive(database, name, live("2026-10-02"), day("2026-10-02", 200, 200));
    await sealLive(database, name, at("2026-10-03"));
    // The note of it fails: then nothing of it is there.
    const broken = { ...then("2026-10-03"), gate: context.gate };
    await database.rows(
      `alter table defensible.activity add constraint refused check (workspace_id <> '${name}' or action <> 'gate.suspend')`,
    );
    await expect(governLive(broken, gateWords())).rejects.toThrow("refused");
    expect([await context.gate.epoch(), (await context.gate.standing())!.suspended.size]).toEqual([epoch, 0]);
    expect(await events()).toEqual([]);
    await database.rows("alter table defensible.activity drop constraint refused");
    expect((await governLive(then("2026-10-03"), gateWords())).suspended).toEqual(["plants"]);
    expect(await context.gate.epoch()).toBe(epoch + 1);
    const [note] = await listActivity(database, name, Number.MAX_SAFE_INTEGER, 1);
    expect(note).toMatchObject({ actor: "watch", action: "gate.suspend", subject: "plants" });
    expect(await events()).toEqual([
      { type: "gate.suspended", data: expect.objectContaining({ community: "plants" }) },
    ]);
    const [delivery] = await database.rows(
      `select payload->>'webhook' as webhook from graphile_worker._private_jobs where payload->>'workspace' = $1 and payload->>'webhook' is not null`,
      [name],
    );
    expect(delivery).toEqual({ webhook: webhook_id });
    const types = [];
    for await (const event of context.gate.history()) types.push(event.type);
    expect(types.filter((type) => type === "suspended")).toHaveLength(1);
  });
});

describe("the budget of a day", () => {
  const purse = (name: string, node: string, max: number | null = 10) =>
    new SharedPurse(database, { workspace: name, node, provider: "openai:m", max, expected: 1 });
  const lease = (node: string, seconds: number) =>
    database.rows(
      `insert into defensible.worker_lease (node, worker_ids, lease_until) values ($1, '{}', now() + make_interval(secs => $2))
       on conflict (node) do update set lease_until = excluded.lease_until`,
      [node, seconds],
    );
  const spent = async (name: string) => {
    const [row] = await database.rows<{ spent: number; calls: number }>(
      "select spent, calls from defensible.spend where workspace_id = $1",
      [name],
    );
    return [row!.spent, row!.calls];
  };

  it("is shared by all workers, and never passed", async () => {
    const { name } = await workspace();
    const purses = [purse(name, "a"), purse(name, "b"), purse(name, "c")];
    let [paid, inFlight, most] = [0, 0, 0];
    const call = async (one: SharedPurse) => {
      await one.reserve();
      most = Math.max(most, paid + ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inFlight--;
      paid++;
      one.settle(1);
    };
    const calls = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => call(purses[i % 3]!)));
    expect(calls.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect(most).toBeLessThanOrEqual(10);
    await expect.poll(() => spent(name)).toEqual([10, 10]);
    const refused = calls.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ code: "max_cost" });
  });

  it("counts as spent what a worker had set aside that died: it may have been paid for", async () => {
    const { name } = await workspace();
    await lease(`${name} dead`, 100);
    const dead = purse(name, `${name} dead`);
    for (let i = 0; i < 10; i++) await dead.reserve();
    await database.rows(
      "update defensible.reservation set made_at = now() - interval '1 hour' where workspace_id = $1",
      [name],
    );
    const waiting = purse(name, `${name} alive`).reserve();
    waiting.catch(() => {});
    await lease(`${name} dead`, -1);
    await expect(waiting).rejects.toMatchObject({ code: "max_cost" });
    expect(await spent(name)).toEqual([10, 10]);
  });

  it("is waited for where a provider asked another worker to slow down", async () => {
    const { name } = await workspace();
    const [slowed, other] = [purse(name, "a", null), purse(name, "b", null)];
    await slowed.reserve();
    slowed.slowed(600_000);
    slowed.settle(1);
    await expect.poll(() => spent(name)).toEqual([1, 1]);
    const told = "select 1 from defensible.spend where workspace_id = $1 and not_before > now()";
    await expect.poll(() => database.rows(told, [name])).toHaveLength(1);
    let held = false;
    const waiting = other.reserve().then(() => {
      held = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(held).toBe(false);
    await database.rows("update defensible.spend set not_before = null where workspace_id = $1", [name]);
    await waiting;
  });
});
