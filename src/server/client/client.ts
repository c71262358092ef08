/**
 * A client of the live service.
 * @packageDocumentation
 */
import type { Api } from "./api.js";

export type { Api } from "./api.js";

/** An endpoint by method and path: `client.call("POST /v1/route", { body: decision })`. */
export type Endpoint = keyof Api;
export type Answer<E extends Endpoint> = Api[E]["answer"];

/** Endpoints whose answers come in pages. */
export type List = {
  [E in Endpoint]: Answer<E> extends { items: unknown[]; next_cursor: unknown } ? E : never;
}[Endpoint];
/** Endpoints that take JSON lines and answer each. */
export type Lines = { [E in Endpoint]: Api[E] extends { lines: true } ? E : never }[Endpoint];

type Parts<E extends Endpoint> = Pick<Api[E], Extract<keyof Api[E], "params" | "query" | "body">>;

export type Request<E extends Endpoint> = Parts<E> & {
  /** A unique key of your choice: a request repeated with the same key is done once. */
  idempotencyKey?: string;
  /** The epoch of the gate that the change is based on, for `POST /v1/gate/apply` and other changes of the gate. */
  epoch?: number;
  /** Seconds to wait for the audit of a new decision. */
  wait?: number;
  signal?: AbortSignal;
};

export interface ClientOptions {
  /** The address of the service: `https://defensible.example`. */
  url: string;
  /** `dfk_…` */
  key: string;
  /** Default: the platform's. */
  fetch?: typeof fetch;
}

/** An error answer of the service: RFC 9457. `code` is stable. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly problem: Record<string, unknown>,
  ) {
    super(`${status} ${code}: ${String(problem.detail ?? "")}`);
    this.name = "ApiError";
  }
}

/** A client of the live service. Its types are generated from the OpenAPI document. */
export class Client {
  private readonly fetch: typeof fetch;

  constructor(private readonly options: ClientOptions) {
    this.fetch = options.fetch ?? globalThis.fetch;
  }

  /** Sends one request. Fails with an `ApiError`. */
  async call<E extends Endpoint>(endpoint: E, request: Request<E>): Promise<Answer<E>> {
    const { body } = request as { body?: unknown };
    const response = await this.send(endpoint, request, body === undefined ? null : JSON.stringify(body), JSON_TYPE);
    const isJson = response.headers.get("content-type")?.startsWith(JSON_TYPE);
    return (isJson ? response.json() : response.text()) as Promise<Answer<E>>;
  }

  /** Every item of a list, page by page. */
  async *each<E extends List>(endpoint: E, request: Request<E>): AsyncGenerator<Answer<E>["items"][number]> {
    const { query } = request as { query?: Record<string, unknown> };
    for (let cursor: string | null = null; ; ) {
      const asked = { ...request, query: { ...query, ...(cursor === null ? {} : { cursor }) } };
      const page: { items: Answer<E>["items"]; next_cursor: string | null } = await this.call(
        endpoint,
        asked as Request<E>,
      );
      yield* page.items;
      cursor = page.next_cursor;
      if (cursor === null) return;
    }
  }

  /** Sends records as JSON lines and yields the answer to each, in order, while others are still being sent. */
  async *stream<E extends Lines>(
    endpoint: E,
    records: Iterable<Api[E]["body"]> | AsyncIterable<Api[E]["body"]>,
    request: { signal?: AbortSignal } = {},
  ): AsyncGenerator<Answer<E>> {
    const response = await this.send(endpoint, request, linesOf(records), LINES_TYPE);
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as Answer<E>;
    }
    if (rest !== "") yield JSON.parse(rest) as Answer<E>;
  }

  private async send(
    endpoint: Endpoint,
    request: object,
    body: string | ReadableStream | null,
    type: string,
  ): Promise<Response> {
    const { params = {}, query = {}, idempotencyKey, epoch, wait, signal } = request as Sent;
    const [method, path] = endpoint.split(" ") as [string, string];
    const url = new URL(
      path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name]))),
      this.options.url,
    );
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const response = await this.fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${this.options.key}`,
        ...(body === null ? {} : { "content-type": type }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        ...(epoch === undefined ? {} : { "if-match": `"${epoch}"` }),
        ...(wait === undefined ? {} : { prefer: `wait=${wait}` }),
      },
      body,
      ...(signal ? { signal } : {}),
      // Node requires it to send a stream.
      ...({ duplex: "half" } as object),
    });
    if (response.ok) return response;
    const problem = (await response.json().catch(() => ({}))) as Record<string, unknown>;
    throw new ApiError(response.status, String(problem.code ?? "unknown"), problem);
  }
}

const JSON_TYPE = "application/json";
const LINES_TYPE = "application/x-ndjson";

interface Sent {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  idempotencyKey?: string;
  epoch?: number;
  wait?: number;
  signal?: AbortSignal;
}

function linesOf(records: Iterable<unknown> | AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = (async function* () {
    yield* records;
  })();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    cancel: async () => void (await iterator.return(undefined)),
  });
}
