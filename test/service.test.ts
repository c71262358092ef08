import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { configSchema } from "../src/core/config.js";
import type { Decision } from "../src/core/records/decision.js";
import { GraphileQueue, migrateQueue } from "../src/queue/graphile-queue.js";
import { auditJobs } from "../src/server/audit-jobs.js";
import { Service } from "../src/server/service.js";
import { createRng } from "../src/stats/random/create-rng.js";
import { testDatabase } from "../src/store/postgres/database.suite.js";
import { createWorkspace } from "../src/store/postgres/live.js";
import { vaultOf } from "../src/store/postgres/secrets.js";
import { planAnswer, startFakeServer, traceText } from "./fake-models/index.js";
import { CLI } from "./support/cli.js";

const KEY = "sk-test-right-key-0123456789";
const SECRET = "a secret for tests";
const { database, url, folder } = await testDatabase();
await migrateQueue(database);
const queue = new GraphileQueue(database);
const service = new Service({ database, queue, vault: vaultOf(SECRET), cache: folder });
const workers = new Set<ChildProcess>();
afterAll(() => {
  for (const worker of workers) worker.kill("SIGKILL");
});

/** `npm run chaos` is ten times as large, and takes many minutes. */
const SIZE =
  process.env.CHAOS === "full"
    ? { jobs: 3000, kills: 100, freezes: 35, ms: 3_000_000 }
    : { jobs: 300, kills: 10, freezes: 3, ms: 200_000 };
const LEASE = 2;
const CONCURRENCY = 2;

function startWorker(): ChildProcess {
  const args = [CLI, "worker", "--database", url, "--lease", String(LEASE), "--concurrency", String(CONCURRENCY)];
  const worker = spawn(process.execPath, args, {
    stdio: "ignore",
    env: { ...process.env, DEFENSIBLE_SECRET: SECRET, OPENAI_API_KEY: KEY },
  });
  workers.add(worker);
  worker.once("exit", () => workers.delete(worker));
  return worker;
}

async function count(text: string, workspace: string): Promise<number> {
  const [row] = await database.rows<{ n: number }>(text, [workspace]);
  return row!.n;
}

describe("workers that are killed and frozen", () => {
  it("audit each decision once, and pay for no more than was in flight", { timeout: SIZE.ms + 40_000 }, async () => {
    const answer = await planAnswer(traceText());
    let [calls, probes] = [0, 0];
    const model = await startFakeServer({
      dialect: "openai",
      key: KEY,
      answer: async ({ user }) => {
        if (/Post \d+/.test(user)) calls++;
        else probes++;
        await delay(30);
        return answer;
      },
    });
    const workspace = "chaos";
    const { jobs } = SIZE;
    const config = {
      version: 1,
      auditor: "openai-compatible:gpt-4.1-mini",
      base_url: model.baseUrl,
      dialect: "openai",
      // More than is needed: what matters is that nothing is paid for without being counted.
      usd_per_day: 1000,
    };
    await createWorkspace(database, workspace, configSchema.parse(config));
    const { imports, records } = await service.context(workspace);
    await imports.addRules({ scope: "platform", version: "1", rules: [{ id: "1", title: "No advertising" }] }, null);
    const decisions = Array.from({ length: jobs }, (_, i): Decision => {
      return { id: `d${i}`, community: "garden", content: `Post ${i}`, decision: "remove" };
    });
    await records.addDecisions(decisions);
    await queue.add(decisions.flatMap(({ id }) => auditJobs(workspace, [id])));

    const done = () => count("select count(*) as n from defensible.audit where workspace_id = $1", workspace);
    const rng = createRng(17);
    const running = [startWorker(), startWorker()];
    let [kills, freezes] = [0, 0];
    for (const until = Date.now() + SIZE.ms; (await done()) < jobs && Date.now() < until; ) {
      const at = rng.int(running.length);
      const victim = running[at]!;
      // After a number of results that is drawn, not after a time.
      const wanted = Math.min(jobs, (await done()) + 5 + rng.int(30));
      while ((await done()) < wanted && Date.now() < until) await delay(20);
      if (kills + freezes < SIZE.kills + SIZE.freezes && victim.exitCode === null) {
        if (freezes < SIZE.freezes && (kills === SIZE.kills || rng.int(3) === 0)) {
          freezes++;
          victim.kill("SIGSTOP");
          setTimeout(() => victim.kill("SIGCONT"), 1.5 * LEASE * 1000);
        } else {
          kills++;
          victim.kill("SIGKILL");
          running[at] = startWorker();
        }
      }
    }
    for (const worker of running) {
      worker.kill("SIGTERM");
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, "exit");
    }
    await model.close();
    expect(kills + freezes).toBeGreaterThanOrEqual(0.6 * (SIZE.kills + SIZE.freezes));
    expect(await done()).toBe(jobs);
    expect(
      await count("select count(distinct decision_id) as n from defensible.audit where workspace_id = $1", workspace),
    ).toBe(jobs);
    const counted = await count(
      `select (select coalesce(sum(calls), 0)::bigint from defensible.spend where workspace_id = $1)
            + (select count(*) from defensible.reservation where workspace_id = $1)::bigint as n`,
      workspace,
    );
    console.log(`${counted} calls counted for the budget`);
    expect(counted).toBeGreaterThanOrEqual(calls);
    console.log(`${jobs} jobs, ${kills} kills, ${freezes} freezes: ${await done()} results, ${calls} answers paid`);
    // What was in flight when a process was stopped.
    expect(calls).toBeLessThanOrEqual(jobs + (kills + freezes) * CONCURRENCY);
    // One for each process, and one more for those that made the workspace's first audits: with them the key of what audits read is made.
    expect(probes).toBeLessThanOrEqual(kills + 2 + 2);
  });
});
