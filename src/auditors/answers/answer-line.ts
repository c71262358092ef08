import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Generation } from "../../core/records/case.js";
import type { Ask } from "../auditor.js";
import { spellOut } from "../openai/batch-line.js";
import { jsonSchema, type OutputFormat } from "../output-format.js";
import { BrokenJson } from "../scan/json-cursor.js";
import { type Fields, scanFields } from "./answer-fields.js";

/** A key, or a key with the number of a draw. Letters and digits, so that every batch service takes it for an id. */
const KEY = /^(p1[0-9a-f]{32})(?:n([1-9]\d{0,8}))?$/;

/**
 * What identifies a question: SHA-256 over the two messages and the schema of the answer. Temperature, seed and token limits are left out, because a
 * gateway may not let a caller choose them: an answer counts for the question that it answers, however it was made. Only an arm that sets a
 * temperature has keys of its own: its answers must not be those of another arm.
 */
export function promptKey({ prompt, variant }: Pick<Ask, "prompt" | "variant">): string {
  const { system, shared, own, format } = prompt!;
  const hash = createHash("sha256");
  const parts = [system, `${shared}${own}`, schemaText(format), ...(variant === undefined ? [] : [variant])];
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return `p1${hash.digest("hex").slice(0, 32)}`;
}

/** The name of one answer to a question. Draws are counted from 1. */
export function answerId(key: string, draw: number): string {
  return `${key}n${draw}`;
}

/** The question, and the draw where it is named; null: not a key of ours. */
export function parseKey(text: string): { key: string; draw: number | null } | null {
  const match = KEY.exec(text);
  return match && { key: match[1]!, draw: match[2] === undefined ? null : Number(match[2]) };
}

const SCHEMAS = new WeakMap<OutputFormat, string>();

function schemaText(format: OutputFormat): string {
  let text = SCHEMAS.get(format);
  if (text === undefined) {
    text = JSON.stringify(jsonSchema(format));
    SCHEMAS.set(format, text);
  }
  return text;
}

/** What a line says of itself, without its answer. */
export interface LineHead {
  key: string;
  /** null: the next free one. */
  draw: number | null;
  model: string | null;
  logprobs: boolean;
  /** The call failed, in these words: there is no answer yet. */
  failed: string | null;
}

/** Why a line cannot be used: it cannot be read, or its key is not one of ours. */
export type LineFault = "malformed" | "foreign";

const MOST_DRAWS = 1_000_000;
const LONGEST_NAME = 200;

/** Which question a line answers. */
export function readHead(line: Buffer): LineHead | LineFault {
  const fields = isUtf8(line) ? fieldsOf(line) : null;
  return fields === null ? "malformed" : headOf(fields);
}

/** The answer of a line; null: it holds none to this question. */
export function readAnswer(
  line: Buffer,
  key: string,
  asked: { temperature: number; model: string },
): Generation | null {
  const fields = fieldsOf(line);
  const head = fields === null ? "malformed" : headOf(fields);
  if (fields === null || typeof head === "string" || head.key !== key || head.failed !== null) return null;
  const { tokens, finish, space, usage } = fields;
  const text = fields.text ?? "";
  return {
    text,
    tokens,
    ...(tokens ? { joined: spellOut(tokens, text) } : {}),
    finish,
    space,
    temperature: fields.temperature ?? asked.temperature,
    support: "top_k",
    model: head.model ?? asked.model,
    usage,
  };
}

function fieldsOf(line: Buffer): Fields | null {
  try {
    return scanFields(line);
  } catch (cause) {
    if (cause instanceof BrokenJson) return null;
    throw cause;
  }
}

function headOf({ name, draw, model, text, tokens, failed }: Fields): LineHead | LineFault {
  const badDraw = draw !== null && !(Number.isInteger(draw) && draw >= 1 && draw <= MOST_DRAWS);
  if (name === null || badDraw || (text === null && failed === null)) return "malformed";
  const known = parseKey(name);
  if (known === null) return "foreign";
  return {
    key: known.key,
    draw: draw ?? known.draw,
    model: model?.trim().slice(0, LONGEST_NAME) || null,
    logprobs: tokens !== null,
    failed,
  };
}
