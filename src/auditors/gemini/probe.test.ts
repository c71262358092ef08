import { describe, expect, it } from "vitest";
import {
  answered,
  ask,
  auditor,
  candidate,
  type Handler,
  json,
  LOGPROBS,
  refusal,
  serve,
  withKeys,
} from "./gemini.suite.js";

/** Answers as the real servers do: refuses by name what a model does not have, all at once or one after the other. */
function strict(refusals: Readonly<Record<string, string>>, accepted: Handler): Handler {
  return (received, response) => {
    const config = received.body.generationConfig;
    const wants: Record<string, boolean> = {
      logprobs: config.responseLogprobs === true,
      answers: config.candidateCount > 1,
      thinking: config.thinkingConfig !== undefined,
      schema: config.responseSchema !== undefined,
      safety: received.body.safetySettings !== undefined,
    };
    const minded = Object.keys(refusals).find((feature) => wants[feature]);
    (minded === undefined ? accepted : refusal(400, refusals[minded]!))(received, response);
  };
}

const NO_LOGPROBS = "Logprobs is not enabled for models/gemini-2.5-flash";
const NO_ANSWERS = "Multiple candidates is not enabled for this model";
const one = json(answered([candidate()]));
const both = json(answered([candidate(), candidate()]));

describe("the probe", () => {
  withKeys();

  it("sees everything in one call where nothing is refused", async () => {
    const full = candidate('{"answer":"Yes"}', { logprobsResult: LOGPROBS });
    const { url, received } = await serve(json(answered([full, full])));
    const vertex = await auditor("vertex", url);
    expect(await vertex.probe!()).toMatchObject({
      logprobs: true,
      topLogprobs: 3,
      answersPerCall: 8,
      structuredOutput: true,
      space: "unknown",
      dialect: "vertex",
      model: "gemini-2.5-flash-001",
      costUsd: (100 * 1 + 14 * 10) / 1e6,
    });
    expect(received).toHaveLength(1);
    expect(received[0]!.body.generationConfig).toMatchObject({
      responseLogprobs: true,
      logprobs: 20,
      candidateCount: 2,
    });
    expect(vertex.signals).toContain("logprobs");
    expect(vertex.answersPerCall).toBe(8);
  });

  it("learns what the Developer API refuses, tells it in the server's words, and what to use instead", async () => {
    const { url, received } = await serve(strict({ logprobs: NO_LOGPROBS, answers: NO_ANSWERS }, one));
    const gemini = await auditor("gemini", url);
    const found = await gemini.probe!();
    expect(found).toMatchObject({ logprobs: false, topLogprobs: 0, answersPerCall: 1, structuredOutput: true });
    expect(received).toHaveLength(3);
    const notes = found.notes.join("\n");
    for (const part of [NO_LOGPROBS, NO_ANSWERS, "vertex:gemini-2.5-flash", "`signal` sampling", "October 2026"]) {
      expect(notes).toContain(part);
    }
    for (const note of found.notes) expect(note).toMatch(/^[A-Z].*\.$/);
  });

  it("takes an answer whose probabilities did not come for a model without", async () => {
    const { url } = await serve(both);
    const vertex = await auditor("vertex", url);
    expect(vertex.signals).toContain("logprobs");
    const found = await vertex.probe!();
    expect(found).toMatchObject({ logprobs: false, topLogprobs: 0, answersPerCall: 8 });
    expect(found.notes.join(" ")).toContain("asked for and did not come");
    expect(vertex.signals).toEqual(["sampling", "none"]);
  });

  it("keeps later requests to what was accepted, and refuses probabilities without asking", async () => {
    const refused = {
      logprobs: NO_LOGPROBS,
      thinking: "Budget 0 is invalid. This model only works in thinking mode.",
      safety: "User has requested a restricted HarmBlockThreshold setting.",
    };
    const { url, received } = await serve(strict(refused, both));
    const gemini = await auditor("gemini", url);
    await gemini.probe!();
    expect(received).toHaveLength(4);
    await gemini.ask(ask({ wanted: [1, 2].map((seed) => ({ key: "d", seed: String(seed) })) }));
    expect(received[4]!.body).not.toHaveProperty("safetySettings");
    expect(received[4]!.body.generationConfig).not.toHaveProperty("thinkingConfig");
    expect(received[4]!.body.generationConfig.candidateCount).toBe(2);
    await expect(gemini.ask(ask({ logprobs: true }))).rejects.toMatchObject({ fault: "unsupported" });
    expect(received).toHaveLength(5);
  });

  it("does without a schema where JSON mode is refused", async () => {
    const { url, received } = await serve(strict({ schema: "JSON mode is not enabled for models/gemma-3" }, both));
    const gemma = await auditor("gemini", url, {}, "gemma-3-27b-it");
    const found = await gemma.probe!();
    expect(found).toMatchObject({ structuredOutput: false, answersPerCall: 8 });
    expect(received[1]!.body.generationConfig).not.toHaveProperty("responseMimeType");
  });

  it("leaves out the cheapest first where the server does not say what it minds", async () => {
    const vague = "Request contains an invalid argument.";
    const { url, received } = await serve(strict({ logprobs: vague }, one));
    expect(await (await auditor("vertex", url)).probe!()).toMatchObject({ logprobs: false, answersPerCall: 1 });
    expect(received).toHaveLength(3);
  });

  it("gives up after four calls with the last refusal", async () => {
    const { url, received } = await serve(refusal(400, "Request contains an invalid argument."));
    await expect((await auditor("vertex", url)).probe!()).rejects.toMatchObject({ fault: "bad_request" });
    expect(received).toHaveLength(4);
  });

  it("passes on at once what is no refusal of a feature", async () => {
    for (const [status, fault] of [
      [403, "auth"],
      [404, "not_found"],
      [429, "rate_limited"],
      [500, "server"],
    ] as const) {
      const { url, received } = await serve(refusal(status, "no"));
      await expect((await auditor("vertex", url)).probe!()).rejects.toMatchObject({ fault });
      expect(received).toHaveLength(1);
    }
  });

  it("sees that an answer does not keep to its schema, and that a model thinks", async () => {
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 73 };
    const { url } = await serve(json(answered([candidate("Yes."), candidate("No.")], { usageMetadata })));
    const found = await (await auditor("vertex", url)).probe!();
    expect(found.structuredOutput).toBe(false);
    expect(found.notes.join(" ")).toContain("73 tokens");
  });

  it("does not know the cost where it does not know the price", async () => {
    const { url } = await serve(both);
    const unpriced = await auditor("vertex", url, { prices: {} }, "gemini-nobody-knows");
    expect((await unpriced.probe!()).costUsd).toBeNull();
  });
});
