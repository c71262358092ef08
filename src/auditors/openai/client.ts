import { setMaxListeners } from "node:events";
import type { OpenAI } from "openai";
import { CallError } from "../call-error.js";
import type { RawHeaders, RawResponse } from "../http/raw-response.js";
import { ANSWER_BYTES, createUndiciFetch, type UndiciFetch } from "../http/undici-fetch.js";
import type { Access } from "./access.js";
import type { OpenAIRequest } from "./build-request.js";
import { type CallContext, toCallError } from "./errors.js";

/** Calls of one model at one server through the official SDK, whose own retries are off: trying again is the run's business. */
export class OpenAIClient {
  private opened: Promise<{ sdk: OpenAI; net: UndiciFetch }> | null = null;

  constructor(
    readonly access: Access,
    readonly model: string,
    readonly timeoutMs: number,
    /** Largest body of one answer. */
    readonly answerBytes = ANSWER_BYTES,
  ) {}

  /** The SDK, loaded at the first call. */
  async sdk(): Promise<OpenAI> {
    this.opened ??= open(this.access, this.timeoutMs, this.answerBytes);
    return (await this.opened).sdk;
  }

  context(signal?: AbortSignal): CallContext {
    return {
      model: this.model,
      address: this.access.url.address,
      timeoutMs: this.timeoutMs,
      secrets: this.access.secrets(),
      keyVariable: this.access.keyVariable,
      keyFound: this.access.keyFound,
      signal,
    };
  }

  /** Sends a request and gives the whole body, which may hold that many answers; a refusal is thrown as a CallError. */
  async post(request: OpenAIRequest, answers: number, signal?: AbortSignal): Promise<RawResponse> {
    const fetchOptions = { maxBytes: answers * this.answerBytes } as object;
    return this.linked(signal, async (sdk, linked) =>
      sdk.post(request.path, { body: request.body, signal: linked, fetchOptions }).asResponse(),
    );
  }

  /** The server's list of models; null: it has none to show. */
  async models(): Promise<{ headers: RawHeaders; body: unknown } | null> {
    try {
      const response = await this.linked(undefined, async (sdk) => sdk.get("/models", {}).asResponse());
      return { headers: response.headers, body: await response.json().catch(() => null) };
    } catch (error) {
      // Without a list a server may still answer; without a connection, or with the wrong key, it will not.
      const redirected =
        error instanceof CallError && error.status !== null && error.status >= 300 && error.status < 400;
      if (error instanceof CallError && !redirected && !["connection", "timeout", "auth"].includes(error.fault))
        return null;
      throw error;
    }
  }

  /** Runs something of the SDK with our errors. */
  async run<T>(call: (sdk: OpenAI) => Promise<T>): Promise<T> {
    try {
      return await call(await this.sdk());
    } catch (error) {
      throw toCallError(error, this.context());
    }
  }

  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = null;
    if (opened) await (await opened).net.close();
  }

  /** The SDK leaves a listener on the signal that it is given, for good; a run has one signal for all its calls, so it gets another each time. */
  private async linked(
    signal: AbortSignal | undefined,
    call: (sdk: OpenAI, linked: AbortSignal) => Promise<unknown>,
  ): Promise<RawResponse> {
    const own = new AbortController();
    const abort = (): void => own.abort();
    if (signal?.aborted) abort();
    // As many calls listen to a run's signal as are in flight; Node takes more than ten for a leak and says so.
    if (signal) setMaxListeners(0, signal);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return (await call(await this.sdk(), own.signal)) as RawResponse;
    } catch (error) {
      throw toCallError(error, this.context(signal));
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }
}

async function open(
  access: Access,
  timeoutMs: number,
  answerBytes: number,
): Promise<{ sdk: OpenAI; net: UndiciFetch }> {
  const fetching = createUndiciFetch({ idleMs: timeoutMs, secrets: access.secrets(), answerBytes });
  const [{ OpenAI }, net] = await Promise.all([import("openai"), fetching]);
  const own = access.dialect?.name === "openai";
  const sdk = new OpenAI({
    apiKey: access.key(),
    baseURL: access.url.address,
    defaultQuery: { ...access.url.query },
    // Azure takes the key under another name.
    ...(access.dialect?.name === "azure" ? { defaultHeaders: { "api-key": access.key(), Authorization: null } } : {}),
    // Names of one's organisation are OpenAI's business alone.
    ...(own ? {} : { organization: null, project: null }),
    maxRetries: 0,
    timeout: timeoutMs,
    // It would print requests where OPENAI_LOG is set.
    logLevel: "off",
    fetch: net.fetch as unknown as typeof globalThis.fetch,
  });
  return { sdk, net };
}
