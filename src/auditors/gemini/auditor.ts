import { InputError } from "../../core/errors.js";
import type { SignalMode } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import { type Answers, type Ask, type Auditor, CallError } from "../auditor.js";
import { type AuditorOptions, priceOf } from "../create-auditor.js";
import { ANSWER_BYTES } from "../http/undici-fetch.js";
import { type GeminiRequest, geminiAnswers, geminiRequest } from "./answer.js";
import { createGeminiBatch } from "./batch.js";
import { type GeminiClient, geminiAccess, geminiClient, secretsOf } from "./client.js";
import { logprobsRemedy, refusedFeature } from "./errors.js";
import { type GeminiKind, geminiFamily, type Model, probeGemini } from "./probe.js";

/** Changes whenever the same question could get other answers for a reason in this folder. */
const VERSION = "gemini-1";
const TIMEOUT_MS = 120_000;
/** Used if nothing is known about the model. */
const CONTEXT_TOKENS = 131_072;
const THOUGHT_TOKENS = 4_096;
/** Enough for a trace of about 120 words with its citations, in a language that takes many tokens. */
const ANSWER_TOKENS = 2_048;

/** An auditor for `gemini:<model>` (Gemini Developer API) or `vertex:<model>` (Vertex AI). Nothing is sent before the first question or probe. */
export async function createGeminiAuditor(
  name: string,
  kind: GeminiKind,
  modelName: string,
  options: AuditorOptions,
): Promise<Auditor> {
  if (!/^[\w@:./-]+$/.test(modelName) || modelName.includes("..")) {
    throw new InputError("bad_model", `model of ${name}: not a name; expected one such as gemini-2.5-flash`);
  }
  const access = geminiAccess(kind, name, options.baseUrl, options.offline);
  const family = geminiFamily(modelName);
  const prices = options.prices ?? {};
  const outputTokens = ANSWER_TOKENS + (family?.thoughtTokens ?? THOUGHT_TOKENS);
  const model: Model = {
    context: { name, kind, model: modelName, secrets: secretsOf(access) },
    // Both services have the same list prices; Vertex AI has them at its global address.
    price: Object.hasOwn(prices, modelName)
      ? prices[modelName]!
      : priceOf("gemini", modelName.slice(modelName.lastIndexOf("/") + 1)),
    maxOutputTokens: outputTokens,
    limits: { logprobs: null, answersPerCall: 1, schema: true, safetyOff: true, thinking: family?.thinking ?? null },
  };
  const client = geminiClient(access, model.context, options.timeoutMs ?? TIMEOUT_MS, options.answerBytes);

  return {
    name,
    version: VERSION,
    get signals(): readonly SignalMode[] {
      const logprobs = model.limits.logprobs ?? family?.logprobs[kind] ?? true;
      return logprobs ? ["logprobs", "sampling", "none"] : ["sampling", "none"];
    },
    inProcess: false,
    readsPrompt: {
      tokenizer: "gemini",
      contextTokens: options.contextTokens ?? family?.contextTokens ?? CONTEXT_TOKENS,
      outputTokens,
    },
    get answersPerCall() {
      return model.limits.answersPerCall;
    },
    maxConcurrency: null,
    price: model.price,
    ask: (question) => answer(question, model, client),
    probe: () => probeGemini(model, client),
    close: () => client.close(),
    requestText: (question) =>
      JSON.stringify({
        endpoint: access.baseUrl,
        kind,
        location: access.location,
        model: modelName,
        request: requestOf(question, 0, model),
      }),
    ...(kind === "gemini"
      ? {
          batch: createGeminiBatch(model, client, access, options.answerBytes ?? ANSWER_BYTES, (question) =>
            requestOf(question, 0, model),
          ),
        }
      : {}),
  };
}

/** Makes as many calls as needed: a server may give fewer answers per call than requested, or refuse to give several. */
async function answer(ask: Ask, model: Model, client: GeminiClient): Promise<Answers> {
  const { limits, context } = model;
  const generations: Generation[] = [];
  while (generations.length < ask.wanted.length) {
    const request = requestOf(ask, generations.length, model);
    const answers = Number(request.generationConfig.candidateCount);
    let response: unknown;
    try {
      response = await client.generate(request, ask.signal);
    } catch (error) {
      const refused =
        error instanceof CallError && error.fault === "unsupported" ? refusedFeature(error.message) : null;
      if (refused === "logprobs") limits.logprobs = false;
      if (refused !== "answers" || answers === 1) throw error;
      limits.answersPerCall = 1;
      continue;
    }
    const { temperature } = ask;
    const got = geminiAnswers(response, { ...context, temperature, answers, price: model.price });
    if (got.length < answers) limits.answersPerCall = got.length;
    generations.push(...got);
  }
  return { generations, pace: null };
}

/** The request for the answers from number `first` on. */
function requestOf(ask: Ask, first: number, model: Model): GeminiRequest {
  const { limits, context } = model;
  if (!ask.prompt)
    throw new CallError("bad_request", `${context.name}: nothing to read; got a question without a prompt`);
  if (ask.logprobs && limits.logprobs === false) {
    throw new CallError(
      "unsupported",
      `${context.name}: token probabilities are not given`,
      logprobsRemedy(context.kind),
    );
  }
  return geminiRequest({
    prompt: ask.prompt,
    temperature: ask.temperature,
    logprobs: ask.logprobs,
    answers: Math.min(ask.wanted.length - first, limits.answersPerCall),
    seed: ask.wanted[first]?.seed ?? "",
    maxOutputTokens: model.maxOutputTokens,
    thinking: limits.thinking,
    schema: limits.schema,
    safetyOff: limits.safetyOff,
  });
}
