import { createHash } from "node:crypto";
import type { Ask } from "../auditor.js";
import type { OutputFormat } from "../output-format.js";
import { jsonSchema } from "../output-format.js";

/** A key, or a key with the number of a draw. Letters, digits and hyphens, so that every batch service takes it for an id. */
const KEY = /^(p1-[0-9a-f]{32})(?:-([1-9]\d{0,8}))?$/;

/**
 * What identifies a question: SHA-256 over the two messages and the schema of the answer. Temperature, seed and token limits are left out, because a
 * gateway may not let anyone choose them: an answer counts for the question that it answers, however it was made. The one exception is an
 * arm that sets a temperature of its own: there the temperature is the question.
 */
export function promptKey({
  prompt,
  temperature,
  ownTemperature,
}: Pick<Ask, "prompt" | "temperature" | "ownTemperature">) {
  const { system, shared, own, format } = prompt!;
  const hash = createHash("sha256");
  const parts = [system, `${shared}${own}`, schemaText(format), ...(ownTemperature ? [String(temperature)] : [])];
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return `p1-${hash.digest("hex").slice(0, 32)}`;
}

/** The name of one answer to a question. Draws are counted from 1. */
export function answerId(key: string, draw: number): string {
  return `${key}-${draw}`;
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
