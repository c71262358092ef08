import { setMaxListeners } from "node:events";
import type { OpenAI } from "openai";
import { CallError } from "../auditor.js";
import { type RawHeaders, type RawResponse, rememberedBody } from "../http/raw-response.js";
import { ANSWER_BYTES, createUndiciFetch, type UndiciFetch } from "../http/undici-fetch.js";
import type { Access } from "./access.js";
import { type OpenAIRequest, requestJson } from "./batch-line.js";
import { type CallContext, lateAnswer, refusalError, toCallError } from "./errors.js";

/** The official SDK, and the HTTP client that both it and we use. */
interface Opened {
  sdk: OpenAI;
  net: UndiciFetch;
}

/** URL and headers for requests of one path. */
interface Target {
  url: string;
  headers: [string, string][];
}

/** Calls to one model at one server through the official SDK. The SDK's retries are off: the run does the retrying. */
export class OpenAIClient {
  private opened: Promise<Opened> | null = null;
  private readonly targets = new Map<string, Promise<Target>>();

  constructor(
    readonly access: Access,
    readonly model: string,
    readonly timeoutMs: number,
    /** Largest body of one answer. */
    readonly answerBytes = ANSWER_BYTES,
  ) {}

  /** The SDK, loaded at the first call. */
  async sdk(): Promise<OpenAI> {
    return (await this.open()).sdk;
  }

  private open(): Promise<Opened> {
    this.opened ??= open(this.access, this.timeoutMs, this.answerBytes);
    return this.opened;
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

  /**
   * Sends a request and returns the whole body, which may hold `answers` answers; a refusal throws a CallError. Address and
   * headers are taken from the SDK once: its work around each call takes longer than reading the answer.
   */
  async post(request: OpenAIRequest, answers: number, signal?: AbortSignal): Promise<RawResponse> {
    const maxBytes = answers * this.answerBytes;
    return this.linked(signal, async ({ sdk, net }, own) => {
      const { url, headers } = await this.target(sdk, request.path);
      const body = requestJson(request);
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        own.abort();
      }, this.timeoutMs);
      try {
        const response = await net.fetch(url, { method: "POST", headers, body, signal: own.signal, maxBytes });
        if (response.ok) return response;
        const words = rememberedBody(response.headers) ?? "";
        throw refusalError(response.status, words, response.headers, this.context(signal));
      } catch (error) {
        throw late && !signal?.aborted ? lateAnswer(this.context()) : error;
      } finally {
        clearTimeout(timer);
      }
    });
  }

  private target(sdk: OpenAI, path: string): Promise<Target> {
    const known = this.targets.get(path);
    if (known) return known;
    const made = sdk
      .buildRequest({ method: "post", path, body: {} })
      .then(({ req, url }) => ({ url, headers: [...(req.headers as Headers)] }));
    this.targets.set(path, made);
    return made;
  }

  /** The server's list of models; null: it offers none. */
  async models(): Promise<{ headers: RawHeaders; body: unknown } | null> {
    try {
      const response = await this.linked(undefined, async ({ sdk }) => sdk.get("/models", {}).asResponse());
      return { headers: response.headers, body: await response.json().catch(() => null) };
    } catch (error) {
      // A server without a list may still answer; one without a connection, or with the wrong key, will not.
      const redirected =
        error instanceof CallError && error.status !== null && error.status >= 300 && error.status < 400;
      if (error instanceof CallError && !redirected && !["connection", "timeout", "auth"].includes(error.fault))
        return null;
      throw error;
    }
  }

  /** Runs SDK code and converts its errors to ours. */
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

  /** Makes a call with its own controller, which the run's signal aborts too, and converts the SDK's errors to ours. */
  private async linked(
    signal: AbortSignal | undefined,
    call: (opened: Opened, own: AbortController) => Promise<unknown>,
  ): Promise<RawResponse> {
    const own = new AbortController();
    const abort = (): void => own.abort();
    if (signal?.aborted) abort();
    // Every call in flight listens to the run's signal; Node warns of a leak above ten listeners.
    if (signal) setMaxListeners(0, signal);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return (await call(await this.open(), own)) as RawResponse;
    } catch (error) {
      throw toCallError(error, this.context(signal));
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }
}

async function open(access: Access, timeoutMs: number, answerBytes: number): Promise<Opened> {
  const fetching = createUndiciFetch({ idleMs: timeoutMs, secrets: access.secrets(), answerBytes });
  const [{ OpenAI }, net] = await Promise.all([import("openai"), fetching]);
  const own = access.dialect?.name === "openai";
  const sdk = new OpenAI({
    apiKey: access.key(),
    baseURL: access.url.address,
    defaultQuery: { ...access.url.query },
    // Azure expects the key in another header.
    ...(access.dialect?.name === "azure" ? { defaultHeaders: { "api-key": access.key(), Authorization: null } } : {}),
    // Organisation names are for OpenAI only.
    ...(own ? {} : { organization: null, project: null }),
    maxRetries: 0,
    timeout: timeoutMs,
    // The SDK would print requests if OPENAI_LOG is set.
    logLevel: "off",
    fetch: net.fetch as unknown as typeof globalThis.fetch,
  });
  return { sdk, net };
}
