import { describe, expect, it, vi } from "vitest";
import { EnvironmentError, InputError } from "../../core/errors.js";
import { extractSignals, PAPER_WEIGHTS } from "../../entry/signals.js";
import { answerOf, COMPACT, tokensOf } from "../../measures/signals/answer.suite.js";
import { createAuditor, priceOf } from "../create-auditor.js";
import {
  answered,
  ask,
  auditor,
  candidate,
  json,
  KEY,
  LOGPROBS,
  PRICE,
  PROMPT,
  refusal,
  serve,
  withKeys,
} from "./gemini.suite.js";

const two = [
  { key: "d1", seed: "s1" },
  { key: "d1", seed: "s2" },
];

describe("a Gemini auditor", () => {
  withKeys();

  it("sends one request with the schema in its order, probabilities, least thinking and no content filter", async () => {
    const { url, received } = await serve(json(answered([candidate("{}", { logprobsResult: LOGPROBS })])));
    const one = await auditor("gemini", url);
    const { generations } = await one.ask(ask({ logprobs: true }));
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: "POST", url: "/v1beta/models/gemini-2.5-flash:generateContent" });
    expect(received[0]!.headers["x-goog-api-key"]).toBe(KEY);
    expect(received[0]!.headers["x-server-timeout"]).toBe("5");
    const { contents, systemInstruction, safetySettings, generationConfig } = received[0]!.body;
    expect(contents).toEqual([{ role: "user", parts: [{ text: "Rules: R1.\nContent: hello" }] }]);
    expect(systemInstruction.parts).toEqual([{ text: "You audit." }]);
    expect(new Set(safetySettings.map((setting: { threshold: string }) => setting.threshold))).toEqual(
      new Set(["OFF"]),
    );
    expect(generationConfig).toMatchObject({
      temperature: 0.2,
      candidateCount: 1,
      maxOutputTokens: one.readsPrompt!.outputTokens,
      responseMimeType: "application/json",
      responseLogprobs: true,
      logprobs: 20,
      thinkingConfig: { thinkingBudget: 0 },
    });
    expect(generationConfig.responseSchema.propertyOrdering).toEqual(PROMPT.format.fields.map((field) => field.name));
    expect(generations[0]!.tokens).toHaveLength(3);
  });

  it("gives signals from probabilities, with thoughts before the answer, and flags their unknown space", async () => {
    const tokens = tokensOf(COMPACT);
    const text = tokens.map((token) => token.text).join("");
    const listed = tokens.map(({ text, logprob, top }) => ({
      chosen: { token: text, tokenId: 1, logProbability: logprob },
      candidates: top.map((one) => ({ token: one.text, logProbability: one.logprob })),
    }));
    const thought = { chosen: { token: "Let me see: High, No, 2.", logProbability: -1 }, candidates: [] };
    const all = [thought, ...listed];
    const logprobsResult = {
      chosenCandidates: all.map(({ chosen }) => chosen),
      topCandidates: all.map(({ candidates }) => ({ candidates })),
    };
    const { url } = await serve(json(answered([candidate(text, { logprobsResult })])));
    const { generations } = await (await auditor("vertex", url)).ask(ask({ logprobs: true }));
    const read = extractSignals(generations[0]!, { weights: PAPER_WEIGHTS });
    const expected = extractSignals(answerOf(COMPACT), { weights: PAPER_WEIGHTS });
    expect(read.flags).toContain("unknown_space");
    expect(read.pds).toBeCloseTo(expected.pds!, 9);
    expect(read.level_probs).toEqual(expected.level_probs);
    expect(read.h_citation_bits).toBeCloseTo(expected.h_citation_bits!, 9);
  });

  it("speaks to Vertex AI by key", async () => {
    const { url, received } = await serve(json(answered([candidate()])));
    await (await auditor("vertex", url)).ask(ask());
    expect(received[0]!.url).toBe("/v1beta1/publishers/google/models/gemini-2.5-flash:generateContent");
    expect(received[0]!.body.generationConfig).not.toHaveProperty("responseLogprobs");
  });

  it("sends the same seed for the same question, within 31 bits, and another for another", async () => {
    const { url, received } = await serve(json(answered([candidate()])));
    const one = await auditor("gemini", url);
    // The hash of "a" is above 2^31.
    for (const seed of ["a", "a", "s2"]) await one.ask(ask({ wanted: [{ key: "d1", seed }] }));
    const seeds = received.map(({ body }) => body.generationConfig.seed as number);
    expect(seeds[0]).toBe(seeds[1]);
    expect(seeds[0]).not.toBe(seeds[2]);
    for (const seed of seeds) expect(seed).toBeLessThan(2 ** 31);
  });

  it("asks one by one until a probe has seen several answers in one call", async () => {
    const { url, received } = await serve(json(answered([candidate()])));
    const one = await auditor("gemini", url);
    expect(one.answersPerCall).toBe(1);
    expect((await one.ask(ask({ wanted: two }))).generations).toHaveLength(2);
    expect(received.map(({ body }) => body.generationConfig.candidateCount)).toEqual([1, 1]);
  });

  it("asks again for the answers that a server left out, and asks for fewer from then on", async () => {
    const { url, received } = await serve(json(answered([candidate(), candidate()])), json(answered([candidate()])));
    const one = await auditor("vertex", url);
    await one.probe!();
    expect(one.answersPerCall).toBe(8);
    expect((await one.ask(ask({ wanted: two }))).generations).toHaveLength(2);
    expect(received.map(({ body }) => body.generationConfig.candidateCount)).toEqual([2, 2, 1]);
    expect(one.answersPerCall).toBe(1);
  });

  it("goes on one by one where several answers are refused after all", async () => {
    const { url, received } = await serve(
      json(answered([candidate(), candidate()])),
      refusal(400, "candidateCount must be in the range [1, 2)"),
      json(answered([candidate()])),
    );
    const one = await auditor("vertex", url);
    await one.probe!();
    expect((await one.ask(ask({ wanted: two }))).generations).toHaveLength(2);
    expect(received.map(({ body }) => body.generationConfig.candidateCount)).toEqual([2, 2, 1, 1]);
  });

  it("tells a refusal with the server's words and without the key", async () => {
    const { url } = await serve(refusal(400, `API key not valid: ${KEY}.`));
    const failed = (await auditor("gemini", url)).ask(ask());
    await expect(failed).rejects.toMatchObject({ fault: "auth", status: 400 });
    await expect(failed).rejects.toThrow("API key not valid");
    await expect(failed).rejects.not.toThrow(KEY);
  });

  it("remembers that probabilities were refused", async () => {
    const { url, received } = await serve(refusal(400, "Logprobs is not supported for this model"));
    const one = await auditor("vertex", url);
    for (let call = 0; call < 2; call++) {
      await expect(one.ask(ask({ logprobs: true }))).rejects.toMatchObject({ fault: "unsupported" });
    }
    expect(received).toHaveLength(1);
    expect(one.signals).toEqual(["sampling", "none"]);
  });

  it("leaves retrying to others", async () => {
    const { url, received } = await serve(refusal(503, "The model is overloaded."));
    await expect((await auditor("gemini", url)).ask(ask())).rejects.toMatchObject({ fault: "overloaded" });
    expect(received).toHaveLength(1);
  });

  it("reads an error that its headers do not call JSON", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(429, { "content-type": "text/plain" });
      const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "2s" }];
      response.end(JSON.stringify({ error: { code: 429, message: "slow down", details } }));
    });
    const failed = (await auditor("gemini", url)).ask(ask());
    await expect(failed).rejects.toMatchObject({ fault: "rate_limited", retryAfterMs: 2_000 });
  });

  it("takes torn, foreign and broken answers for what they are", async () => {
    const whole = JSON.stringify(answered([candidate()]));
    const bodies = [whole.slice(0, -9), "<html>", "null", "[]", '"text"', '{"candidates":{}}', "{}"];
    for (const body of bodies) {
      const { url } = await serve((_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(body);
      });
      const one = await auditor("gemini", url);
      const fault = await Promise.resolve(one.ask(ask())).then(
        (answers) => answers.generations[0]!.finish,
        (error) => error.fault,
      );
      expect([body, fault]).toEqual([body, body === '{"candidates":{}}' ? "filter" : "bad_answer"]);
    }
  });

  it("tells a connection that breaks and one that cannot be made", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"candidates":[');
      setImmediate(() => response.destroy());
    });
    await expect((await auditor("gemini", url)).ask(ask())).rejects.toMatchObject({ fault: "connection" });
    await expect((await auditor("gemini", "http://127.0.0.1:1")).ask(ask())).rejects.toMatchObject({
      fault: "connection",
    });
  });

  it("ends a call whose time is up, before and during its answer", async () => {
    for (const begin of [false, true]) {
      const { url } = await serve((_, response) => {
        if (begin) response.writeHead(200, { "content-type": "application/json" }).write('{"candidates":[');
      });
      const one = await auditor("gemini", url, { timeoutMs: 100 });
      await expect(one.ask(ask())).rejects.toMatchObject({ fault: "timeout" });
    }
  });

  it("ends a call when told to, and asks nothing once told", async () => {
    const controller = new AbortController();
    const { url, received } = await serve(() => controller.abort());
    const one = await auditor("gemini", url);
    await expect(one.ask(ask({ signal: controller.signal }))).rejects.toMatchObject({ fault: "aborted" });
    await expect(one.ask(ask({ signal: controller.signal }))).rejects.toMatchObject({ fault: "aborted" });
    expect(received).toHaveLength(1);
  });

  it("leaves no listener on a signal that many calls share", async () => {
    const { url } = await serve(json(answered([candidate()])));
    const one = await auditor("gemini", url);
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    for (let call = 0; call < 3; call++) await one.ask(ask({ signal }));
    expect(added).toHaveBeenCalledTimes(3);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
  });

  it("leaves no timer behind", async () => {
    const { url } = await serve(json(answered([candidate()])));
    const set = vi.spyOn(globalThis, "setTimeout");
    const cleared = vi.spyOn(globalThis, "clearTimeout");
    await (await auditor("gemini", url, { timeoutMs: 54_321 })).ask(ask());
    const ours = set.mock.results.filter((_, call) => set.mock.calls[call]![1] === 54_321).map(({ value }) => value);
    expect(ours).toHaveLength(1);
    expect(cleared.mock.calls.map(([timer]) => timer)).toContain(ours[0]);
    vi.restoreAllMocks();
  });

  it("takes many calls in flight on one signal without a warning of a leak", async () => {
    const { url } = await serve(json(answered([candidate()])));
    const one = await auditor("gemini", url);
    const warned = vi.spyOn(process, "emitWarning");
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 20 }, () => one.ask(ask({ signal }))));
    expect(warned).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it("writes nothing on the console, whatever else the environment holds", async () => {
    vi.stubEnv("GOOGLE_CLOUD_PROJECT", "p");
    const spies = (["debug", "warn", "log", "info"] as const).map((level) => vi.spyOn(console, level));
    const { url } = await serve(json(answered([candidate()])));
    await (await auditor("vertex", url)).ask(ask());
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it("names the same request by the same text, without a key, and another by another", async () => {
    const one = await auditor("gemini", "http://127.0.0.1:1/x/");
    const text = one.requestText!(ask());
    expect(text).toBe(one.requestText!(ask({ signal: new AbortController().signal })));
    expect(text).toContain('"http://127.0.0.1:1/x"');
    expect(text).not.toContain(KEY);
    const others = [
      ask({ temperature: 0.3 }),
      ask({ logprobs: true }),
      ask({ wanted: [{ key: "d1", seed: "s2" }] }),
      ask({ prompt: { ...PROMPT, own: "other" } }),
    ];
    expect(new Set([text, ...others.map((other) => one.requestText!(other))]).size).toBe(5);
    const elsewhere = await auditor("vertex", "http://127.0.0.1:1/x/");
    expect(elsewhere.requestText!(ask())).not.toBe(text);
  });

  it("says before any call what it can give and read", async () => {
    const local = "http://127.0.0.1:1";
    expect((await auditor("gemini", local)).signals).toEqual(["sampling", "none"]);
    expect((await auditor("vertex", local)).signals).toEqual(["logprobs", "sampling", "none"]);
    expect((await auditor("vertex", local, {}, "gemini-3-pro-preview")).signals).toEqual(["sampling", "none"]);
    const unknown = await auditor("gemini", local, {}, "gemini-flash-latest");
    expect(unknown.signals).toContain("logprobs");
    expect(unknown.readsPrompt).toMatchObject({ tokenizer: "gemini", contextTokens: 131_072 });
    expect((await auditor("gemini", local)).readsPrompt!.contextTokens).toBe(1_048_576);
    expect((await auditor("gemini", local, { contextTokens: 9_000 })).readsPrompt!.contextTokens).toBe(9_000);
    expect((await auditor("gemini", local)).batch).toBeDefined();
    expect((await auditor("vertex", local)).batch).toBeUndefined();
  });

  it("goes by the user's price, else by the published one, else by none", async () => {
    const local = "http://127.0.0.1:1";
    expect((await auditor("vertex", local)).price).toEqual(PRICE);
    for (const model of ["gemini-2.5-flash", "publishers/google/models/gemini-2.5-flash"]) {
      expect((await auditor("vertex", local, { prices: {} }, model)).price).toEqual(
        priceOf("gemini", "gemini-2.5-flash"),
      );
    }
    expect((await auditor("vertex", local, { prices: {} }, "constructor")).price).toBeNull();
  });

  it("refuses what is no model and no address", async () => {
    for (const model of ["a b", "../x", "m?key=1", "m#x"]) {
      await expect(auditor("gemini", "http://127.0.0.1:1", {}, model)).rejects.toBeInstanceOf(InputError);
    }
    for (const url of ["localhost", "file:///etc/passwd", "", "http://u:s3cret@x", "http://x/?key=s3cret"]) {
      const refused = auditor("gemini", url);
      await expect(refused).rejects.toBeInstanceOf(InputError);
      await expect(refused).rejects.not.toThrow("s3cret");
    }
  });
});

describe("a Gemini auditor without access", () => {
  withKeys({});

  it("names the variables that are missing, and no others", async () => {
    const message = async (name: string) => {
      const error = await createAuditor(name).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(EnvironmentError);
      return `${(error as EnvironmentError).message} ${(error as EnvironmentError).remedy}`;
    };
    expect(await message("gemini:gemini-2.5-flash")).toContain("GEMINI_API_KEY and GOOGLE_API_KEY are not set");
    expect(await message("vertex:m")).toContain("GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION are not set");
    vi.stubEnv("GOOGLE_CLOUD_PROJECT", "p");
    expect(await message("vertex:m")).toContain("GOOGLE_CLOUD_LOCATION is not set");
    expect(await message("vertex:m")).not.toContain("GOOGLE_CLOUD_PROJECT");
  });

  it("refuses a key that no header can hold, without showing it", async () => {
    vi.stubEnv("GEMINI_API_KEY", "s3cret\nvalue");
    const refused = createAuditor("gemini:gemini-2.5-flash");
    await expect(refused).rejects.toThrow("GEMINI_API_KEY holds characters that no key has");
    await expect(refused).rejects.not.toThrow("s3cret");
  });

  it("tells credentials of the machine that cannot be read", async () => {
    vi.stubEnv("GOOGLE_CLOUD_PROJECT", "p");
    vi.stubEnv("GOOGLE_CLOUD_LOCATION", "global");
    vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/key.json");
    const vertex = await createAuditor("vertex:gemini-2.5-flash", { baseUrl: "http://127.0.0.1:1" });
    await expect(vertex.ask(ask())).rejects.toMatchObject({
      fault: "auth",
      remedy: expect.stringContaining("gcloud auth application-default login"),
    });
  });

  it("takes either key for the Developer API, and project with location or a key for Vertex AI", async () => {
    vi.stubEnv("GOOGLE_API_KEY", KEY);
    expect((await createAuditor("gemini:gemini-2.5-flash")).name).toBe("gemini:gemini-2.5-flash");
    expect((await createAuditor("vertex:gemini-2.5-flash")).name).toBe("vertex:gemini-2.5-flash");
    vi.stubEnv("GOOGLE_API_KEY", "");
    vi.stubEnv("GOOGLE_CLOUD_PROJECT", "p");
    vi.stubEnv("GOOGLE_CLOUD_LOCATION", "europe-west4");
    const vertex = await createAuditor("vertex:gemini-2.5-flash");
    expect(vertex.requestText!(ask())).toContain("https://europe-west4-aiplatform.googleapis.com");
  });
});
