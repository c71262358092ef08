import type { BatchResult } from "../batch-client.js";
import { CallError, tooLongAnswer } from "../call-error.js";
import { parseWithoutSecrets } from "../http/blot-secrets.js";
import type { DeveloperApi } from "./developer-api.js";
import { geminiAnswers } from "./gemini-answer.js";
import { errorOfStatus } from "./gemini-errors.js";
import { httpStatus } from "./gemini-faults.js";
import type { Model } from "./gemini-model.js";
import type { GeminiRequest } from "./gemini-request.js";
import { count, type Loose, list, record, text } from "./loose.js";

/** The key of a line: ids are letters and digits, so `_` parts them from what else is needed to read the answer. */
export function keyOf(id: string, { generationConfig }: GeminiRequest): string {
  return `${id}_${generationConfig.temperature}_${generationConfig.candidateCount}`;
}

function readKey(key: unknown): { id: string; temperature: number; answers: number } | null {
  const parts = /^([^_]+)_([^_]+)_(\d{1,4})$/.exec(text(key) ?? "");
  if (!parts || !Number.isFinite(Number(parts[2]))) return null;
  return { id: parts[1]!, temperature: Number(parts[2]), answers: Number(parts[3]) };
}

/**
 * What a job has given. Its output is a file of lines with our keys; small jobs were seen to come back inline even where the questions
 * came in a file. What carries no key of ours cannot be booked on a decision and is passed over: better asked again than wrong.
 */
export async function* batchResults(job: Loose, api: DeveloperApi, model: Model): AsyncIterable<BatchResult> {
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

/** A line that is no JSON tells not even whose it is. */
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
