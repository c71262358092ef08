import { describe, expect, it } from "vitest";
import { type AnswerContext, geminiAnswers } from "./answer.js";
import { answered, candidate, LOGPROBS, PRICE } from "./gemini.suite.js";

const CONTEXT: AnswerContext = {
  name: "vertex:gemini-2.5-flash",
  model: "gemini-2.5-flash",
  temperature: 0.2,
  answers: 1,
  price: PRICE,
};

describe("geminiAnswers", () => {
  it("reads text, tokens and the model as the server names it", () => {
    const [answer] = geminiAnswers(answered([candidate('{"a":1}', { logprobsResult: LOGPROBS })]), CONTEXT);
    expect(answer).toMatchObject({
      text: '{"a":1}',
      finish: "stop",
      space: "unknown",
      support: "top_k",
      temperature: 0.2,
      model: "gemini-2.5-flash-001",
    });
    expect(answer!.tokens).toHaveLength(3);
  });

  it("joins the parts of an answer and leaves its thoughts out", () => {
    const parts = [{ text: "I think", thought: true }, { text: '{"a":' }, { inlineData: {} }, { text: "1}" }, null];
    const body = answered([{ content: { parts }, finishReason: "STOP" }]);
    expect(geminiAnswers(body, CONTEXT)[0]!.text).toBe('{"a":1}');
  });

  it("tells how an answer ended", () => {
    const ends = { STOP: "stop", MAX_TOKENS: "length", CONTINUATION: "length" };
    const withheld = [
      "SAFETY",
      "RECITATION",
      "PROHIBITED_CONTENT",
      "BLOCKLIST",
      "SPII",
      "LANGUAGE",
      "OTHER",
      "NEW_ONE",
    ];
    for (const [finishReason, finish] of [...Object.entries(ends), ...withheld.map((reason) => [reason, "filter"])]) {
      expect(geminiAnswers(answered([candidate("", { finishReason })]), CONTEXT)[0]!.finish).toBe(finish);
    }
  });

  it("tells a blocked prompt as as many withheld answers as were wanted", () => {
    const body = { promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata: { promptTokenCount: 100 } };
    const answers = geminiAnswers(body, { ...CONTEXT, answers: 2 });
    expect(answers.map(({ text, finish, tokens }) => [text, finish, tokens])).toEqual([
      ["", "filter", null],
      ["", "filter", null],
    ]);
    expect(answers.map((answer) => answer.usage.input_tokens)).toEqual([100, 0]);
    expect(answers[0]!.usage).toMatchObject({ output_tokens: 0, cost_usd: 100 / 1e6 });
  });

  it("takes no candidates without a reason for withheld too", () => {
    expect(geminiAnswers({ candidates: [], usageMetadata: {} }, CONTEXT)[0]).toMatchObject({
      text: "",
      finish: "filter",
    });
  });

  it("refuses a body with nothing of a response in it", () => {
    for (const body of [{}, null, [], "ok", { error: { code: 500 } }]) {
      expect(() => geminiAnswers(body, CONTEXT)).toThrow(expect.objectContaining({ fault: "bad_answer" }));
    }
  });

  it("books the prompt once and the output by its parts, and their cost adds up", () => {
    const usageMetadata = {
      promptTokenCount: 1000,
      cachedContentTokenCount: 400,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 3,
    };
    const answers = geminiAnswers(answered([candidate(), candidate()], { usageMetadata }), { ...CONTEXT, answers: 2 });
    expect(answers.map(({ usage }) => [usage.input_tokens, usage.cached_input_tokens, usage.output_tokens])).toEqual([
      [1000, 400, 12],
      [0, 0, 11],
    ]);
    const total = (600 * 1 + 400 * 0.25 + 23 * 10) / 1e6;
    expect(answers.reduce((sum, { usage }) => sum + usage.cost_usd!, 0)).toBeCloseTo(total, 12);
  });

  it("books the output as each answer counts its own, with the thoughts on the first", () => {
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 20, thoughtsTokenCount: 5 };
    const two = [candidate("", { tokenCount: 15 }), candidate("", { tokenCount: 5 })];
    const answers = geminiAnswers(answered(two, { usageMetadata }), { ...CONTEXT, answers: 2 });
    expect(answers.map(({ usage }) => usage.output_tokens)).toEqual([20, 5]);
  });

  it("leaves unknown counts and prices unknown", () => {
    const uncounted = geminiAnswers(answered([candidate()], { usageMetadata: undefined }), CONTEXT)[0]!.usage;
    expect(uncounted).toEqual({ input_tokens: null, cached_input_tokens: null, output_tokens: null, cost_usd: null });
    const hostile = { promptTokenCount: -1, candidatesTokenCount: "many", thoughtsTokenCount: 1e99 };
    expect(geminiAnswers(answered([candidate()], { usageMetadata: hostile }), CONTEXT)[0]!.usage.cost_usd).toBeNull();
    expect(geminiAnswers(answered([candidate()]), { ...CONTEXT, price: null })[0]!.usage).toMatchObject({
      input_tokens: 100,
      cost_usd: null,
    });
  });

  it("takes no more answers than were asked for", () => {
    expect(geminiAnswers(answered([candidate(), candidate(), candidate()]), CONTEXT)).toHaveLength(1);
  });

  it("never hold a key that the server repeats", () => {
    const body = {
      candidates: [{ content: { parts: [{ text: "key AIza-secret-123" }] } }],
      modelVersion: "m-AIza-secret-123",
    };
    const context = { name: "n", model: "m", temperature: 0, answers: 1, price: null, secrets: ["AIza-secret-123"] };
    expect(JSON.stringify(geminiAnswers(body, context))).not.toContain("AIza-secret-123");
  });
});
