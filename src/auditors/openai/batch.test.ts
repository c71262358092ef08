import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BatchClient, BatchHandle, BatchItem, BatchResult } from "../auditor.js";
import { readLines } from "../http/raw-response.js";
import { createOpenAIAuditor } from "./auditor.js";
import { readBatchLine } from "./batch-line.js";
import {
  askFor,
  type Handler,
  sendJson,
  startServer,
  type TestServer,
  TRACE,
  wireBody,
  wireChoice,
} from "./openai.suite.js";

const closing: (() => Promise<void>)[] = [];
let temporary = "";
beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", "sk-test-0123456789");
  temporary = mkdtempSync(join(tmpdir(), "defensible-test-"));
  vi.stubEnv("TMPDIR", temporary);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(closing.splice(0).map((close) => close()));
  rmSync(temporary, { recursive: true, force: true });
});

async function setUp(handler: Handler): Promise<{ batch: BatchClient; server: TestServer }> {
  const server = await startServer(handler);
  const auditor = await createOpenAIAuditor("openai:gpt-4.1-mini", "gpt-4.1-mini", { baseUrl: `${server.origin}/v1` });
  closing.push(server.close, () => auditor.close());
  return { batch: auditor.batch!, server };
}

const BATCH = { id: "batch_1", created_at: 1_760_000_000, status: "in_progress", metadata: null };
const HANDLE: BatchHandle = { id: "batch_1", items: 2, submitted_at: "2026-11-15T00:00:00.000Z" };

async function* items(...asks: [string, number][]): AsyncIterable<BatchItem> {
  for (const [id, temperature] of asks) yield { id, ask: askFor(1, { temperature }) };
}

async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of from) found.push(one);
  return found;
}

describe("a batch", () => {
  it("is uploaded as lines of requests and carries the run's name", async () => {
    const { batch, server } = await setUp((request, response) =>
      sendJson(
        response,
        request.url === "/v1/files" ? { id: "file-1" } : { ...BATCH, metadata: request.body.metadata },
      ),
    );
    const handles = await all(batch.submit(items(["a1", 0.2], ["b2", 0.2]), "run-7"));
    expect(handles).toEqual([{ id: "batch_1", items: 2, submitted_at: new Date(1_760_000_000_000).toISOString() }]);
    const [upload, created] = server.received;
    expect(upload!.text).toContain('name="purpose"\r\n\r\nbatch');
    const lines = upload!.text
      .split(/\r?\n/)
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
    expect(lines.map(({ custom_id, method, url }) => [custom_id, method, url])).toEqual([
      ["a1", "POST", "/v1/chat/completions"],
      ["b2", "POST", "/v1/chat/completions"],
    ]);
    expect(lines[0].body).toMatchObject({ model: "gpt-4.1-mini", logprobs: true, top_logprobs: 20, temperature: 0.2 });
    expect(created!.body).toEqual({
      input_file_id: "file-1",
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      metadata: { defensible_run: "run-7", items: "2", temperature: "0.2" },
    });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("is sent in parts of 50,000 requests, each yielded once the provider has it", async () => {
    let parts = 0;
    const { batch } = await setUp((request, response) => {
      if (request.url === "/v1/files") sendJson(response, { id: "file" });
      else sendJson(response, { ...BATCH, id: `batch_${++parts}`, metadata: request.body.metadata });
    });
    const small = askFor(1, { prompt: { ...askFor().prompt!, system: "", shared: "", own: "" } });
    async function* many(): AsyncIterable<BatchItem> {
      for (let i = 0; i < 50_001; i++) yield { id: `i${i}`, ask: small };
    }
    expect((await all(batch.submit(many(), "r"))).map(({ id, items }) => [id, items])).toEqual([
      ["batch_1", 50_000],
      ["batch_2", 1],
    ]);
  });

  it("leaves nothing behind where the provider refuses it", async () => {
    const { batch } = await setUp((_, response) =>
      sendJson(response, { error: { message: "limit", code: "billing_hard_limit_reached" } }, 400),
    );
    await expect(all(batch.submit(items(["a", 1]), "r"))).rejects.toMatchObject({ fault: "quota" });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("sends nothing for no questions", async () => {
    const { batch, server } = await setUp((_, response) => sendJson(response, {}));
    expect(await all(batch.submit(items(), "r"))).toEqual([]);
    expect(server.received).toEqual([]);
  });

  it("is found again by the run's name", async () => {
    const mine = {
      ...BATCH,
      metadata: { defensible_run: "run-7", items: "9" },
      request_counts: { total: 0, completed: 0, failed: 0 },
    };
    const { batch, server } = await setUp((request, response) =>
      request.url.includes("after=")
        ? sendJson(response, { data: [{ ...mine, id: "batch_3" }], has_more: false })
        : sendJson(response, { data: [mine, { ...BATCH, id: "batch_2" }], has_more: true }),
    );
    expect((await batch.find("run-7")).map(({ id, items }) => [id, items])).toEqual([
      ["batch_1", 9],
      ["batch_3", 9],
    ]);
    expect(server.received.length).toBe(2);
  });

  it.each([
    ["validating", "running"],
    ["in_progress", "running"],
    ["finalizing", "running"],
    ["cancelling", "running"],
    ["completed", "finished"],
    ["expired", "expired"],
    ["cancelled", "cancelled"],
    ["failed", "failed"],
    ["something_new", "running"],
  ])("is, where the provider says %s, %s", async (status, state) => {
    const errors = { data: [{ message: "bad line", line: 3 }] };
    const { batch } = await setUp((_, response) =>
      sendJson(response, { ...BATCH, status, errors, request_counts: { total: 5, completed: 3, failed: 1 } }),
    );
    expect(await batch.status(HANDLE)).toEqual({ state, done: 3, failed: 1, message: "line 3: bad line" });
  });

  it("gives what it has, matched by id, from both files", async () => {
    const output = [
      { custom_id: "b2", response: { status_code: 200, body: wireBody([wireChoice(TRACE)]) }, error: null },
      {
        custom_id: "a1",
        response: { status_code: 200, body: wireBody([wireChoice(TRACE), wireChoice(TRACE, 1)]) },
        error: null,
      },
    ];
    const errors = [
      {
        custom_id: "c3",
        response: { status_code: 400, body: { error: { message: "'logprobs' is not supported", param: "logprobs" } } },
      },
      {
        custom_id: "d4",
        response: null,
        error: { code: "batch_expired", message: "This request could not be executed in time." },
      },
    ];
    const files: Record<string, object[]> = { out: output, err: errors };
    const { batch } = await setUp((request, response) => {
      const file = /files\/(\w+)\/content/.exec(request.url)?.[1];
      if (file) response.end(files[file]!.map((line) => JSON.stringify(line)).join("\n"));
      else
        sendJson(response, {
          ...BATCH,
          status: "expired",
          output_file_id: "out",
          error_file_id: "err",
          metadata: { temperature: "0.2" },
        });
    });
    const results = new Map((await all(batch.results(HANDLE))).map(({ id, answer }) => [id, answer]));
    expect([...results.keys()]).toEqual(["b2", "a1", "c3", "d4"]);
    const one = results.get("b2") as { generations: { temperature: number; usage: { cost_usd: number } }[] };
    expect(one.generations[0]).toMatchObject({ text: TRACE, temperature: 0.2, space: "raw" });
    // The ordinary price of 36 fresh and 64 cached tokens in, 40 out: the collector counts the half.
    expect(one.generations[0]!.usage.cost_usd).toBeCloseTo((36 * 0.4 + 64 * 0.1 + 40 * 1.6) / 1e6, 12);
    expect((results.get("a1") as { generations: unknown[] }).generations.length).toBe(2);
    expect(results.get("c3")).toMatchObject({ error: { fault: "unsupported", status: 400 } });
    expect(results.get("d4")).toMatchObject({ error: { fault: "timeout", again: true } });
  });

  it("tells a download that breaks off", async () => {
    const line = JSON.stringify({ custom_id: "a1", response: { status_code: 200, body: wireBody() } });
    const { batch } = await setUp((request, response) => {
      if (!request.url.includes("content")) {
        sendJson(response, { ...BATCH, status: "completed", output_file_id: "out" });
        return;
      }
      response.writeHead(200, { "content-length": "100000" });
      response.write(`${line}\n{"custom`, () => response.destroy());
    });
    const seen: BatchResult[] = [];
    const reading = (async () => {
      for await (const result of batch.results(HANDLE)) seen.push(result);
    })();
    await expect(reading).rejects.toMatchObject({ fault: "connection" });
    expect(seen.map(({ id }) => id)).toEqual(["a1"]);
  });
});

describe("readBatchLine", () => {
  const reading = {
    context: { model: "m", address: "x", timeoutMs: 1, secrets: [], keyVariable: "K" },
    generation: { model: "m", space: "raw" as const, temperature: 1, price: null },
    trueBytes: true,
    lineBytes: 8192,
  };
  const read = (line: unknown) =>
    readBatchLine(Buffer.from(typeof line === "string" ? line : JSON.stringify(line)), reading);

  it("passes over what carries no id of ours", () => {
    for (const line of ["", "x", "[]", "{}", '{"custom_id":1}', '{"custom_id":"a"']) expect(read(line)).toBeNull();
  });

  it("calls a body that cannot be read a bad answer", () => {
    expect(read({ custom_id: "a", response: { status_code: 200, body: {} } })).toMatchObject({
      answer: { error: { fault: "bad_answer" } },
    });
    expect(read({ custom_id: "a", response: null, error: null })).toMatchObject({
      answer: { error: { fault: "server" } },
    });
  });
});

describe("readLines", () => {
  it("puts lines together however they are cut", async () => {
    const text = Buffer.from('{"é":1}\n\n{"b":"𠮷"}\nlast');
    for (let size = 1; size <= text.length; size++) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.subarray(i * size, (i + 1) * size),
      );
      expect((await all(readLines(chunks))).map(String)).toEqual(['{"é":1}', '{"b":"𠮷"}', "last"]);
    }
  });
});
