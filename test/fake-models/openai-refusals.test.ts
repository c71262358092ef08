import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import {
  type Dialect,
  type FakeServer,
  gatewayPage,
  logprobsForbidden,
  outOfCredit,
  type Planned,
  planAnswer,
  rateLimited,
  traceText,
} from "./index.js";
import { ask, client, NON_ASCII, start } from "./openai-server.suite.js";

const SCHEMA = {
  type: "object",
  properties: { logic_chain: { type: "string" }, defensibility_level: { type: "integer", enum: [1, 2, 3] } },
  required: ["logic_chain", "defensibility_level"],
  additionalProperties: false,
};

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
