import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { configSchema } from "../src/core/config.js";
import { migrateAll } from "../src/server/serve.js";
import { createRng } from "../src/stats/random/create-rng.js";
import { createKey } from "../src/store/postgres/access.js";
import { Database } from "../src/store/postgres/database.js";
import { type EmbeddedDatabase, embeddedDatabase } from "../src/store/postgres/embedded.js";
import { createWorkspace, verifyRouteLog } from "../src/store/postgres/live.js";
import { CLI } from "./support/cli.js";

/** `npm run chaos` kills ten times as often. */
const KILLS = process.env.CHAOS === "full" ? 20 : 2;
/** Answers between two kills, at least and at most. */
const [LEAST, MOST] = [30, 150];
const CLIENTS = 12;
/** Longer than any recovery. */
const WAIT_MS = 120_000;
const WORKSPACE = "killed";
const SECRET = "a secret for tests";

const folder = mkdtempSync(join(tmpdir(), "defensible-kills-"));
// With disk sync, as in production.
let server: EmbeddedDatabase = await embeddedDatabase(folder);
const database = new Database(server.url);
await migrateAll(database);
await createWorkspace(database, WORKSPACE, configSchema.parse({ version: 1, auditor: "baseline" }));
const keyOf = async (...scopes: string[]) =>
  (await createKey(database, { workspace: WORKSPACE, name: scopes[0]!, scopes })).key;
const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" });

interface Node {
  child: ChildProcess;
  address: string;
}

async function startNode(): Promise<Node> {
  const child = spawn(process.execPath, [CLI, "serve", "--database", server.url, "--port", "0", "--no-worker"], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, DEFENSIBLE_SECRET: SECRET },
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /Listening on (\S+)/.exec(line) ?? [];
    if (address) {
      child.stdout.resume();
      return { child, address };
    }
  }
  throw new Error("the service did not start");
}

/** PostgreSQL with every process of its own, at once. */
async function killDatabase(): Promise<void> {
  const parentOf = (pid: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")[1]);
    } catch {
      return null;
    }
  };
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === server.pid);
  for (const pid of [server.pid, ...children.map(Number)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
  // A killed server is gone when its process is; one that is asked too early is taken for running.
  while (parentOf(String(server.pid)) !== null) await delay(20);
  server = await embeddedDatabase(folder);
}

describe.runIf(process.platform === "linux")(
  "the API and PostgreSQL, killed after numbers of answers that are drawn",
  () => {
    let node: Node;
    let ended = false;
    afterAll(async () => {
      ended = true;
      node?.child.kill("SIGKILL");
      await database.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it("have every answer in the log, lose no decision and no job, and give no item to two reviewers", {
      timeout: 1_500_000,
    }, async () => {
      node = await startNode();
      const [ask, review] = [
        headersOf(await keyOf("route:ask")),
        headersOf(await keyOf("reviews:write", "reviews:read")),
      ];
      const answered = new Map<string, string>();
      const claims: { item_id: number; claim: string }[] = [];
      let [asked, failed] = [0, 0];
      const post = async (path: string, headers: Record<string, string>, body: object) => {
        const answer = await fetch(`${node.address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
        if (answer.status !== 200) throw new Error(String(answer.status));
        return (await answer.json()) as { route: string; items: { item_id: number; claim: string }[] };
      };
      const client = async () => {
        while (!ended) {
          const id = `d${asked++}`;
          const body = { id, community: "garden", content: `Post ${id}`, decision: "remove" };
          try {
            answered.set(id, (await post("/v1/route", ask, body)).route);
          } catch {
            failed++;
            await delay(30);
          }
        }
      };
      const reviewer = async () => {
        while (!ended) {
          // What waits for its audit is held back for a minute.
          await database
            .rows(
              "update defensible.review_item set hold_until = null where workspace_id = $1 and hold_until is not null",
              [WORKSPACE],
            )
            .then(() => post("/v1/queue/claim", review, { n: 3 }))
            .then(({ items }) => claims.push(...items))
            .catch(() => delay(30));
        }
      };
      const working = [...Array.from({ length: CLIENTS }, client), reviewer(), reviewer()];
      const answers = async (wanted: number) => {
        for (const until = Date.now() + WAIT_MS; answered.size < wanted; await delay(5)) {
          expect(node.child.exitCode, "the API ended by itself").toBeNull();
          expect(Date.now(), "no answers").toBeLessThan(until);
        }
      };
      const rng = createRng(23);
      for (let kill = 0; kill < 2 * KILLS; kill++) {
        const wanted = answered.size + LEAST + rng.int(MOST - LEAST);
        await answers(wanted);
        if (kill % 2 === 0) {
          node.child.kill("SIGKILL");
          await once(node.child, "exit");
          node = await startNode();
        } else await killDatabase();
      }
      const last = answered.size + LEAST;
      await answers(last);
      ended = true;
      await Promise.all(working);

      const logged = await database.rows<{ decision_id: string; route: string }>(
        "select decision_id, line->>'route' as route from defensible.route_log where workspace_id = $1",
        [WORKSPACE],
      );
      const routes = new Map(logged.map(({ decision_id, route }) => [decision_id, route]));
      expect([...answered].filter(([id, route]) => routes.get(id) !== route)).toEqual([]);
      const { faults, lines } = await verifyRouteLog(database, WORKSPACE);
      expect(faults).toEqual([]);
      const [kept] = await database.rows<{ n: number; jobs: number }>(
        `select (select count(*) from defensible.record where workspace_id = $1 and kind = 'decisions') as n,
              (select count(distinct decision) from graphile_worker._private_jobs, json_array_elements_text(payload->'ids') as one(decision)) as jobs`,
        [WORKSPACE],
      );
      expect(kept).toEqual({ n: routes.size, jobs: routes.size });
      expect(claims.length).toBeGreaterThan(0);
      expect(new Set(claims.map(({ item_id }) => item_id)).size).toBe(claims.length);
      console.log(
        `${KILLS} kills of the API, ${KILLS} of PostgreSQL: ${answered.size} answers, all among ${lines} lines; ${failed} requests failed; ${claims.length} items claimed once each`,
      );
    });
  },
);
