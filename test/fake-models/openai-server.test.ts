import type OpenAI from "openai";
import { AzureOpenAI } from "openai";
import { describe, expect, it } from "vitest";
import { type Dialect, planAnswer, rateLimited, traceText } from "./index.js";
import { ask, client, NON_ASCII, start } from "./openai-server.suite.js";

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
