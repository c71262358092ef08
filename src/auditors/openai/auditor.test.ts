import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EQUAL_WEIGHTS, extractSignals } from "../../entry/signals.js";
import { type AuditorOptions, createAuditor } from "../create-auditor.js";
import { createOpenAIAuditor, type OpenAIAuditor } from "./auditor.js";
import {
  askFor,
  type Handler,
  PROMPT,
  sendJson,
  startServer,
  type TestServer,
  TRACE,
  wireBody,
  wireChoice,
} from "./openai.suite.js";

const closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", "sk-test-0123456789");
  vi.stubEnv("AZURE_OPENAI_API_KEY", "");
  vi.stubEnv("OPENAI_BASE_URL", "");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function setUp(
  handler: Handler,
  options: AuditorOptions = {},
  name = "openai:gpt-4.1-mini",
): Promise<{ auditor: OpenAIAuditor; server: TestServer }> {
  const server = await startServer(handler);
  const model = name.slice(name.indexOf(":") + 1);
  const auditor = await createOpenAIAuditor(name, model, { baseUrl: `${server.origin}/v1`, ...options });
  closing.push(server.close, () => auditor.close());
  return { auditor, server };
}

const answering: Handler = ({ body }, response) =>
  sendJson(response, wireBody(Array.from({ length: Number(body.n ?? 1) }, (_, i) => wireChoice(TRACE, i))));

describe("what is sent", () => {
  it("is a chat request with strict schema, logprobs and all answers at once", async () => {
    const { auditor, server } = await setUp(answering);
    await auditor.ask(askFor(3));
    const [request] = server.received;
    expect(request).toMatchObject({ method: "POST", url: "/v1/chat/completions" });
    expect(request!.headers.authorization).toBe("Bearer sk-test-0123456789");
    expect(request!.body).toEqual({
      model: "gpt-4.1-mini",
      messages: [
        { role: "system", content: PROMPT.system },
        { role: "user", content: `${PROMPT.shared}${PROMPT.own}` },
      ],
      temperature: 0.7,
      max_completion_tokens: 1200,
      n: 3,
      logprobs: true,
      top_logprobs: 20,
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "reasoning_trace",
          strict: true,
          schema: expect.objectContaining({ additionalProperties: false }),
        },
      },
      seed: expect.any(Number),
      prompt_cache_key: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const { schema } = (request!.body.response_format as { json_schema: { schema: { properties: object } } })
      .json_schema;
    expect(Object.keys(schema.properties)).toEqual(PROMPT.format.fields.map(({ name }) => name));
  });

  it("asks for no probabilities where none are wanted", async () => {
    const { auditor, server } = await setUp(answering);
    await auditor.ask(askFor(1, { logprobs: false }));
    expect(server.received[0]!.body).not.toHaveProperty("logprobs");
    expect(server.received[0]!.body).not.toHaveProperty("n");
  });

  it("switches reasoning off where the family gives probabilities only then", async () => {
    const { auditor, server } = await setUp(answering, {}, "openai:gpt-5.2");
    await auditor.ask(askFor());
    expect(server.received[0]!.body).toMatchObject({ reasoning_effort: "none", temperature: 0.7 });
  });

  it("leaves the temperature out where the model refuses it, and gives thoughts room", async () => {
    const { auditor, server } = await setUp(answering, {}, "openai:o3");
    const { generations } = await auditor.ask(askFor(1, { logprobs: false }));
    expect(server.received[0]!.body).not.toHaveProperty("temperature");
    expect(server.received[0]!.body.max_completion_tokens).toBe(16_000);
    expect(generations[0]!.temperature).toBe(1);
  });

  it.each([
    ["vllm", { max_tokens: 1200, structured_outputs: { json: expect.any(Object), disable_any_whitespace: true } }],
    ["llamacpp", { cache_prompt: true, logprobs: true, top_logprobs: 20 }],
    ["together", { logprobs: 20, response_format: { type: "json_schema", schema: expect.any(Object) } }],
    ["openrouter", { provider: { require_parameters: true } }],
    ["deepseek", { thinking: { type: "disabled" }, response_format: { type: "json_object" } }],
  ])("follows the habits of %s", async (dialect, expected) => {
    const { auditor, server } = await setUp(answering, { dialect }, "openai-compatible:m");
    await auditor.ask(askFor());
    expect(server.received[0]!.body).toMatchObject(expected);
    expect(server.received[0]!.body).not.toHaveProperty("prompt_cache_key");
  });

  it("asks LM Studio for Responses", async () => {
    const output = [
      {
        type: "message",
        content: [{ type: "output_text", text: TRACE, logprobs: [{ token: TRACE, logprob: -1, top_logprobs: [] }] }],
      },
    ];
    const { auditor, server } = await setUp(
      (_, response) => sendJson(response, { object: "response", output }),
      { dialect: "lmstudio" },
      "openai-compatible:m",
    );
    const { generations } = await auditor.ask(askFor());
    expect(server.received[0]).toMatchObject({
      url: "/v1/responses",
      body: {
        include: ["message.output_text.logprobs"],
        top_logprobs: 20,
        max_output_tokens: 1200,
        text: { format: { type: "json_schema", strict: true } },
      },
    });
    expect(generations[0]).toMatchObject({ text: TRACE, space: "unknown" });
  });

  it("gives Azure its key and keeps its api-version on each request", async () => {
    vi.stubEnv("AZURE_OPENAI_API_KEY", "azure-key-1");
    const server = await startServer(answering);
    const baseUrl = `${server.origin}/openai/deployments/d?api-version=2024-10-21`;
    const auditor = await createOpenAIAuditor("openai:d", "d", { baseUrl, dialect: "azure" });
    closing.push(server.close, () => auditor.close());
    await auditor.ask(askFor());
    const [request] = server.received;
    expect(request!.url).toBe("/openai/deployments/d/chat/completions?api-version=2024-10-21");
    expect(request!.headers).toMatchObject({ "api-key": "azure-key-1" });
    expect(request!.headers).not.toHaveProperty("authorization");
    expect(auditor.batch).toBeUndefined();
  });

  it("sends the same seed for the same audit and others for others", async () => {
    const { auditor, server } = await setUp(answering);
    for (const seed of ["a", "a", "b"]) await auditor.ask(askFor(1, { wanted: [{ key: "k", seed }] }));
    const [first, second, third] = server.received.map(({ body }) => body.seed as number);
    expect(first).toBe(second);
    expect(first).not.toBe(third);
    expect(first).toBeLessThan(2 ** 31);
  });
});

describe("what comes back", () => {
  it("is one generation for each answer wanted, ready for signals", async () => {
    const { auditor } = await setUp(answering);
    const { generations } = await auditor.ask(askFor(2));
    expect(generations.length).toBe(2);
    expect(generations[0]).toMatchObject({
      text: TRACE,
      joined: true,
      finish: "stop",
      space: "raw",
      temperature: 0.7,
      support: "top_k",
      model: "served-model",
    });
    expect(extractSignals(generations[1]!, { weights: EQUAL_WEIGHTS })).toMatchObject({
      outcome: "verdict",
      level: 2,
      inverse: false,
    });
  });

  it("is priced by the user's own prices first", async () => {
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0 };
    const reply: Handler = (_, response) => sendJson(response, wireBody([wireChoice(TRACE)], { usage }));
    const known = await setUp(reply);
    expect((await known.auditor.ask(askFor())).generations[0]!.usage.cost_usd).toBeCloseTo(0.4, 9);
    const own = { input: 7, cached_input: null, output: 1, batch: null, as_of: "override" };
    const priced = await setUp(reply, { prices: { "gpt-4.1-mini": own } });
    expect((await priced.auditor.ask(askFor())).generations[0]!.usage.cost_usd).toBeCloseTo(7, 9);
    const unknown = await setUp(reply, { dialect: "vllm" }, "openai-compatible:gpt-4.1-mini");
    expect(unknown.auditor.price).toBeNull();
  });

  it("tells the pace that the server allows", async () => {
    const { auditor } = await setUp((_, response) =>
      sendJson(response, wireBody(), 200, {
        "x-ratelimit-remaining-requests": "12",
        "x-ratelimit-reset-requests": "6m0s",
      }),
    );
    expect((await auditor.ask(askFor())).pace).toMatchObject({ remainingRequests: 12, resetRequestsMs: 360_000 });
  });

  it("is asked for again where a server gives fewer answers than it was asked for", async () => {
    const { auditor, server } = await setUp((_, response) => sendJson(response, wireBody()));
    const { generations } = await auditor.ask(askFor(3));
    expect(generations.length).toBe(3);
    expect(server.received.map(({ body }) => body.n ?? 1)).toEqual([3, 1, 1]);
    expect(auditor.answersPerCall).toBe(1);
  });

  it("is asked for one by one where a server refuses several", async () => {
    const { auditor, server } = await setUp(({ body }, response) =>
      body.n
        ? sendJson(response, { error: { message: "Invalid 'n'", param: "n" } }, 400)
        : sendJson(response, wireBody()),
    );
    expect((await auditor.ask(askFor(2))).generations.length).toBe(2);
    expect(server.received.length).toBe(3);
  });

  it("is a generation where it was cut, filtered or refused, and no error", async () => {
    const { auditor } = await setUp((_, response) =>
      sendJson(response, wireBody([wireChoice('{"logic', 0, { finish_reason: "length" })])),
    );
    expect((await auditor.ask(askFor())).generations[0]).toMatchObject({ finish: "length", text: '{"logic' });
  });

  it("is an error where a gateway reports one with status 200", async () => {
    const { auditor } = await setUp((_, response) =>
      sendJson(response, { error: { code: 429, message: "slow down" } }),
    );
    await expect(auditor.ask(askFor())).rejects.toMatchObject({ fault: "rate_limited", status: 429 });
    const broken = await setUp((_, response) =>
      sendJson(response, wireBody([wireChoice("", 0, { finish_reason: "error", error: { message: "upstream" } })])),
    );
    await expect(broken.auditor.ask(askFor())).rejects.toMatchObject({
      fault: "server",
      message: expect.stringContaining("upstream"),
    });
  });

  it("is an error that never shows the key", async () => {
    const { auditor } = await setUp(({ headers }, response) =>
      sendJson(response, { error: { message: `Wrong: ${headers.authorization}` } }, 401),
    );
    const error = await auditor.ask(askFor()).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ fault: "auth" });
    expect(JSON.stringify([error, (error as Error).message, (error as Error).stack])).not.toContain("0123456789");
  });

  it("ends when it is told to", async () => {
    const { auditor, server } = await setUp(() => {});
    const controller = new AbortController();
    const call = auditor.ask(askFor(1, { signal: controller.signal }));
    await vi.waitFor(() => expect(server.received.length).toBe(1));
    controller.abort();
    await expect(call).rejects.toMatchObject({ fault: "aborted" });
    await expect(auditor.ask(askFor(1, { signal: controller.signal }))).rejects.toMatchObject({ fault: "aborted" });
    expect(server.received.length).toBe(1);
  });

  it("does not take longer than it may", async () => {
    const { auditor } = await setUp(() => {}, { timeoutMs: 100 });
    await expect(auditor.ask(askFor())).rejects.toMatchObject({
      fault: "timeout",
      message: expect.stringContaining("0.1 s"),
    });
  });
});

describe("the auditor", () => {
  it("finds out once whom it speaks to", async () => {
    const { auditor, server } = await setUp(
      (request, response) =>
        request.url === "/v1/models"
          ? sendJson(response, { data: [{ id: "m", owned_by: "sglang", max_model_len: 4096 }] })
          : answering(request, response),
      {},
      "openai-compatible:m",
    );
    expect(auditor.version).toBe("openai-1/auto");
    const both = await Promise.all([auditor.ask(askFor()), auditor.ask(askFor())]);
    expect(both.map(({ generations }) => generations[0]!.space)).toEqual(["tempered", "tempered"]);
    expect(server.received.map(({ url }) => url).sort()).toEqual([
      "/v1/chat/completions",
      "/v1/chat/completions",
      "/v1/models",
    ]);
    expect(auditor.version).toBe("openai-1/auto");
  });

  it("asks again whom it speaks to where there was no connection", async () => {
    const gone = await startServer(answering);
    await gone.close();
    const auditor = await createOpenAIAuditor("openai-compatible:m", "m", { baseUrl: `${gone.origin}/v1` });
    closing.push(() => auditor.close());
    await expect(auditor.ask(askFor())).rejects.toMatchObject({
      fault: "connection",
      message: expect.stringContaining("is the server running?"),
    });
    const back = await startServer(answering, Number(new URL(gone.origin).port));
    closing.push(back.close);
    expect((await auditor.ask(askFor())).generations.length).toBe(1);
  });

  it("takes a server without a list of models for a generic one", async () => {
    const { auditor } = await setUp(
      (request, response) => (request.method === "GET" ? sendJson(response, {}, 404) : answering(request, response)),
      {},
      "openai-compatible:m",
    );
    expect((await auditor.ask(askFor())).generations[0]!.space).toBe("unknown");
  });

  it("knows what prompts must fit before it asks anyone", async () => {
    const needs = async (name: string, options: AuditorOptions) =>
      (await createOpenAIAuditor(name, name.slice(name.indexOf(":") + 1), options)).readsPrompt;
    expect(await needs("openai:gpt-4.1-mini", {})).toEqual({
      tokenizer: "o200k",
      contextTokens: 1_047_576,
      outputTokens: 1200,
    });
    expect(await needs("openai:brand-new", {})).toMatchObject({ tokenizer: "o200k", contextTokens: 128_000 });
    const local = { baseUrl: "http://localhost:1/v1" };
    expect(await needs("openai-compatible:llama3", local)).toMatchObject({
      tokenizer: "estimated",
      contextTokens: 8192,
    });
    expect(await needs("openai-compatible:llama3", { ...local, contextTokens: 4096 })).toMatchObject({
      contextTokens: 4096,
    });
  });

  it("says beforehand which families give no probabilities", async () => {
    expect((await createOpenAIAuditor("openai:o3", "o3", {})).signals).toEqual(["sampling", "none"]);
    expect((await createOpenAIAuditor("openai:gpt-4.1", "gpt-4.1", {})).signals).toContain("logprobs");
    const auditor = await createOpenAIAuditor("openai:o3", "o3", {});
    await expect(auditor.ask(askFor())).rejects.toMatchObject({
      fault: "unsupported",
      remedy: expect.stringContaining("`signal` sampling"),
    });
  });

  it("has batches where the provider has them", async () => {
    expect((await createOpenAIAuditor("openai:gpt-4.1", "gpt-4.1", {})).batch).toBeDefined();
    expect(
      (await createOpenAIAuditor("openai-compatible:m", "m", { baseUrl: "http://localhost:1/v1" })).batch,
    ).toBeUndefined();
  });

  it("writes its request down for the cache, without key, seed and number of answers", async () => {
    const { auditor } = await setUp(answering);
    const text = auditor.requestText(askFor(1));
    expect(auditor.requestText(askFor(5, { wanted: [{ key: "other", seed: "other" }] }))).toBe(text);
    expect(auditor.requestText(askFor(1, { temperature: 0.1 }))).not.toBe(text);
    expect(auditor.requestText(askFor(1, { logprobs: false }))).not.toBe(text);
    expect(JSON.parse(text)).toMatchObject({
      base_url: expect.stringMatching(/^http:\/\/127/),
      path: "/chat/completions",
      request: { model: "gpt-4.1-mini" },
    });
    expect(text).not.toMatch(/0123456789|seed|prompt_cache_key/);
  });

  it("is made by its name", async () => {
    expect((await createAuditor("openai:gpt-4.1-mini")).name).toBe("openai:gpt-4.1-mini");
    expect(
      (await createAuditor("openai-compatible:qwen/qwen3:8b", { baseUrl: "http://localhost:11434/v1" })).name,
    ).toBe("openai-compatible:qwen/qwen3:8b");
    await expect(createAuditor("openai-compatible:m")).rejects.toMatchObject({ code: "no_base_url" });
  });
});
