import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { configSchema } from "../core/config.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { createKey } from "../store/postgres/access.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { createWorkspace } from "../store/postgres/live.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { buildApp } from "./app.js";
import { answerLines } from "./lines.js";
import { Service } from "./service.js";

const LATE = 400;

const { database, folder } = await testDatabase();
await migrateQueue(database);
const vault = vaultOf("a secret for tests that is long enough");
const service = new Service({ database, queue: new GraphileQueue(database), vault, cache: folder });
const app = await buildApp(service, { bodyMs: LATE });
await app.listen({ host: "127.0.0.1", port: 0 });
await createWorkspace(database, "streams", configSchema.parse({ version: 1 }));
const { key } = await createKey(database, {
  workspace: "streams",
  name: "sender",
  scopes: ["decisions:write", "route:ask"],
});
afterAll(() => app.close());

const decision = (id: string) => ({ id, community: "garden", content: `A mower, ${id}`, decision: "remove" });

/** A request whose body is sent piece by piece. */
function sending(path: string, type: string) {
  const { port } = app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${key}`, "content-type": type };
  const call = request({ host: "127.0.0.1", port, path, method: "POST", headers });
  let text = "";
  const ended = new Promise<string>((resolve) => {
    call.on("response", (answer) => {
      answer.on("data", (part: Buffer) => {
        text += part;
      });
      answer.on("end", () => resolve("answered")).on("error", () => resolve("cut"));
    });
    call.on("error", () => resolve("cut"));
  });
  return { call, ended, answered: () => text.split("\n").filter(Boolean).length };
}

describe("a stream of JSON lines", () => {
  it("lives while bytes come, however long it takes, and what has come is kept and answered soon", async () => {
    const { call, ended, answered } = sending("/v1/decisions", "application/x-ndjson");
    for (let i = 0; i < 15; i++) {
      call.write(`${JSON.stringify(decision(`slow ${i}`))}\n`);
      await delay(LATE / 4);
    }
    await expect.poll(answered, { timeout: 5000, interval: 20 }).toBeGreaterThan(5);
    // Before it ends.
    const [kept] = await database.rows<{ n: number }>(
      "select count(*)::integer as n from defensible.record where workspace_id = 'streams'",
    );
    expect(kept!.n).toBeGreaterThan(5);
    call.end(JSON.stringify(decision("last")));
    expect([await ended, answered()]).toEqual(["answered", 16]);
  });

  it("is cut when it is silent, and so is another body that comes slowly", async () => {
    const silent = sending("/v1/decisions", "application/x-ndjson");
    silent.call.write(`${JSON.stringify(decision("silent"))}\n`);
    expect(await silent.ended).toBe("cut");
    const slow = sending("/v1/decisions", "application/json");
    const drip = setInterval(() => slow.call.write(" "), LATE / 8);
    expect(await slow.ended).toBe("cut");
    clearInterval(drip);
  });

  it("ends when its answers are read no more, although its own lines have stopped", async () => {
    const input = new Readable({ read() {} });
    input.push('{"a":1}\n');
    const answers = answerLines(input, { most: 10 }, async (values) => values.map(() => "ok"));
    expect((await answers.next()).value).toBe("ok\n");
    await answers.return(undefined);
    expect(input.destroyed).toBe(true);
  });
});
