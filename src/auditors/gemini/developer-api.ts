import { CallError } from "../call-error.js";
import type { GeminiAccess } from "./credentials.js";
import { type ErrorContext, toCallError } from "./gemini-errors.js";
import { type Loose, record } from "./loose.js";

const JOB_MS = 120_000;
const DOWNLOAD_MS = 1_800_000;
const LONGEST_LINE = 64_000_000;

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

export function developerApi(access: GeminiAccess, context: ErrorContext): DeveloperApi {
  async function get(path: string, limitMs: number): Promise<Response> {
    const response = await fetch(`${access.baseUrl}/v1beta/${path}`, {
      headers: { "x-goog-api-key": access.apiKey ?? "" },
      signal: AbortSignal.timeout(limitMs),
    });
    if (response.ok) return response;
    throw Object.assign(new Error(await response.text()), { status: response.status });
  }

  return {
    async job(name) {
      const path = checked(name, /^batches\/[\w.-]+$/, context);
      try {
        return record(await (await get(path, JOB_MS)).json());
      } catch (error) {
        throw toCallError(error, context);
      }
    },
    async *lines(fileName) {
      const path = `${checked(fileName, /^files\/[\w.-]+$/, context)}:download?alt=media`;
      try {
        const { body } = await get(path, DOWNLOAD_MS);
        if (body) yield* linesOf(body);
      } catch (error) {
        throw toCallError(error, context);
      }
    },
  };
}

/** Names come from a server or from disk and end up in an address. */
function checked(name: string, form: RegExp, context: ErrorContext): string {
  if (form.test(name)) return name;
  throw new CallError(
    "bad_request",
    `${context.name}: the name of a batch or file is malformed; got ${JSON.stringify(name.slice(0, 80))}`,
  );
}

/** Lines of UTF-8 bytes, wherever these were cut. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n", start)) {
      yield rest.slice(start, end);
      start = end + 1;
    }
    rest = rest.slice(start);
    if (rest.length > LONGEST_LINE) throw new SyntaxError("a line of more than 64 MB");
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
