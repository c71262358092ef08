import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Alternative, Token } from "../../core/records/case.js";
import type { Ask } from "../auditor.js";
import { type Prompt, TRACE_FORMATS } from "../output-format.js";

export const PROMPT: Prompt = {
  system: "You audit.",
  shared: "Rules: R1 be kind.\n",
  own: "Content: hé.",
  format: TRACE_FORMATS.paper,
  version: "test-1#0",
  notes: {
    flags: [],
    precedents_used: null,
    precedents_left_out: 0,
    content_cut: 0,
    scrubbed: null,
  },
};

export function askFor(answers = 1, changes: Partial<Ask> = {}): Ask {
  const wanted = Array.from({ length: answers }, (_, i) => ({ key: `key-${i}`, seed: `seed-${i}` }));
  return { case: null, prompt: PROMPT, temperature: 0.7, logprobs: true, wanted, ...changes };
}

/** A compact trace as models under a schema write it. */
export const TRACE =
  '{"logic_chain":"It is unkind.","policy_citation":"R1 be kind","precedent_weight":"High","inverse_check":"No","defensibility_level":2}';

/** Tokens of a text, a few characters each, with candidates and true bytes. */
export function wireTokens(text: string, candidates = 3): object[] {
  return (text.match(/[\s\S]{1,4}/g) ?? []).map((token, i) => ({
    token,
    logprob: -0.5 - 0.125 * (i % 3),
    bytes: [...Buffer.from(token)],
    top_logprobs: Array.from({ length: candidates }, (_, k) => ({
      token: k === 0 ? token : `${token}${k}`,
      logprob: -0.5 - 0.125 * (i % 3) - k,
      bytes: [...Buffer.from(k === 0 ? token : `${token}${k}`)],
    })),
  }));
}

export function wireChoice(text: string, index = 0, changes: object = {}): object {
  return {
    index,
    message: { role: "assistant", content: text, refusal: null },
    logprobs: { content: wireTokens(text), refusal: null },
    finish_reason: "stop",
    ...changes,
  };
}

export function wireBody(choices: readonly object[] = [wireChoice(TRACE)], changes: object = {}): object {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "served-model",
    choices,
    usage: { prompt_tokens: 100, completion_tokens: 40, prompt_tokens_details: { cached_tokens: 64 } },
    ...changes,
  };
}

/** Tokens as plain values, for comparing. */
export function plainTokens(tokens: readonly Token[] | null): object[] | null {
  const plain = ({ text, logprob, bytes }: Alternative) => ({ text, logprob, bytes: bytes ? [...bytes] : null });
  return tokens === null ? null : tokens.map((token) => ({ ...plain(token), top: token.top.map(plain) }));
}

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  text: string;
  body: Record<string, unknown>;
}

export interface TestServer {
  origin: string;
  received: Received[];
  close(): Promise<void>;
}

export type Handler = (request: Received, response: ServerResponse) => void | Promise<void>;

/** A server on this machine that does what the test says. */
export async function startServer(handle: Handler, port = 0): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const { method = "GET", url = "/", headers } = request;
    const body = headers["content-type"] === "application/json" ? JSON.parse(text) : {};
    const logged: Received = { method, url, headers, text, body };
    received.push(logged);
    await handle(logged, response);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers: object = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
