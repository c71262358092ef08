import { chatId, servedModel } from "./chat-body.js";
import { checkStrictSchema } from "./check-strict-schema.js";
import type { Fault } from "./fault.js";
import { modelFamily } from "./model-family.js";
import { logprobsForbidden, logprobsUnsupported, openaiError } from "./openai-faults.js";
import type { Planned } from "./plan-answer.js";
import { type Json, type Question, textOf } from "./question.js";
import { renderTokens, type WireAlternative } from "./render-tokens.js";
import type { Dialect, Traits } from "./traits.js";
import { float, Literal, writeJson } from "./write-json.js";

const KNOWN = new Set(
  (
    "background context_management conversation include input instructions max_output_tokens max_tool_calls metadata model " +
    "parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning safety_identifier " +
    "service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user"
  ).split(" "),
);

/** Reads a request to `/v1/responses`. */
export function readResponses(
  body: Json,
  dialect: Dialect,
  traits: Traits,
  index: number,
): Question | { fault: Fault } {
  const fault = refuse(body, dialect, traits);
  if (fault) return { fault };
  const input =
    typeof body.input === "string"
      ? [{ role: "user", content: body.input }]
      : (body.input as { role: string; content: unknown }[]);
  const texts = (roles: readonly string[]): string[] =>
    input.filter(({ role }) => roles.includes(role)).map(({ content }) => textOf(content));
  const instructions = typeof body.instructions === "string" ? [body.instructions] : [];
  const format = (body.text as { format?: { type?: string } } | undefined)?.format;
  return {
    dialect,
    index,
    model: String(body.model),
    system: [...instructions, ...texts(["system", "developer"])].join("\n"),
    user: texts(["user"]).join("\n"),
    temperature: typeof body.temperature === "number" ? body.temperature : 1,
    logprobs: asksLogprobs(body),
    top: Number(body.top_logprobs ?? 0),
    answers: 1,
    masked: format?.type === "json_schema",
    maxTokens: (body.max_output_tokens ?? null) as number | null,
    stream: body.stream === true,
    batchId: null,
    body,
  };
}

function asksLogprobs(body: Json): boolean {
  return Array.isArray(body.include) && body.include.includes("message.output_text.logprobs");
}

function refuse(body: Json, dialect: Dialect, traits: Traits): Fault | null {
  if (typeof body.model !== "string")
    return openaiError(400, "Missing required parameter: 'model'.", { param: "model" });
  if (body.input === undefined) return openaiError(400, "Missing required parameter: 'input'.", { param: "input" });
  const top = body.top_logprobs;
  if (top !== undefined && !(Number.isInteger(top) && Number(top) >= 0 && Number(top) <= traits.maxTop))
    return openaiError(
      400,
      `Invalid 'top_logprobs': integer above maximum value. Expected a value <= ${traits.maxTop}.`,
      { param: "top_logprobs" },
    );
  if (dialect === "lmstudio") return null;
  const unknown = Object.keys(body).find((name) => !KNOWN.has(name));
  if (unknown !== undefined)
    return openaiError(400, `Unknown parameter: '${unknown}'.`, { param: unknown, code: "unknown_parameter" });
  const family = modelFamily(body.model);
  const effort = (body.reasoning as { effort?: string } | undefined)?.effort ?? family.defaultEffort;
  if (asksLogprobs(body)) {
    if (family.logprobs === "forbidden") return logprobsForbidden();
    if (family.logprobs === "never" || (effort !== null && effort !== "none")) return logprobsUnsupported();
  }
  const format = (body.text as { format?: Json } | undefined)?.format;
  return format?.type === "json_schema" ? checkStrictSchema(format) : null;
}

/** The final object. OpenAI rounds its logprobs to six decimals there, and nowhere else. */
export function responsesBody(question: Question, traits: Traits, answer: Planned, logprobs: boolean): Json {
  return responseObject(question, answer, [messageItem(question, traits, answer, logprobs, traits.rounds)], true);
}

function responseObject(question: Question, answer: Planned, output: Json[], done: boolean): Json {
  const cut = answer.finish === "length" ? "max_output_tokens" : answer.finish === "filter" ? "content_filter" : null;
  const { promptTokens, cachedTokens, reasoningTokens } = answer;
  const written = answer.tokens.length + reasoningTokens;
  return {
    id: chatId(question).replace("chatcmpl-", "resp_"),
    object: "response",
    created_at: 1_763_200_000,
    status: done ? (cut ? "incomplete" : "completed") : "in_progress",
    background: false,
    error: null,
    incomplete_details: done && cut ? { reason: cut } : null,
    instructions: question.body.instructions ?? null,
    max_output_tokens: question.maxTokens,
    model: servedModel(question),
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: "default",
    store: true,
    temperature: float(question.temperature),
    text: question.body.text ?? { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_logprobs: question.top,
    top_p: float(1),
    truncation: "disabled",
    usage: done
      ? {
          input_tokens: promptTokens,
          input_tokens_details: { cached_tokens: cachedTokens },
          output_tokens: written,
          output_tokens_details: { reasoning_tokens: reasoningTokens },
          total_tokens: promptTokens + written,
        }
      : null,
    user: null,
    metadata: {},
  };
}

function messageItem(question: Question, traits: Traits, answer: Planned, logprobs: boolean, rounded: boolean): Json {
  const refused = answer.finish === "refusal";
  const part = refused
    ? { type: "refusal", refusal: answer.text }
    : {
        type: "output_text",
        annotations: [],
        logprobs: responseTokens(question, traits, answer, logprobs, rounded),
        text: answer.text,
      };
  const status = answer.finish === "length" || answer.finish === "filter" ? "incomplete" : "completed";
  return { id: `msg_${question.index}`, type: "message", status, content: [part], role: "assistant" };
}

function responseTokens(
  question: Question,
  traits: Traits,
  answer: Planned,
  logprobs: boolean,
  rounded: boolean,
): Json[] {
  if (!logprobs || !question.logprobs) return [];
  const one = ({ text, bytes, logprob }: WireAlternative): Json => ({
    token: text,
    bytes,
    logprob: rounded ? round(logprob) : logprob,
  });
  return renderTokens(answer, traits, question).map((token) => ({ ...one(token), top_logprobs: token.top.map(one) }));
}

function round(logprob: Literal): Literal {
  const value = Number(logprob.characters);
  if (!(value > -1000)) return logprob;
  const rounded = Math.round(value * 1e6) / 1e6;
  return rounded === 0 ? new Literal("-0.0") : float(rounded);
}

/** The same as events: full precision in the deltas, rounded in the last. */
export function responsesEvents(question: Question, traits: Traits, answer: Planned, logprobs: boolean): Buffer[] {
  const events: Buffer[] = [];
  const push = (type: string, data: Json): void => {
    const json = writeJson({ type, ...data, sequence_number: events.length }, { ...traits, layout: "compact" });
    events.push(Buffer.from(`event: ${type}\ndata: ${json}\n\n`));
  };
  const place = { item_id: `msg_${question.index}`, output_index: 0, content_index: 0 };
  const tokens = responseTokens(question, traits, answer, logprobs, false);
  push("response.created", { response: responseObject(question, answer, [], false) });
  push("response.output_item.added", {
    output_index: 0,
    item: { id: place.item_id, type: "message", status: "in_progress", content: [], role: "assistant" },
  });
  push("response.content_part.added", {
    ...place,
    part: { type: "output_text", annotations: [], logprobs: [], text: "" },
  });
  const decoder = new TextDecoder();
  answer.tokens.forEach(({ token }, at) => {
    const delta = decoder.decode(token.bytes, { stream: true });
    push("response.output_text.delta", { ...place, delta, logprobs: tokens.slice(at, at + 1) });
  });
  push("response.output_text.done", { ...place, text: answer.text, logprobs: tokens });
  const last = answer.finish === "length" || answer.finish === "filter" ? "response.incomplete" : "response.completed";
  push(last, { response: responsesBody(question, traits, answer, logprobs) });
  return events;
}
