import { createHash } from "node:crypto";
import { jsonSchema, type OutputFormat, type Prompt } from "../output-format.js";
import type { RequestShape } from "./request-shape.js";

/** What one call asks for. */
export interface Question {
  prompt: Pick<Prompt, "system" | "shared" | "own" | "format">;
  temperature: number;
  logprobs: boolean;
  answers: number;
  /** null: none is sent. */
  seed: string | null;
  outputTokens: number;
}

export interface OpenAIRequest {
  path: "/chat/completions" | "/responses";
  body: Record<string, unknown>;
  /** What the messages were made of. */
  prompt?: object;
}

/** JSON of messages by their prompt: most of a request, and wanted twice, for the key of the cache and to be sent. */
const MESSAGES = new WeakMap<object, string>();

/** The text of a request's body, as `JSON.stringify` gives it. */
export function requestJson({ body, prompt }: Pick<OpenAIRequest, "body" | "prompt">): string {
  const name = "messages" in body ? "messages" : "input";
  if (!prompt) return JSON.stringify(body);
  const messages = MESSAGES.get(prompt) ?? JSON.stringify(body[name]);
  MESSAGES.set(prompt, messages);
  // No text before it can hold this: its quotes would be escaped.
  return JSON.stringify({ ...body, [name]: 0 }).replace(`"${name}":0`, () => `"${name}":${messages}`);
}

/** The request for a question, as the model at this server takes it. Order is fixed, so that equal questions give equal texts. */
export function buildRequest(model: string, question: Question, shape: RequestShape): OpenAIRequest {
  const logprobs = question.logprobs && shape.logprobs !== false;
  return logprobs && shape.dialect.endpoint === "responses"
    ? { path: "/responses", body: responsesBody(model, question, shape), prompt: question.prompt }
    : { path: "/chat/completions", body: chatBody(model, question, shape, logprobs), prompt: question.prompt };
}

function chatBody(model: string, question: Question, shape: RequestShape, logprobs: boolean): Record<string, unknown> {
  const { dialect } = shape;
  const { prompt } = question;
  return {
    model,
    messages: [
      { role: "system", content: prompt.system },
      { role: "user", content: `${prompt.shared}${prompt.own}` },
    ],
    ...(shape.temperature ? { temperature: question.temperature } : {}),
    [shape.maxTokens]: question.outputTokens,
    ...(question.answers > 1 ? { n: question.answers } : {}),
    ...(logprobs ? askLogprobs(shape) : {}),
    ...(shape.structured ? askForm(dialect.structured, prompt.format) : {}),
    ...(shape.effortNone ? { reasoning_effort: "none" } : {}),
    ...(shape.seed && question.seed !== null ? { seed: seedNumber(question.seed) } : {}),
    ...(shape.cacheKey ? { prompt_cache_key: cacheKey(prompt) } : {}),
    ...(shape.extra ? dialect.extra : {}),
  };
}

function responsesBody(model: string, question: Question, shape: RequestShape): Record<string, unknown> {
  const { prompt } = question;
  return {
    model,
    input: [
      { role: "system", content: prompt.system },
      { role: "user", content: `${prompt.shared}${prompt.own}` },
    ],
    ...(shape.temperature ? { temperature: question.temperature } : {}),
    max_output_tokens: question.outputTokens,
    include: ["message.output_text.logprobs"],
    top_logprobs: shape.topLogprobs,
    ...(shape.structured ? { text: { format: { type: "json_schema", ...namedSchema(prompt.format) } } } : {}),
    ...(shape.effortNone ? { reasoning: { effort: "none" } } : {}),
    ...(shape.extra ? shape.dialect.extra : {}),
    store: false,
  };
}

function askLogprobs(shape: RequestShape): Record<string, unknown> {
  if (shape.dialect.logprobs === "count") return { logprobs: shape.topLogprobs };
  return { logprobs: true, top_logprobs: shape.topLogprobs };
}

function askForm(form: RequestShape["dialect"]["structured"], format: OutputFormat): Record<string, unknown> {
  const schema = namedSchema(format);
  const response_format = { type: "json_schema", json_schema: schema };
  switch (form) {
    case "none":
      return {};
    case "json_object":
      return { response_format: { type: "json_object" } };
    case "json_schema":
      return { response_format };
    case "json_schema_twice":
      // Together's older deployments look for the schema next to the type.
      return { response_format: { ...response_format, schema: schema.schema } };
    case "vllm":
      // The second form alone can forbid white space, which keeps values at predictable places; older servers know the first alone.
      return { response_format, structured_outputs: { json: schema.schema, disable_any_whitespace: true } };
  }
}

interface NamedSchema {
  name: string;
  schema: object;
  strict: true;
}

/** A run asks for one form many thousand times. */
const SCHEMAS = new WeakMap<OutputFormat, NamedSchema>();

function namedSchema(format: OutputFormat): NamedSchema {
  const known = SCHEMAS.get(format);
  if (known) return known;
  const made: NamedSchema = { name: format.name, schema: jsonSchema(format), strict: true };
  SCHEMAS.set(format, made);
  return made;
}

/** 31 bits of the seed: what every server takes for an integer. */
export function seedNumber(seed: string): number {
  return createHash("sha256").update(seed).digest().readUInt32BE(0) >>> 1;
}

/** Requests with the same beginning are sent to the machine that has it in its cache. */
function cacheKey({ system, shared }: Question["prompt"]): string {
  // Questions that share a beginning follow one another, so it is hashed once for all of them.
  if (lastKey?.system !== system || lastKey.shared !== shared) {
    const key = createHash("sha256").update(system).update("\u0000").update(shared).digest("hex").slice(0, 32);
    lastKey = { system, shared, key };
  }
  return lastKey.key;
}

let lastKey: { system: string; shared: string; key: string } | null = null;
