import { jsonSchema, type OutputFormat } from "../../auditors/output-format.js";
import { hashParts } from "./nonce.js";
import type { Rendering } from "./precedent-shelf.js";

/** `<name>-<number>#<8 hex digits>`: other instructions, another schema or another rendering is another version. */
export function versionOf(
  name: string,
  number: number,
  instructions: string,
  format: OutputFormat,
  rendering: Rendering,
): string {
  const hash = hashParts([instructions, JSON.stringify(jsonSchema(format)), String(rendering)]);
  return `${name}-${number}#${hash.slice(0, 8)}`;
}
