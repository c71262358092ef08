import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, vi } from "vitest";
import type { Ask, Auditor, Price } from "../auditor.js";
import type { AuditorOptions } from "../create-auditor.js";
import { type Prompt, TRACE_FORMATS } from "../output-format.js";
import { createGeminiAuditor } from "./auditor.js";
import type { GeminiKind } from "./probe.js";

export const KEY = "AIzaTestKey_0123456789-abcdefghijklmnopqrs";
export const PRICE: Price = { input: 1, cached_input: 0.25, output: 10, batch: 0.5, as_of: "override" };

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the body of a request, as each test reads it
  body: any;
}

export type Handler = (received: Received, response: ServerResponse) => void;

/** A server that keeps what it received and answers each request by the next of the handlers, the last one for all that follow. */
export async function serve(...handlers: Handler[]): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const one: Received = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      text,
      get body() {
        return JSON.parse(text);
      },
    };
    received.push(one);
    handlers[Math.min(received.length, handlers.length) - 1]!(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const open: (() => void)[] = [];

/** Keys for the test, and no others; servers end with it. */
export function withKeys(keys: Record<string, string> = { GEMINI_API_KEY: KEY, GOOGLE_API_KEY: KEY }): void {
  beforeEach(() => {
    for (const name of ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"]) {
      vi.stubEnv(name, keys[name] ?? "");
    }
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    for (const end of open.splice(0)) end();
  });
}

export function json(body: unknown, status = 200): Handler {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json; charset=UTF-8" });
    response.end(JSON.stringify(body));
  };
}

/** An error as the Developer API writes it. */
export function refusal(code: number, message: string, details?: unknown[]): Handler {
  return json({ error: { code, message, status: "INVALID_ARGUMENT", ...(details ? { details } : {}) } }, code);
}

export const LOGPROBS = {
  chosenCandidates: [
    { token: '{"answer":"', tokenId: 1 },
    { token: "Yes", tokenId: 2, logProbability: -0.25 },
    { token: '"}', tokenId: 3, logProbability: -0 },
  ],
  topCandidates: [
    { candidates: [{ token: '{"answer":"', tokenId: 1 }] },
    {
      candidates: [
        { token: "No", tokenId: 4, logProbability: -1.5 },
        { token: "Yes", tokenId: 2, logProbability: -0.25 },
        { token: "Maybe", tokenId: 5, logProbability: -1.2676506e30 },
      ],
    },
    { candidates: [{ token: '"}', tokenId: 3, logProbability: 0 }] },
  ],
};

export function candidate(text = '{"answer":"Yes"}', more: object = {}): object {
  return { content: { role: "model", parts: [{ text }] }, finishReason: "STOP", ...more };
}

export function answered(candidates: object[], more: object = {}): object {
  return {
    candidates,
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 7 * candidates.length, totalTokenCount: 107 },
    modelVersion: "gemini-2.5-flash-001",
    responseId: "r1",
    ...more,
  };
}

export const PROMPT: Prompt = {
  system: "You audit.",
  shared: "Rules: R1.\n",
  own: "Content: hello",
  format: TRACE_FORMATS.paper,
  version: "test-1#0",
  notes: { flags: [], precedents_used: null, precedents_left_out: 0, content_cut: 0, scrubbed: null },
};

export function ask(more: Partial<Ask> = {}): Ask {
  return {
    case: null,
    prompt: PROMPT,
    temperature: 0.2,
    logprobs: false,
    wanted: [{ key: "d1", seed: "s1" }],
    ...more,
  };
}

export function auditor(
  kind: GeminiKind,
  url: string,
  options: AuditorOptions = {},
  model = "gemini-2.5-flash",
): Promise<Auditor> {
  const own = { baseUrl: url, prices: { [model]: PRICE }, timeoutMs: 5_000, ...options };
  return createGeminiAuditor(`${kind}:${model}`, kind, model, own);
}
