import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { Database } from "../store/postgres/database.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { GraphileQueue, migrateQueue } from "./graphile-queue.js";
import { queueContract } from "./queue.suite.js";

const { database, url } = await testDatabase();
await migrateQueue(database);
const queue = new GraphileQueue(database);

queueContract("graphile-worker", {
  queue,
  database,
  /** As if the process of a worker had died with this job in its hands. */
  abandon: (key) =>
    database.rows(
      "update graphile_worker._private_jobs set locked_at = now() - interval '1 hour', locked_by = 'gone', attempts = 1 where key = $1",
      [key],
    ),
});

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const jobsOf = (task: string) =>
  database.rows<{ key: string | null; attempts: number; last_error: string | null; locked: boolean }>(
    `select key, attempts::integer, last_error, locked_at is not null as locked from graphile_worker._private_jobs as jobs
       join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id where tasks.identifier = $1 order by jobs.id`,
    [task],
  );

/** The database by a way that can be cut. */
async function way() {
  const at = new URL(url.replace(/^[^:]+/, "http").replace("@/", "@localhost/"));
  const folder = at.searchParams.get("host");
  const port = Number(at.searchParams.get("port") ?? (at.port || 5432));
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = folder ? dial(`${folder}/.s.PGSQL.${port}`) : dial(port, at.hostname);
    near.pipe(far).pipe(near);
    for (const one of [near, far]) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => [near, far].map((socket) => socket.destroy()));
    }
  });
  let own = 0;
  const open = async () => {
    server.listen(own, "127.0.0.1");
    await once(server, "listening");
    own = (server.address() as AddressInfo).port;
  };
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  await open();
  at.searchParams.delete("host");
  [at.hostname, at.port] = ["127.0.0.1", String(own)];
  const through = new Database(at.href.replace(/^http/, "postgres"));
  ends.push(cut, () => through.close());
  return { through, cut, open };
}

describe("a worker whose database goes away", () => {
  it("notes what became of its jobs when it is back, and goes on by itself", async () => {
    const { through, cut, open } = await way();
    await queue.add(["good", "bad", "later"].map((note) => ({ task: `away_${note}`, payload: {}, attempts: 1 })));
    const ran: string[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const said: string[] = [];
    const tasks = {
      away_good: async () => {
        ran.push("good");
        await held;
      },
      away_bad: async () => {
        ran.push("bad");
        await held;
        throw new Error("out of order");
      },
    };
    const options = { concurrency: 3, pollMs: 20, leaseSeconds: 5, say: (message: string) => void said.push(message) };
    const running = await new GraphileQueue(through).run(tasks, options);
    ends.push(() => running.stop());
    await expect.poll(() => ran.length).toBe(2);
    cut();
    release();
    await wait(300);
    await open();
    await expect.poll(() => jobsOf("away_good"), { timeout: 10_000 }).toEqual([]);
    await expect
      .poll(() => jobsOf("away_bad"), { timeout: 10_000 })
      .toMatchObject([{ attempts: 1, last_error: "out of order", locked: false }]);
    await queue.add([{ task: "away_good", payload: {} }]);
    await expect.poll(() => jobsOf("away_good"), { timeout: 10_000 }).toEqual([]);
    expect(ran.sort()).toEqual(["bad", "good", "good"]);
    expect(said.filter((one) => one.startsWith("Jobs wait for the database: "))).toHaveLength(1);
  });

  it("can be stopped meanwhile", async () => {
    const { through, cut } = await way();
    const running = await new GraphileQueue(through).run({ away: async () => {} }, { concurrency: 2, pollMs: 20 });
    cut();
    await wait(100);
    await running.stop();
  });

  it("runs what it took while its connection broke", async () => {
    const running = await queue.run({ taken: async () => {} }, { concurrency: 1, pollMs: 20, leaseSeconds: 1 });
    ends.push(() => running.stop());
    await queue.add([{ task: "taken", payload: {}, lane: "taken", delay: 3600 }]);
    // The worker knows nothing of it.
    await database.rows(
      `with own as (select worker_ids[1] as name from defensible.worker_lease limit 1),
         lane as (update graphile_worker._private_job_queues set locked_by = (select name from own), locked_at = now() - interval '1 hour'
           where queue_name = 'taken')
       update graphile_worker._private_jobs set locked_by = (select name from own), locked_at = now() - interval '1 hour', run_at = now(),
         attempts = 1 where job_queue_id is not null`,
    );
    expect(await jobsOf("taken")).toMatchObject([{ locked: true }]);
    await expect.poll(() => jobsOf("taken"), { timeout: 10_000 }).toEqual([]);
  });
});

describe("a job that was replaced while it ran", () => {
  it("is over when its worker dies: it is not dead", async () => {
    await queue.add([{ task: "replaced", payload: {}, key: "replaced" }]);
    await database.rows(
      "update graphile_worker._private_jobs set locked_at = now() - interval '1 hour', locked_by = 'gone', attempts = 1 where key = 'replaced'",
    );
    await queue.add([{ task: "replaced", payload: {}, key: "replaced", delay: 3600 }]);
    expect(await jobsOf("replaced")).toMatchObject([
      { key: null, attempts: 8, locked: true },
      { key: "replaced", attempts: 0 },
    ]);
    const running = await queue.run({ other: async () => {} }, { concurrency: 1, pollMs: 20, leaseSeconds: 1 });
    ends.push(() => running.stop());
    await expect.poll(() => jobsOf("replaced"), { timeout: 10_000 }).toMatchObject([{ key: "replaced", attempts: 0 }]);
    expect(await queue.dead()).not.toContainEqual(expect.objectContaining({ task: "replaced" }));
  });
});
