import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configSchema } from "../src/core/config.js";
import { GraphileQueue, migrateQueue } from "../src/queue/graphile-queue.js";
import { Service } from "../src/server/service.js";
import { findSession, listActivity, openSession, signIn } from "../src/store/postgres/access.js";
import { testDatabase } from "../src/store/postgres/database.suite.js";
import { createWorkspace } from "../src/store/postgres/live.js";
import { vaultOf } from "../src/store/postgres/secrets.js";
import { cliServed } from "./support/cli.js";

const { url, database } = await testDatabase();
await migrateQueue(database);
const env = { DATABASE_URL: url, DEFENSIBLE_SECRET: "a long secret for tests, of no other use" };

const run = (args: readonly string[], more: object = {}) => cliServed([...args], { env: { ...env, ...more } });

async function ok(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(args);
  expect([status, status === 0 ? "" : stderr], args.join(" ")).toEqual([0, ""]);
  return stdout;
}

async function workspace(name: string): Promise<string> {
  await createWorkspace(database, name, configSchema.parse({ version: 1 }));
  return name;
}

const actions = async (name: string) =>
  (await listActivity(database, name, Number.MAX_SAFE_INTEGER, 100)).map(({ action }) => action);

describe("tenant sign-in and sign-out", () => {
  it("lead to the address that browsers use, and end sessions and unused addresses", async () => {
    const name = await workspace("people");
    const args = ["tenant", "sign-in", name, "--person", "ann", "--role", "reviewer"];
    expect(await ok(...args)).toMatch(/^http:\/\/127\.0\.0\.1:8484\/sign-in\?token=/);
    const { stdout } = await run(args, { DEFENSIBLE_PUBLIC_URL: "https://defensible.example/" });
    expect(stdout).toMatch(/^https:\/\/defensible\.example\/sign-in\?token=/);
    const { id } = (await signIn(database, /token=(\S+)/.exec(stdout)![1]!))!;
    await openSession(database, { workspace: name, person: "bob", role: "viewer" });
    expect(await ok("tenant", "sign-out", name, "--person", "ann")).toBe("Ended: 1 sessions, 1 unused addresses\n");
    expect(await findSession(database, id)).toBeNull();
    const left = await database.rows<{ person: string }>(
      "select person from defensible.session where workspace_id = $1",
      [name],
    );
    expect([left, await actions(name)]).toEqual([[{ person: "bob" }], ["person.sign_out"]]);
  });
});

describe("tenant settings", () => {
  it("change what every process goes by, are checked, and are noted", async () => {
    const name = await workspace("settings");
    const queue = new GraphileQueue(database);
    const service = new Service({ database, queue, vault: vaultOf(env.DEFENSIBLE_SECRET) });
    const platform = async () => (await service.context(name)).config.platform;
    expect(await platform()).toBeUndefined();
    const epoch = async () => (await service.context(name)).gate.epoch();
    const before = await epoch();
    const changed = await ok("tenant", "settings", name, "--set", "platform=My platform", "gate.mode=certified");
    expect(changed).toContain("Changed: gate, platform.");
    expect(await epoch()).toBe(before + 1);
    await expect.poll(platform, { timeout: 5000 }).toBe("My platform");
    const printed = await ok("tenant", "settings", name);
    expect(printed).toContain("mode: certified");
    expect(await ok("tenant", "settings", name, "--set", "platform=")).toContain("Changed: platform.");
    expect(await ok("tenant", "settings", name, "--set", "seed=1")).toBe("Nothing is changed.\n");
    for (const [set, words] of [
      ["gate.mode=sure", /gate: mode: got "sure"/],
      ["gait.mode=paper", /unknown key "gait"/],
      ["platform", /expected KEY=VALUE/],
    ] as const) {
      const refused = await run(["tenant", "settings", name, "--set", set]);
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(words)]);
    }
    expect(await actions(name)).toEqual(["settings.change", "settings.change"]);

    const folder = mkdtempSync(join(tmpdir(), "defensible-settings-"));
    await ok("init", folder);
    expect(await ok("tenant", "settings", name, "--from", folder)).toContain("Changed: ");
    const again = await cliServed(["tenant", "create", name], { env, cwd: folder });
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining(`tenant settings ${name} --from .`)]);
    await (await service.decisions(name)).add([{ id: "a", community: "c", content: "x", decision: "remove" }]);
    const other = await run(["tenant", "settings", name, "--set", "actions={positive: hide, negative: show}"]);
    expect([other.status, other.stderr]).toEqual([1, expect.stringContaining("has decisions")]);
    await service.close();
  });
});

describe("tenant jobs", () => {
  it("counts jobs, lists those that failed for good, and lets them run again: of one workspace alone", async () => {
    const queue = new GraphileQueue(database);
    const [own, other] = [await workspace("jobs"), await workspace("jobs2")];
    await queue.add([own, other].map((workspace) => ({ task: "audit", payload: { workspace }, attempts: 1 })));
    expect(await ok("tenant", "jobs", own)).toBe("audit: 1 waiting, 0 running, 0 dead\n");
    const running = await queue.run({ audit: () => Promise.reject(new Error("no")) }, { concurrency: 1, pollMs: 20 });
    await expect.poll(async () => (await queue.dead()).length, { timeout: 20_000 }).toBe(2);
    await running.stop();
    const [dead] = await queue.dead(own);
    expect(await ok("tenant", "jobs", own, "--dead")).toMatch(
      new RegExp(`^${dead!.id}  audit  1 attempts  due \\S+Z\n$`),
    );
    const foreign = await run(["tenant", "jobs", other, "--retry", dead!.id]);
    expect([foreign.status, foreign.stderr]).toEqual([1, expect.stringContaining("has failed for good")]);
    expect(await ok("tenant", "jobs", own, "--retry", dead!.id)).toBe("Run again: 1\n");
    expect(await ok("tenant", "jobs", own)).toBe("audit: 1 waiting, 0 running, 0 dead\n");
    expect([await actions(own), await actions(other)]).toEqual([["job.retry"], []]);
    expect(await queue.dead()).toHaveLength(1);
  });
});
