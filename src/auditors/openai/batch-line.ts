import { createHash } from "node:crypto";
import type { Generation, Token } from "../../core/records/case.js";
import { type BatchResult, CallError, type Price, tooLongAnswer } from "../auditor.js";
import { costOf } from "../create-auditor.js";
import { printable, withoutSecrets } from "../http/raw-response.js";
import { jsonSchema, type OutputFormat, type Prompt } from "../output-format.js";
import { BrokenJson, isMembers, JsonCursor, membersOf, readWhole, textOf } from "../scan/json-cursor.js";
import { type ScannedBody, type ScannedChoice, scanBody } from "../scan/scan-body.js";
import { type CallContext, hideSecrets, NO_HEADERS, refusalError } from "./errors.js";
import type { RequestShape } from "./request-shape.js";

/** What is needed to read a line. */
export interface BatchReading {
  context: CallContext;
  generation: GenerationContext;
  trueBytes: boolean;
  /** Longest line that is read, in bytes. */
  lineBytes: number;
}

interface Line {
  id: string | null;
  status: number | null;
  body: Buffer | null;
  error: { code: string | null; message: string | null } | null;
}

/** One line of a batch's output or error file; null: it does not identify its question. */
export function readBatchLine(bytes: Buffer, reading: BatchReading): BatchResult | null {
  if (bytes.length > reading.lineBytes) {
    const id = /"custom_id"\s*:\s*"([A-Za-z0-9]{1,64})"/.exec(bytes.toString("latin1", 0, 4096))?.[1];
    return id === undefined ? null : { id, answer: { generations: [tooLongAnswer(reading.generation)] } };
  }
  let line: Line;
  try {
    line = scanLine(bytes, reading.context.secrets);
  } catch (error) {
    if (error instanceof BrokenJson) return null;
    throw error;
  }
  return line.id === null ? null : { id: line.id, answer: answerOf(line, reading) };
}

function answerOf({ status, body, error }: Line, reading: BatchReading): BatchResult["answer"] {
  if (status !== null && body !== null && status < 400) {
    try {
      return {
        generations: makeGenerations(scanBody(body, reading.trueBytes, reading.context.secrets), reading.generation),
      };
    } catch (cause) {
      if (cause instanceof CallError) return { error: cause };
      throw cause;
    }
  }
  if (status !== null && status >= 400) {
    return { error: refusalError(status, body?.toString("utf8") ?? "", NO_HEADERS, reading.context) };
  }
  const words = printable(
    hideSecrets(error?.message ?? "the provider gave no answer and no reason", reading.context.secrets),
    500,
  );
  // Not processed before the day was over: to be asked again.
  const fault = /expired|cancel|timeout/i.test(`${error?.code} ${words}`) ? "timeout" : "server";
  return { error: new CallError(fault, `${reading.context.model}: the batch has no answer: ${words}`) };
}

function scanLine(bytes: Buffer, secrets: readonly string[]): Line {
  const body = (cursor: JsonCursor) => cursor.bytes.subarray(cursor.pass(), cursor.at);
  const { custom_id: id, response, error } = readWhole(new JsonCursor(bytes, 0, secrets), { body });
  const { status_code: status, body: answer } = membersOf(response);
  const { code, message } = membersOf(error);
  return {
    id: textOf(id),
    status: typeof status === "number" ? status : null,
    body: Buffer.isBuffer(answer) ? answer : null,
    error: isMembers(error) ? { code: textOf(code), message: textOf(message) } : null,
  };
}

interface GenerationContext {
  /** The model as we named it, for servers that do not name it. */
  model: string;
  space: Generation["space"];
  temperature: number;
  price: Price | null;
  /** Keys that must be removed from answers. */
  secrets?: readonly string[];
}

/**
 * The answers of a body in the common form. The prompt was read once for all of them, so the first answer carries its tokens and
 * the others zero; output tokens are divided by each answer's number of tokens, or evenly if that is unknown.
 */
export function makeGenerations(body: ScannedBody, context: GenerationContext): Generation[] {
  const { choices, usage } = body;
  const outputs = shareOut(usage?.output ?? null, choices);
  const generations = choices.map((choice, i): Generation => {
    const input = usage === null || usage.input === null ? null : i === 0 ? usage.input : 0;
    const cached = usage === null || usage.cached === null ? null : i === 0 ? usage.cached : 0;
    const output = outputs[i]!;
    const charged = usage === null || usage.cost === null ? null : i === 0 ? usage.cost : 0;
    return {
      text: choice.text,
      tokens: choice.tokens,
      joined: choice.tokens !== null && spellOut(choice.tokens, choice.text),
      finish: choice.finish,
      space: context.space,
      temperature: context.temperature,
      support: "top_k",
      model: body.model ?? context.model,
      usage: {
        input_tokens: input,
        cached_input_tokens: cached,
        output_tokens: output,
        cost_usd: costOf(context.price, { input, cached, output }) ?? charged,
      },
    };
  });
  return generations.map((generation) => withoutSecrets(generation, context.secrets ?? []));
}

export function spellOut(tokens: readonly Token[], text: string): boolean {
  let at = 0;
  for (const token of tokens) {
    if (!text.startsWith(token.text, at)) return false;
    at += token.text.length;
  }
  return at === text.length;
}

/** Splits a total into whole parts in proportion to the choices' numbers of tokens; the parts add up to the total. */
function shareOut(total: number | null, choices: readonly ScannedChoice[]): (number | null)[] {
  if (total === null) return choices.map(() => null);
  const known = choices.every((choice) => choice.tokens !== null);
  const weights = choices.map((choice) => (known ? choice.tokens!.length : 1));
  const sum = weights.reduce((a, b) => a + b, 0);
  let passed = 0;
  let given = 0;
  return weights.map((weight) => {
    passed += weight;
    const upTo = Math.round((total * passed) / sum);
    const part = upTo - given;
    given = upTo;
    return part;
  });
}

export interface Question {
  prompt: Pick<Prompt, "system" | "shared" | "own" | "format">;
  temperature: number;
  logprobs: boolean;
  answers: number;
  /** null: no seed is sent. */
  seed: string | null;
  outputTokens: number;
}

export interface OpenAIRequest {
  path: "/chat/completions" | "/responses";
  body: Record<string, unknown>;
  /** What the messages were built from. */
  prompt?: object;
}

/** The messages' JSON by prompt. It is most of a request and needed twice: for the cache key and to be sent. */
const MESSAGES = new WeakMap<object, string>();

/** A request's body, exactly as `JSON.stringify` gives it. */
export function requestJson({ body, prompt }: Pick<OpenAIRequest, "body" | "prompt">): string {
  const name = "messages" in body ? "messages" : "input";
  if (!prompt) return JSON.stringify(body);
  const messages = MESSAGES.get(prompt) ?? JSON.stringify(body[name]);
  MESSAGES.set(prompt, messages);
  // No earlier text can contain this: its quotes would be escaped.
  return JSON.stringify({ ...body, [name]: 0 }).replace(`"${name}":0`, () => `"${name}":${messages}`);
}

/** The request for a question, in the form this model and server take. The order of fields is fixed, so that equal questions give equal texts. */
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
      // Together's older deployments expect the schema next to the type.
      return { response_format: { ...response_format, schema: schema.schema } };
    case "vllm":
      // Only the second form can forbid white space, which keeps values at predictable places; older servers know only the first.
      return { response_format, structured_outputs: { json: schema.schema, disable_any_whitespace: true } };
  }
}

interface NamedSchema {
  name: string;
  schema: object;
  strict: true;
}

/** Cached: a run asks for the same form many thousand times. */
const SCHEMAS = new WeakMap<OutputFormat, NamedSchema>();

function namedSchema(format: OutputFormat): NamedSchema {
  const known = SCHEMAS.get(format);
  if (known) return known;
  const made: NamedSchema = { name: format.name, schema: jsonSchema(format), strict: true };
  SCHEMAS.set(format, made);
  return made;
}

/** 31 bits of the seed: an integer that every server accepts. */
export function seedNumber(seed: string): number {
  return createHash("sha256").update(seed).digest().readUInt32BE(0) >>> 1;
}

let lastKey: { system: string; shared: string; key: string } | null = null;

/** Requests with the same beginning go to the machine that has it in its cache. */
function cacheKey({ system, shared }: Question["prompt"]): string {
  // Questions with the same beginning follow one another, so it is hashed once for all of them.
  if (lastKey?.system !== system || lastKey.shared !== shared) {
    const key = createHash("sha256").update(system).update("\u0000").update(shared).digest("hex").slice(0, 32);
    lastKey = { system, shared, key };
  }
  return lastKey.key;
}
