import { createHash } from "node:crypto";
import { flatLogprobs } from "./flat-logprobs.js";
import type { Planned } from "./plan-answer.js";
import type { Json, Question } from "./question.js";
import { renderTokens, type WireAlternative, type WireToken } from "./render-tokens.js";
import type { Traits } from "./traits.js";
import { float } from "./write-json.js";

/** What a chat completion is made of. */
export interface ChatParts {
  question: Question;
  traits: Traits;
  /** One for each choice. */
  answers: readonly Planned[];
  /** False: null although probabilities were asked for. */
  logprobs: boolean;
  /** The token that ends the answer is listed too, though it is not part of the text. */
  endToken: boolean;
}

/** A whole chat completion in the form of the dialect. */
export function chatBody(parts: ChatParts): Json {
  const { question, answers } = parts;
  const choices = answers.map((answer, index) => chatChoice(parts, answer, index));
  const head = {
    id: chatId(question),
    object: "chat.completion",
    created: 1_763_200_000,
    model: servedModel(question),
  };
  const usage = chatUsage(question, answers);
  switch (question.dialect) {
    case "azure":
      return {
        choices,
        ...head,
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
        system_fingerprint: "fp_fake",
        usage,
      };
    case "vllm":
      return {
        ...head,
        choices,
        service_tier: null,
        system_fingerprint: null,
        usage,
        prompt_logprobs: null,
        kv_transfer_params: null,
      };
    case "sglang":
      return { ...head, choices, usage, metadata: { weight_version: "default" } };
    case "llamacpp":
      return {
        choices,
        created: head.created,
        model: head.model,
        system_fingerprint: "b7000-fake",
        object: head.object,
        usage,
        id: head.id,
        timings: {
          cache_n: answers[0]!.cachedTokens,
          prompt_n: 12,
          prompt_ms: float(30.5),
          predicted_n: answers[0]!.tokens.length,
        },
      };
    case "ollama":
      return { ...head, system_fingerprint: "fp_ollama", choices, usage };
    case "openrouter":
      return { ...head, provider: "Fake", choices, usage };
    case "together":
      return { ...head, choices, prompt: [], usage };
    default:
      return { ...head, choices, usage, service_tier: "default", system_fingerprint: "fp_fake" };
  }
}

const FINISH = { stop: "stop", length: "length", refusal: "stop", filter: "content_filter" } as const;

function chatChoice(parts: ChatParts, answer: Planned, index: number): Json {
  const { dialect } = parts.question;
  const refused = answer.finish === "refusal";
  const message: Json = { role: "assistant", content: refused ? null : answer.text };
  if (dialect === "openai" || dialect === "azure" || dialect === "openrouter")
    message.refusal = refused ? answer.text : null;
  const choice: Json = { index, message, logprobs: chatLogprobs(parts, answer), finish_reason: FINISH[answer.finish] };
  if (dialect === "vllm") return { ...choice, stop_reason: null, token_ids: null };
  if (dialect === "sglang") return { ...choice, matched_stop: null };
  if (dialect === "azure")
    return { ...choice, content_filter_results: { hate: { filtered: false, severity: "safe" } } };
  if (dialect === "openrouter") return { ...choice, native_finish_reason: choice.finish_reason };
  if (dialect === "together") return { ...choice, seed: 15_158_565, message: { ...message, tool_calls: [] } };
  return choice;
}

export function chatLogprobs(parts: ChatParts, answer: Planned): Json | null {
  const { question, traits } = parts;
  if (!question.logprobs || !parts.logprobs) return null;
  const tokens = wireTokens(parts, answer);
  if (
    question.dialect === "together" ||
    (question.dialect === "fireworks" && typeof question.body.logprobs === "number")
  )
    return flatLogprobs(tokens, question.dialect, question.top);
  const content = tokens.map((token) => contentToken(token, question, traits));
  const refused = answer.finish === "refusal";
  switch (question.dialect) {
    case "openai":
    case "azure":
    case "openrouter":
      return { content: refused ? null : content, refusal: refused ? content : null };
    case "deepseek":
      return { content, reasoning_content: null };
    default:
      return { content };
  }
}

export function wireTokens({ question, traits, endToken }: ChatParts, answer: Planned): WireToken[] {
  const tokens = renderTokens(answer, traits, question);
  if (!endToken || answer.finish !== "stop") return tokens;
  const end: WireAlternative = {
    id: 2,
    text: "<|im_end|>",
    bytes: [...Buffer.from("<|im_end|>")],
    logprob: float(-0.001),
  };
  return [...tokens, { ...end, top: [end].slice(0, question.top) }];
}

function contentToken(token: WireToken, question: Question, traits: Traits): Json {
  const one = ({ id, text, logprob, bytes }: WireAlternative): Json =>
    question.dialect === "llamacpp" ? { id, token: text, bytes, logprob } : { token: text, logprob, bytes };
  const whole: Json = { ...one(token), top_logprobs: token.top.map(one) };
  if (question.dialect === "fireworks") {
    // It gives both spaces; `logprob` is the raw one.
    const scale = question.temperature > 0 ? 1 / question.temperature : 1;
    return { ...whole, sampling_logprob: float(Number(token.logprob.characters) * scale), token_id: token.id };
  }
  return traits.ownedBy === "library" && token.top.length === 0 ? { ...whole, top_logprobs: undefined } : whole;
}

function chatUsage({ dialect }: Question, answers: readonly Planned[]): Json {
  const { promptTokens, cachedTokens } = answers[0]!;
  const completion = answers.reduce((sum, answer) => sum + answer.tokens.length + answer.reasoningTokens, 0);
  const usage: Json = {
    prompt_tokens: promptTokens,
    completion_tokens: completion,
    total_tokens: promptTokens + completion,
  };
  switch (dialect) {
    case "ollama":
      return usage;
    case "vllm":
      return { ...usage, prompt_tokens_details: null };
    case "together":
      return { ...usage, cached_tokens: cachedTokens };
    case "deepseek":
      return {
        ...usage,
        prompt_tokens_details: { cached_tokens: cachedTokens },
        prompt_cache_hit_tokens: cachedTokens,
        prompt_cache_miss_tokens: promptTokens - cachedTokens,
      };
    case "openrouter":
      return { ...usage, prompt_tokens_details: { cached_tokens: cachedTokens }, cost: float(0.00042), is_byok: false };
    case "openai":
    case "azure":
      return {
        ...usage,
        prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
        completion_tokens_details: {
          reasoning_tokens: answers.reduce((sum, answer) => sum + answer.reasoningTokens, 0),
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
      };
    default:
      return { ...usage, prompt_tokens_details: { cached_tokens: cachedTokens } };
  }
}

export function chatId({ body, index }: Question): string {
  return `chatcmpl-${createHash("sha256")
    .update(`${index}${JSON.stringify(body)}`)
    .digest("hex")
    .slice(0, 24)}`;
}

/** OpenAI answers in the name of the dated snapshot behind an alias. */
export function servedModel({ dialect, model }: Question): string {
  return dialect === "openai" && !/\d{4}-\d\d-\d\d$/.test(model) ? `${model}-2025-04-14` : model;
}
