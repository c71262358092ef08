import { setMaxListeners } from "node:events";
import type { GenerateContentConfig, GoogleGenAI, GoogleGenAIOptions } from "@google/genai";
import { EnvironmentError, InputError } from "../../core/errors.js";
import { CallError } from "../auditor.js";
import { type RawResponse, readLines } from "../http/raw-response.js";
import { ANSWER_BYTES, createUndiciFetch, type UndiciFetch } from "../http/undici-fetch.js";
import type { GeminiRequest } from "./answer.js";
import { type Ended, type ErrorContext, type Loose, record, toCallError } from "./errors.js";
import type { GeminiKind } from "./probe.js";

/** Endpoint and credentials. With project and location, the machine's own credentials are used, which the SDK finds itself. */
export interface GeminiAccess {
  kind: GeminiKind;
  apiKey: string | null;
  project: string | null;
  location: string | null;
  /** Without a trailing slash. */
  baseUrl: string;
  /** False: the SDK may choose the address. */
  ownBaseUrl: boolean;
}

/** Credentials from the environment, or an error that says what is missing. */
export function geminiAccess(
  kind: GeminiKind,
  name: string,
  baseUrl: string | undefined,
  offline = false,
): GeminiAccess {
  const set = baseUrl ?? variable(kind === "gemini" ? "GOOGLE_GEMINI_BASE_URL" : "GOOGLE_VERTEX_BASE_URL");
  const own = checkedUrl(set, name);
  const common = { kind, apiKey: null, project: null, location: null, ownBaseUrl: own !== null };
  // Offline nothing is asked, so any key will do.
  const googleKey = key("GOOGLE_API_KEY", name) ?? (offline ? "offline" : null);
  if (kind === "gemini") {
    const apiKey = key("GEMINI_API_KEY", name) ?? googleKey;
    if (apiKey) return { ...common, apiKey, baseUrl: own ?? "https://generativelanguage.googleapis.com" };
    throw missing(
      name,
      "GEMINI_API_KEY and GOOGLE_API_KEY are not set",
      "Set GEMINI_API_KEY to a key from https://aistudio.google.com/apikey.",
    );
  }
  const project = variable("GOOGLE_CLOUD_PROJECT");
  const location = variable("GOOGLE_CLOUD_LOCATION");
  // As in the SDK: project and location take precedence over a key.
  if (project && location) {
    const region = location === "global" ? "" : `${location}-`;
    return { ...common, project, location, baseUrl: own ?? `https://${region}aiplatform.googleapis.com` };
  }
  if (googleKey) return { ...common, apiKey: googleKey, baseUrl: own ?? "https://aiplatform.googleapis.com" };
  const absent = [...(project ? [] : ["GOOGLE_CLOUD_PROJECT"]), ...(location ? [] : ["GOOGLE_CLOUD_LOCATION"])];
  throw missing(
    name,
    `${absent.join(" and ")} ${absent.length > 1 ? "are" : "is"} not set, nor is GOOGLE_API_KEY`,
    `Set ${absent.join(" and ")} and run \`gcloud auth application-default login\`, or set GOOGLE_API_KEY to a Vertex AI key.`,
  );
}

/** Every key in the environment: none may appear in anything that is printed. */
export function secretsOf(access: GeminiAccess): string[] {
  const found = [access.apiKey, variable("GEMINI_API_KEY"), variable("GOOGLE_API_KEY")];
  return [...new Set(found.filter((secret) => secret !== null))];
}

function variable(name: string): string | null {
  return process.env[name]?.trim() || null;
}

/** A value that no header can hold is rejected as a key; if it were sent, the error would quote it. */
function key(name: string, auditor: string): string | null {
  const value = variable(name);
  if (value === null || /^[\x21-\x7e]+$/.test(value)) return value;
  throw missing(
    auditor,
    `${name} holds characters that no key has`,
    `Set ${name} again, without quotes, spaces and line breaks.`,
  );
}

function checkedUrl(address: string | null, name: string): string | null {
  if (address === null) return null;
  if (URL.canParse(address)) {
    const { protocol, username, password, search, hash } = new URL(address);
    // A password or key in an address would end up in messages and logs; `fetch` refuses the former, the SDK breaks the latter.
    if (/^https?:$/.test(protocol) && username + password + search + hash === "") return address.replace(/\/+$/, "");
  }
  throw new InputError(
    "bad_base_url",
    `base URL of ${name}: not a plain address; expected one such as https://generativelanguage.googleapis.com`,
    "Correct `baseUrl`, or leave it out. Keys go into the environment, not into the address.",
  );
}

function missing(name: string, what: string, remedy: string): EnvironmentError {
  return new EnvironmentError("no_key", `${name}: no access; ${what}`, remedy);
}

/** Calls to one model through the official SDK. Any failure becomes a CallError. */
export interface GeminiClient {
  generate(request: GeminiRequest, signal?: AbortSignal): Promise<unknown>;
  /** Runs other work with the SDK under the same rules. */
  use<T>(work: Work<T>, signal?: AbortSignal, limitMs?: number): Promise<T>;
  /** The HTTP client that its calls go through. */
  net(): Promise<UndiciFetch>;
  close(): Promise<void>;
}

type Work<T> = (ai: GoogleGenAI, signal: AbortSignal) => Promise<T>;

/** Longer delays overflow the timer, which then fires at once. */
const LONGEST_MS = 2 ** 31 - 1;
/** Longest silence while a file is uploaded or a batch is created. */
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
    // The SDK's own timeout leaves a timer and a listener on our signal behind after every successful call: with thousands of
    // calls in a run they pile up. So the time limit is kept here, and the SDK gets a signal that lives only as long as its call.
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
      // One signal ends all calls in flight; Node warns of a leak above ten listeners.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", abort, { once: true });
    }
    try {
      if (signal?.aborted) abort();
      // The lookup of the machine's credentials ignores signals, hence the race.
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
      // As the SDK would send for its timeout: the server need not work longer than this.
      headers: { "X-Server-Timeout": String(Math.ceil(timeoutMs / 1_000)) },
      fetch: fetch as unknown as typeof globalThis.fetch,
    },
    // The machine's own credentials are exchanged for a token by another library, which must not follow redirects either.
    googleAuthOptions: { clientOptions: { transporterOptions: { redirect: "error" } } },
  };
  return withoutConsole(() => new GoogleGenAI(options));
}

/** The SDK's constructor comments on unused variables with `console.debug`, on standard output, where reports go. */
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
 * The two batch reads that the SDK does badly: it drops a job's counts and the reason for its failure, and its download writes to
 * a file and does not notice a broken connection.
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
      // Small jobs contain their answers.
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

/** Replaces a line that is longer than the limit: keeps its key, if that is near the beginning. */
function cutLine(line: Buffer): string {
  const key = /"key"\s*:\s*"([\w.-]{1,200})"/.exec(line.toString("latin1", 0, 4096))?.[1];
  return JSON.stringify({ key, too_long: true });
}

/** Names come from a server or from disk and become part of an address. */
function checked(name: string, form: RegExp, context: ErrorContext): string {
  if (form.test(name)) return name;
  throw new CallError(
    "bad_request",
    `${context.name}: the name of a batch or file is malformed; got ${JSON.stringify(name.slice(0, 80))}`,
  );
}
