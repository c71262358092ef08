import type { ServerResponse } from "node:http";
import { chatBody } from "./chat-body.js";
import { chatEvents } from "./chat-stream.js";
import { type Answer, type Fault, isFault, type Reply } from "./fault.js";
import { routeGemini } from "./gemini.js";
import type { GeminiBatch } from "./gemini-batch.js";
import { wrongGoogleKey } from "./google-faults.js";
import { modelsBody } from "./models-body.js";
import { routeBatch } from "./openai-batch.js";
import type { FakeBatch, FakeFile } from "./openai-batch-objects.js";
import { openaiError, rateHeaders, unknownModel, wrongKey } from "./openai-faults.js";
import { isPlanned, type Planned, truncate } from "./plan-answer.js";
import type { Json, LoggedRequest, Question } from "./question.js";
import { readChat } from "./read-chat.js";
import { readResponses, responsesBody, responsesEvents } from "./responses.js";
import { type Manner, type Outgoing, send } from "./send.js";
import type { FakeServer } from "./start-fake-server.js";
import { writeJson } from "./write-json.js";

/** A running server and what it keeps between requests. */
export interface Service {
  server: FakeServer;
  files: Map<string, FakeFile>;
  batches: Map<string, FakeBatch | GeminiBatch>;
}

/** How a family of APIs puts answers into words. */
export interface Voice {
  body(question: Question, answers: readonly Planned[], logprobs: boolean): Json;
  events?(question: Question, answers: readonly Planned[], logprobs: boolean): Buffer[];
}

export async function answerRequest(service: Service, request: LoggedRequest, response: ServerResponse): Promise<void> {
  const { server } = service;
  const { dialect, key = "test-key" } = server.options;
  const given = givenKey(request);
  const google = dialect === "gemini" || dialect === "vertex";
  if (key !== null && given !== key)
    return sendFault(service, response, google ? wrongGoogleKey(given) : wrongKey(dialect, given));
  const body = dropParameters(request.body, server.options.drops ?? []);
  const { path } = request;

  if (google) return routeGemini(service, request, body, response);
  if (request.method === "GET" && /\/models(\/[^/]+)?$/.test(path))
    return sendJson(service, response, modelsBody(dialect, server.options.models, path));
  if (request.method === "GET" && dialect === "ollama" && path === "/")
    return void (await send(response, plain("Ollama is running"), { how: "whole" }));
  if (/\/(files|batches)(\/|$)/.test(path)) return routeBatch(service, request, response);
  if (request.method === "POST" && path.endsWith("/chat/completions")) {
    if (!body)
      return sendFault(service, response, openaiError(400, "We could not parse the JSON body of your request."));
    const deployment = /\/deployments\/([^/]+)\//.exec(path)?.[1];
    const read = readChat(
      deployment ? { model: deployment, ...body } : body,
      dialect,
      server.traits,
      server.questions.length,
    );
    return "fault" in read
      ? sendFault(service, response, read.fault)
      : answerQuestion(service, read, response, CHAT(server));
  }
  if (
    request.method === "POST" &&
    path.endsWith("/responses") &&
    (dialect === "openai" || dialect === "azure" || dialect === "lmstudio")
  ) {
    const read = readResponses(body ?? {}, dialect, server.traits, server.questions.length);
    return "fault" in read
      ? sendFault(service, response, read.fault)
      : answerQuestion(service, read, response, RESPONSES(server));
  }
  return sendFault(service, response, openaiError(404, `Invalid URL (${request.method} ${path})`));
}

/** LM Studio's chat endpoint knows no probabilities; its `/v1/responses` does. */
export const CHAT = (server: FakeServer): Voice => {
  const parts = (question: Question, answers: readonly Planned[], logprobs: boolean) => ({
    question,
    traits: server.traits,
    answers,
    logprobs: logprobs && question.dialect !== "lmstudio",
    endToken: server.options.endToken ?? false,
  });
  return {
    body: (...asked) => chatBody(parts(...asked)),
    events: (...asked) => chatEvents(parts(...asked)),
  };
};

const RESPONSES = (server: FakeServer): Voice => ({
  body: (question, answers, logprobs) => responsesBody(question, server.traits, answers[0]!, logprobs),
  events: (question, answers, logprobs) => responsesEvents(question, server.traits, answers[0]!, logprobs),
});

/** Asks the script, and sends what it says in the vendor's form. */
export async function answerQuestion(
  service: Service,
  question: Question,
  response: ServerResponse,
  voice: Voice,
): Promise<void> {
  const { server } = service;
  server.questions.push(question);
  const known = server.options.models;
  if (known && !known.includes(question.model))
    return sendFault(service, response, unknownModel(question.dialect, question.model));
  const reply = await server.options.answer(question);
  if (isFault(reply) && reply.fault === "status") return sendFault(service, response, reply);
  const manner = mannerOf(reply);
  const answers = answersOf(reply, question);
  if (!(manner.how === "torn" && manner.at === "start")) server.paid += answers.length;
  const logprobs = !(isFault(reply) && reply.fault === "no_logprobs");
  const outgoing = success(service, question, answers, logprobs, voice);
  if (await send(response, outgoing, manner)) server.delivered += answers.length;
}

/** As many answers as were asked for, none longer than allowed. */
export function answersOf(reply: Reply, question: Question): Planned[] {
  const answer: Answer = isFault(reply) ? (reply as Extract<Fault, { answer: Answer }>).answer : reply;
  const list: readonly Planned[] = isPlanned(answer) ? [answer] : (answer as readonly Planned[]);
  return Array.from({ length: question.answers }, (_, i) => truncate(list[i % list.length]!, question.maxTokens));
}

function mannerOf(reply: Reply): Manner {
  if (!isFault(reply)) return { how: "whole" };
  switch (reply.fault) {
    case "slow":
      return { how: "slow", ms: reply.ms };
    case "stall":
    case "torn":
      return { how: reply.fault, at: reply.at };
    case "chunked":
      return { how: "chunked", size: reply.size };
    default:
      return { how: "whole" };
  }
}

function success(
  service: Service,
  question: Question,
  answers: readonly Planned[],
  logprobs: boolean,
  voice: Voice,
): Outgoing {
  const { traits } = service.server;
  const tells =
    service.server.options.rateHeaders !== false && (question.dialect === "openai" || question.dialect === "azure");
  const limits = tells ? rateHeaders() : {};
  const headers = { ...traits.headers, ...limits, "x-request-id": `req_${service.server.requests.length}` };
  if (question.stream && voice.events) {
    const pieces = voice.events(question, answers, logprobs);
    return {
      status: 200,
      headers: { ...headers, "content-type": "text/event-stream; charset=utf-8" },
      body: Buffer.concat(pieces),
      pieces,
    };
  }
  const json = writeJson(voice.body(question, answers, logprobs), traits);
  // Gateways keep the connection alive with blanks before the body.
  const text =
    question.dialect === "openrouter" || question.dialect === "deepseek" ? `\n         \n${json}` : `${json}\n`;
  return { status: 200, headers: { ...headers, "content-type": "application/json" }, body: Buffer.from(text) };
}

export async function sendJson(service: Service, response: ServerResponse, body: unknown): Promise<void> {
  const { traits } = service.server;
  const headers = { ...traits.headers, "content-type": "application/json" };
  await send(response, { status: 200, headers, body: Buffer.from(writeJson(body, traits)) }, { how: "whole" });
}

export async function sendFault(service: Service, response: ServerResponse, fault: Fault): Promise<void> {
  if (fault.fault !== "status") throw new Error(`not an error of the server: ${fault.fault}`);
  const { traits } = service.server;
  const body = Buffer.isBuffer(fault.body)
    ? fault.body
    : Buffer.from(typeof fault.body === "string" ? fault.body : writeJson(fault.body, traits));
  const headers = {
    ...traits.headers,
    "x-request-id": `req_${service.server.requests.length}`,
    "content-type": fault.type ?? "application/json",
    ...fault.headers,
  };
  await send(response, { status: fault.status, headers, body }, { how: "whole" });
}

function plain(text: string): Outgoing {
  return { status: 200, headers: { "content-type": "text/plain" }, body: Buffer.from(text) };
}

function givenKey({ headers, query }: LoggedRequest): string {
  const bearer = /^Bearer (.*)$/i.exec(String(headers.authorization ?? ""))?.[1];
  const named = headers["api-key"] ?? headers["x-goog-api-key"] ?? new URLSearchParams(query).get("key");
  return bearer ?? (typeof named === "string" ? named : "");
}

/** A name may lead into an object: `generationConfig.candidateCount`. */
function dropParameters(body: Json | null, names: readonly string[]): Json | null {
  if (!body || names.length === 0) return body;
  const dropped = structuredClone(body);
  for (const name of names) {
    const [first, second] = name.split(".") as [string, string?];
    if (second === undefined) delete dropped[first];
    else delete (dropped[first] as Json | undefined)?.[second];
  }
  return dropped;
}
