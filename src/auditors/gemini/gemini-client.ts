import { setMaxListeners } from "node:events";
import type { GenerateContentConfig, GoogleGenAI, GoogleGenAIOptions } from "@google/genai";
import type { GeminiAccess } from "./credentials.js";
import { type Ended, type ErrorContext, toCallError } from "./gemini-errors.js";
import type { GeminiRequest } from "./gemini-request.js";

/** Calls of one model through the official SDK. Whatever goes wrong is a CallError. */
export interface GeminiClient {
  generate(request: GeminiRequest, signal?: AbortSignal): Promise<unknown>;
  /** Does something else with the SDK under the same rules. */
  use<T>(work: Work<T>, signal?: AbortSignal, limitMs?: number): Promise<T>;
}

type Work<T> = (ai: GoogleGenAI, signal: AbortSignal) => Promise<T>;

/** More overflows the clock, which then strikes at once. */
const LONGEST_MS = 2 ** 31 - 1;

export function geminiClient(access: GeminiAccess, context: ErrorContext, timeoutMs: number): GeminiClient {
  let loading: Promise<GoogleGenAI> | null = null;

  async function use<T>(work: Work<T>, signal?: AbortSignal, limitMs = timeoutMs): Promise<T> {
    loading ??= load(access, timeoutMs);
    const ai = await loading;
    // The SDK's own timeout leaves a timer and a listener on our signal behind for every call that succeeds: with thousands of
    // calls in a run they pile up. So the time is kept here, and the SDK sees a signal that lives as long as its call.
    const controller = new AbortController();
    let ended: Ended = null;
    const stopped = new Promise<never>((_, reject) => {
      controller.signal.addEventListener("abort", () => reject(controller.signal.reason), { once: true });
    });
    const end = (how: Ended) => {
      ended ??= how;
      controller.abort();
    };
    const abort = () => end("aborted");
    const timer = setTimeout(() => end("timeout"), Math.min(limitMs, LONGEST_MS));
    if (signal) {
      // One signal ends all calls in flight, and Node takes more than ten listeners for a leak.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", abort, { once: true });
    }
    try {
      if (signal?.aborted) abort();
      // Looking up the machine's credentials heeds no signal, hence the race.
      return await Promise.race([stopped, work(ai, controller.signal)]);
    } catch (error) {
      throw toCallError(error, context, ended);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  return {
    use,
    generate: ({ contents, generationConfig, ...rest }, signal) =>
      use((ai, abortSignal) => {
        const config = { ...generationConfig, ...rest, abortSignal, automaticContinuation: false };
        return ai.models.generateContent({ model: context.model, contents, config: config as GenerateContentConfig });
      }, signal),
  };
}

async function load(access: GeminiAccess, timeoutMs: number): Promise<GoogleGenAI> {
  const { GoogleGenAI } = await import("@google/genai");
  const options: GoogleGenAIOptions = {
    vertexai: access.kind === "vertex",
    ...(access.apiKey === null ? {} : { apiKey: access.apiKey }),
    ...(access.project === null ? {} : { project: access.project }),
    ...(access.location === null ? {} : { location: access.location }),
    httpOptions: {
      ...(access.ownBaseUrl ? { baseUrl: access.baseUrl } : {}),
      // What the SDK would send for its timeout: the server need not go on for longer.
      headers: { "X-Server-Timeout": String(Math.ceil(timeoutMs / 1_000)) },
    },
  };
  return withoutConsole(() => new GoogleGenAI(options));
}

/** The SDK's constructor remarks on variables it does not use, with `console.debug` on standard output, where reports go. */
function withoutConsole<T>(work: () => T): T {
  const { debug, warn } = console;
  console.debug = () => {};
  console.warn = () => {};
  try {
    return work();
  } finally {
    console.debug = debug;
    console.warn = warn;
  }
}
