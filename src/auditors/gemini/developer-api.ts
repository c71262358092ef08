import { CallError } from "../call-error.js";
import type { RawResponse } from "../http/raw-response.js";
import { readLines } from "../http/read-byte-lines.js";
import type { GeminiAccess } from "./credentials.js";
import type { GeminiClient } from "./gemini-client.js";
import { type ErrorContext, toCallError } from "./gemini-errors.js";
import { type Loose, record } from "./loose.js";

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
