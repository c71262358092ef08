import { GoogleGenAI, JobState } from "@google/genai";
import OpenAI, { toFile } from "openai";
import { afterEach, describe, expect, it } from "vitest";
import {
  type FakeServer,
  type FakeServerOptions,
  googleServerError,
  planAnswer,
  serverError,
  startFakeServer,
  traceText,
} from "./index.js";

const servers: FakeServer[] = [];

async function start(
  options: Partial<FakeServerOptions> & Pick<FakeServerOptions, "dialect" | "answer">,
): Promise<FakeServer> {
  const server = await startFakeServer(options);
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const LINES = Array.from({ length: 12 }, (_, i) => ({
  custom_id: `d${i}`,
  method: "POST",
  url: "/v1/chat/completions",
  body: { model: "gpt-4.1-mini", messages: [{ role: "user", content: `é ${i}` }], logprobs: true, top_logprobs: 20 },
}));

async function submit(client: OpenAI, lines: readonly object[]): Promise<OpenAI.Batch> {
  const file = await client.files.create({
    purpose: "batch",
    file: await toFile(Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n")), "input.jsonl"),
  });
  return client.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
    metadata: { label: "run-1" },
  });
}

async function readLines(
  client: OpenAI,
  id: string | undefined,
): Promise<{ custom_id: string; response: { body: OpenAI.ChatCompletion } | null }[]> {
  if (!id) return [];
  const text = await (await client.files.content(id)).text();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("OpenAI batches", () => {
  it("answer each line once, in no order, what failed apart", async () => {
    const planned = await planAnswer(traceText());
    const server = await start({
      dialect: "openai",
      answer: ({ batchId }) => (batchId === "d3" ? serverError() : planned),
    });
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: "test-key", maxRetries: 0 });
    const { id } = await submit(client, LINES);
    expect((await client.batches.retrieve(id)).status).toBe("in_progress");
    const done = await client.batches.retrieve(id);
    expect(done).toMatchObject({
      status: "completed",
      request_counts: { total: 12, completed: 11, failed: 1 },
      metadata: { label: "run-1" },
    });
    const outputs = await readLines(client, done.output_file_id);
    const ids = outputs.map(({ custom_id }) => custom_id);
    expect(ids).not.toEqual(LINES.map(({ custom_id }) => custom_id).filter((one) => one !== "d3"));
    expect([...ids, "d3"].sort()).toEqual(LINES.map(({ custom_id }) => custom_id).sort());
    expect(outputs[0]!.response!.body.choices[0]!.logprobs!.content).toHaveLength(planned.tokens.length);
    expect((await readLines(client, done.error_file_id)).map(({ custom_id }) => custom_id)).toEqual(["d3"]);
    expect((await client.batches.list()).data.map((batch) => batch.id)).toEqual([id]);
    expect(server.questions.map(({ user }) => user)).toContain("é 7");
  });

  it("that expire give what they finished", async () => {
    const planned = await planAnswer(traceText());
    const server = await start({
      dialect: "openai",
      batchPolls: 0,
      batchEnds: "expired",
      batchAnswers: 5,
      answer: () => planned,
    });
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: "test-key", maxRetries: 0 });
    const done = await client.batches.retrieve((await submit(client, LINES)).id);
    expect(done.status).toBe("expired");
    expect(await readLines(client, done.output_file_id)).toHaveLength(5);
    expect(await readLines(client, done.error_file_id)).toHaveLength(7);
    expect(server.paid).toBe(5);
  });

  it("fail as a whole for a line that is wrong, and can be cancelled", async () => {
    const planned = await planAnswer(traceText());
    const server = await start({ dialect: "openai", answer: () => planned });
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: "test-key", maxRetries: 0 });
    const twice = await client.batches.retrieve((await submit(client, [LINES[0]!, LINES[0]!])).id);
    expect(twice.status).toBe("failed");
    expect(twice.errors!.data![0]!.code).toBe("duplicate_custom_id");
    const { id } = await submit(client, LINES);
    expect((await client.batches.cancel(id)).status).toBe("cancelled");
  });
});

describe("Gemini batches", () => {
  const inlined = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      contents: [{ role: "user", parts: [{ text: `U${i}` }] }],
      config: { responseLogprobs: true, logprobs: 5, systemInstruction: "S" },
      metadata: { key: `d${i}` },
    }));

  it("give answers and errors in the order of the requests, with their metadata", async () => {
    const planned = await planAnswer(traceText());
    const server = await start({
      dialect: "gemini",
      answer: ({ user }) => (user === "U1" ? googleServerError() : planned),
    });
    const client = new GoogleGenAI({ apiKey: "test-key", httpOptions: { baseUrl: server.baseUrl } });
    const job = await client.batches.create({
      model: "gemini-2.0-flash",
      src: inlined(3),
      config: { displayName: "run-1" },
    });
    expect(job.state).toBe(JobState.JOB_STATE_PENDING);
    expect((await client.batches.get({ name: job.name! })).state).toBe(JobState.JOB_STATE_RUNNING);
    const done = await client.batches.get({ name: job.name! });
    expect(done).toMatchObject({ state: JobState.JOB_STATE_SUCCEEDED, displayName: "run-1" });
    const responses = done.dest!.inlinedResponses!;
    expect(responses.map(({ metadata }) => metadata?.key)).toEqual(["d0", "d1", "d2"]);
    expect(responses[1]!.error!.code).toBe(500);
    expect(responses[2]!.response!.candidates![0]!.logprobsResult!.chosenCandidates).toHaveLength(
      planned.tokens.length,
    );
    expect(server.questions[0]).toMatchObject({ system: "S", user: "U0", batchId: "d0" });
    const names: string[] = [];
    for await (const one of await client.batches.list()) names.push(one.displayName!);
    expect(names).toEqual(["run-1"]);
  });

  it("take questions from a file and give answers in one, with their keys", async () => {
    const planned = await planAnswer(traceText({ policy_citation: "é 漢" }));
    const server = await start({ dialect: "gemini", batchPolls: 0, answer: () => planned });
    const client = new GoogleGenAI({ apiKey: "test-key", httpOptions: { baseUrl: server.baseUrl } });
    const request = { contents: [{ role: "user", parts: [{ text: "U é" }] }] };
    const lines = ["a", "b"].map((key) => `${JSON.stringify({ key, request })}\n`);
    const file = await client.files.upload({ file: new Blob(lines), config: { mimeType: "jsonl" } });
    const job = await client.batches.create({ model: "gemini-2.0-flash", src: { fileName: file.name! } });
    const done = await client.batches.get({ name: job.name! });
    const url = `${server.origin}/v1beta/${done.dest!.fileName}:download?alt=media`;
    const text = await (await fetch(url, { headers: { "x-goog-api-key": "test-key" } })).text();
    const answers = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map(({ key }) => key)).toEqual(["a", "b"]);
    expect(answers[0].response.candidates[0].content.parts[0].text).toBe(planned.text);
    expect(server.questions[1]).toMatchObject({ user: "U é", batchId: "b" });
  });

  it("that expire give nothing", async () => {
    const planned = await planAnswer(traceText());
    const server = await start({ dialect: "gemini", batchPolls: 0, batchEnds: "expired", answer: () => planned });
    const client = new GoogleGenAI({ apiKey: "test-key", httpOptions: { baseUrl: server.baseUrl } });
    const job = await client.batches.create({
      model: "gemini-2.0-flash",
      src: inlined(2),
      config: { displayName: "x" },
    });
    const done = await client.batches.get({ name: job.name! });
    expect(done.state).toBe(JobState.JOB_STATE_EXPIRED);
    expect(done.dest).toBeUndefined();
  });
});
