import type { ServerResponse } from "node:http";
import { answersOf, type Service, sendFault, sendJson } from "./answer-request.js";
import { isFault } from "./fault.js";
import { geminiBody } from "./gemini-body.js";
import { googleError } from "./google-faults.js";
import type { Json, LoggedRequest } from "./question.js";
import { readGemini } from "./read-gemini.js";
import { writeJson } from "./write-json.js";

/** A question of a batch: with metadata where it came inline, with a key where it came in a file. */
interface BatchEntry {
  request: Json;
  metadata?: Json;
  key?: string;
}

/** A batch job of Google's: a long-running operation that holds its requests. */
export interface GeminiBatch {
  kind: "gemini";
  name: string;
  model: string;
  displayName: string;
  requests: BatchEntry[];
  /** The questions came in a file, and so do the answers. */
  fromFile: boolean;
  polls: number;
  state: string;
  responses: Json[] | null;
}

export async function createBatch(
  service: Service,
  model: string,
  batch: Json,
  response: ServerResponse,
): Promise<void> {
  const input = (batch.inputConfig ?? {}) as { requests?: { requests?: BatchEntry[] }; fileName?: string };
  const file = input.fileName === undefined ? undefined : service.files.get(input.fileName);
  const requests = file
    ? file.content
        .toString("utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as BatchEntry)
    : input.requests?.requests;
  if (!requests || requests.length === 0)
    return sendFault(service, response, googleError(400, "Batch input is not specified."));
  const name = `batches/fake${service.batches.size + 1}`;
  const job: GeminiBatch = {
    kind: "gemini",
    name,
    model,
    displayName: String(batch.displayName ?? ""),
    requests,
    fromFile: file !== undefined,
    polls: 0,
    state: "BATCH_STATE_PENDING",
    responses: null,
  };
  service.batches.set(name, job);
  return sendJson(service, response, operation(job));
}

export async function readBatch(service: Service, request: LoggedRequest, response: ServerResponse): Promise<void> {
  const jobs = [...service.batches.values()].filter((job): job is GeminiBatch => job.kind === "gemini");
  if (request.method === "GET" && /\/batches$/.test(request.path)) {
    const size = Number(new URLSearchParams(request.query).get("pageSize") ?? 50);
    const start = Number(new URLSearchParams(request.query).get("pageToken") ?? 0);
    const next = start + size < jobs.length ? { nextPageToken: String(start + size) } : {};
    return sendJson(service, response, { operations: jobs.slice(start, start + size).map(operation), ...next });
  }
  const [, id, action] = /\/batches\/([^/:]+)(?::(\w+))?$/.exec(request.path) ?? [];
  const job = jobs.find(({ name }) => name === `batches/${id}`);
  if (!job) return sendFault(service, response, googleError(404, "Requested entity was not found."));
  if (action === "cancel") {
    if (job.responses === null) job.state = "BATCH_STATE_CANCELLED";
    return sendJson(service, response, {});
  }
  await advance(service, job);
  return sendJson(service, response, operation(job));
}

/** A job runs for as many looks at it as the test wants, then ends as the test wants. */
async function advance(service: Service, job: GeminiBatch): Promise<void> {
  const { batchPolls = 1, batchEnds = "completed" } = service.server.options;
  if (!["BATCH_STATE_PENDING", "BATCH_STATE_RUNNING"].includes(job.state)) return;
  if (job.polls++ < batchPolls) {
    job.state = "BATCH_STATE_RUNNING";
    return;
  }
  job.state = {
    completed: "BATCH_STATE_SUCCEEDED",
    expired: "BATCH_STATE_EXPIRED",
    failed: "BATCH_STATE_FAILED",
    cancelled: "BATCH_STATE_CANCELLED",
  }[batchEnds];
  // Only a batch that succeeded has results there.
  if (batchEnds !== "completed") return;
  job.responses = await Promise.all(job.requests.map((item) => answerItem(service, job, item)));
  if (!job.fromFile) return;
  const lines = job.responses.map((entry) => writeJson(entry, { ...service.server.traits, layout: "compact" }));
  const id = responsesFile(job);
  service.files.set(id, { id, filename: id, purpose: "batch_output", content: Buffer.from(`${lines.join("\n")}\n`) });
}

async function answerItem(service: Service, job: GeminiBatch, item: BatchEntry): Promise<Json> {
  const { server } = service;
  const metadata = {
    ...(item.key === undefined ? {} : { key: item.key }),
    ...(item.metadata && server.options.batchMetadata !== false ? { metadata: item.metadata } : {}),
  };
  const { model: _model, ...request } = item.request;
  const read = readGemini(request, server.options.dialect, server.traits, job.model, server.questions.length);
  const status = (fault: unknown): Json => ({
    error: ((fault as { body: Json }).body as { error: Json }).error,
    ...metadata,
  });
  if ("fault" in read) return status(read.fault);
  const question = { ...read, batchId: item.key ?? String(item.metadata?.key ?? "") };
  server.questions.push(question);
  const reply = await server.options.answer(question);
  if (isFault(reply) && reply.fault === "status") return status(reply);
  const answers = answersOf(reply, question);
  server.paid += answers.length;
  return {
    response: geminiBody(question, server.traits, answers, !(isFault(reply) && reply.fault === "no_logprobs")),
    ...metadata,
  };
}

function responsesFile({ name }: GeminiBatch): string {
  return `files/${name.replace("/", "-")}`;
}

function operation(job: GeminiBatch): Json {
  const failed = job.responses?.filter((entry) => "error" in entry).length ?? 0;
  const output = job.responses
    ? job.fromFile
      ? { responsesFile: responsesFile(job) }
      : { inlinedResponses: { inlinedResponses: job.responses } }
    : null;
  const running = ["BATCH_STATE_PENDING", "BATCH_STATE_RUNNING"].includes(job.state);
  return {
    name: job.name,
    metadata: {
      "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
      model: `models/${job.model}`,
      displayName: job.displayName,
      ...(output ? { output } : {}),
      createTime: "2026-11-15T06:00:00.123456789Z",
      ...(running ? {} : { endTime: "2026-11-15T06:10:00.123456789Z" }),
      updateTime: "2026-11-15T06:10:00.123456789Z",
      batchStats: {
        requestCount: String(job.requests.length),
        ...(running
          ? { pendingRequestCount: String(job.requests.length) }
          : {
              successfulRequestCount: String((job.responses?.length ?? 0) - failed),
              ...(failed ? { failedRequestCount: String(failed) } : {}),
            }),
      },
      state: job.state,
      name: job.name,
    },
    ...(running ? {} : { done: true }),
    ...(output
      ? {
          response: {
            "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatchOutput",
            ...output,
          },
        }
      : {}),
  };
}
