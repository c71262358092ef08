import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Price } from "../auditor.js";
import { scanBody } from "../scan/scan-body.js";
import { makeGenerations } from "./batch-line.js";
import { TRACE, wireBody, wireChoice } from "./openai.suite.js";

const PRICE: Price = { input: 2, cached_input: 0.5, output: 8, batch: 0.5, as_of: "2026-01-01" };

function generationsOf(body: object, price: Price | null = null) {
  const scanned = scanBody(Buffer.from(JSON.stringify(body)), true);
  return makeGenerations(scanned, { model: "asked", space: "raw", temperature: 0.2, price });
}

describe("makeGenerations", () => {
  it("books the prompt on the first answer and shares out what was written", () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 90, prompt_tokens_details: { cached_tokens: 600 } };
    const choices = [wireChoice("aaaabbbb", 0), wireChoice("aaaa", 1)];
    const [first, second] = generationsOf(wireBody(choices, { usage }), PRICE);
    expect(first!.usage).toMatchObject({ input_tokens: 1000, cached_input_tokens: 600, output_tokens: 60 });
    expect(first!.usage.cost_usd).toBeCloseTo((400 * 2 + 600 * 0.5 + 60 * 8) / 1e6, 12);
    expect(second!.usage).toMatchObject({ input_tokens: 0, cached_input_tokens: 0, output_tokens: 30 });
    expect(second!.usage.cost_usd).toBeCloseTo((30 * 8) / 1e6, 12);
  });

  it("shares out evenly where no tokens came, and loses none", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(10_000), (answers, total) => {
        const choices = Array.from({ length: answers }, (_, i) => wireChoice("a", i, { logprobs: null }));
        const usage = { prompt_tokens: 1, completion_tokens: total };
        const parts = generationsOf(wireBody(choices, { usage })).map((one) => one.usage.output_tokens!);
        expect(parts.reduce((a, b) => a + b, 0)).toBe(total);
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("says null where the server tells no usage, or the price is unknown", () => {
    const [generation] = generationsOf(wireBody(undefined, { usage: null }), PRICE);
    expect(generation!.usage).toEqual({
      input_tokens: null,
      cached_input_tokens: null,
      output_tokens: null,
      cost_usd: null,
    });
    expect(generationsOf(wireBody())[0]!.usage.cost_usd).toBeNull();
  });

  it("takes the server's own account of the cost where no price is known", () => {
    const usage = { prompt_tokens: 10, completion_tokens: 2, cost: 0.25 };
    const choices = [wireChoice("a", 0), wireChoice("b", 1)];
    const costs = (price: Price | null) =>
      generationsOf(wireBody(choices, { usage }), price).map((one) => one.usage.cost_usd);
    expect(costs(null)).toEqual([0.25, 0]);
    expect(costs(PRICE)[0]).toBeCloseTo(28e-6, 12);
  });

  it("knows whether the tokens spell the text out", () => {
    expect(generationsOf(wireBody())[0]!.joined).toBe(true);
    const half = { logprobs: { content: [{ token: "\\xe9", logprob: 0, bytes: [0xe9] }] } };
    expect(generationsOf(wireBody([wireChoice("é", 0, half)]))[0]!.joined).toBe(false);
    expect(generationsOf(wireBody([wireChoice(`${TRACE}x`, 0, {})])).length).toBe(1);
    expect(generationsOf(wireBody([wireChoice("a", 0, { logprobs: null })]))[0]!.joined).toBe(false);
  });

  it("names the model as the server does, else as it was asked for", () => {
    expect(generationsOf(wireBody())[0]!.model).toBe("served-model");
    expect(generationsOf(wireBody(undefined, { model: null }))[0]!.model).toBe("asked");
  });
});
