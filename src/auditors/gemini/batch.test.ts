import { describe, expect, it } from "vitest";
import type { BatchClient, BatchHandle, BatchItem, BatchResult } from "../auditor.js";
import {
  answered,
  ask,
  auditor,
  candidate,
  type Handler,
  json,
  KEY,
  PROMPT,
  type Received,
  refusal,
  serve,
  withKeys,
} from "./gemini.suite.js";

async function* items(...all: BatchItem[]): AsyncIterable<BatchItem> {
  yield* all;
}

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}

const HANDLE: BatchHandle = { id: "batches/b1", items: 3, submitted_at: "2026-11-01T00:00:00Z" };

/** Files and jobs as the Developer API has them. */
function batchServer(job: object = {}, file = ""): { handler: Handler; files: string[]; jobs: Received[] } {
  const files: string[] = [];
  const jobs: Received[] = [];
  const handler: Handler = (received, response) => {
    const { url, method, headers } = received;
    if (url === "/upload/v1beta/files") {
      response.writeHead(200, { "x-goog-upload-url": `http://elsewhere.invalid/upload/${files.length}` }).end("{}");
    } else if (url.startsWith("/upload/")) {
      const id = Number(url.slice("/upload/".length));
      files[id] = (files[id] ?? "") + received.text;
      const final = String(headers["x-goog-upload-command"]).includes("finalize");
      response.writeHead(200, {
        "content-type": "application/json",
        "x-goog-upload-status": final ? "final" : "active",
      });
      response.end(JSON.stringify(final ? { file: { name: `files/f${id}` } } : {}));
    } else if (url.endsWith(":batchGenerateContent")) {
      jobs.push(received);
      const metadata = { displayName: received.body.batch.displayName, createTime: "2026-11-02T00:00:00Z" };
      json({ name: `batches/b${jobs.length}`, metadata })(received, response);
    } else if (url.startsWith("/v1beta/batches?")) {
      const page = new URL(url, "http://x").searchParams.get("pageToken");
      const operations = jobs.map(({ body }, index) => ({
        name: `batches/b${index + 1}`,
        metadata: {
          displayName: body.batch.displayName,
          createTime: "2026-11-02T00:00:00Z",
          state: "BATCH_STATE_RUNNING",
        },
      }));
      json(page ? { operations: operations.slice(1) } : { operations: operations.slice(0, 1), nextPageToken: "p2" })(
        received,
        response,
      );
    } else if (url === "/v1beta/batches/b1") {
      expect([method, headers["x-goog-api-key"]]).toEqual(["GET", KEY]);
      json(job)(received, response);
    } else if (url === "/v1beta/files/out-1:download?alt=media") {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(file);
    } else {
      refusal(404, `unknown ${url}`)(received, response);
    }
  };
  return { handler, files, jobs };
}

async function batchOf(handler: Handler): Promise<BatchClient> {
  const { url } = await serve(handler);
  return (await auditor("gemini", url)).batch!;
}

function outputOf(results: BatchResult[]): (string | undefined)[][] {
  return results.map(({ id, answer }) =>
    "error" in answer ? [id, answer.error.fault] : [id, ...answer.generations.map((generation) => generation.text)],
  );
}

describe("a Gemini batch", () => {
  withKeys();

  it("sends questions as a file of keys and requests, under its label", async () => {
    const { handler, files, jobs } = batchServer();
    const batch = await batchOf(handler);
    const two = items({ id: "a1", ask: ask() }, { id: "b2", ask: ask({ temperature: 1 }) });
    expect(await collect(batch.submit(two, "run-1"))).toEqual([
      { id: "batches/b1", items: 2, submitted_at: "2026-11-02T00:00:00Z" },
    ]);
    const lines = files[0]!
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.key)).toEqual(["a1_0.2_1", "b2_1_1"]);
    expect(lines[0].request).toMatchObject({
      contents: [{ role: "user", parts: [{ text: PROMPT.shared + PROMPT.own }] }],
      systemInstruction: { parts: [{ text: PROMPT.system }] },
      generationConfig: {
        temperature: 0.2,
        responseMimeType: "application/json",
        thinkingConfig: { thinkingBudget: 0 },
      },
    });
    expect(jobs[0]!.url).toBe("/v1beta/models/gemini-2.5-flash:batchGenerateContent");
    expect(jobs[0]!.body.batch).toEqual({ displayName: "run-1 (2)", inputConfig: { fileName: "files/f0" } });
  });

  it("splits what is too large for one part, and finds all parts again by their label", async () => {
    const { handler, files } = batchServer();
    const batch = await batchOf(handler);
    const long = { ...PROMPT, own: "é".repeat(2_200_000) };
    const five = [1, 2, 3, 4, 5].map((id) => ({ id: `i${id}`, ask: ask({ prompt: long }) }));
    const handles = await collect(batch.submit(items(...five), "run-1"));
    expect(handles.map((handle) => handle.items)).toEqual([2, 2, 1]);
    for (const file of files) expect(Buffer.byteLength(file)).toBeLessThanOrEqual(10_000_000);
    await collect(batch.submit(items({ id: "x", ask: ask() }), "run-12"));
    expect(await batch.find("run-1")).toEqual(handles);
    expect(await batch.find("run")).toEqual([]);
  });

  it("sends nothing for no questions", async () => {
    const { handler, jobs } = batchServer();
    expect(await collect((await batchOf(handler)).submit(items(), "run-1"))).toEqual([]);
    expect(jobs).toEqual([]);
  });

  it("sends questions inline, with their keys, where the address has no files", async () => {
    const { handler, jobs } = batchServer();
    const batch = await batchOf((received, response) =>
      (received.url.startsWith("/upload/") ? refusal(404, "no files here") : handler)(received, response),
    );
    const two = items({ id: "a1", ask: ask() }, { id: "b2", ask: ask({ temperature: 1 }) });
    expect(await collect(batch.submit(two, "run-1"))).toMatchObject([{ id: "batches/b1", items: 2 }]);
    const { requests } = jobs[0]!.body.batch.inputConfig.requests;
    expect(requests.map((one: { metadata: object }) => one.metadata)).toEqual([{ key: "a1_0.2_1" }, { key: "b2_1_1" }]);
    expect(requests[0].request).toMatchObject({
      systemInstruction: { parts: [{ text: PROMPT.system }] },
      safetySettings: [{ threshold: "OFF" }, {}, {}, {}],
      generationConfig: { temperature: 0.2, thinkingConfig: { thinkingBudget: 0 } },
    });
  });

  it("tells a part that is refused as the error it is", async () => {
    const { handler } = batchServer();
    const batch = await batchOf((received, response) =>
      (received.url.endsWith(":batchGenerateContent") ? refusal(429, "Too many enqueued tokens") : handler)(
        received,
        response,
      ),
    );
    const sent = collect(batch.submit(items({ id: "a", ask: ask() }), "run-1"));
    await expect(sent).rejects.toMatchObject({ fault: "rate_limited" });
  });

  it("knows the states of a job", async () => {
    const states = {
      BATCH_STATE_PENDING: "running",
      BATCH_STATE_RUNNING: "running",
      BATCH_STATE_SUCCEEDED: "finished",
      JOB_STATE_PARTIALLY_SUCCEEDED: "finished",
      BATCH_STATE_FAILED: "failed",
      BATCH_STATE_CANCELLED: "cancelled",
      BATCH_STATE_EXPIRED: "expired",
      SOMETHING_NEW: "running",
      BATCH_STATE_constructor: "running",
    };
    for (const [state, expected] of Object.entries(states)) {
      const batch = await batchOf(batchServer({ metadata: { state } }).handler);
      expect((await batch.status(HANDLE)).state).toBe(expected);
    }
  });

  it("counts what is done and failed, and passes on why", async () => {
    const batchStats = {
      requestCount: "3",
      successfulRequestCount: "1",
      failedRequestCount: "1",
      pendingRequestCount: "1",
    };
    const running = await batchOf(batchServer({ metadata: { state: "BATCH_STATE_RUNNING", batchStats } }).handler);
    expect(await running.status(HANDLE)).toEqual({ state: "running", done: 1, failed: 1, message: null });
    const error = { code: 3, message: `bad file, key=${KEY}` };
    const failed = await batchOf(batchServer({ done: true, error, metadata: {} }).handler);
    expect(await failed.status(HANDLE)).toEqual({
      state: "failed",
      done: 0,
      failed: 0,
      message: `bad file, key=${"*".repeat(KEY.length)}`,
    });
    const finished = await batchOf(batchServer({ metadata: { state: "BATCH_STATE_SUCCEEDED" } }).handler);
    expect(await finished.status(HANDLE)).toMatchObject({ done: 3, failed: 0 });
  });

  it("matches answers by key, in any order, with the errors of single items", async () => {
    const lines = [
      { key: "c3_0.7_2", response: answered([candidate("c é"), candidate("c'")]) },
      { key: "a1_0.2_1", error: { code: 8, message: "Resource exhausted" } },
      { response: answered([candidate("nobody's")]) },
      { key: "strange", response: answered([candidate("nobody's")]) },
      { key: "c3_0.7_2", response: answered([candidate("twice")]) },
      { key: "b2_0.2_1", response: { promptFeedback: { blockReason: "SAFETY" } } },
      { key: "d4_0.2_1", response: {} },
    ];
    const file = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n\n{"key":"e5_0.2_1","resp`;
    const job = { metadata: { state: "BATCH_STATE_SUCCEEDED", output: { responsesFile: "files/out-1" } } };
    const results = await collect((await batchOf(batchServer(job, file).handler)).results(HANDLE));
    expect(outputOf(results)).toEqual([
      ["c3", "c é", "c'"],
      ["a1", "rate_limited"],
      ["b2", ""],
      ["d4", "bad_answer"],
    ]);
    const [first] = results;
    expect(first!.answer).toMatchObject({
      generations: [{ temperature: 0.7, usage: { input_tokens: 100, cost_usd: (100 + 70) / 1e6 } }, {}],
    });
  });

  it("reads answers that come inline, by their key alone", async () => {
    const inlinedResponses = {
      inlinedResponses: [
        { metadata: { key: "b2_0_1" }, response: answered([candidate("b")]) },
        { response: answered([candidate("whose?")]) },
      ],
    };
    const places = [{ metadata: { output: { inlinedResponses } } }, { response: { inlinedResponses } }];
    for (const job of places) {
      const results = await collect((await batchOf(batchServer(job).handler)).results(HANDLE));
      expect(outputOf(results)).toEqual([["b2", "b"]]);
    }
  });

  it("gives nothing where a job left nothing", async () => {
    const batch = await batchOf(batchServer({ metadata: { state: "BATCH_STATE_EXPIRED" } }).handler);
    expect(await collect(batch.results(HANDLE))).toEqual([]);
  });

  it("tells a download that breaks, and a job that is gone", async () => {
    const job = { metadata: { output: { responsesFile: "files/out-1" } } };
    const { handler } = batchServer(job);
    const torn = await batchOf((received, response) => {
      if (!received.url.includes(":download")) return handler(received, response);
      response.writeHead(200, { "content-length": "1000" });
      response.write("{");
      setImmediate(() => response.destroy());
    });
    await expect(collect(torn.results(HANDLE))).rejects.toMatchObject({ fault: "connection" });
    const gone = await batchOf(refusal(404, "Requested entity was not found."));
    await expect(gone.status(HANDLE)).rejects.toMatchObject({ fault: "not_found" });
  });

  it("does not let a name lead to another address", async () => {
    const batch = await batchOf(batchServer({ metadata: { output: { responsesFile: "files/../x" } } }).handler);
    await expect(batch.status({ ...HANDLE, id: "batches/../../x" })).rejects.toMatchObject({ fault: "bad_request" });
    await expect(collect(batch.results(HANDLE))).rejects.toMatchObject({ fault: "bad_request" });
  });
});
