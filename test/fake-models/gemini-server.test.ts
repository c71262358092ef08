import { ApiError, GoogleGenAI } from "@google/genai";
import { afterEach, describe, expect, it } from "vitest";
import {
  type FakeServer,
  type FakeServerOptions,
  googleRateLimited,
  planAnswer,
  startFakeServer,
  traceText,
} from "./index.js";

const servers: FakeServer[] = [];

async function start(options: Partial<FakeServerOptions> & Pick<FakeServerOptions, "answer">): Promise<FakeServer> {
  const server = await startFakeServer({ dialect: "vertex", ...options });
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const client = (server: FakeServer, apiKey = "test-key"): GoogleGenAI =>
  new GoogleGenAI({ apiKey, vertexai: server.options.dialect === "vertex", httpOptions: { baseUrl: server.baseUrl } });

const ask = {
  model: "gemini-2.5-flash",
  contents: "U",
  config: { systemInstruction: "S", responseLogprobs: true, logprobs: 20, temperature: 0.7 },
};

const fails = async (
  server: FakeServer,
  changes: object = {},
  key?: string,
): Promise<{ status: number; message: string }> =>
  client(server, key)
    .models.generateContent({ ...ask, ...changes })
    .then(
      () => ({ status: 200, message: "" }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        return { status: error.status, message: error.message };
      },
    );

describe("generateContent", () => {
  it.each(["gemini", "vertex"] as const)("%s: the SDK reads text, tokens, candidates and usage", async (dialect) => {
    const planned = await planAnswer(traceText(), { cachedTokens: 64, reasoningTokens: 73 });
    const server = await start({ dialect, answer: () => planned });
    const response = await client(server).models.generateContent({
      ...ask,
      model: dialect === "gemini" ? "gemini-2.0-flash" : ask.model,
    });
    expect(response.text).toBe(planned.text);
    const { chosenCandidates, topCandidates } = response.candidates![0]!.logprobsResult!;
    expect(chosenCandidates!.map(({ token }) => token).join("")).toBe(planned.text);
    expect(topCandidates).toHaveLength(chosenCandidates!.length);
    for (const { candidates } of topCandidates!) {
      const sum = candidates!.reduce((total, { logProbability }) => total + Math.exp(logProbability ?? 0), 0);
      expect(sum).toBeLessThanOrEqual(1 + 1e-9);
      expect(candidates).toHaveLength(20);
    }
    expect(response.usageMetadata).toMatchObject({
      promptTokenCount: 1200,
      cachedContentTokenCount: 64,
      thoughtsTokenCount: 73,
    });
    expect(server.questions[0]).toMatchObject({ system: "S", user: "U", temperature: 0.7, top: 20 });
    expect(server.requests[0]!.path).toContain(
      dialect === "vertex" ? "/v1beta1/publishers/google/models/" : "/v1beta/models/",
    );
  });

  it("takes project and location in the path", async () => {
    const planned = await planAnswer("{}");
    const server = await start({ answer: () => planned });
    const response = await fetch(
      `${server.origin}/v1beta1/projects/p/locations/global/publishers/google/models/gemini-2.5-flash:generateContent`,
      {
        method: "POST",
        headers: { authorization: "Bearer test-key" },
        body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "U" }] }] }),
      },
    );
    expect(response.status).toBe(200);
  });

  it("gives several candidates, masked values after a schema, and zeros by leaving them out", async () => {
    const planned = await planAnswer(traceText(), { fields: { inverse_check: { No: 0.6, Yes: 0.3, " Yes": 0.1 } } });
    const server = await start({ answer: () => planned });
    const config = {
      ...ask.config,
      candidateCount: 2,
      responseMimeType: "application/json",
      responseJsonSchema: { type: "object" },
    };
    const { candidates } = await client(server).models.generateContent({ ...ask, config });
    expect(candidates).toHaveLength(2);
    const { chosenCandidates, topCandidates } = candidates![1]!.logprobsResult!;
    const at = chosenCandidates!.findIndex(({ token }) => token === "No");
    const values = topCandidates![at]!.candidates!.map(({ logProbability }) => logProbability!);
    expect(values.map((value) => (value < -1000 ? value : Math.round(Math.exp(value) * 1e6) / 1e6))).toEqual([
      0.666667, 0.333333, -1.2676506e30,
    ]);
    // Keys and delimiters are forced: their logprob is 0.
    expect(chosenCandidates![0]).not.toHaveProperty("logProbability");
  });

  it("refuses as Google does", async () => {
    const planned = await planAnswer("{}");
    const vertex = await start({ answer: () => planned });
    const gemini = await start({ dialect: "gemini", answer: () => planned });
    expect(await fails(gemini)).toMatchObject({
      status: 400,
      message: expect.stringContaining("Logprobs is not enabled for models/gemini-2.5-flash"),
    });
    expect(await fails(vertex, { model: "gemini-3-pro" })).toMatchObject({
      status: 400,
      message: expect.stringContaining("not supported"),
    });
    expect(await fails(vertex, { config: { logprobs: 5 } })).toMatchObject({
      message: expect.stringContaining("setting response_logprobs to be true"),
    });
    expect(await fails(vertex, { model: "gemini-3-pro", config: { candidateCount: 2 } })).toMatchObject({
      message: expect.stringContaining("Multiple candidates"),
    });
    expect(await fails(vertex, {}, "wrong")).toMatchObject({
      status: 400,
      message: expect.stringContaining("API_KEY_INVALID"),
    });
    const schema = { type: "OBJECT", properties: { level: { type: "INTEGER", enum: ["1"] } } };
    expect(
      await fails(vertex, { config: { responseMimeType: "application/json", responseSchema: schema } }),
    ).toMatchObject({
      message: expect.stringContaining("only allowed for STRING type"),
    });
  });

  it("tells a minute's quota from a day's", async () => {
    const faults = [
      googleRateLimited({ per: "minute", retryDelay: "34s" }),
      googleRateLimited({ per: "day" }),
      googleRateLimited(),
    ];
    const server = await start({ answer: ({ index }) => faults[index]! });
    const minute = JSON.parse((await fails(server)).message) as {
      error: { status: string; details: { retryDelay?: string }[] };
    };
    expect(minute.error.status).toBe("RESOURCE_EXHAUSTED");
    expect(minute.error.details.at(-1)!.retryDelay).toBe("34s");
    expect((await fails(server)).message).toContain("PerDay");
    expect((await fails(server)).message).not.toContain("details");
  });
});
