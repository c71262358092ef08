import OpenAI, { AzureOpenAI } from "openai";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Dialect,
  type FakeServer,
  type FakeServerOptions,
  gatewayPage,
  logprobsForbidden,
  outOfCredit,
  type Planned,
  planAnswer,
  rateLimited,
  startFakeServer,
  traceText,
} from "./index.js";

const CHAT_DIALECTS = [
  "openai",
  "azure",
  "vllm",
  "sglang",
  "llamacpp",
  "ollama",
  "openrouter",
  "fireworks",
  "deepseek",
] as const;
const servers: FakeServer[] = [];

async function start(options: Partial<FakeServerOptions> & Pick<FakeServerOptions, "answer">): Promise<FakeServer> {
  const server = await startFakeServer({ dialect: "openai", ...options });
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const client = ({ baseUrl }: FakeServer, key = "test-key"): OpenAI =>
  new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 });

const SCHEMA = {
  type: "object",
  properties: { logic_chain: { type: "string" }, defensibility_level: { type: "integer", enum: [1, 2, 3] } },
  required: ["logic_chain", "defensibility_level"],
  additionalProperties: false,
};

const ask = {
  model: "gpt-4.1-mini",
  messages: [
    { role: "system" as const, content: "S" },
    { role: "user" as const, content: "U é \u202e" },
  ],
  logprobs: true,
  top_logprobs: 20,
  temperature: 0.7,
};

const NON_ASCII = traceText({ policy_citation: "Règle 4: 広告禁止 𠮷 🏴‍☠️" });

describe("chat completions", () => {
  it.each(CHAT_DIALECTS)("%s: the SDK reads text, tokens, candidates and usage", async (dialect) => {
    const planned = await planAnswer(traceText(), { printable: true });
    const server = await start({ dialect, answer: () => planned });
    const completion = await client(server).chat.completions.create(ask);
    const choice = completion.choices[0]!;
    expect(choice.message.content).toBe(planned.text);
    expect(choice.finish_reason).toBe("stop");
    expect(completion.usage).toMatchObject({ prompt_tokens: 1200, completion_tokens: planned.tokens.length });
    const content = choice.logprobs!.content!;
    expect(content.map(({ token }) => token).join("")).toBe(planned.text);
    for (const token of content) {
      const top = token.top_logprobs;
      expect(top.length).toBe(20);
      expect(top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeLessThanOrEqual(1 + 1e-9);
      const chosen = top.find((candidate) => candidate.token === token.token);
      if (chosen) expect(chosen.logprob).toBe(token.logprob);
    }
    expect(server.questions[0]).toMatchObject({ system: "S", user: "U é \u202e", temperature: 0.7, top: 20 });
    expect(server).toMatchObject({ paid: 1, delivered: 1 });
  });

  it("puts vLLM's sampled token first, and drops another one for it where it is outside the list", async () => {
    const planned = await planAnswer(traceText(), { outside: ["inverse_check"] });
    const server = await start({ dialect: "vllm", answer: () => planned });
    const content = (await client(server).chat.completions.create(ask)).choices[0]!.logprobs!.content!;
    for (const token of content) expect(token.top_logprobs[0]!.token).toBe(token.token);
    const label = content.find(({ token }) => token === "No")!;
    expect(label.top_logprobs).toHaveLength(20);
    expect(label.top_logprobs[0]!.logprob).toBeLessThan(label.top_logprobs[19]!.logprob);
  });

  it("gives OpenAI's chosen token outside the list the value -9999.0", async () => {
    const planned = await planAnswer(traceText(), { outside: ["inverse_check"] });
    const server = await start({ answer: () => planned });
    const response = await client(server).chat.completions.create(ask).asResponse();
    const text = await response.text();
    expect(text).toContain('"logprob": -9999.0');
    const label = (JSON.parse(text) as OpenAI.ChatCompletion).choices[0]!.logprobs!.content!.find(
      ({ token }) => token === "No",
    )!;
    expect(label.logprob).toBe(-9999);
    expect(label.top_logprobs.some(({ token }) => token === "No")).toBe(false);
  });

  it.each(["openai", "llamacpp", "deepseek", "fireworks"] as const)(
    "%s: bytes are true where characters are split",
    async (dialect) => {
      const planned = await planAnswer(NON_ASCII);
      const server = await start({ dialect, answer: () => planned });
      const content = (await client(server).chat.completions.create(ask)).choices[0]!.logprobs!.content!;
      expect(Buffer.concat(content.map(({ bytes }) => Buffer.from(bytes!))).toString("utf8")).toBe(planned.text);
    },
  );

  it("prints half a character in each server's way", async () => {
    const planned = await planAnswer('{"policy_citation":"𠮷"}', { vocabulary: "sentence-piece" });
    const halves = async (dialect: Dialect): Promise<string[]> => {
      const server = await start({ dialect, answer: () => planned });
      const content = (await client(server).chat.completions.create(ask)).choices[0]!.logprobs!.content!;
      return content.slice(-5, -1).map(({ token }) => token);
    };
    expect(await halves("openai")).toEqual(["\\xf0", "\\xa0", "\\xae", "\\xb7"]);
    expect(await halves("vllm")).toEqual(["\ufffd", "\ufffd", "\ufffd", "\ufffd"]);
    expect((await halves("llamacpp"))[0]).toBe("");
    expect(await halves("ollama")).toEqual(["", "", "", ""]);
  });

  it("gives n choices, and cuts each at the limit", async () => {
    const planned = await Promise.all(["a", "b"].map((seed) => planAnswer(traceText({ logic_chain: seed }), { seed })));
    const server = await start({ answer: () => planned });
    const completion = await client(server).chat.completions.create({ ...ask, n: 3, max_completion_tokens: 9 });
    expect(completion.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(completion.choices.map(({ finish_reason }) => finish_reason)).toEqual(["length", "length", "length"]);
    expect(completion.choices[0]!.logprobs!.content).toHaveLength(9);
    expect(completion.choices[0]!.message.content).toBe(completion.choices[2]!.message.content);
    expect(server.paid).toBe(3);
  });

  it("refuses with content null and logprobs under refusal", async () => {
    const planned = await planAnswer("I'm sorry, I cannot assist with that request.", { finish: "refusal" });
    const server = await start({ answer: () => planned });
    const choice = (await client(server).chat.completions.create(ask)).choices[0]!;
    expect(choice.message).toMatchObject({ content: null, refusal: planned.text });
    expect(choice.logprobs!.content).toBeNull();
    expect(choice.logprobs!.refusal!.map(({ token }) => token).join("")).toBe(planned.text);
  });

  it("streams the same answer when a stream is asked for", async () => {
    const planned = await planAnswer(NON_ASCII);
    const server = await start({ answer: () => planned });
    const stream = client(server).chat.completions.stream({ ...ask, stream_options: { include_usage: true } });
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]!.message.content).toBe(planned.text);
    expect(completion.choices[0]!.logprobs!.content).toHaveLength(planned.tokens.length);
    expect(completion.usage!.completion_tokens).toBe(planned.tokens.length);
  });

  it("is found under Azure's addresses, the old and the new", async () => {
    const planned = await planAnswer(traceText());
    const server = await start({ dialect: "azure", answer: () => planned });
    const azure = new AzureOpenAI({
      endpoint: server.origin,
      apiKey: "test-key",
      apiVersion: "2024-10-21",
      deployment: "mine",
    });
    expect((await azure.chat.completions.create({ ...ask, model: "" })).choices[0]!.message.content).toBe(planned.text);
    expect(server.requests[0]!.path).toBe("/openai/deployments/mine/chat/completions");
  });

  it("is Together's flat form there, with an integer to ask for it", async () => {
    const planned = await planAnswer(traceText(), { printable: true });
    const server = await start({ dialect: "together", answer: () => planned });
    const post = async (logprobs: unknown): Promise<Response> =>
      fetch(`${server.baseUrl}/chat/completions`, {
        method: "POST",
        headers: { authorization: "Bearer test-key" },
        body: JSON.stringify({ ...ask, top_logprobs: undefined, logprobs }),
      });
    expect((await post(true)).status).toBe(400);
    const { choices } = (await (await post(20)).json()) as { choices: { logprobs: Record<string, unknown[]> }[] };
    const { tokens, token_logprobs, token_ids, top_logprobs } = choices[0]!.logprobs;
    expect(tokens!.join("")).toBe(planned.text);
    expect(token_logprobs).toHaveLength(tokens!.length);
    expect(token_ids).toHaveLength(tokens!.length);
    expect(Object.keys(top_logprobs![0] as object)).toHaveLength(20);
  });
});

describe("responses", () => {
  const input = {
    model: "gpt-4.1-mini",
    input: "U",
    include: ["message.output_text.logprobs" as const],
    top_logprobs: 20,
  };

  it("rounds to six decimals in the final object and not in the events", async () => {
    const planned = await planAnswer(traceText());
    const server = await start({ answer: () => planned });
    const whole = await client(server).responses.create(input);
    const item = whole.output[0] as OpenAI.Responses.ResponseOutputMessage;
    const part = item.content[0] as OpenAI.Responses.ResponseOutputText;
    expect(part.text).toBe(planned.text);
    for (const { logprob } of part.logprobs!) expect(Math.round(logprob * 1e6) / 1e6).toBe(logprob);
    const exact: number[] = [];
    for await (const event of await client(server).responses.create({ ...input, stream: true })) {
      if (event.type === "response.output_text.delta") exact.push(...event.logprobs.map(({ logprob }) => logprob));
    }
    expect(exact).toHaveLength(planned.tokens.length);
    expect(exact.some((logprob) => Math.round(logprob * 1e6) / 1e6 !== logprob)).toBe(true);
    exact.forEach((logprob, i) => {
      expect(part.logprobs![i]!.logprob).toBeCloseTo(logprob, 5);
    });
  });

  it("LM Studio gives probabilities there, unrounded, and none in chat", async () => {
    const planned = await planAnswer(traceText());
    const server = await start({ dialect: "lmstudio", answer: () => planned });
    expect((await client(server).chat.completions.create(ask)).choices[0]!.logprobs).toBeNull();
    const item = (await client(server).responses.create(input)).output[0] as OpenAI.Responses.ResponseOutputMessage;
    const { logprobs } = item.content[0] as OpenAI.Responses.ResponseOutputText;
    expect(logprobs!.some(({ logprob }) => Math.round(logprob * 1e6) / 1e6 !== logprob)).toBe(true);
  });
});

describe("what is refused", () => {
  let planned: Planned;
  const refusal = async (body: object, dialect: Dialect = "openai"): Promise<string> => {
    planned ??= await planAnswer("{}");
    const server = await start({ dialect, answer: () => planned });
    const response = await fetch(`${server.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer test-key" },
      body: JSON.stringify({ ...ask, ...body }),
    });
    const { error } = (await response.json()) as { error?: { message: string } };
    return `${response.status} ${error?.message ?? "taken"}`;
  };
  const format = (schema: object): object => ({
    response_format: { type: "json_schema", json_schema: { name: "t", strict: true, schema } },
  });

  it("is what OpenAI refuses", async () => {
    expect(await refusal({})).toBe("200 taken");
    expect(await refusal({ logprobs: 5 })).toMatch(/^400 Invalid type for 'logprobs'/);
    expect(await refusal({ top_logprobs: 21 })).toMatch(/^400 .*less than or equal to 20/);
    expect(await refusal({ guided_json: {} })).toMatch(/^400 Unrecognized request argument supplied: guided_json/);
    expect(await refusal({ reasoning_effort: "none" })).toMatch(/^400 Unrecognized request argument/);
    expect(await refusal(format(SCHEMA))).toBe("200 taken");
    expect(await refusal(format({ ...SCHEMA, additionalProperties: undefined }))).toMatch(/additionalProperties/);
    expect(await refusal(format({ ...SCHEMA, required: ["logic_chain"] }))).toMatch(/Missing 'defensibility_level'/);
  });

  it("depends on the model and its reasoning effort", async () => {
    expect(await refusal({ model: "o3" })).toMatch(/^403 You are not allowed to request logprobs/);
    expect(await refusal({ model: "gpt-5-mini" })).toMatch(/^400 Unsupported parameter: 'logprobs'/);
    expect(await refusal({ model: "gpt-5.2", reasoning_effort: "low" })).toMatch(/^400 Unsupported parameter/);
    expect(await refusal({ model: "gpt-5.2", reasoning_effort: "none" })).toBe("200 taken");
    expect(await refusal({ model: "gpt-6-luna" })).toMatch(/^400/);
    expect(await refusal({ model: "gpt-6-luna", reasoning_effort: "none" })).toBe("200 taken");
  });

  it("is less with others", async () => {
    expect(await refusal({ top_logprobs: 100 }, "llamacpp")).toBe("200 taken");
    expect(await refusal({ top_logprobs: 21 }, "ollama")).toMatch(/^400/);
    expect(await refusal({ structured_outputs: { json: {} } }, "vllm")).toBe("200 taken");
  });
});

describe("faults", () => {
  const attempt = async (server: FakeServer, key?: string): Promise<unknown> =>
    client(server, key)
      .chat.completions.create(ask)
      .then(
        () => "answered",
        (error: unknown) => error,
      );

  it("are told in the SDK's errors: status, code, headers", async () => {
    const faults = [
      rateLimited("openai", { retryAfter: "2", retryAfterMs: "1500" }),
      outOfCredit(),
      logprobsForbidden(),
      gatewayPage(502),
    ];
    const server = await start({ answer: ({ index }) => faults[index]! });
    const limited = (await attempt(server)) as InstanceType<typeof OpenAI.APIError>;
    expect(limited).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    expect(limited.headers!.get("retry-after-ms")).toBe("1500");
    expect(limited.headers!.get("x-ratelimit-reset-tokens")).toBe("1m6.5s");
    expect(await attempt(server)).toMatchObject({ status: 429, code: "insufficient_quota" });
    expect(await attempt(server)).toMatchObject({ status: 403 });
    expect(await attempt(server)).toMatchObject({ status: 502 });
    expect(server.paid).toBe(0);
    expect(await attempt(server, "wrong")).toMatchObject({ status: 401, code: "invalid_api_key" });
  });

  it("tear bodies, which are paid for and not delivered", async () => {
    const planned = await planAnswer(traceText());
    const server = await start({
      answer: ({ index }) => ({ fault: "torn", at: index === 0 ? "start" : "middle", answer: planned }),
    });
    expect(await attempt(server)).toBeInstanceOf(Error);
    expect(server.paid).toBe(0);
    expect(await attempt(server)).toBeInstanceOf(Error);
    expect(server).toMatchObject({ paid: 1, delivered: 0 });
  });

  it("stall until the client gives up", async () => {
    const planned = await planAnswer(traceText());
    const server = await start({ answer: () => ({ fault: "stall", at: "middle", answer: planned }) });
    const patience = new AbortController();
    const call = client(server).chat.completions.create(ask, { signal: patience.signal }).asResponse();
    const response = await call;
    patience.abort();
    await expect(response.text()).rejects.toThrow();
  });

  it("cut bodies anywhere without changing them", async () => {
    const planned = await planAnswer(NON_ASCII, { seed: "cut" });
    const server = await start({
      traits: { escape: "ascii" },
      answer: () => ({ fault: "chunked", size: 4099, answer: planned }),
    });
    expect((await client(server).chat.completions.create(ask)).choices[0]!.message.content).toBe(NON_ASCII);
  });

  it("leave out probabilities in silence, or parameters", async () => {
    const planned = await planAnswer(traceText());
    const silent = await start({ answer: () => ({ fault: "no_logprobs", answer: planned }) });
    expect((await client(silent).chat.completions.create(ask)).choices[0]!.logprobs).toBeNull();
    const dropping = await start({ dialect: "openrouter", drops: ["logprobs", "top_logprobs"], answer: () => planned });
    expect((await client(dropping).chat.completions.create(ask)).choices[0]!.logprobs).toBeNull();
  });
});

describe("models", () => {
  it("are listed with the owner by which servers are told apart", async () => {
    const owners: Record<string, unknown> = {};
    for (const dialect of [
      "openai",
      "vllm",
      "sglang",
      "llamacpp",
      "ollama",
      "lmstudio",
      "deepseek",
      "fireworks",
    ] as const) {
      const server = await start({ dialect, answer: () => rateLimited() });
      owners[dialect] = (await client(server).models.list()).data[0]!.owned_by;
    }
    expect(owners).toEqual({
      openai: "system",
      vllm: "vllm",
      sglang: "sglang",
      llamacpp: "llamacpp",
      ollama: "library",
      lmstudio: "organization_owner",
      deepseek: "deepseek",
      fireworks: "fireworks",
    });
  });
});
