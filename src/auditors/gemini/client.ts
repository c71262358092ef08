import { setMaxListeners } from "node:events";
import type { GenerateContentConfig, GoogleGenAI, GoogleGenAIOptions } from "@google/genai";
import { CallError } from "../call-error.js";
import { type RawResponse, readLines } from "../http/raw-response.js";
import { ANSWER_BYTES, createUndiciFetch, type UndiciFetch } from "../http/undici-fetch.js";
import type { GeminiAccess } from "./credentials.js";
import { type Ended, type ErrorContext, toCallError } from "./errors.js";
import { type Loose, record } from "./faults.js";
import type { GeminiRequest } from "./request.js";

/** Calls of one model through the official SDK. Whatever goes wrong is a CallError. */
export interface GeminiClient {
  generate(request: GeminiRequest, signal?: AbortSignal): Promise<unknown>;
  /** Does something else with the SDK under the same rules. */
  use<T>(work: Work<T>, signal?: AbortSignal, limitMs?: number): Promise<T>;
  /** Its way out to the server. */
  net(): Promise<UndiciFetch>;
  close(): Promise<void>;
}

type Work<T> = (ai: GoogleGenAI, signal: AbortSignal) => Promise<T>;

/** More overflows the clock, which then strikes at once. */
const LONGEST_MS = 2 ** 31 - 1;
/** Silence while a file is uploaded or a batch is made. */
const LONGEST_UPLOAD_MS = 600_000;

export function geminiClient(
  access: GeminiAccess,
  context: ErrorContext,
  timeoutMs: number,
  answerBytes = ANSWER_BYTES,
): GeminiClient {
  let loading: Promise<GoogleGenAI> | null = null;
  let opening: Promise<UndiciFetch> | null = null;
  const net = (): Promise<UndiciFetch> => {
    opening ??= createUndiciFetch({
      idleMs: Math.max(timeoutMs, LONGEST_UPLOAD_MS),
      secrets: context.secrets,
      answerBytes,
    });
    return opening;
  };

  async function use<T>(work: Work<T>, signal?: AbortSignal, limitMs = timeoutMs): Promise<T> {
    loading ??= net().then((opened) => load(access, timeoutMs, opened.fetch));
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
    net,
    async close() {
      const opened = opening;
      opening = loading = null;
      if (opened) await (await opened).close();
    },
    generate: ({ contents, generationConfig, ...rest }, signal) =>
      use(async (ai, abortSignal) => {
        const maxBytes = answerBytes * Number(generationConfig.candidateCount ?? 1);
        const { fetch } = await net();
        const httpOptions = { fetch: (url: string, init: object) => fetch(url, { ...init, maxBytes }) };
        const config = { ...generationConfig, ...rest, abortSignal, automaticContinuation: false, httpOptions };
        return ai.models.generateContent({
          model: context.model,
          contents,
          config: config as unknown as GenerateContentConfig,
        });
      }, signal),
  };
}

async function load(access: GeminiAccess, timeoutMs: number, fetch: UndiciFetch["fetch"]): Promise<GoogleGenAI> {
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
      fetch: fetch as unknown as typeof globalThis.fetch,
    },
    // The machine's own credentials are exchanged for a token by another library; they follow no redirect either.
    googleAuthOptions: { clientOptions: { transporterOptions: { redirect: "error" } } },
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

const JOB_MS = 120_000;
const DOWNLOAD_MS = 1_800_000;
const JOB_BYTES = 64 * 1024 * 1024;

/**
 * The two reads of a batch that the SDK does not do well: it drops a job's counts and the reason of its failure, and its download
 * writes to a file without heeding a connection that breaks.
 */
export interface DeveloperApi {
  /** A batch job with its counts, errors and output. */
  job(name: string): Promise<Loose>;
  /** The lines of a file, as they come. */
  lines(fileName: string): AsyncIterable<string>;
}

export function developerApi(
  access: GeminiAccess,
  context: ErrorContext,
  client: Pick<GeminiClient, "net">,
  lineBytes: number,
): DeveloperApi {
  async function get(path: string, limitMs: number, stream: boolean): Promise<RawResponse> {
    const { fetch } = await client.net();
    const response = await fetch(`${access.baseUrl}/v1beta/${path}`, {
      headers: [["x-goog-api-key", access.apiKey ?? ""]],
      signal: AbortSignal.timeout(limitMs),
      stream,
      // Small jobs hold their answers themselves.
      maxBytes: JOB_BYTES,
    });
    if (response.ok) return response;
    throw Object.assign(new Error(await response.text()), { status: response.status });
  }

  return {
    async job(name) {
      const path = checked(name, /^batches\/[\w.-]+$/, context);
      try {
        return record(await (await get(path, JOB_MS, false)).json());
      } catch (error) {
        throw toCallError(error, context);
      }
    },
    async *lines(fileName) {
      const path = `${checked(fileName, /^files\/[\w.-]+$/, context)}:download?alt=media`;
      try {
        const { stream } = await get(path, DOWNLOAD_MS, true);
        for await (const line of readLines(stream ?? [], lineBytes)) {
          yield line.length > lineBytes ? cutLine(line) : line.toString("utf8");
        }
      } catch (error) {
        throw toCallError(error, context);
      }
    },
  };
}

/** In place of a line that is longer than what is read: whose it is, if it says so at its beginning. */
function cutLine(line: Buffer): string {
  const key = /"key"\s*:\s*"([\w.-]{1,200})"/.exec(line.toString("latin1", 0, 4096))?.[1];
  return JSON.stringify({ key, too_long: true });
}

/** Names come from a server or from disk and end up in an address. */
function checked(name: string, form: RegExp, context: ErrorContext): string {
  if (form.test(name)) return name;
  throw new CallError(
    "bad_request",
    `${context.name}: the name of a batch or file is malformed; got ${JSON.stringify(name.slice(0, 80))}`,
  );
}
