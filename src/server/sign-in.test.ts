import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
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
import { ownPath } from "./sign-in.js";

const CLIENT = { id: "defensible", secret: "a secret: of the client" };

/** A small OpenID provider. What it does wrong is chosen by the test. */
class Provider {
  readonly rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  readonly ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly foreign = generateKeyPairSync("rsa", { modulusLength: 2048 });
  readonly weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
  issuer = "";
  claims: Record<string, unknown> = {};
  header: Record<string, unknown> = { alg: "RS256", kid: "rsa" };
  key: KeyObject = this.rsa.privateKey;
  /** The HMAC of a token that claims to be symmetric. */
  hmac: Buffer | null = null;
  metadata: Record<string, unknown> = {};
  /** What the token endpoint gives besides the identity, and what the userinfo endpoint answers. */
  tokens: Record<string, unknown> = {};
  userinfo: [number, unknown, Record<string, string>?] = [200, {}];
  infoAsked: string[] = [];
  keysAsked = 0;
  private readonly codes = new Map<string, URLSearchParams>();
  private readonly server = createServer((request, response) => {
    this.answer(request).then(
      ([status, body, headers = {}]) =>
        response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body)),
      (cause: Error) => response.writeHead(500).end(cause.message),
    );
  });

  async start() {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.issuer = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop = () => {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  };

  private async answer(request: IncomingMessage): Promise<[number, unknown, Record<string, string>?]> {
    const url = new URL(request.url!, this.issuer);
    if (url.pathname === "/.well-known/openid-configuration") {
      const at = (path: string) => `${this.issuer}${path}`;
      const endpoints = {
        authorization_endpoint: at("/authorize"),
        token_endpoint: at("/token"),
        jwks_uri: at("/keys"),
      };
      return [200, { issuer: this.issuer, ...endpoints, ...this.metadata }];
    }
    if (url.pathname === "/keys") {
      this.keysAsked++;
      const jwk = (kid: string, { publicKey }: { publicKey: KeyObject }) => ({
        ...publicKey.export({ format: "jwk" }),
        kid,
        use: "sig",
      });
      return [200, { keys: [jwk("rsa", this.rsa), jwk("ec", this.ec), jwk("weak", this.weak)] }];
    }
    if (url.pathname === "/authorize") {
      const code = randomUUID();
      this.codes.set(code, url.searchParams);
      const back = new URL(url.searchParams.get("redirect_uri")!);
      back.searchParams.set("code", code);
      back.searchParams.set("state", url.searchParams.get("state")!);
      return [302, {}, { location: back.href }];
    }
    if (url.pathname === "/userinfo") {
      this.infoAsked.push(request.headers.authorization ?? "");
      return this.userinfo;
    }
    let body = "";
    for await (const piece of request) body += piece;
    const form = new URLSearchParams(body);
    const asked = this.codes.get(form.get("code")!);
    this.codes.delete(form.get("code")!);
    const pair = `${encodeURIComponent(CLIENT.id)}:${encodeURIComponent(CLIENT.secret)}`;
    const known = request.headers.authorization === `Basic ${Buffer.from(pair).toString("base64")}`;
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (
      !asked ||
      !known ||
      asked.get("code_challenge") !== challenge ||
      asked.get("code_challenge_method") !== "S256"
    ) {
      return [400, { error: "invalid_grant" }];
    }
    return [200, { id_token: this.token(asked.get("nonce")!), ...this.tokens }];
  }

  private token(nonce: string): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...{ iss: this.issuer, aud: CLIENT.id, sub: "u1", iat: now, exp: now + 300, nonce },
      ...{ email: "ann@example.org", email_verified: true, groups: ["mods"] },
      ...this.claims,
    };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signed = `${part(this.header)}.${part(claims)}`;
    if (this.header.alg === "none") return `${signed}.`;
    if (this.hmac) return `${signed}.${createHmac("sha256", this.hmac).update(signed).digest("base64url")}`;
    const proof = sign("sha256", Buffer.from(signed), { key: this.key, dsaEncoding: "ieee-p1363" });
    return `${signed}.${proof.toString("base64url")}`;
  }
}

const provider = new Provider();
await provider.start();
const { database, folder } = await testDatabase();
await migrateQueue(database);
const vault = vaultOf("a secret for tests");
const service = new Service({ database, queue: new GraphileQueue(database), vault, cache: folder });
const workspace = `w-${randomUUID()}`;
await createWorkspace(database, workspace, configSchema.parse({ version: 1 }));
const env = {
  DEFENSIBLE_OIDC_ISSUER: provider.issuer,
  DEFENSIBLE_OIDC_CLIENT_ID: CLIENT.id,
  DEFENSIBLE_OIDC_CLIENT_SECRET: CLIENT.secret,
  DEFENSIBLE_OIDC_ROLES: `mods=${workspace}:reviewer,leads=${workspace}:admin`,
};
const publicUrl = "https://defensible.example";
const lines: string[] = [];
const build = () =>
  buildApp(service, { oidc: oidcSettings(env, publicUrl), publicUrl, log: { write: (line) => void lines.push(line) } });
const app = await build();
afterAll(async () => {
  await app.close();
  await provider.stop();
});

const cookieOf = (headers: Record<string, unknown>, name: string) =>
  [headers["set-cookie"]].flat().find((one) => String(one).startsWith(`${name}=`)) as string | undefined;

/** Signs in as a browser does. `change`: what happens to the way back. */
async function signIn({ to = "/", change = (_: URL) => {}, on = app } = {}) {
  const left = await on.inject({ url: `/sign-in?to=${encodeURIComponent(to)}` });
  if (left.statusCode !== 302) return left;
  const flow = cookieOf(left.headers, "__Host-defensible_sign_in")!.split(";")[0]!;
  const sent = await fetch(String(left.headers.location), { redirect: "manual" });
  const back = new URL(sent.headers.get("location")!);
  change(back);
  return on.inject({ url: `${back.pathname}${back.search}`, headers: { cookie: flow } });
}

describe("signing in at a provider", () => {
  it("goes by the code flow with PKCE and gives a session with the role of the person's group", async () => {
    const back = await signIn({ to: "/v1/gate?x=1" });
    expect([back.statusCode, back.headers.location]).toEqual([302, "/v1/gate?x=1"]);
    const set = cookieOf(back.headers, "__Host-defensible_session")!;
    for (const word of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) expect(set).toContain(word);
    expect(set).toContain("Max-Age=3600");
    const [{ minutes }] = (await database.rows<{ minutes: number }>(
      "select extract(epoch from expires_at - now())::integer / 60 as minutes from defensible.session where workspace_id = $1",
      [workspace],
    )) as [{ minutes: number }];
    expect(minutes).toBeGreaterThan(57);
    expect(minutes).toBeLessThanOrEqual(60);
    const headers = { cookie: set.split(";")[0]! };
    expect((await app.inject({ url: "/v1/queue", headers })).statusCode).toBe(200);
    expect((await app.inject({ url: "/v1/keys", headers })).statusCode).toBe(403);
    const sites = { cross: "cross-site", same: "same-site", own: "same-origin" };
    const out = (site: string) =>
      app.inject({ method: "POST", url: "/sign-out", headers: { ...headers, "sec-fetch-site": site } });
    expect((await out(sites.cross)).statusCode).toBe(403);
    expect((await out(sites.same)).statusCode).toBe(403);
    expect((await app.inject({ url: "/v1/queue", headers })).statusCode).toBe(200);
    expect((await out(sites.own)).statusCode).toBe(200);
    expect((await app.inject({ url: "/v1/queue", headers })).statusCode).toBe(401);
    const [activity] = await database.rows<{ actor: string; action: string }>(
      "select actor, action from defensible.activity where workspace_id = $1",
      [workspace],
    );
    expect(activity).toEqual({ actor: "ann@example.org", action: "person.sign_in" });
  });

  it("takes ES256, a list of audiences with azp, and a clock that is a little off", async () => {
    provider.header = { alg: "ES256", kid: "ec" };
    provider.key = provider.ec.privateKey;
    expect((await signIn()).statusCode).toBe(302);
    provider.header = { alg: "RS256", kid: "rsa" };
    provider.key = provider.rsa.privateKey;
    const now = Math.floor(Date.now() / 1000);
    provider.claims = { aud: [CLIENT.id, "other"], azp: CLIENT.id, iat: now + 30, exp: now - 30 };
    expect((await signIn()).statusCode).toBe(302);
    provider.claims = {};
  });

  it("refuses every identity that is not exactly right", async () => {
    const now = Math.floor(Date.now() / 1000);
    const pem = Buffer.from(provider.rsa.publicKey.export({ type: "spki", format: "pem" }));
    const wrong: [string, Partial<Pick<Provider, "claims" | "header" | "key" | "hmac">>][] = [
      ["another issuer", { claims: { iss: "https://evil.example" } }],
      ["another audience", { claims: { aud: "other" } }],
      ["a list of audiences without azp", { claims: { aud: [CLIENT.id, "other"] } }],
      ["issued to another", { claims: { azp: "other" } }],
      ["expired", { claims: { exp: now - 120 } }],
      ["without an end", { claims: { exp: undefined } }],
      ["from the future", { claims: { iat: now + 600 } }],
      ["not yet valid", { claims: { nbf: now + 600 } }],
      ["another nonce", { claims: { nonce: "n" } }],
      ["unsigned", { header: { alg: "none" } }],
      ["signed by the public key as a password", { header: { alg: "HS256", kid: "rsa" }, hmac: pem }],
      ["signed by another key", { key: provider.foreign.privateKey }],
      ["signed by a key of another kind", { header: { alg: "ES256", kid: "rsa" } }],
      ["signed by a short key", { header: { alg: "RS256", kid: "weak" }, key: provider.weak.privateKey }],
      ["signed by an unknown key", { header: { alg: "RS256", kid: "gone" } }],
      ["with a demand", { header: { alg: "RS256", kid: "rsa", crit: ["x"] } }],
      ["without a subject", { claims: { sub: undefined } }],
      ["with an empty subject", { claims: { sub: "" } }],
      ["of no group", { claims: { groups: ["others"] } }],
      ["without groups", { claims: { groups: undefined } }],
    ];
    const right = { claims: {}, header: { alg: "RS256", kid: "rsa" }, key: provider.rsa.privateKey, hmac: null };
    for (const [name, parts] of wrong) {
      Object.assign(provider, right, parts);
      const back = await signIn();
      expect(back.statusCode, name).toBe(403);
      expect(cookieOf(back.headers, "__Host-defensible_session"), name).toBeUndefined();
    }
    Object.assign(provider, right);
    // A key that is not known is looked for again, but not with each try.
    expect(provider.keysAsked).toBeLessThan(4);
    expect((await signIn()).statusCode).toBe(302);
  });

  it("refuses another state, a code that was used, a flow of another browser, an error and another issuer's answer", async () => {
    expect((await signIn({ change: (url) => url.searchParams.set("state", "x") })).statusCode).toBe(403);
    expect((await signIn({ change: (url) => url.searchParams.set("code", "x") })).statusCode).toBe(403);
    expect((await signIn({ change: (url) => url.searchParams.set("iss", "https://evil.example") })).statusCode).toBe(
      403,
    );
    const denied = await signIn({
      change: (url) => {
        url.searchParams.delete("code");
        url.searchParams.set("error_description", "<script>");
      },
    });
    expect([denied.statusCode, denied.body.includes("script")]).toEqual([403, false]);
    expect((await app.inject({ url: "/sign-in/callback?code=a&state=b" })).statusCode).toBe(403);
    const cookie = "__Host-defensible_sign_in=AAAA";
    expect((await app.inject({ url: "/sign-in/callback?code=a&state=b", headers: { cookie } })).statusCode).toBe(403);
  });

  it("takes no sign-in that a neighbouring site has planted", async () => {
    const left = await app.inject({ url: "/sign-in" });
    const own = cookieOf(left.headers, "__Host-defensible_sign_in")!.split(";")[0]!;
    const sent = await fetch(String(left.headers.location), { redirect: "manual" });
    const { pathname, search } = new URL(sent.headers.get("location")!);
    const planted = await app.inject({
      url: `${pathname}${search}`,
      headers: { cookie: own.replace("__Host-", "") },
    });
    expect([planted.statusCode, cookieOf(planted.headers, "__Host-defensible_session")]).toEqual([403, undefined]);
  });

  it("refuses a provider that names another issuer or unencrypted endpoints", async () => {
    for (const metadata of [{ issuer: "https://evil.example" }, { token_endpoint: "http://evil.example/token" }]) {
      provider.metadata = metadata;
      const fresh = await build();
      expect((await signIn({ on: fresh })).statusCode).toBe(503);
      await fresh.close();
    }
    provider.metadata = {};
    expect(() => oidcSettings({ ...env, DEFENSIBLE_OIDC_ISSUER: "http://evil.example" }, publicUrl)).toThrow("https");
    expect(() => oidcSettings({ ...env, DEFENSIBLE_OIDC_ROLES: "a=b:king" }, publicUrl)).toThrow("roles are");
    expect(() => oidcSettings({ ...env, DEFENSIBLE_OIDC_SCOPE: "groups" }, publicUrl)).toThrow("with openid");
    expect(oidcSettings({}, publicUrl)).toBeNull();
    expect(oidcSettings({ ...env, DEFENSIBLE_OIDC_SESSION_MINUTES: "15" }, publicUrl)!.sessionMinutes).toBe(15);
    for (const minutes of ["0", "x", "1.5", "1441"]) {
      expect(() => oidcSettings({ ...env, DEFENSIBLE_OIDC_SESSION_MINUTES: minutes }, publicUrl)).toThrow("1 to 1440");
    }
  });

  it("believes of userinfo only an answer about the same person, and an email only from what verified it", async () => {
    provider.metadata = { userinfo_endpoint: `${provider.issuer}/userinfo` };
    const fresh = await build();
    const person = async () => {
      const [row] = await database.rows<{ person: string }>(
        "select person from defensible.session where workspace_id = $1 order by created_at desc limit 1",
        [workspace],
      );
      return row!.person;
    };
    const info = (claims: object): [number, unknown] => [200, { sub: "u1", groups: ["mods"], ...claims }];
    const mine = { email: "me@example.org", email_verified: true };
    provider.claims = { groups: undefined, email: undefined, email_verified: undefined };
    // Without an access token there is nothing to ask with.
    expect((await signIn({ on: fresh })).statusCode).toBe(403);
    provider.tokens = { access_token: 7 };
    expect((await signIn({ on: fresh })).statusCode).toBe(403);
    expect(provider.infoAsked).toEqual([]);
    provider.tokens = { access_token: "a token" };
    provider.userinfo = info(mine);
    expect([(await signIn({ on: fresh })).statusCode, await person()]).toEqual([302, "me@example.org"]);
    expect(provider.infoAsked).toEqual(["Bearer a token"]);
    const wrong: [number, unknown, Record<string, string>?][] = [
      info({ ...mine, sub: "u2" }),
      info({ ...mine, sub: undefined }),
      [302, {}, { location: `${provider.issuer}/keys` }],
      info({ ...mine, more: "x".repeat(70_000) }),
      [200, "eyJhbGciOiJub25lIn0.e30."],
      [200, ["u1"]],
      [500, {}],
    ];
    for (const answer of wrong) {
      provider.userinfo = answer;
      expect([403, 503]).toContain((await signIn({ on: fresh })).statusCode);
    }
    // The address of the identity is not the one that the other answer verifies.
    provider.claims = { groups: undefined, email: "boss@example.org", email_verified: undefined };
    provider.userinfo = info(mine);
    expect([(await signIn({ on: fresh })).statusCode, await person()]).toEqual([302, "u1"]);
    // A group of the identity counts, and not that of the other answer.
    provider.claims = { groups: ["others"], email: undefined };
    expect((await signIn({ on: fresh })).statusCode).toBe(403);
    Object.assign(provider, { claims: {}, tokens: {}, metadata: {}, userinfo: [200, {}] });
    await fresh.close();
  });

  it("goes back to paths of its own alone", () => {
    for (const to of [
      "//evil.example",
      "/\\evil.example",
      "/.//evil.example",
      "/\t/evil.example",
      "https://evil.example",
      "x",
      1,
    ]) {
      expect(ownPath(to), String(to)).toBe("/");
    }
    expect(ownPath("/v1/gate?a=1#b")).toBe("/v1/gate?a=1#b");
  });

  it("sends a browser without a session to the provider, and a program a problem; every answer has the policy", async () => {
    const page = await app.inject({ url: "/v1/report?a=1", headers: { accept: "text/html,*/*" } });
    expect([page.statusCode, page.headers.location]).toEqual([302, "/sign-in?to=%2Fv1%2Freport%3Fa%3D1"]);
    const program = await app.inject({ url: "/v1/report" });
    expect(program.statusCode).toBe(401);
    expect(program.headers["content-security-policy"]).toContain("default-src 'none'");
    // A cookie without the prefix could have been set by a neighbouring site.
    const cookie = (await signIn()).headers["set-cookie"]!;
    const id = String([cookie].flat().find((one) => one.startsWith("__Host-"))).split(/[=;]/)[1];
    const bare = await app.inject({ url: "/v1/gate", headers: { cookie: `defensible_session=${id}` } });
    expect(bare.statusCode).toBe(401);
  });

  it("writes no token, code or secret into the log", () => {
    expect(lines.join("")).toContain("/sign-in/callback");
    expect(lines.join("")).not.toMatch(/code=|eyJ|secret: of|__Host-/);
  });
});
