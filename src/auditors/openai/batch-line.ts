import type { Generation, Token } from "../../core/records/case.js";
import type { BatchResult, Price } from "../auditor.js";
import { CallError, tooLongAnswer } from "../call-error.js";
import { costOf } from "../create-auditor.js";
import { printable, withoutSecrets } from "../http/raw-response.js";
import { BrokenJson, isMembers, JsonCursor, membersOf, readWhole, textOf } from "../scan/json-cursor.js";
import { type ScannedBody, type ScannedChoice, scanBody } from "../scan/scan-body.js";
import { type CallContext, hideSecrets, NO_HEADERS, refusalError } from "./errors.js";

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

/** One line of a batch's output or error file; null: it does not say whose it is. */
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
  const body = (cursor: JsonCursor) => cursor.bytes.subarray(cursor.pass(), cursor.at);
  const { custom_id: id, response, error } = readWhole(new JsonCursor(bytes, 0, secrets), { body });
  const { status_code: status, body: answer } = membersOf(response);
  const { code, message } = membersOf(error);
  return {
    id: textOf(id),
    status: typeof status === "number" ? status : null,
    body: Buffer.isBuffer(answer) ? answer : null,
    error: isMembers(error) ? { code: textOf(code), message: textOf(message) } : null,
  };
}

interface GenerationContext {
  /** As we named it, where the server does not. */
  model: string;
  space: Generation["space"];
  temperature: number;
  price: Price | null;
  /** Keys that no answer may carry on. */
  secrets?: readonly string[];
}

/**
 * The answers of a body in the form of every provider. The prompt was read once for all of them, so the first answer carries its tokens and
 * the others none; what was written is shared out by each answer's number of tokens, or evenly where that is not known.
 */
export function makeGenerations(body: ScannedBody, context: GenerationContext): Generation[] {
  const { choices, usage } = body;
  const outputs = shareOut(usage?.output ?? null, choices);
  const generations = choices.map((choice, i): Generation => {
    const input = usage === null || usage.input === null ? null : i === 0 ? usage.input : 0;
    const cached = usage === null || usage.cached === null ? null : i === 0 ? usage.cached : 0;
    const output = outputs[i]!;
    const charged = usage === null || usage.cost === null ? null : i === 0 ? usage.cost : 0;
    return {
      text: choice.text,
      tokens: choice.tokens,
      joined: choice.tokens !== null && spellOut(choice.tokens, choice.text),
      finish: choice.finish,
      space: context.space,
      temperature: context.temperature,
      support: "top_k",
      model: body.model ?? context.model,
      usage: {
        input_tokens: input,
        cached_input_tokens: cached,
        output_tokens: output,
        cost_usd: costOf(context.price, { input, cached, output }) ?? charged,
      },
    };
  });
  return generations.map((generation) => withoutSecrets(generation, context.secrets ?? []));
}

/** True where the tokens' texts joined are the text. */
export function spellOut(tokens: readonly Token[], text: string): boolean {
  let at = 0;
  for (const token of tokens) {
    if (!text.startsWith(token.text, at)) return false;
    at += token.text.length;
  }
  return at === text.length;
}

/** A total in whole parts, by the choices' numbers of tokens; parts add up to the total. */
function shareOut(total: number | null, choices: readonly ScannedChoice[]): (number | null)[] {
  if (total === null) return choices.map(() => null);
  const known = choices.every((choice) => choice.tokens !== null);
  const weights = choices.map((choice) => (known ? choice.tokens!.length : 1));
  const sum = weights.reduce((a, b) => a + b, 0);
  let passed = 0;
  let given = 0;
  return weights.map((weight) => {
    passed += weight;
    const upTo = Math.round((total * passed) / sum);
    const part = upTo - given;
    given = upTo;
    return part;
  });
}
