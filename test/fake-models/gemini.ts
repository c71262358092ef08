import type { ServerResponse } from "node:http";
import { answerQuestion, type Service, sendFault, sendJson, type Voice } from "./answer-request.js";
import { createBatch, readBatch } from "./gemini-batch.js";
import { geminiBody } from "./gemini-body.js";
import { downloadFile, uploadFile } from "./gemini-files.js";
import { googleError, googleUnknownModel } from "./google-faults.js";
import type { Json, LoggedRequest } from "./question.js";
import { readGemini } from "./read-gemini.js";

const MODEL_CALL =
  /^\/v1(?:beta1?|)\/(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/google\/)?models\/([^:/]+):(\w+)$/;

export async function routeGemini(
  service: Service,
  request: LoggedRequest,
  body: Json | null,
  response: ServerResponse,
): Promise<void> {
  const { server } = service;
  const { dialect } = server.options;
  const call = MODEL_CALL.exec(request.path);
  const wrongPlace = (dialect === "vertex") !== request.path.includes("/publishers/google/");
  const model = call?.[1] ?? "";
  if (call && (wrongPlace || (server.options.models && !server.options.models.includes(model))))
    return sendFault(service, response, googleUnknownModel(model));
  if (request.method === "POST" && call?.[2] === "generateContent") {
    const read = readGemini(body ?? {}, dialect, server.traits, model, server.questions.length);
    return "fault" in read
      ? sendFault(service, response, read.fault)
      : answerQuestion(service, read, response, voice(service));
  }
  if (dialect === "gemini" && request.method === "POST" && call?.[2] === "batchGenerateContent")
    return createBatch(service, model, (body?.batch ?? {}) as Json, response);
  if (dialect === "gemini" && /^\/v1beta\/batches/.test(request.path)) return readBatch(service, request, response);
  if (dialect === "gemini" && request.path === "/upload/v1beta/files") return uploadFile(service, request, response);
  if (dialect === "gemini" && /\/files\/[^/:]+:download$/.test(request.path))
    return downloadFile(service, request, response);
  if (request.method === "GET" && /\/models(\/|$)/.test(request.path)) {
    const models = (server.options.models ?? ["gemini-2.0-flash"]).map((name) => ({
      name: `models/${name}`,
      version: "001",
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 8192,
      supportedGenerationMethods: ["generateContent", "countTokens", "batchGenerateContent"],
    }));
    return sendJson(service, response, request.path.endsWith("/models") ? { models } : models[0]);
  }
  return sendFault(service, response, googleError(404, `Requested entity was not found: ${request.path}`));
}

const voice = ({ server }: Service): Voice => ({
  body: (question, answers, logprobs) => geminiBody(question, server.traits, answers, logprobs),
});
