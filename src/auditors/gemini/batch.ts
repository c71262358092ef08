import type { BatchJobSource, InlinedRequest } from "@google/genai";
import {
  type Ask,
  type BatchClient,
  type BatchHandle,
  type BatchItem,
  type BatchResult,
  type BatchStatus,
  CallError,
  tooLongAnswer,
} from "../auditor.js";
import { parseWithoutSecrets } from "../http/raw-response.js";
import { type GeminiRequest, geminiAnswers } from "./answer.js";
import { type DeveloperApi, developerApi, type GeminiAccess, type GeminiClient } from "./client.js";
import { count, errorOfStatus, httpStatus, type Loose, list, record, safeWords, text } from "./errors.js";
import type { Model } from "./probe.js";

/**
 * Bytes of a part. A file may hold 2 GB, but an account may have only a few million tokens pending, and a part above that is
 * refused as a whole: 10 MB are about 2.5 million tokens. A hundred jobs may be pending at once.
 */
const PART_BYTES = 10_000_000;
const UPLOAD_MS = 600_000;

/** Any other state is still running. */
const STATES: ReadonlyMap<string, BatchStatus["state"]> = new Map([
  ["SUCCEEDED", "finished"],
  ["PARTIALLY_SUCCEEDED", "finished"],
  ["FAILED", "failed"],
  ["CANCELLED", "cancelled"],
  ["EXPIRED", "expired"],
]);

/** A line in the form that the SDK sends inline. */
function inlined(line: string): InlinedRequest {
  const { key, request } = JSON.parse(line) as { key: string; request: GeminiRequest };
  const { contents, generationConfig, ...rest } = request;
  return { contents, config: { ...generationConfig, ...rest } as InlinedRequest["config"], metadata: { key } };
}

/**
 * Batches of the Gemini Developer API. Questions are sent as a file of `{key, request}` lines, and the answers carry the keys. Inline requests have
 * been answered in another order than asked (python-genai issue 1909: 96 of 200) and without the metadata sent along (python-genai 2008, js-genai
 * 1191); relying on the order would assign answers to the wrong decisions. So they are used only if the address has no files (a gateway), and answers
 * without a key are skipped. The key holds everything needed to read an answer after a restart: id, temperature, number of answers.
 */
export function createGeminiBatch(
  model: Model,
  client: GeminiClient,
  access: GeminiAccess,
  answerBytes: number,
  requestOf: (ask: Ask) => GeminiRequest,
): BatchClient {
  const { context } = model;
  const api = developerApi(access, context, client, answerBytes);

  async function send(lines: string[], label: string): Promise<BatchHandle> {
    const src = await source(lines, label);
    const config = { displayName: `${label} (${lines.length})` };
    const job = await client.use(
      (ai, abortSignal) => ai.batches.create({ model: context.model, src, config: { ...config, abortSignal } }),
      undefined,
      UPLOAD_MS,
    );
    if (!job.name) throw foreign("a batch without a name");
    return { id: job.name, items: lines.length, submitted_at: text(job.createTime) ?? new Date().toISOString() };
  }

  async function source(lines: string[], label: string): Promise<BatchJobSource> {
    try {
      const file = new Blob(lines, { type: "application/jsonl" });
      const config = { mimeType: "jsonl", displayName: label };
      const fileName = text((await client.use((ai) => ai.files.upload({ file, config }), undefined, UPLOAD_MS))?.name);
      if (!fileName) throw foreign("an uploaded file without a name");
      return { fileName };
    } catch (error) {
      if (!(error instanceof CallError && error.fault === "not_found")) throw error;
      return { inlinedRequests: lines.map(inlined) };
    }
  }

  function foreign(what: string): CallError {
    return new CallError("bad_answer", `${context.name}: the batch was not understood; got ${what}`);
  }

  return {
    async *submit(items: AsyncIterable<BatchItem>, label: string) {
      let lines: string[] = [];
      let bytes = 0;
      for await (const item of items) {
        const request = requestOf(item.ask);
        const line = `${JSON.stringify({ key: keyOf(item.id, request), request })}\n`;
        const size = Buffer.byteLength(line);
        if (lines.length > 0 && bytes + size > PART_BYTES) {
          yield await send(lines, label);
          lines = [];
          bytes = 0;
        }
        lines.push(line);
        bytes += size;
      }
      if (lines.length > 0) yield await send(lines, label);
    },

    find: (label) =>
      client.use(async (ai, abortSignal) => {
        const found: BatchHandle[] = [];
        for await (const job of await ai.batches.list({ config: { pageSize: 100, abortSignal } })) {
          const name = text(job?.displayName);
          const items = name?.startsWith(`${label} (`)
            ? /^\((\d+)\)$/.exec(name.slice(label.length + 1))?.[1]
            : undefined;
          if (items !== undefined && job.name)
            found.push({ id: job.name, items: Number(items), submitted_at: text(job.createTime) ?? "" });
        }
        return found;
      }),

    async status(handle) {
      const job = await api.job(handle.id);
      const metadata = record(job.metadata);
      const state = STATES.get((text(metadata.state) ?? "").replace(/^(JOB|BATCH)_STATE_/, ""));
      const failure = text(record(job.error).message);
      const stats = record(metadata.batchStats);
      const failed = count(stats.failedRequestCount) ?? 0;
      return {
        state: state ?? (job.done === true ? (job.error ? "failed" : "finished") : "running"),
        done: count(stats.successfulRequestCount) ?? (state === "finished" ? handle.items - failed : 0),
        failed,
        message: failure === null ? null : safeWords(failure, context.secrets),
      };
    },

    async *results(handle): AsyncIterable<BatchResult> {
      yield* batchResults(await api.job(handle.id), api, model);
    },
  };
}

/** The key of a line. Ids are letters and digits, so `_` separates them from the rest needed to read the answer. */
function keyOf(id: string, { generationConfig }: GeminiRequest): string {
  return `${id}_${generationConfig.temperature}_${generationConfig.candidateCount}`;
}

function readKey(key: unknown): { id: string; temperature: number; answers: number } | null {
  const parts = /^([^_]+)_([^_]+)_(\d{1,4})$/.exec(text(key) ?? "");
  if (!parts || !Number.isFinite(Number(parts[2]))) return null;
  return { id: parts[1]!, temperature: Number(parts[2]), answers: Number(parts[3]) };
}

/**
 * The results of a job. Its output is a file of lines with our keys; small jobs have returned inline results even though the questions came in a
 * file. A line without our key cannot be assigned to a decision and is skipped: asking again is better than a wrong answer.
 */
async function* batchResults(job: Loose, api: DeveloperApi, model: Model): AsyncIterable<BatchResult> {
  const output = [record(job.metadata).output, job.response, record(job.response).output]
    .map(record)
    .find((place) => place.responsesFile !== undefined || place.inlinedResponses !== undefined);
  const seen = new Set<string>();
  for await (const entry of entries(output ?? {}, api, model)) {
    const key = readKey(entry.key ?? record(entry.metadata).key);
    if (!key || seen.has(key.id)) continue;
    seen.add(key.id);
    yield { id: key.id, answer: readEntry(entry, key, model) };
  }
}

async function* entries(output: Loose, api: DeveloperApi, model: Model): AsyncIterable<Loose> {
  const { secrets } = model.context;
  const fileName = text(output.responsesFile);
  if (fileName === null) {
    yield* list(record(output.inlinedResponses).inlinedResponses).map(record);
    return;
  }
  for await (const line of api.lines(fileName)) {
    const entry = parseLine(line, secrets);
    if (entry) yield entry;
  }
}

/** null if a line is not JSON: it does not even say which question it answers. */
function parseLine(line: string, secrets: readonly string[]): Loose | null {
  try {
    return record(parseWithoutSecrets(line, secrets));
  } catch {
    return null;
  }
}

function readEntry(
  entry: Loose,
  { temperature, answers }: { temperature: number; answers: number },
  model: Model,
): BatchResult["answer"] {
  const { context, price } = model;
  if (entry.error !== undefined) {
    const error = record(entry.error);
    const body = { words: text(error.message) ?? "an error without words", details: list(error.details) };
    return { error: errorOfStatus(httpStatus(count(error.code) ?? 500), body, context) };
  }
  if (entry.too_long === true) {
    return { generations: [tooLongAnswer({ model: context.model, space: "unknown", temperature })] };
  }
  try {
    return { generations: geminiAnswers(entry.response, { ...context, temperature, answers, price }) };
  } catch (error) {
    if (error instanceof CallError) return { error };
    throw error;
  }
}
