import { describe, expect, it } from "vitest";
import { scanBody } from "../scan/scan-body.js";
import type { OpenAIRequest } from "./batch-line.js";
import { NO_HEADERS, refusalError } from "./errors.js";
import { wireBody, wireChoice, wireTokens } from "./openai.suite.js";
import { probeModel } from "./probe.js";
import { dialectOf, familyOf, firstShape } from "./request-shape.js";

const ANSWER = '{"answer":"Yes"}';
const CONTEXT = { model: "m", address: "http://x", timeoutMs: 1, secrets: [], keyVariable: "K" };

type Reply = (body: Record<string, unknown>) => object | { refuse: string; param?: string; status?: number };

/** Probes a server that answers as told; the bodies that it was sent are kept. */
async function probe(reply: Reply, dialect = "openai", model = "gpt-4.1-mini") {
  const sent: Record<string, unknown>[] = [];
  const send = async ({ body }: OpenAIRequest) => {
    sent.push(body);
    const answer = reply(body);
    if ("refuse" in answer) {
      const { refuse, param, status } = answer as { refuse: string; param?: string; status?: number };
      throw refusalError(status ?? 400, JSON.stringify({ error: { message: refuse, param } }), NO_HEADERS, CONTEXT);
    }
    return { body: scanBody(Buffer.from(JSON.stringify(answer)), true), costUsd: 0.001 };
  };
  const found = await probeModel(model, firstShape(dialectOf(dialect), familyOf(model)), send);
  return { ...found, sent };
}

const full = (text = ANSWER, top = 20): object => ({ logprobs: { content: wireTokens(text, top) } });
const answers = (count: number, changes: object = full()): object =>
  wireBody(Array.from({ length: count }, (_, i) => wireChoice(ANSWER, i, changes)));

describe("probeModel", () => {
  it("learns everything from one cheap call", async () => {
    const { capabilities, shape, sent } = await probe(() => answers(2));
    expect(capabilities).toEqual({
      logprobs: true,
      topLogprobs: 20,
      answersPerCall: 128,
      structuredOutput: true,
      space: "raw",
      dialect: "openai",
      model: "served-model",
      notes: [expect.stringContaining("2027-01-14")],
      costUsd: 0.001,
    });
    expect(shape.logprobs).toBe(true);
    expect(sent.length).toBe(1);
    expect(sent[0]).toMatchObject({ max_completion_tokens: 16, n: 2, logprobs: true, top_logprobs: 20 });
  });

  it("takes an answer without probabilities for a model that has none", async () => {
    for (const logprobs of [null, { content: null }, { content: [] }]) {
      const { capabilities, shape } = await probe(() => answers(2, { logprobs }));
      expect(capabilities).toMatchObject({ logprobs: false, topLogprobs: 0 });
      expect(capabilities.notes[0]).toMatch(/the answer came without them.*`signal` sampling.*`signal` none/);
      expect(shape.logprobs).toBe(false);
    }
  });

  it("takes probabilities without candidates for none", async () => {
    const { capabilities } = await probe(() => answers(2, full(ANSWER, 0)));
    expect(capabilities.logprobs).toBe(false);
    expect(capabilities.notes[0]).toContain("chosen token only");
  });

  it("tells shorter lists", async () => {
    const { capabilities } = await probe(() => answers(2, full(ANSWER, 5)));
    expect(capabilities).toMatchObject({ logprobs: true, topLogprobs: 5 });
    expect(capabilities.notes[0]).toContain("at most 5 candidates a token instead of 20");
  });

  it("asks for as many candidates as the server says it has", async () => {
    const { capabilities, sent, shape } = await probe((body) =>
      Number(body.top_logprobs) > 5
        ? { refuse: "top_logprobs must be less than or equal to 5" }
        : answers(2, full(ANSWER, 5)),
    );
    expect(sent.map((body) => body.top_logprobs)).toEqual([20, 5]);
    expect(shape.topLogprobs).toBe(5);
    expect(capabilities.topLogprobs).toBe(5);
  });

  it("lets go of probabilities that are refused, and quotes the refusal", async () => {
    const { capabilities, sent } = await probe(
      (body) =>
        body.logprobs
          ? { refuse: "You are not allowed to request logprobs from this model", status: 403 }
          : answers(2, { logprobs: null }),
      "openai",
      "o3",
    );
    expect(sent.length).toBe(2);
    expect(capabilities).toMatchObject({ logprobs: false, structuredOutput: true, answersPerCall: 128 });
    expect(capabilities.notes[0]).toContain("You are not allowed to request logprobs");
  });

  it("tries without reasoning before it lets go, where the model is not known", async () => {
    const { capabilities, sent } = await probe(
      (body) =>
        body.logprobs && body.reasoning_effort !== "none"
          ? { refuse: "'logprobs' is not supported", param: "logprobs" }
          : answers(2),
      "azure",
      "my-deployment",
    );
    expect(sent.map((body) => body.reasoning_effort)).toEqual([undefined, "none"]);
    expect(capabilities.logprobs).toBe(true);
  });

  it("lets go of reasoning_effort where that is refused", async () => {
    const { capabilities, shape } = await probe(
      (body) =>
        body.reasoning_effort ? { refuse: "Unrecognized request argument supplied: reasoning_effort" } : answers(2),
      "openai",
      "gpt-5.2",
    );
    expect(shape.effortNone).toBe(false);
    expect(capabilities.logprobs).toBe(true);
  });

  it("lets go of several things, one after the other", async () => {
    const { capabilities, shape, sent } = await probe((body) => {
      if (body.n) return { refuse: "n must be 1", param: "n" };
      if (body.response_format) return { refuse: "response_format json_schema is not supported", status: 422 };
      if (body.seed !== undefined) return { refuse: "seed is not supported" };
      return answers(1);
    }, "generic");
    expect(sent.length).toBe(4);
    expect(shape).toMatchObject({ answersPerCall: 1, structured: false, seed: false, logprobs: true });
    expect(capabilities).toMatchObject({ answersPerCall: 1, structuredOutput: false });
    expect(capabilities.notes.join(" ")).toContain("takes no JSON schema");
  });

  it("gives up after four calls, or at what no change can mend", async () => {
    let calls = 0;
    const refused = ["n", "seed", "temperature", "response_format", "logprobs"];
    const endless = probe(
      () => ({ refuse: `'${refused[calls++]}' is not supported`, param: refused[calls - 1] }),
      "generic",
    );
    await expect(endless).rejects.toMatchObject({ fault: "unsupported" });
    expect(calls).toBe(4);
    await expect(probe(() => ({ refuse: "no such model", status: 404 }))).rejects.toMatchObject({ fault: "not_found" });
    await expect(probe(() => ({ refuse: "busy", status: 429 }))).rejects.toMatchObject({ fault: "rate_limited" });
  });

  it("counts the answers that came, not those asked for", async () => {
    const { capabilities } = await probe(() => answers(1), "vllm");
    expect(capabilities.answersPerCall).toBe(1);
    expect(capabilities.notes.join(" ")).toContain("one answer a call");
  });

  it("does not call JSON of another form structured output", async () => {
    const other = wireChoice("Yes, it is.", 0, full("Yes, it is."));
    const { capabilities } = await probe(() => wireBody([other, other]));
    expect(capabilities.structuredOutput).toBe(false);
    expect(capabilities.notes.join(" ")).toContain("did not keep to it");
  });

  it("does not judge an answer that was cut", async () => {
    const cut = wireChoice('{"answer"\n', 0, { ...full(), finish_reason: "length" });
    expect((await probe(() => wireBody([cut, cut]))).capabilities.structuredOutput).toBe(true);
  });

  it("flags a space that nobody knows", async () => {
    const { capabilities } = await probe(() => answers(1), "openrouter");
    expect(capabilities.space).toBe("unknown");
    expect(capabilities.notes.join(" ")).toContain("unknown_space");
  });

  it("asks a server that never has probabilities for none", async () => {
    const { capabilities, sent } = await probe(() => answers(1, { logprobs: null }), "anthropic", "claude");
    expect(sent[0]).not.toHaveProperty("logprobs");
    expect(capabilities.notes[0]).toContain("Anthropic has none");
  });
});
