import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { configSchema } from "../core/config.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { createKey, createLogin, revokeKey, signOutEverywhere } from "../store/postgres/access.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { createWorkspace } from "../store/postgres/live.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { buildApp } from "./app.js";
import { Service } from "./service.js";

const { database, folder } = await testDatabase();
await migrateQueue(database);
const vault = vaultOf("a secret for tests that is long enough");
const service = new Service({ database, queue: new GraphileQueue(database), vault, cache: folder });
const app = await buildApp(service);
afterAll(() => app.close());

const WORKSPACE = "garden";
const OWN = { "sec-fetch-site": "same-origin" };

const signIn = (token: string) => app.inject({ method: "POST", url: "/sign-in", headers: OWN, payload: { token } });

const loginOf = (person: string) => createLogin(database, { workspace: WORKSPACE, person, role: "reviewer" });

async function sessionOf(person: string): Promise<Record<string, string>> {
  const signed = await signIn(await loginOf(person));
  return { ...OWN, cookie: String(signed.headers["set-cookie"]).split(";")[0]! };
}

async function keyOf(name: string) {
  const { key, key_id } = await createKey(database, { workspace: WORKSPACE, name, scopes: ["reports:read"], days: 1 });
  return { headers: { authorization: `Bearer ${key}` }, key_id };
}

const me = async (headers: Record<string, string>) => {
  const answer = await app.inject({ url: "/v1/me", headers });
  return [answer.statusCode, answer.json().code];
};

beforeAll(() => createWorkspace(database, WORKSPACE, configSchema.parse({ version: 1, platform: "Test platform" })));

describe("rights that have ended", () => {
  it("are those of a key and of a session whose time is over", async () => {
    const [key, session] = [await keyOf("short"), await sessionOf("ann")];
    await database.rows("update defensible.api_key set expires_at = now() where key_id = $1", [key.key_id]);
    expect(await me(key.headers)).toEqual([401, "unknown_key"]);
    expect(await me(session)).toEqual([200, undefined]);
    await database.rows("update defensible.session set expires_at = now() where workspace_id = $1", [WORKSPACE]);
    expect(await me(session)).toEqual([401, "no_session"]);
  });

  it("are those of a person who was signed out, on every device and with every unused address, and of no one else", async () => {
    const [phone, desk, other] = [await sessionOf("bob"), await sessionOf("bob"), await sessionOf("cyd")];
    const unused = await loginOf("bob");
    expect(await signOutEverywhere(database, WORKSPACE, "bob")).toEqual({ sessions: 2, tokens: 1 });
    for (const session of [phone, desk]) expect(await me(session)).toEqual([401, "no_session"]);
    expect((await signIn(unused)).statusCode).toBe(401);
    expect(await me(other)).toEqual([200, undefined]);
  });

  it("are no one else's: no two keys work under one name, and no person is named like a key", async () => {
    const made = await Promise.allSettled([keyOf("bot"), keyOf("bot"), keyOf("bot")]);
    expect(made.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    const { value: key } = made.find((one) => one.status === "fulfilled")!;
    await expect(keyOf("bot")).rejects.toMatchObject({ code: "key_name_taken" });
    await revokeKey(database, WORKSPACE, key.key_id);
    const next = await keyOf("bot");
    await database.rows("update defensible.api_key set expires_at = now() where key_id = $1", [next.key_id]);
    await keyOf("bot");
    await expect(loginOf("key bot")).rejects.toMatchObject({ code: "bad_person" });
    await loginOf("keyes");
  });

  it("are refused to guesses, which count like any other request without a valid key", async () => {
    const limited = await buildApp(service, { perMinute: 20 });
    const { headers } = await keyOf("known");
    await limited.inject({ url: "/v1/me", headers });
    const guess = { authorization: `${headers.authorization.slice(0, -4)}AAAA` };
    const answers: number[] = [];
    for (let i = 0; i < 25; i++) answers.push((await limited.inject({ url: "/v1/me", headers: guess })).statusCode);
    expect([answers[0], answers.at(-1)]).toEqual([401, 429]);
    const nonsense = await limited.inject({ url: "/v1/me", headers: { authorization: "Bearer nonsense" } });
    expect(nonsense.statusCode).toBe(429);
    expect((await limited.inject({ url: "/v1/me", headers })).statusCode).toBe(200);
    await limited.close();
  });

  it("end streams of events that are open", async () => {
    await app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = app.server.address() as { port: number };
    vi.useFakeTimers({ toFake: ["setInterval"] });
    try {
      const [key, session] = [await keyOf("stream"), await sessionOf("dan")];
      const read = async (headers: Record<string, string>) => {
        const answer = await fetch(`http://127.0.0.1:${port}/v1/events`, { headers });
        expect(answer.status).toBe(200);
        return answer.text();
      };
      const streams = [read(key.headers), read(session)];
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
      await revokeKey(database, WORKSPACE, key.key_id);
      await signOutEverywhere(database, WORKSPACE, "dan");
      vi.advanceTimersByTime(15_000);
      for (const text of await Promise.all(streams)) expect(text).not.toContain("still here");
    } finally {
      vi.useRealTimers();
    }
  });
});
