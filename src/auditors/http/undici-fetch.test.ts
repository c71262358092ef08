import { once } from "node:events";
import { createServer as createNetServer } from "node:net";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import OpenAI from "openai";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Handler, sendJson, startServer, type TestServer } from "../openai/openai.suite.js";
import { type RawResponse, rememberedBody } from "./raw-response.js";
import { createUndiciFetch, type UndiciFetch } from "./undici-fetch.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function setUp(handler: Handler, timeout = 5000): Promise<{ server: TestServer; net: UndiciFetch; sdk: OpenAI }> {
  const server = await startServer(handler);
  const net = await createUndiciFetch({ idleMs: timeout, secrets: [] });
  closing.push(server.close, net.close);
  const fetch = net.fetch as unknown as typeof globalThis.fetch;
  return {
    server,
    net,
    sdk: new OpenAI({ baseURL: `${server.origin}/v1`, apiKey: "k", maxRetries: 0, timeout, fetch }),
  };
}

const raw = (sdk: OpenAI, signal?: AbortSignal) =>
  sdk.post("/x", { body: { a: 1 }, signal }).asResponse() as unknown as Promise<RawResponse>;

describe("fetch over undici, behind the real SDK", () => {
  it("gives the whole body as bytes, status and headers", async () => {
    const { server, sdk } = await setUp((_, response) =>
      sendJson(response, { é: "x".repeat(300_000) }, 200, { "x-a": ["1", "2"] }),
    );
    const response = await raw(sdk);
    expect(JSON.parse(response.bytes.toString("utf8"))).toEqual({ é: "x".repeat(300_000) });
    expect([response.status, response.ok, response.headers.get("X-A")]).toEqual([200, true, "1, 2"]);
    expect(server.received[0]).toMatchObject({ method: "POST", url: "/v1/x", body: { a: 1 } });
    expect(server.received[0]!.headers).toMatchObject({ authorization: "Bearer k", "accept-encoding": "identity" });
  });

  it("serves the SDK's own parsing too", async () => {
    const { sdk } = await setUp((_, response) => sendJson(response, { object: "list", data: [{ id: "m" }] }));
    const models = await sdk.models.list();
    expect(models.data).toEqual([{ id: "m" }]);
  });

  it.each([400, 401, 404, 429, 500, 503])(
    "lets the SDK make its error of status %d, and keeps the whole body",
    async (status) => {
      const { sdk } = await setUp((_, response) =>
        sendJson(response, { detail: "words" }, status, { "retry-after": "3" }),
      );
      const error: { status?: number; headers?: { get(name: string): string | null } } = await raw(sdk).then(
        () => ({}),
        (thrown) => thrown,
      );
      expect(error.status).toBe(status);
      expect(error.headers!.get("retry-after")).toBe("3");
      expect(rememberedBody(error.headers)).toBe('{"detail":"words"}');
    },
  );

  it("does not follow where a server points", async () => {
    const { server, sdk } = await setUp((_, response) => {
      response.writeHead(307, { location: "/elsewhere" });
      response.end();
    });
    await expect(raw(sdk)).rejects.toMatchObject({ cause: { fault: "not_found", status: 307 } });
    expect(server.received.length).toBe(1);
  });

  it("undoes compression, asked for or not", async () => {
    const { sdk } = await setUp((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync('{"a":"é"}'));
    });
    expect((await raw(sdk)).bytes.toString("utf8")).toBe('{"a":"é"}');
  });

  it("ends a call at once when it is told to, in the middle of a body too", async () => {
    const { server, sdk } = await setUp((request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      if (request.url.endsWith("x")) response.write('{"half":');
    });
    const controller = new AbortController();
    const call = raw(sdk, controller.signal);
    await vi.waitFor(() => expect(server.received.length).toBe(1));
    controller.abort();
    await expect(call).rejects.toMatchObject({ message: "Request was aborted." });
  });

  it("covers the body with the SDK's timeout", async () => {
    const { sdk } = await setUp((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"half":');
    }, 200);
    await expect(raw(sdk)).rejects.toMatchObject({ message: "Request timed out." });
  });

  it("tells a body that breaks off", async () => {
    const { sdk } = await setUp((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write("{", () => response.destroy());
    });
    await expect(raw(sdk)).rejects.toMatchObject({ cause: { code: "UND_ERR_SOCKET" } });
  });

  it("sends a file as a stream and gives one as a stream", async () => {
    const { server, sdk } = await setUp((request, response) => {
      if (request.method === "POST") sendJson(response, { id: "file-1" });
      else response.end("line 1\nline 2\n");
    });
    const file = Object.assign(Readable.from([Buffer.from("one\n"), Buffer.from("two\n")]), { path: "/tmp/a.jsonl" });
    expect((await sdk.files.create({ file, purpose: "batch" })).id).toBe("file-1");
    expect(server.received[0]!.text).toContain('filename="a.jsonl"');
    expect(server.received[0]!.text).toContain("one\ntwo\n");
    const { stream } = (await sdk.files.content("file-1")) as unknown as RawResponse;
    expect((await stream!.toArray()).join("")).toBe("line 1\nline 2\n");
  });

  it("keeps many calls in flight on connections of their own", async () => {
    const waiting: (() => void)[] = [];
    const { sdk } = await setUp((_, response) => {
      waiting.push(() => sendJson(response, {}));
      if (waiting.length === 200) for (const answer of waiting) answer();
    });
    const answers = await Promise.all(Array.from({ length: 200 }, () => raw(sdk)));
    expect(answers.every(({ ok }) => ok)).toBe(true);
  });

  it("goes through a proxy that the environment names, and round it where told", async () => {
    const asked: string[] = [];
    const proxy = createNetServer((socket) => {
      socket.once("data", (data) => {
        asked.push(data.toString("latin1").split("\r\n")[0]!);
        socket.end("HTTP/1.1 502 No\r\ncontent-length: 0\r\n\r\n");
      });
      socket.on("error", () => {});
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    closing.push(async () => void proxy.close());
    const { port } = proxy.address() as { port: number };
    vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${port}`);
    vi.stubEnv("NO_PROXY", "127.0.0.1");
    const { net, server } = await setUp((_, response) => sendJson(response, {}));
    await net.fetch("http://audits.example/v1").catch(() => null);
    expect(asked).toEqual([expect.stringContaining("audits.example")]);
    expect((await net.fetch(`${server.origin}/v1`)).status).toBe(200);
    expect(asked.length).toBe(1);
  });
});
