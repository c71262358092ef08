import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerRequest, type Service } from "./answer-request.js";
import type { Reply } from "./fault.js";
import type { LoggedRequest, Question } from "./question.js";
import { type Dialect, TRAITS, type Traits } from "./traits.js";

export interface FakeServerOptions {
  dialect: Dialect;
  /** What the model says to a question, or what goes wrong. */
  answer: (question: Question) => Reply | Promise<Reply>;
  /** The key that is right; null: any, and none. */
  key?: string | null;
  /** Models that exist; absent: all. */
  models?: readonly string[];
  /** Habits that differ from the dialect's usual ones. */
  traits?: Partial<Traits>;
  /** Parameters that are taken without a word and not obeyed. */
  drops?: readonly string[];
  /** The token that ends an answer is listed with the others. */
  endToken?: boolean;
  /** False: nothing is said about limits. Default: OpenAI and Azure say theirs. */
  rateHeaders?: boolean;
  /** How often a batch is looked at before it ends. Default 1. */
  batchPolls?: number;
  batchEnds?: "completed" | "expired" | "failed" | "cancelled";
  /** How many of a batch's lines are answered before it ends. Default: all. */
  batchAnswers?: number;
  /** False: a batch's answers come without the metadata of their requests (Gemini). */
  batchMetadata?: boolean;
}

export interface FakeServer {
  readonly origin: string;
  /** What a client is configured with. */
  readonly baseUrl: string;
  readonly options: FakeServerOptions;
  readonly traits: Traits;
  /** Everything that arrived, in order. */
  readonly requests: LoggedRequest[];
  /** The questions among it. */
  readonly questions: Question[];
  /** Answers that were computed, and would be on the bill, whether or not they arrived. */
  paid: number;
  /** Answers that left the server whole. */
  delivered: number;
  close(): Promise<void>;
}

/** Where each vendor's addresses begin. */
export const BASE_PATHS: Readonly<Record<Dialect, string>> = {
  openai: "/v1",
  azure: "/openai/v1",
  vllm: "/v1",
  sglang: "/v1",
  llamacpp: "/v1",
  ollama: "/v1",
  lmstudio: "/v1",
  openrouter: "/api/v1",
  together: "/v1",
  fireworks: "/inference/v1",
  deepseek: "/v1",
  gemini: "",
  vertex: "",
};

/** A server on this machine that speaks as the vendor's does. */
export async function startFakeServer(options: FakeServerOptions): Promise<FakeServer> {
  const traits = { ...TRAITS[options.dialect], ...options.traits };
  const requests: LoggedRequest[] = [];
  const questions: Question[] = [];
  const http = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A mistake of the fake itself must not look like one of the vendor's faults.
      if (!response.headersSent) response.writeHead(599, { "content-type": "text/plain" });
      response.end(`fake server: ${String(error)}`);
    });
  });
  http.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: FakeServer = {
    origin,
    baseUrl: origin + BASE_PATHS[options.dialect],
    options,
    traits,
    requests,
    questions,
    paid: 0,
    delivered: 0,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  const service: Service = { server, files: new Map(), batches: new Map() };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const logged = logRequest(request, Buffer.concat(chunks));
    requests.push(logged);
    await answerRequest(service, logged, response);
  }
  return server;
}

function logRequest(request: IncomingMessage, raw: Buffer): LoggedRequest {
  const url = new URL(request.url ?? "/", "http://fake");
  const text = raw.toString("utf8");
  return {
    method: request.method ?? "GET",
    path: decodeURIComponent(url.pathname),
    query: url.search,
    headers: request.headers,
    text,
    body: parse(text),
  };
}

function parse(text: string): LoggedRequest["body"] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as LoggedRequest["body"]) : null;
  } catch {
    return null;
  }
}
