import type { ServerResponse } from "node:http";
import { answersOf, CHAT, type Service, sendFault, sendJson } from "./answer-request.js";
import { isFault } from "./fault.js";
import { batchObject, type FakeBatch, type FakeFile, fileObject, list } from "./openai-batch-objects.js";
import { openaiError } from "./openai-faults.js";
import type { Json, LoggedRequest } from "./question.js";
import { randomFrom } from "./random.js";
import { readChat } from "./read-chat.js";
import { readUpload } from "./read-upload.js";
import { send } from "./send.js";
import { writeJson } from "./write-json.js";

/** `/v1/files` and `/v1/batches`. */
export async function routeBatch(service: Service, request: LoggedRequest, response: ServerResponse): Promise<void> {
  const [, kind, id, action] = /\/(files|batches)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(request.path) ?? [];
  const missing = (): Promise<void> =>
    sendFault(service, response, openaiError(404, `No such ${kind} object: ${id}`, { param: "id" }));
  if (kind === "files") {
    if (request.method === "POST" && !id) return upload(service, request, response);
    if (!id) return sendJson(service, response, list([...service.files.values()].map(fileObject), request.query));
    const file = service.files.get(id);
    if (!file) return missing();
    if (request.method === "DELETE") {
      service.files.delete(id);
      return sendJson(service, response, { id, object: "file", deleted: true });
    }
    if (action !== "content") return sendJson(service, response, fileObject(file));
    const headers = { ...service.server.traits.headers, "content-type": "application/octet-stream" };
    return void (await send(response, { status: 200, headers, body: file.content }, { how: "whole" }));
  }
  if (request.method === "POST" && !id) return create(service, request.body ?? {}, response);
  const batches = [...service.batches.values()].filter((batch): batch is FakeBatch => batch.kind === "openai");
  if (!id) return sendJson(service, response, list(batches.reverse().map(batchObject), request.query));
  const batch = batches.find((one) => one.id === id);
  if (!batch) return missing();
  if (action === "cancel") batch.status = "cancelled";
  else await advance(service, batch);
  return sendJson(service, response, batchObject(batch));
}

async function upload(service: Service, request: LoggedRequest, response: ServerResponse): Promise<void> {
  const parts = readUpload(request);
  const file = parts?.file;
  if (!parts || !file) return sendFault(service, response, openaiError(400, "'file' is a required property"));
  if (parts.purpose !== "batch")
    return sendFault(
      service,
      response,
      openaiError(400, `'${parts.purpose}' is not one of ['batch']`, { param: "purpose" }),
    );
  const stored: FakeFile = {
    id: `file-${service.files.size + 1}`,
    filename: file.name,
    purpose: "batch",
    content: file.content,
  };
  service.files.set(stored.id, stored);
  return sendJson(service, response, fileObject(stored));
}

async function create(service: Service, body: Json, response: ServerResponse): Promise<void> {
  const refuse = (message: string, param: string): Promise<void> =>
    sendFault(service, response, openaiError(400, message, { param }));
  const file = service.files.get(String(body.input_file_id));
  if (!file) return refuse(`Invalid input file: ${body.input_file_id}`, "input_file_id");
  if (body.completion_window !== "24h")
    return refuse("Invalid value for 'completion_window': expected '24h'.", "completion_window");
  if (body.endpoint !== "/v1/chat/completions" && body.endpoint !== "/v1/responses")
    return refuse("Invalid value for 'endpoint'.", "endpoint");
  const metadata = (body.metadata ?? null) as Json | null;
  if (metadata && Object.values(metadata).some((value) => typeof value !== "string" || value.length > 512))
    return refuse("Invalid 'metadata': string too long. Expected a string with maximum length 512.", "metadata");
  const batch: FakeBatch = {
    kind: "openai",
    id: `batch_${service.batches.size + 1}`,
    endpoint: body.endpoint,
    inputFile: file.id,
    metadata,
    status: "validating",
    polls: 0,
    total: 0,
    completed: 0,
    failed: 0,
    errors: null,
    outputFile: null,
    errorFile: null,
  };
  service.batches.set(batch.id, batch);
  return sendJson(service, response, batchObject(batch));
}

/** Runs for as many looks as the test wants; then answers as many lines as the test wants, in no order. */
async function advance(service: Service, batch: FakeBatch): Promise<void> {
  const { batchPolls = 1, batchEnds = "completed", batchAnswers = Number.POSITIVE_INFINITY } = service.server.options;
  if (!["validating", "in_progress"].includes(batch.status)) return;
  const lines = service.files
    .get(batch.inputFile)!
    .content.toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  batch.errors = lines.flatMap((line, i) => checkLine(line, i + 1, batch, lines));
  if (batch.errors.length > 0 || batchEnds === "failed") {
    batch.status = "failed";
    return;
  }
  batch.total = lines.length;
  if (batch.polls++ < batchPolls) {
    batch.status = "in_progress";
    return;
  }
  const random = randomFrom(batch.id);
  const order = lines.map((line) => ({ line, at: random() })).sort((a, b) => a.at - b.at);
  const outputs: string[] = [];
  const errors: string[] = [];
  for (const [i, { line }] of order.entries()) {
    const item = JSON.parse(line) as { custom_id: string; body: Json };
    const head = { id: `batch_req_${i + 1}`, custom_id: item.custom_id };
    const write = (value: Json): string => writeJson(value, { ...service.server.traits, layout: "spaced" });
    if (i >= batchAnswers) {
      const error = {
        code: "batch_expired",
        message: "This request could not be executed before the completion window expired.",
      };
      errors.push(write({ ...head, response: null, error }));
      continue;
    }
    const { status, body } = await answerLine(service, item);
    const whole = write({ ...head, response: { status_code: status, request_id: `req_${i}`, body }, error: null });
    (status === 200 ? outputs : errors).push(whole);
  }
  batch.status = batchEnds;
  batch.completed = outputs.length;
  batch.failed = errors.length;
  batch.outputFile = store(service, outputs);
  batch.errorFile = store(service, errors);
}

function checkLine(line: string, number: number, batch: FakeBatch, lines: readonly string[]): Json[] {
  const complain = (code: string, message: string): Json[] => [{ code, message, line: number, param: null }];
  try {
    const item = JSON.parse(line) as { custom_id?: unknown; method?: unknown; url?: unknown };
    if (typeof item.custom_id !== "string")
      return complain("missing_required_parameter", "Missing required parameter: 'custom_id'.");
    if (item.method !== "POST" || item.url !== batch.endpoint)
      return complain("mismatched_endpoint", "The URL provided does not match the batch endpoint.");
    const id = JSON.stringify(item.custom_id);
    if (lines.filter((other) => other.includes(`"custom_id":${id}`)).length > 1)
      return complain("duplicate_custom_id", `Duplicate custom_id ${id}.`);
    return [];
  } catch {
    return complain("invalid_json_line", "This line is not parseable as valid JSON.");
  }
}

async function answerLine(
  service: Service,
  item: { custom_id: string; body: Json },
): Promise<{ status: number; body: unknown }> {
  const { server } = service;
  const read = readChat(item.body, server.options.dialect, server.traits, server.questions.length);
  if ("fault" in read) return read.fault as unknown as { status: number; body: unknown };
  const question = { ...read, batchId: item.custom_id };
  server.questions.push(question);
  const reply = await server.options.answer(question);
  if (isFault(reply) && reply.fault === "status") return { status: reply.status, body: reply.body };
  const answers = answersOf(reply, question);
  server.paid += answers.length;
  return {
    status: 200,
    body: CHAT(server).body(question, answers, !(isFault(reply) && reply.fault === "no_logprobs")),
  };
}

function store(service: Service, lines: readonly string[]): string | null {
  if (lines.length === 0) return null;
  const id = `file-${service.files.size + 1}`;
  service.files.set(id, {
    id,
    filename: `${id}.jsonl`,
    purpose: "batch_output",
    content: Buffer.from(`${lines.join("\n")}\n`),
  });
  return id;
}
