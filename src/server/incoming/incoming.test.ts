import { createHmac, randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { configSchema } from "../../core/config.js";
import { GraphileQueue, migrateQueue } from "../../queue/graphile-queue.js";
import { createKey } from "../../store/postgres/access.js";
import { testDatabase } from "../../store/postgres/database.suite.js";
import { createWorkspace } from "../../store/postgres/live.js";
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
  return { name, headers: { authorization: `Bearer ${key}` } };
}

async function listening(): Promise<{ port: number }> {
  await app.listen({ host: "127.0.0.1", port: 0 });
  return app.server.address() as { port: number };
}

const REPORT = {
  ...{
    id: "9",
    action_taken: true,
    action_taken_at: "2026-05-02T09:00:00.000Z",
    target_account: { id: "2" },
    rules: [],
  },
  statuses: [{ id: "7", content: "<p>Buy my shovel</p>" }],
};

describe("the webhook of a system", () => {
  it("takes what a system signs itself, without a key, and nothing else once it has a secret", async () => {
    const { headers, name } = await workspace(["decisions:write", "admin"]);
    const secret = "the secret of a server";
    const body = JSON.stringify({ event: "report.created", object: REPORT });
    const signature = (text: string, by = secret) => `sha256=${createHmac("sha256", by).update(text).digest("hex")}`;
    const post = (
      more: Record<string, string>,
      payload = body,
      query = `?workspace=${name}&value=resolved%3Dapprove`,
    ) =>
      app.inject({
        ...{ method: "POST" as const, url: `/v1/in/mastodon${query}`, payload },
        headers: { "content-type": "application/json", ...more },
      });
    const signed = { "x-hub-signature": signature(body) };
    const codes = async (...asked: ReturnType<typeof post>[]) =>
      (await Promise.all(asked)).map((answer) => [
        answer.statusCode,
        answer.headers["content-type"],
        answer.json().code,
      ]);
    const denied = (code: string) => [401, "application/problem+json; charset=utf-8", code];
    // Without a secret nobody can sign, and a key is enough.
    expect(await codes(post(signed), post({}), post(headers))).toEqual([
      denied("bad_signature"),
      denied("bad_signature"),
      [200, "application/json; charset=utf-8", undefined],
    ]);
    const set = (payload: object) =>
      app.inject({ method: "PUT", url: "/v1/in/mastodon/secret", headers, payload: { secret, ...payload } });
    expect((await set({ secret: "short" })).json()).toMatchObject({ status: 422, code: "bad_secret" });
    expect((await set({ scopes: ["rules:write"] })).statusCode).toBe(422);
    const kept = (await set({})).json();
    expect(kept).toMatchObject({ signs_in: "x-hub-signature", has_secret: true, unsigned_keys: false });
    const [row] = await database.rows<{ sealed: Buffer }>(
      "select sealed from defensible.secret where workspace_id = $1 and name = 'in mastodon'",
      [name],
    );
    expect(row!.sealed.includes(secret)).toBe(false);
    expect((await post(signed)).json().decisions).toEqual([{ id: "report-9-status-7", status: "duplicate" }]);
    const other = { "x-hub-signature": signature(body, "another secret") };
    const changed = body.replace("Buy", "Sell");
    expect(
      await codes(
        ...[post(other), post({}), post(headers), post({ ...headers, ...other }), post(signed, changed)],
        ...[post(signed, body, ""), post(signed, body, "?workspace=nowhere"), post(other, "[1]")],
      ),
    ).toEqual([
      ...Array.from({ length: 5 }, () => denied("bad_signature")),
      denied("no_key"),
      denied("bad_signature"),
      denied("bad_signature"),
    ]);
    expect((await post({ ...headers, ...signed })).statusCode).toBe(200);
    // A revoked or unknown key is not made good by a signature.
    expect((await post({ ...signed, authorization: "Bearer dfk_unknown" })).statusCode).toBe(401);
    await set({ secret: "its next secret", hours: 1, unsigned_keys: true });
    const next = { "x-hub-signature": signature(body, "its next secret") };
    expect(
      await Promise.all([post(signed), post(next), post(headers)].map(async (one) => (await one).statusCode)),
    ).toEqual([200, 200, 200]);
    await set({ secret: "its third secret" });
    expect([(await post(signed)).statusCode, (await post(next)).statusCode]).toEqual([401, 401]);
    const gone = () => app.inject({ method: "DELETE", url: "/v1/in/mastodon/secret", headers });
    expect([(await gone()).statusCode, (await gone()).statusCode]).toEqual([200, 404]);
    expect((await post(headers)).statusCode).toBe(200);
    const { items } = (await app.inject({ method: "GET", url: "/v1/in", headers })).json();
    expect(items.filter((one: { has_secret: boolean }) => one.has_secret)).toEqual([]);
  });

  it("believes no signature of another body than the one that is read, however the address is written", async () => {
    const { headers, name } = await workspace();
    const secret = "the secret of a server";
    await app.inject({ method: "PUT", url: "/v1/in/mastodon/secret", headers, payload: { secret } });
    const of = (text: string) => `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
    const payload = JSON.stringify(REPORT);
    const post = (url: string, signature: string, type = "application/json") =>
      app.inject({
        ...{ method: "POST" as const, url: `${url}?workspace=${name}`, payload },
        headers: { "content-type": type, "x-hub-signature": signature },
      });
    const urls = ["/v1/in/mastodon", "/v1/%69n/mastodon", "/v1/in/%6dastodon", "http://host/v1/in/mastodon"];
    for (const url of urls) {
      expect((await post(url, of(""))).statusCode, url).toBe(401);
      expect((await post(url, of(payload))).statusCode, url).toBe(200);
    }
    expect((await post(urls[0]!, of(""), "application/x-ndjson")).statusCode).toBe(401);
  });

  it("is not read before its size and its signature were checked", async () => {
    const { headers, name } = await workspace();
    const secret = "the secret of a server";
    await app.inject({ method: "PUT", url: "/v1/in/mastodon/secret", headers, payload: { secret } });
    const of = (text: string) => `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
    const post = async (payload: string, signature: string | null, more: object = {}) => {
      const answer = await app.inject({
        ...{ method: "POST" as const, url: `/v1/in/mastodon?workspace=${name}`, payload },
        headers: {
          ...{ "content-type": "application/json", ...more },
          ...(signature === null ? {} : { "x-hub-signature": signature }),
        },
      });
      return [answer.statusCode, answer.json().code];
    };
    const [broken, large] = ["{", " ".repeat((1 << 20) + 1)];
    for (const signature of [null, of("another body")]) {
      expect(await post(broken, signature)).toEqual([401, "bad_signature"]);
      expect(await post('{"a":1,"a":2}', signature, headers)).toEqual([401, "bad_signature"]);
    }
    for (const signature of [null, of(large)]) expect(await post(large, signature)).toEqual([413, "body_too_large"]);
    expect(await post(broken, of(broken))).toEqual([400, "not_json"]);
    expect(await post('{"a":1,"a":2}', of('{"a":1,"a":2}'))).toEqual([400, "not_json"]);
    // A length that is not said is counted; what is half of a character, or none at all, is the text that was signed.
    const { port } = await listening();
    const sent = await fetch(`http://127.0.0.1:${port}/v1/in/mastodon?workspace=${name}`, {
      ...{ method: "POST", headers: { "content-type": "application/json" }, duplex: "half" },
      body: new ReadableStream({
        pull(to) {
          to.enqueue(Buffer.alloc(1 << 18, " "));
        },
      }),
    } as RequestInit).catch(() => null);
    // The rest of the body is not waited for, so the connection may be gone before the answer is read.
    if (sent) expect([sent.status, ((await sent.json()) as { code: string }).code]).toEqual([413, "body_too_large"]);
  });

  it("has one newest secret although several are set at once", async () => {
    const { headers, name } = await workspace();
    const secrets = Array.from({ length: 6 }, (_, i) => `secret number ${i}`);
    const set = (secret: string) =>
      app.inject({ method: "PUT", url: "/v1/in/mastodon/secret", headers, payload: { secret, hours: 1 } });
    expect((await Promise.all(secrets.map(set))).map((one) => one.statusCode)).toEqual(secrets.map(() => 200));
    const payload = JSON.stringify(REPORT);
    for (const secret of secrets) {
      const signature = `sha256=${createHmac("sha256", secret).update(payload).digest("hex")}`;
      const more = { "content-type": "application/json", "x-hub-signature": signature };
      const url = `/v1/in/mastodon?workspace=${name}`;
      expect((await app.inject({ method: "POST", url, payload, headers: more })).statusCode, secret).toBe(200);
    }
  });

  it("refuses a value that names no action of theirs", async () => {
    const { headers } = await workspace();
    for (const value of ["remove", "=remove", ""]) {
      const url = `/v1/in/mastodon?value=${encodeURIComponent(value)}`;
      const answer = await app.inject({ method: "POST", url, payload: REPORT, headers });
      expect([answer.statusCode, answer.json().code]).toEqual([422, "bad_value"]);
    }
  });

  it("goes by the value and community that were set with the secret, whatever the address says", async () => {
    const { headers, name } = await workspace();
    const secret = "the secret of a server";
    const set = (more: object) =>
      app.inject({ method: "PUT", url: "/v1/in/mastodon/secret", headers, payload: { secret, ...more } });
    expect((await set({ value: "resolved=nonsense" })).json()).toMatchObject({ status: 422, code: "bad_value" });
    const kept = (await set({ value: "resolved=approve", community: "plants" })).json();
    expect(kept.fixed).toEqual({ community: "plants", value: ["resolved=approve"] });
    const payload = JSON.stringify(REPORT);
    const signature = `sha256=${createHmac("sha256", secret).update(payload).digest("hex")}`;
    const post = (query: string, more: object = {}) =>
      app.inject({
        ...{ method: "POST" as const, url: `/v1/in/mastodon?workspace=${name}${query}`, payload },
        headers: { "content-type": "application/json", "x-hub-signature": signature, ...more },
      });
    for (const query of ["&value=resolved%3Dremove", "&community=other", "&value=resolved%3Dapprove"])
      expect((await post(query)).json()).toMatchObject({ status: 422, code: "fixed_query" });
    expect((await post("")).json().decisions).toEqual([{ id: "report-9-status-7", status: "accepted" }]);
    const [row] = await database.rows<{ record: object }>(
      "select record from defensible.record where workspace_id = $1 and kind = 'decisions'",
      [name],
    );
    expect(row!.record).toMatchObject({ community: "plants", decision: "approve" });
    // Who has a key says what it means.
    expect((await post("&value=resolved%3Dapprove&community=plants", headers)).statusCode).toBe(200);
    expect((await set({})).json().fixed).toBeNull();
    expect((await post("&value=resolved%3Dapprove")).statusCode).toBe(200);
  });

  it("refuses what is nested too deep, and takes what is not", async () => {
    const { headers } = await workspace();
    const nested = (n: number) =>
      `{"id":"p","typeId":"post","data":{"text":"x","deep":${"[".repeat(n)}1${"]".repeat(n)}}}`;
    const post = async (n: number) => {
      const more = { ...headers, "content-type": "application/json" };
      const answer = await app.inject({ method: "POST", url: "/v1/in/coop", payload: nested(n), headers: more });
      return [answer.statusCode, answer.json().code];
    };
    expect([await post(900), await post(1100), await post(5000)]).toEqual([
      [200, undefined],
      [422, "too_deep"],
      [422, "too_deep"],
    ]);
  });
});
