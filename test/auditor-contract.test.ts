import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { promptKey } from "../src/auditors/answers/answer-line.js";
import { createAnswersAuditor } from "../src/auditors/answers/auditor.js";
import { frameOf } from "../src/auditors/baseline/baseline.suite.js";
import { createBaselineAuditor, generateTrace } from "../src/auditors/baseline/baseline-auditor.js";
import { createGgufAuditor } from "../src/auditors/gguf/auditor.js";
import { engineMissing, makeAsk, tinyModel } from "../src/auditors/gguf/engine.suite.js";
import { RawLog, type RawRun } from "../src/auditors/recorded/raw-log.js";
import { createReplayAuditor } from "../src/auditors/recorded/raw-reader.js";
import { createSimulatedAuditor } from "../src/auditors/simulated/auditor.js";
import { askAbout, frameWith, truthNumber, worldFolder } from "../src/auditors/simulated/simulated.suite.js";
import { contentParts } from "../src/core/records/decision.js";
import { auditorContract, wanted } from "./auditor-contract.suite.js";
import {
  type Dialect,
  type Fault,
  googleError,
  googleLogprobsRefused,
  googleOverloaded,
  googleRateLimited,
  googleServerError,
  googleUnknownModel,
  logprobsForbidden,
  logprobsUnsupported,
  openaiError,
  outOfCredit,
  overloaded,
  planAnswer,
  rateLimited,
  serverError,
  traceText,
  unknownModel,
} from "./fake-models/index.js";
import { modelContract } from "./model-contract.suite.js";
import { askOf, type ServedModel, serve, stubKeys } from "./served-model.suite.js";

auditorContract("baseline", async () => {
  const frame = frameOf([{ title: "No links", text: "Do not link to shops." }]);
  return {
    auditor: createBaselineAuditor(),
    ask: (changes) => ({
      case: { frame, content: contentParts("Buy at https://shop.example"), decision: "remove", template: "paper" },
      prompt: null,
      temperature: 0.7,
      logprobs: true,
      wanted: wanted(1),
      ...changes,
    }),
  };
});

auditorContract("simulated", async () => {
  const workspace = worldFolder([truthNumber(1, { decision_id: "k0" })], { faults: { refusal: 0, truncation: 0 } });
  const frame = frameWith();
  return {
    auditor: await createSimulatedAuditor("simulated", "", { workspace }),
    ask: (changes) => askAbout(1, frame, { wanted: wanted(1), ...changes }),
  };
});

auditorContract("replay", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "replay-contract-")), "raw.jsonl");
  const auditCase = {
    frame: frameOf([{ title: "No links", text: "Do not link to shops." }]),
    content: contentParts("Buy at https://shop.example"),
    decision: "remove",
    template: "paper" as const,
  };
  const run: RawRun = {
    ...{ promptVersion: "none", template: "paper", tier: "wiki" },
    ...{ temperature: 0.3, signal: "logprobs", samples: 1 },
  };
  const log = new RawLog(path, run, { name: "baseline", version: "1" });
  // Kept answers have the temperature at which they were given.
  for (const { key, seed } of wanted(3)) await log.append(key, generateTrace(auditCase, 0.3, seed));
  await log.close();
  return {
    auditor: await createReplayAuditor(`replay:${path}`, path),
    ask: (changes) => ({
      case: auditCase,
      prompt: null,
      temperature: 0.3,
      logprobs: true,
      wanted: wanted(1),
      ...changes,
    }),
  };
});

auditorContract("answers", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "answers-contract-")), "answers.jsonl");
  const content = [...traceText()].map((token) => ({ token, logprob: -0.1, top_logprobs: [{ token, logprob: -0.1 }] }));
  const line = { key: promptKey(askOf()), text: traceText(), logprobs: { content }, usage: { prompt_tokens: 4 } };
  writeFileSync(path, `${JSON.stringify(line)}\n`);
  return { auditor: await createAnswersAuditor(path), ask: (changes) => askOf({ wanted: wanted(1), ...changes }) };
});

// Where there is no engine (never on Linux x64) the tests of `gguf` say so, with the reason.
if ((await engineMissing()) === null) {
  auditorContract("gguf", async () => {
    const path = tinyModel();
    return {
      auditor: await createGgufAuditor(`gguf:${path}`, path),
      ask: (changes) => makeAsk({ wanted: wanted(1), ...changes }),
    };
  });
}

function openaiFaults(dialect: Dialect): ServedModel["faults"] {
  const tooLong = openaiError(
    400,
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    {
      param: "messages",
      code: "context_length_exceeded",
    },
  );
  const nonsense = openaiError(
    429,
    "Slow down.",
    { code: "rate_limit_exceeded" },
    { "retry-after": "-7", "retry-after-ms": "NaN" },
  );
  const hidden: Fault = { fault: "status", status: 200, body: { error: { message: "Upstream is busy", code: 429 } } };
  return [
    {
      title: "a rate limit with seconds",
      fault: rateLimited(dialect, { retryAfter: "2" }),
      expected: ["rate_limited"],
      retryAfterMs: 2000,
    },
    {
      title: "a rate limit with milliseconds",
      fault: rateLimited(dialect, { retryAfter: "9", retryAfterMs: "1500" }),
      expected: ["rate_limited"],
      retryAfterMs: 1500,
    },
    { title: "a rate limit without a time", fault: rateLimited(dialect), expected: ["rate_limited"] },
    {
      title: "a rate limit with nonsense for a time",
      fault: nonsense,
      expected: ["rate_limited"],
      retryAfterMs: null,
    },
    {
      title: "an error in the body of a 200",
      fault: hidden,
      expected: ["rate_limited", "overloaded", "server", "bad_answer"],
    },
    { title: "exhausted credit", fault: outOfCredit(dialect), expected: ["quota"] },
    { title: "an unknown model", fault: unknownModel(dialect, "fake-model"), expected: ["not_found"] },
    { title: "an error of the server", fault: serverError(), expected: ["server"] },
    { title: "an overloaded server", fault: overloaded(dialect), expected: ["overloaded"] },
    { title: "logprobs refused as a parameter", fault: logprobsUnsupported(), expected: ["unsupported"] },
    { title: "logprobs refused as a right", fault: logprobsForbidden(), expected: ["unsupported"] },
    { title: "a prompt that is too long", fault: tooLong, expected: ["bad_request"] },
  ];
}

const compatible = (dialect: Dialect, trueBytes: boolean, cachedTokens: number | null): ServedModel => ({
  dialect,
  auditor: "openai-compatible:fake-model",
  options: { dialect },
  keys: ["OPENAI_API_KEY"],
  trueBytes,
  cachedTokens,
  faults: openaiFaults(dialect),
});

const perMinute: Fault = googleRateLimited({ per: "minute", retryDelay: "34s" });
const googleFaults: ServedModel["faults"] = [
  { title: "a minute's quota", fault: perMinute, expected: ["rate_limited"], retryAfterMs: 34_000 },
  {
    title: "a fraction of a second",
    fault: googleRateLimited({ per: "minute", retryDelay: "1.5s" }),
    expected: ["rate_limited"],
    retryAfterMs: 1500,
  },
  { title: "a day's quota", fault: googleRateLimited({ per: "day", retryDelay: "34s" }), expected: ["quota"] },
  { title: "exhaustion without details", fault: googleRateLimited(), expected: ["rate_limited"], retryAfterMs: null },
  { title: "an overloaded model", fault: googleOverloaded(), expected: ["overloaded"] },
  { title: "an internal error", fault: googleServerError(), expected: ["server"] },
  { title: "an unknown model", fault: googleUnknownModel("gemini-x"), expected: ["not_found"] },
  {
    title: "logprobs not enabled",
    fault: googleLogprobsRefused("gemini", "gemini-2.0-flash"),
    expected: ["unsupported"],
  },
  {
    title: "logprobs not supported",
    fault: googleLogprobsRefused("vertex", "gemini-2.5-flash"),
    expected: ["unsupported"],
  },
  { title: "no permission", fault: googleError(403, "Permission denied on resource project p."), expected: ["auth"] },
  {
    title: "a prompt that is too long",
    fault: googleError(400, "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."),
    expected: ["bad_request"],
  },
];

const MODELS: readonly ServedModel[] = [
  { ...compatible("openai", true, 1024), auditor: "openai:gpt-4.1-mini", options: {} },
  { ...compatible("azure", true, 1024), keys: ["AZURE_OPENAI_API_KEY"] },
  compatible("vllm", false, null),
  compatible("sglang", false, 1024),
  compatible("llamacpp", true, 1024),
  compatible("ollama", false, null),
  // Whether the bytes of the next four are true is not known, so nobody relies on them; test/dialects.test.ts shows what that costs.
  compatible("lmstudio", false, 1024),
  { ...compatible("openrouter", false, 1024), keys: ["OPENROUTER_API_KEY"] },
  { ...compatible("together", false, null), keys: ["TOGETHER_API_KEY"] },
  { ...compatible("fireworks", false, 1024), keys: ["FIREWORKS_API_KEY"] },
  { ...compatible("deepseek", false, 1024), keys: ["DEEPSEEK_API_KEY"] },
  {
    dialect: "gemini",
    auditor: "gemini:gemini-2.0-flash",
    keys: ["GEMINI_API_KEY"],
    trueBytes: false,
    cachedTokens: 1024,
    faults: googleFaults,
  },
  {
    dialect: "vertex",
    auditor: "vertex:gemini-2.5-flash",
    keys: ["GOOGLE_API_KEY"],
    trueBytes: false,
    cachedTokens: 1024,
    faults: googleFaults,
  },
];

for (const model of MODELS) {
  auditorContract(`${model.auditor} (${model.dialect})`, async () => {
    stubKeys(model.keys);
    const planned = await planAnswer(traceText());
    const { auditor, server } = await serve(model, { answer: () => planned });
    vi.unstubAllEnvs();
    return { auditor, ask: askOf, close: server.close };
  });
  modelContract(model);
}

describe("what a server says about its limits", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  async function paceOf(headers: Record<string, string>): Promise<unknown> {
    const model = MODELS[0]!;
    stubKeys(model.keys);
    const planned = await planAnswer(traceText());
    const { auditor, server } = await serve(model, {
      answer: () => planned,
      traits: { headers },
      rateHeaders: Object.keys(headers).length === 0,
    });
    try {
      return (await auditor.ask(askOf())).pace;
    } finally {
      await auditor.close?.();
      await server.close();
    }
  }

  it("is passed on in plain numbers", async () => {
    expect(await paceOf({})).toEqual({
      limitRequests: 500,
      remainingRequests: 499,
      resetRequestsMs: 120,
      limitTokens: 200_000,
      remainingTokens: 199_000,
      resetTokensMs: 66_500,
    });
  });

  it("is null where it makes no sense", async () => {
    const pace = await paceOf({
      "x-ratelimit-limit-requests": "-1",
      "x-ratelimit-remaining-requests": "many",
      "x-ratelimit-reset-requests": "soon",
      "x-ratelimit-remaining-tokens": "12",
      "x-ratelimit-reset-tokens": "6m0s",
    });
    expect(pace).toEqual({
      limitRequests: null,
      remainingRequests: null,
      resetRequestsMs: null,
      limitTokens: null,
      remainingTokens: 12,
      resetTokensMs: 360_000,
    });
  });
});
