import { randomUUID } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { configSchema } from "../core/config.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { testDatabase } from "../store/postgres/database.suite.js";
import { createWorkspace } from "../store/postgres/live.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { buildApp } from "./app.js";
import { oidcSettings } from "./oidc.js";
import { Service } from "./service.js";

// A certified provider that goes by the letter of the standard: groups and email are told by its userinfo endpoint alone, and only for their scopes.
const PROVIDER: string = "oidc-provider";
const { default: Provider } = await import(PROVIDER);

const PUBLIC_URL = "https://defensible.example";
const GROUPS: Record<string, string[]> = { ann: ["mods"], zoe: ["leads", "mods"], eve: ["others"] };

const server = createServer((request, response) => listener(request, response));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = { redirect_uris: [`${PUBLIC_URL}/sign-in/callback`], response_types: ["code"] };
const provider = new Provider(issuer, {
  clients: [
    {
      ...client,
      client_id: "confidential",
      client_secret: "a secret: of the client",
      grant_types: ["authorization_code"],
    },
    { ...client, client_id: "public", token_endpoint_auth_method: "none", grant_types: ["authorization_code"] },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], groups: ["groups"] },
  scopes: ["openid", "email", "profile", "groups"],
  cookies: { keys: ["a key for tests"] },
  findAccount: (_: unknown, id: string) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@example.org`, email_verified: id !== "zoe", groups: GROUPS[id] }),
  }),
});
const listener: RequestListener = provider.callback();

const { database, folder } = await testDatabase();
await migrateQueue(database);
const vault = vaultOf("a secret for tests");
const service = new Service({ database, queue: new GraphileQueue(database), vault, cache: folder });
const workspace = `w-${randomUUID()}`;
await createWorkspace(database, workspace, configSchema.parse({ version: 1 }));
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const cookiesOf = (all: readonly string[]) => all.map((one) => one.split(";")[0]!);

/** Signs in as a browser does: through the provider's own pages for name and consent. */
async function signIn(person: string, settings: NodeJS.ProcessEnv) {
  const env = {
    DEFENSIBLE_OIDC_ISSUER: issuer,
    DEFENSIBLE_OIDC_ROLES: `mods=${workspace}:reviewer,leads=${workspace}:admin`,
    ...settings,
  };
  const app = await buildApp(service, { oidc: oidcSettings(env, PUBLIC_URL), publicUrl: PUBLIC_URL });
  try {
    const left = await app.inject({ url: "/sign-in" });
    const [flow] = cookiesOf([left.headers["set-cookie"]].flat().map(String));
    const jar = new Map<string, string>();
    let [url, form] = [String(left.headers.location), null as URLSearchParams | null];
    for (let step = 0; !url.startsWith(PUBLIC_URL); step++) {
      if (step > 12) throw new Error(`the provider goes round in circles at ${url}`);
      const cookie = [...jar.values()].join("; ");
      const answer = await fetch(url, {
        redirect: "manual",
        headers: { cookie },
        ...(form && { method: "POST", body: form }),
      });
      for (const one of cookiesOf(answer.headers.getSetCookie())) jar.set(one.split("=")[0]!, one);
      form = null;
      const text = await answer.text();
      const to = answer.headers.get("location");
      if (to !== null) url = new URL(to, url).href;
      else {
        const [, action] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
        if (!action) throw new Error(`${answer.status}: ${text.slice(0, 300)}`);
        const [, prompt = ""] = /name="prompt" value="(\w+)"/.exec(text) ?? [];
        form = new URLSearchParams(prompt === "login" ? { prompt, login: person, password: "x" } : { prompt });
        url = new URL(action, url).href;
      }
    }
    const back = new URL(url);
    const arrived = await app.inject({ url: `${back.pathname}${back.search}`, headers: { cookie: flow! } });
    const [session] = await database.rows<{ person: string; role: string }>(
      "select person, role from defensible.session where workspace_id = $1 order by created_at desc limit 1",
      [workspace],
    );
    return { status: arrived.statusCode, body: arrived.body, session };
  } finally {
    await app.close();
  }
}

describe("signing in at a certified provider", () => {
  const GROUPS_TOO = { DEFENSIBLE_OIDC_SCOPE: "openid email groups" };
  const CONFIDENTIAL = {
    DEFENSIBLE_OIDC_CLIENT_ID: "confidential",
    DEFENSIBLE_OIDC_CLIENT_SECRET: "a secret: of the client",
  };

  it("asks for the person's groups where the identity does not name them", async () => {
    const { status, session } = await signIn("ann", { ...CONFIDENTIAL, ...GROUPS_TOO });
    expect([status, session]).toEqual([302, { person: "ann@example.org", role: "reviewer" }]);
  });

  it("works without a secret, and calls a person without a verified address by the provider's id", async () => {
    const { status, session } = await signIn("zoe", { DEFENSIBLE_OIDC_CLIENT_ID: "public", ...GROUPS_TOO });
    expect([status, session]).toEqual([302, { person: "zoe", role: "admin" }]);
  });

  it("gives no role for other groups, for groups that were not asked for, or with a wrong secret", async () => {
    expect(await signIn("eve", { ...CONFIDENTIAL, ...GROUPS_TOO })).toMatchObject({ status: 403 });
    expect(await signIn("ann", CONFIDENTIAL)).toMatchObject({
      status: 403,
      body: expect.stringContaining("does not name your groups"),
    });
    const wrong = { ...CONFIDENTIAL, DEFENSIBLE_OIDC_CLIENT_SECRET: "another" };
    expect(await signIn("ann", { ...wrong, ...GROUPS_TOO })).toMatchObject({ status: 403 });
  });
});
