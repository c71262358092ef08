import type { BatchResult } from "../batch-client.js";
import { CallError, tooLongAnswer } from "../call-error.js";
import { printable } from "../http/printable.js";
import { BrokenJson, JsonCursor } from "./json-cursor.js";
import { type GenerationContext, makeGenerations } from "./make-generations.js";
import { type CallContext, hideSecrets, NO_HEADERS, refusalError } from "./openai-errors.js";
import { scanBody } from "./scan-body.js";

/** What it takes to read a line. */
export interface BatchReading {
  context: CallContext;
  generation: GenerationContext;
  trueBytes: boolean;
  /** Longest line that is read. */
  lineBytes: number;
}

interface Line {
  id: string | null;
  status: number | null;
  body: Buffer | null;
  error: { code: string | null; message: string | null } | null;
}

/** One line of a batch's output or error file; null: it cannot be told whose it is. */
export function readBatchLine(bytes: Buffer, reading: BatchReading): BatchResult | null {
  if (bytes.length > reading.lineBytes) {
    const id = /"custom_id"\s*:\s*"([A-Za-z0-9]{1,64})"/.exec(bytes.toString("latin1", 0, 4096))?.[1];
    return id === undefined ? null : { id, answer: { generations: [tooLongAnswer(reading.generation)] } };
  }
  let line: Line;
  try {
    line = scanLine(bytes, reading.context.secrets);
  } catch (error) {
    if (error instanceof BrokenJson) return null;
    throw error;
  }
  return line.id === null ? null : { id: line.id, answer: answerOf(line, reading) };
}

function answerOf({ status, body, error }: Line, reading: BatchReading): BatchResult["answer"] {
  if (status !== null && body !== null && status < 400) {
    try {
      return {
        generations: makeGenerations(scanBody(body, reading.trueBytes, reading.context.secrets), reading.generation),
      };
    } catch (cause) {
      if (cause instanceof CallError) return { error: cause };
      throw cause;
    }
  }
  if (status !== null && status >= 400) {
    return { error: refusalError(status, body?.toString("utf8") ?? "", NO_HEADERS, reading.context) };
  }
  const words = printable(
    hideSecrets(error?.message ?? "the provider gave no answer and no reason", reading.context.secrets),
    500,
  );
  // Not reached before the day was over: to be asked again.
  const fault = /expired|cancel|timeout/i.test(`${error?.code} ${words}`) ? "timeout" : "server";
  return { error: new CallError(fault, `${reading.context.model}: the batch has no answer: ${words}`) };
}

function scanLine(bytes: Buffer, secrets: readonly string[]): Line {
  const cursor = new JsonCursor(bytes, 0, secrets);
  const line: Line = { id: null, status: null, body: null, error: null };
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (key === "custom_id") line.id = cursor.string();
    else if (key === "response" && cursor.isObject()) scanResponse(cursor, line);
    else if (key === "error" && cursor.isObject()) line.error = scanError(cursor);
    else cursor.skip();
  }
  return line;
}

function scanResponse(cursor: JsonCursor, line: Line): void {
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (key === "status_code") line.status = cursor.number();
    else if (key === "body") {
      const start = cursor.pass();
      line.body = cursor.bytes.subarray(start, cursor.at);
    } else cursor.skip();
  }
}

function scanError(cursor: JsonCursor): NonNullable<Line["error"]> {
  const error: NonNullable<Line["error"]> = { code: null, message: null };
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    if (key === "code") error.code = cursor.string();
    else if (key === "message") error.message = cursor.string();
    else cursor.skip();
  }
  return error;
}
