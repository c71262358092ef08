import { afterEach, describe, expect, it, vi } from "vitest";
import { type Auditor, CallError, type Capabilities } from "../src/auditors/auditor.js";
import { createAuditor } from "../src/auditors/create-auditor.js";
import {
  type Dialect,
  type FakeServer,
  type FakeServerOptions,
  logprobsForbidden,
  logprobsUnsupported,
  planAnswer,
  startFakeServer,
  traceText,
} from "./fake-models/index.js";
import { askOf, KEY, stubKeys } from "./served-model.suite.js";

const open: { server: FakeServer; auditor: Auditor }[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const { auditor, server } of open.splice(0)) {
    await auditor.close?.();
    await server.close();
  }
});

/** The auditor is told the address alone. */
async function start(name: string, options: Partial<FakeServerOptions> & { dialect: Dialect }) {
  stubKeys(["OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"]);
  const planned = await planAnswer(traceText());
  const server = await startFakeServer({ key: KEY, answer: () => planned, ...options });
  const auditor = await createAuditor(name, { baseUrl: server.baseUrl });
  open.push({ server, auditor });
  return { server, auditor };
}

const probe = async (name: string, options: Partial<FakeServerOptions> & { dialect: Dialect }): Promise<Capabilities> =>
  (await start(name, options)).auditor.probe!();

describe("a server is known by itself", () => {
  it.each([
    ["vllm", "raw"],
    ["sglang", "tempered"],
    ["llamacpp", "raw"],
    ["ollama", "raw"],
    ["lmstudio", "unknown"],
  ] as const)("%s", async (dialect, space) => {
    const capabilities = await probe("openai-compatible:fake-model", { dialect });
    expect(capabilities).toMatchObject({ dialect, logprobs: true, topLogprobs: 20, space });
    expect(capabilities.structuredOutput).toBe(true);
  });

  it.each([
    ["vllm", "raw"],
    ["sglang", "tempered"],
    ["llamacpp", "raw"],
    ["ollama", "raw"],
  ] as const)("%s, also without a probe", async (dialect, space) => {
    const { auditor } = await start("openai-compatible:fake-model", { dialect });
    expect((await auditor.ask(askOf())).generations[0]!.space).toBe(space);
  });
});

describe("a probe", () => {
  it("costs one short answer or two", async () => {
    const { auditor, server } = await start("openai:gpt-4.1-mini", { dialect: "openai" });
    const capabilities = await auditor.probe!();
    expect(capabilities).toMatchObject({ logprobs: true, topLogprobs: 20, structuredOutput: true, space: "raw" });
    expect(capabilities.answersPerCall).toBeGreaterThan(1);
    expect(server.questions.length).toBeLessThanOrEqual(3);
    for (const { maxTokens } of server.questions) expect(maxTokens).toBeLessThanOrEqual(64);
  });

  it("takes silence for no", async () => {
    const planned = await planAnswer(traceText());
    const silent = { answer: () => ({ fault: "no_logprobs" as const, answer: planned }) };
    expect(await probe("openai:gpt-4.1-mini", { dialect: "openai", ...silent })).toMatchObject({ logprobs: false });
    expect(await probe("vertex:gemini-2.5-flash", { dialect: "vertex", ...silent })).toMatchObject({ logprobs: false });
    const drops = ["logprobs", "top_logprobs"];
    expect(await probe("openai-compatible:x", { dialect: "vllm", drops })).toMatchObject({ logprobs: false });
  });

  it.each(["o3", "gpt-5-mini"])("tells in the server's words that %s gives no probabilities", async (model) => {
    const capabilities = await probe(`openai:${model}`, { dialect: "openai" });
    expect(capabilities.logprobs).toBe(false);
    expect(capabilities.notes.join(" ")).toMatch(/logprobs/);
  });

  it.each([logprobsUnsupported(), logprobsForbidden()])(
    "believes a refusal of a model it does not know ($status)",
    async (fault) => {
      const planned = await planAnswer(traceText());
      const answer: FakeServerOptions["answer"] = ({ logprobs }) => (logprobs ? fault : planned);
      const capabilities = await probe("openai-compatible:x", { dialect: "vllm", answer });
      expect(capabilities.logprobs).toBe(false);
      expect(capabilities.notes.join(" ")).toMatch(/logprobs/);
    },
  );

  it.each(["gpt-5.2", "gpt-6-luna"])(
    "turns reasoning off for %s, which gives probabilities only then",
    async (model) => {
      const { auditor, server } = await start(`openai:${model}`, { dialect: "openai" });
      expect(await auditor.probe!()).toMatchObject({ logprobs: true });
      const [generation] = (await auditor.ask(askOf())).generations;
      expect(generation!.tokens).not.toBeNull();
      expect(server.questions.at(-1)!.body.reasoning_effort).toBe("none");
    },
  );

  it.each([
    ["gemini:gemini-2.5-flash", "gemini"],
    ["vertex:gemini-3-pro", "vertex"],
  ] as const)("tells that %s refuses, and what to use instead", async (name, dialect) => {
    const capabilities = await probe(name, { dialect });
    expect(capabilities.logprobs).toBe(false);
    expect(capabilities.notes.join(" ")).toMatch(/[Ll]ogprobs/);
  });

  it("ends the run where the key is wrong or the model does not exist", async () => {
    for (const [name, dialect] of [
      ["openai:gpt-4.1-mini", "openai"],
      ["openai-compatible:x", "vllm"],
      ["gemini:gemini-2.0-flash", "gemini"],
    ] as const) {
      const wrongKey = await probe(name, { dialect, key: "another" }).catch((error: unknown) => error);
      expect(wrongKey).toBeInstanceOf(CallError);
      expect(wrongKey).toMatchObject({ fault: "auth" });
      const noModel = await probe(name, { dialect, models: ["other"] }).catch((error: unknown) => error);
      expect(noModel).toMatchObject({ fault: "not_found" });
    }
  });

  it("leaves the reasoning of a model that must reason to itself", async () => {
    const { auditor, server } = await start("openai:o3", { dialect: "openai" });
    const [generation] = (await auditor.ask(askOf({ logprobs: false }))).generations;
    expect(generation!.text).toBe(traceText());
    expect(server.questions.at(-1)!.body).not.toHaveProperty("logprobs", true);
  });
});
